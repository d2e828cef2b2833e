"""The people each guild talks about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.comment import Person
from bot.errors import UserError
from bot.store.engine import Database
from bot.store.schema import roster_people
from bot.words import _


class Roster:
    """Reads and writes the people of each guild, in the order they were added."""

    def __init__(self, database: Database, changed: Callable[[str], None]) -> None:
        """Use `database`, and tell `changed` which guild's roster was written."""
        self._database = database
        self._changed = changed

    async def people(self, guild_id: str) -> tuple[Person, ...]:
        """Return the people of a guild."""
        return await self._database.read(lambda connection: _people(connection, guild_id))

    async def add(self, guild_id: str, person: Person) -> None:
        """Add a person.

        Raises:
            UserError: the name is blank, or is already someone's name or alias here.
        """
        await self._database.write(lambda connection: _add(connection, guild_id, person))
        self._changed(guild_id)

    async def add_each(self, guild_id: str, people: Sequence[Person]) -> list[str]:
        """Add the people that can be added, in one transaction.

        Returns:
            For each of them what is wrong, empty for those who were added.
        """

        async def work(connection: AsyncConnection) -> list[str]:
            problems = []
            for person in people:
                try:
                    await _add(connection, guild_id, person)
                except UserError as error:
                    problems.append(str(error))
                else:
                    problems.append("")
            return problems

        problems = await self._database.write(work)
        self._changed(guild_id)
        return problems

    async def change(
        self, guild_id: str, name: str, change: Callable[[Person], Person]
    ) -> Person | None:
        """Change the aliases, handles or pronouns of the person of this name.

        Returns:
            The person as they are now, None if there is none.

        Raises:
            UserError: an alias is the name of someone else.
        """

        async def work(connection: AsyncConnection) -> Person | None:
            people = await _people(connection, guild_id)
            found = next((each for each in people if fold(each.name) == fold(name)), None)
            if found is None:
                return None
            changed = change(found)
            for other in people:
                if other is not found:
                    _refuse_clash(found.name, changed, other)
            await connection.execute(
                update(roster_people)
                .where(
                    roster_people.c.guild_id == guild_id,
                    roster_people.c.name_folded == fold(found.name),
                )
                .values(
                    aliases=list(changed.aliases),
                    handles=list(changed.handles),
                    pronouns=changed.pronouns,
                )
            )
            return changed

        changed = await self._database.write(work)
        self._changed(guild_id)
        return changed

    async def remove(self, guild_id: str, name: str) -> bool:
        """Remove a person by name, whatever its case; false if there was none."""
        statement = delete(roster_people).where(
            roster_people.c.guild_id == guild_id, roster_people.c.name_folded == fold(name)
        )
        removed = await self._database.execute(statement) > 0
        self._changed(guild_id)
        return removed

    async def seed(self, guild_id: str, people: Iterable[Person]) -> None:
        """Give a guild without people a first roster; one that has people keeps its own.

        Raises:
            UserError: a name is given twice; then nobody is added.
        """

        async def work(connection: AsyncConnection) -> None:
            if await _people(connection, guild_id):
                return
            for person in people:
                await _add(connection, guild_id, person)

        await self._database.write(work)
        self._changed(guild_id)


def fold(name: str) -> str:
    """Return the form in which two spellings of a name are the same."""
    return " ".join(name.split()).casefold()


async def _people(connection: AsyncConnection, guild_id: str) -> tuple[Person, ...]:
    query = (
        select(roster_people)
        .where(roster_people.c.guild_id == guild_id)
        .order_by(roster_people.c.id)
    )
    return tuple(_person_of(row) for row in (await connection.execute(query)).mappings())


async def _add(connection: AsyncConnection, guild_id: str, person: Person) -> None:
    name = " ".join(person.name.split())
    if not name:
        raise UserError(_("A person needs a name."))
    for other in await _people(connection, guild_id):
        _refuse_clash(name, person, other)
    values = {
        "guild_id": guild_id,
        "name": name,
        "name_folded": fold(name),
        "aliases": list(person.aliases),
        "handles": list(person.handles),
        "pronouns": person.pronouns,
        "channels": list(person.channels),
    }
    await connection.execute(insert(roster_people), values)


def _refuse_clash(name: str, person: Person, other: Person) -> None:
    if fold(name) == fold(other.name):
        raise UserError(
            _("“{other}” is already on the roster. Remove that entry first.").format(
                other=other.name
            )
        )
    if fold(name) in {fold(alias) for alias in other.aliases}:
        raise UserError(
            _("“{name}” is already an alias of “{other}”. Choose a fuller name.").format(
                name=name, other=other.name
            )
        )
    if fold(other.name) in {fold(alias) for alias in person.aliases}:
        raise UserError(
            _("The alias “{other}” is the name of someone on the roster. Leave it out.").format(
                other=other.name
            )
        )


def _person_of(row: RowMapping) -> Person:
    return Person(
        name=row["name"],
        aliases=tuple(row["aliases"]),
        handles=tuple(row["handles"]),
        pronouns=row["pronouns"],
        channels=tuple(row["channels"]),
    )
