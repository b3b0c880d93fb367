"""The games that there are, and what each is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor import systems
from auditor.core.ruleset import Ruleset
from auditor.ingest import Packs, pack_schema
from auditor.ingest import schema as schema_of
from auditor.ingest import table as table_of

Json = dict[str, Any]
PacksOfGames = Mapping[str, Packs]
"""The data packs of each game, as `ingest.packs_with` gives them."""


class _Games(Mapping[str, Ruleset]):
    """Rulesets by the key of their game, each loaded when first looked up."""

    def __getitem__(self, key: str) -> Ruleset:
        return systems.game(key).ruleset

    def __iter__(self) -> Iterator[str]:
        return iter(systems.game_keys())

    def __len__(self) -> int:
        return len(systems.game_keys())

    def __contains__(self, key: object) -> bool:
        return key in systems.game_keys()


GAMES: Mapping[str, Ruleset] = _Games()


def rules(game: str) -> list[Json]:
    """The rules of a game. `auditable` is true, or the reason why no log can show the rule."""
    return [
        {
            "id": rule.id,
            "title": rule.title,
            "chapter": rule.chapter,
            "source": rule.source,
            "kinds": list(rule.kinds),
            "events": list(rule.events),
            "readings": list(rule.readings),
            "auditable": True if rule.check is not None else rule.why_not_auditable,
            "text": rule.text,
        }
        for rule in GAMES[game].rules
    ]


def readings(game: str) -> list[Json]:
    """The open readings of a game with their options, and the rules that may ask them."""
    return [
        {
            "id": reading.id,
            "question": reading.question,
            "options": [{"id": option.id, "means": option.means} for option in reading.options],
            "default": reading.default,
            "rules": [rule.id for rule in GAMES[game].rules if reading.id in rule.readings],
        }
        for reading in GAMES[game].readings
    ]


def title(game: str | None) -> str:
    """How a game is called; "" where none is known."""
    return GAMES[game].title if game is not None and game in GAMES else ""


def caveat(game: str | None) -> str:
    """What whoever reads an audit of a game has to know of the auditor; "" where nothing. No part of an audit."""
    return systems.game(game).caveat if game is not None and game in systems.game_keys() else ""


def schema(game: str, pack: str | None = None) -> Json:
    """The JSON Schema of a log of a game, or of its data packs of one kind."""
    return schema_of(game) if pack is None else pack_schema(game, pack)


def table(game: str) -> str:
    """The fields of a log of a game as a table in Markdown."""
    return table_of(game)
