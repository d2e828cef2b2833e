"""`fanguard doctor`: the link that invites the bot, and what is still missing for it to work."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import UserError

if TYPE_CHECKING:
    from bot.discord_app.doctor import Finding
    from bot.settings import Settings
    from bot.store import GuildSettings

LEAST_FREE = 500 * 1024 * 1024
MB = 1024 * 1024


def register(app: typer.Typer) -> None:
    """Add the `doctor` command."""
    app.command()(doctor)


def doctor(
    offline: Annotated[
        bool, typer.Option("--offline", help="Look at this machine only, ask Discord nothing.")
    ] = False,
) -> None:
    """Print the invite link and check that all is there; exit 1 if something is to be done."""
    asyncio.run(_run(offline=offline))


async def _run(*, offline: bool) -> None:
    from bot.discord_app.client import invitation
    from bot.discord_app.doctor import Finding, application_of, examine
    from bot.settings import load_settings

    settings = load_settings()
    token = _token(settings)
    findings: list[Finding] = []
    if isinstance(token, str):
        application_id = application_of(token)
        if application_id is not None:
            typer.echo(f"Invite the bot with this link:\n  {invitation(application_id)}\n")
        if offline:
            findings.append(_say(Finding("token", note="of the right form, not tried out")))
    else:
        findings.append(_say(Finding("token", str(token))))
    findings += [_say(finding) for finding in _machine(settings)]
    stored, guilds = await _database(settings)
    findings += [_say(finding) for finding in stored]
    if not offline and isinstance(token, str):
        findings += [_say(each) async for each in examine(settings.discord, token, guilds)]
    if any(finding.to_do for finding in findings):
        raise typer.Exit(1)


def _token(settings: Settings) -> str | UserError:
    from bot.discord_app.login import check_token

    secret = settings.discord.token
    try:
        return check_token(None if secret is None else secret.get_secret_value())
    except UserError as error:
        return error


def _machine(settings: Settings) -> Iterator[Finding]:
    """Look at the model, the roster file and the room on the disk."""
    import shutil

    from bot.classifier import HostilityModel
    from bot.discord_app.doctor import Finding
    from bot.settings import load_people
    from bot.store import DatabaseChoice

    try:
        model = HostilityModel.load(settings.model.path, fast=settings.model.fast)
        yield Finding("model", note=model.version)
    except UserError as error:
        yield Finding("model", str(error))
    try:
        people = load_people(settings.people_file)
        yield Finding("people", note=f"{len(people)} in {settings.people_file.name}")
    except UserError as error:
        yield Finding("people", str(error))
    try:
        path = DatabaseChoice(settings.database.url).path or settings.key_file
        folder = _existing(path.absolute().parent)
    except UserError as error:
        yield Finding("disk", str(error))
        return
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        yield Finding(
            "disk", f"Only {free // MB} MB are free at {folder}. Make room for {LEAST_FREE // MB}."
        )
    else:
        yield Finding("disk", note=f"{free // MB} MB free")


async def _database(settings: Settings) -> tuple[list[Finding], dict[str, GuildSettings]]:
    """Look at the database and its key, and return the settings of the guilds in it."""
    from bot.discord_app.doctor import Finding
    from bot.store import DatabaseChoice, check, open_configured

    try:
        path = DatabaseChoice(settings.database.url).path
        if path is not None and (not path.exists() or not path.stat().st_size):
            made = Finding("database", note=f"{path} is made when the bot starts")
            return [made, Finding("key", note="made with the database if there is none")], {}
        report = await check(settings.database.url)
    except UserError as error:
        return [Finding("database", str(error))], {}
    if report.problems:
        return [Finding("database", f"{report.place}: {'; '.join(report.problems)}")], {}
    sound = Finding("database", note=f"{report.place} is sound")
    try:
        async with open_configured(settings, upgrade=False) as store:
            guilds = {each.guild_id: each for each in await store.guilds.all()}
    except UserError as error:
        return [sound, Finding("key", str(error))], {}
    return [sound, Finding("key", note="fits; keep a copy of it in a safe place")], guilds


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not folder.exists():
        folder = folder.parent
    return folder


def _say(finding: Finding) -> Finding:
    """Print what was found in one line."""
    if finding.to_do:
        typer.echo(f"to do  {finding.what}: {finding.to_do}")
    else:
        typer.echo(f"ok     {finding.what}" + (f": {finding.note}" if finding.note else ""))
    return finding
