"""Runs the server as a process, with a small guild, to try a bot by hand.

A line typed on standard input is posted by a fan in #general; what the bot does is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import threading

from tests.discord_server import MODERATOR, Bot, Channel, DiscordServer, Message


def _show(message: Message, channel: Channel) -> None:
    buttons = "".join(f" [{each.label or each.custom_id}]" for each in message.buttons)
    sys.stdout.write(f"#{channel.name} {message.author_name}: {message.text}{buttons}\n")
    sys.stdout.flush()


async def _watch(discord: DiscordServer, bot: Bot, channels: list[Channel]) -> None:
    shown: set[int] = set()
    while True:
        with contextlib.suppress(TimeoutError):
            await discord.wait_for(
                lambda: [m for c in channels for m in c.by(bot) if m.id not in shown], within=3600
            )
        for channel in channels:
            for message in channel.by(bot):
                if message.id not in shown:
                    shown.add(message.id)
                    _show(message, channel)


def _typed_lines(loop: asyncio.AbstractEventLoop) -> asyncio.Queue[str]:
    """The lines of standard input, read by a thread that dies with the process."""
    lines: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            if text := line.strip():
                loop.call_soon_threadsafe(lines.put_nowait, text)

    threading.Thread(target=read, daemon=True).start()
    return lines


async def serve(port: int) -> None:
    """Serve until the process is stopped."""
    async with DiscordServer(port=port) as discord:
        guild = discord.add_guild("Fan club")
        general = guild.add_channel("general")
        moderators = guild.add_channel("moderators")
        fan = guild.add_member("Robin")
        guild.add_member("Sam", guild.add_role("Moderator", MODERATOR))
        bot = discord.add_bot()
        for name, value in discord.environment(bot).items():
            sys.stdout.write(f"{name}={value}\n")
        sys.stdout.write(f"# guild {guild.id}, #general {general.id}, ")
        sys.stdout.write(f"#moderators {moderators.id}; type a line to post it in #general\n")
        sys.stdout.flush()
        watching = asyncio.create_task(_watch(discord, bot, [general, moderators]))
        try:
            lines = _typed_lines(asyncio.get_running_loop())
            while True:
                await fan.post(general, await lines.get())
        finally:
            watching.cancel()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.discord_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port; 0 picks a free one")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
