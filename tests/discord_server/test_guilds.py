"""Members: timeouts, kicks, bans, roles, hierarchy, the audit log."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest

from tests.discord_server import ALL, Bot, Channel, DiscordServer, Guild, Member, Permission
from tests.discord_server.client import Client, fault, refused
from tests.discord_server.conftest import Connect


@pytest.fixture
async def home(client: Client, guild: Guild) -> discord.Guild:
    found = client.get_guild(guild.id)
    assert found is not None
    return found


async def test_a_timeout_silences(
    server: DiscordServer,
    client: Client,
    home: discord.Guild,
    guild: Guild,
    channel: Channel,
    fan: Member,
) -> None:
    member = await home.fetch_member(fan.id)
    await member.timeout(timedelta(minutes=10), reason="Flag 3")
    assert fan.timed_out_until == pytest.approx(server.clock.now() + 600, abs=2)
    assert guild.audit_log[-1].reason == "Flag 3"
    _, after = await client.hear("member_update")
    assert after.is_timed_out()
    with pytest.raises(Exception, match="SEND_MESSAGES"):
        await fan.post(channel, "x")
    server.clock.advance(601)
    await fan.post(channel, "back")


async def test_what_a_timeout_may_not_do(home: discord.Guild, guild: Guild, fan: Member) -> None:
    member = await home.fetch_member(fan.id)
    error = await refused(member.timeout(timedelta(days=29)), 400, 50035)
    assert "TIMESTAMP" in fault(error, "communication_disabled_until")
    owner = await home.fetch_member(guild.owner.id)
    await refused(owner.timeout(timedelta(hours=1)), 403, 50013)
    chief = guild.add_member("Chief", guild.add_role("Chief"))
    above = await home.fetch_member(chief.id)
    await refused(above.timeout(timedelta(hours=1)), 403, 50013)


async def test_an_administrator_cannot_be_timed_out(
    server: DiscordServer, guild: Guild, connect: Connect, bot: Bot
) -> None:
    role = guild.role_of(bot)
    admin = guild.add_member("Admin", guild.add_role("Admin", Permission.ADMINISTRATOR))
    role.move(99)
    async with connect() as client:
        seen = client.get_guild(guild.id)
        assert seen is not None
        member = await seen.fetch_member(admin.id)
        await refused(member.timeout(timedelta(hours=1)), 403, 50013)
        await member.kick()
        assert not admin.present
    assert server.calls("DELETE", r"/guilds/\d+/members/\d+")


async def test_missing_permissions(
    home: discord.Guild, guild: Guild, bot: Bot, fan: Member
) -> None:
    member = await home.fetch_member(fan.id)
    guild.role_of(bot).set_permissions(ALL & ~Permission.ADMINISTRATOR & ~(1 << 40 | 6))
    await refused(member.timeout(timedelta(hours=1)), 403, 50013)
    await refused(member.kick(), 403, 50013)
    await refused(member.ban(), 403, 50013)
    assert fan.present


async def test_a_ban_deletes_recent_messages(
    client: Client, home: discord.Guild, guild: Guild, channel: Channel, fan: Member
) -> None:
    posted = await fan.post(channel, "x")
    member = await home.fetch_member(fan.id)
    await member.ban(delete_message_seconds=60, reason="Flag 9")
    assert fan.banned
    assert not fan.present
    assert posted.deleted
    assert guild.bans == {fan.id: "Flag 9"}
    await client.hear("member_ban")
    found = await home.fetch_ban(member)
    assert found.reason == "Flag 9"
    assert [each.user.id async for each in home.bans()] == [fan.id]
    await home.unban(member)
    await refused(home.fetch_ban(member), 404, 10026)
    await refused(home.fetch_member(fan.id), 404, 10007)


async def test_roles_and_nicknames(
    home: discord.Guild, guild: Guild, bot: Bot, fan: Member
) -> None:
    low, high = guild.add_role("low"), guild.add_role("high")
    guild.role_of(bot).data.position = high.data.position
    high.data.position += 1
    guild.role_of(bot).set_permissions(ALL & ~Permission.ADMINISTRATOR)
    member = await home.fetch_member(fan.id)
    await member.add_roles(discord.Object(low.id))
    assert fan.data.role_ids == [low.id]
    await refused(member.add_roles(discord.Object(high.id)), 403, 50013)
    await member.remove_roles(discord.Object(low.id))
    await member.edit(nick="Rob")
    assert fan.name == "Rob"


async def test_the_audit_log(client: Client, home: discord.Guild, fan: Member) -> None:
    await (await home.fetch_member(fan.id)).kick(reason="Flag 1")
    (entry,) = await client.hear("audit_log_entry_create")
    assert (entry.action, entry.reason) == (discord.AuditLogAction.kick, "Flag 1")
    found = [each async for each in home.audit_logs(limit=5)]
    assert [each.reason for each in found] == ["Flag 1"]
    reason = "x" * 513
    await refused(home.unban(discord.Object(fan.id), reason=reason), 404, 10026)


async def test_what_the_application_says(client: Client, bot: Bot) -> None:
    found = await client.application_info()
    assert found.id == bot.id
    assert found.flags.gateway_message_content_limited
    assert [each.id async for each in client.fetch_guilds()] == [g.id for g in client.guilds]
