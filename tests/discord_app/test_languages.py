"""Commands, answers and cards in the languages of those who read them, over the wire."""

from __future__ import annotations

from tests.discord_app.conftest import HOSTILE, Scene


async def test_commands_are_registered_in_all_languages(scene: Scene) -> None:
    async with scene.running():
        pass
    commands = scene.account.commands()
    history = commands["Flag history"]["name_localizations"]
    assert set(history) == {"es-ES", "es-419", "pt-BR", "fr", "de"}
    assert not commands["queue"]["name_localizations"]
    async with scene.running():
        pass
    assert len(scene.server.calls("PUT", r"/applications/\d+/commands")) == 1


async def test_an_answer_is_spanish_and_the_card_of_a_german_server_german(scene: Scene) -> None:
    scene.server.world.guilds[scene.guild.id].preferred_locale = "de"
    scene.moderator.data.user.locale = "es-419"
    async with scene.running():
        await scene.fan.post(scene.general, HOSTILE)
        card = await scene.card()
        assert "Feindselig gegen Ada Lark" in card.text
        press = await scene.moderator.click(card, "Übernehmen")
        assert "es tuyo durante 10 minutos" in (await press.reply()).text
