"""`fanguard run`: the live bot on Discord."""

from __future__ import annotations

import asyncio

import typer


def register(app: typer.Typer) -> None:
    """Add the `run` command."""
    app.command()(run)


def run() -> None:
    """Run the live bot; it needs DISCORD_TOKEN in the environment or in .env."""
    from bot.discord_app.login import check_token
    from bot.settings import load_people, load_settings

    settings = load_settings()
    people = load_people(settings.people_file)
    secret = settings.discord.token
    token = check_token(None if secret is None else secret.get_secret_value())

    from bot.classifier import HostilityModel
    from bot.discord_app import logs
    from bot.discord_app.service import serve

    logs.configure(settings.log)
    model = HostilityModel.load(settings.model.path, fast=settings.model.fast)
    asyncio.run(serve(settings, token, model, people))
