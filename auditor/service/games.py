"""The games that the engine knows: their versions, rules and readings."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from auditor import __version__
from auditor.service.values import NotFound
from auditor.store.cleaning import clean


class Games:
    """What the pages about rules show, and what an audit of today would be made with."""

    def __init__(self, engine: str) -> None:
        self.engine_name = engine
        self.engine: Any = importlib.import_module(engine)

    def titles(self) -> dict[str, str]:
        """Each game's key and title."""
        return {key: ruleset.title for key, ruleset in self.rulesets().items()}

    def version(self, game: str | None) -> str:
        """The version under which a log of this game would be audited now; the engine's own for an unknown game."""
        ruleset = self.rulesets().get(game or "")
        return clean(ruleset.version if ruleset is not None else f"engine {__version__}", 64)

    def rules(self, game: str) -> list[dict[str, Any]]:
        """All rules of a game, in the shape of the command line's JSON."""
        return list(self.engine.rules(self.known(game)))

    def readings(self, game: str) -> list[dict[str, Any]]:
        """All readings of a game, in the shape of the command line's JSON."""
        return list(self.engine.readings(self.known(game)))

    def caveat(self, game: str) -> str:
        """What whoever reads an audit of a game has to know of the auditor; "" where nothing."""
        return str(self.engine.caveat(self.known(game)))

    def rule(self, rule_id: str) -> tuple[str, dict[str, Any]]:
        """A rule and the game it belongs to."""
        for game in self.titles():
            for rule in self.rules(game):
                if rule["id"] == rule_id:
                    return game, rule
        raise NotFound("rule")

    def rulesets(self) -> dict[str, Any]:
        """Each game's ruleset."""
        games = self.engine.GAMES
        return dict(games) if isinstance(games, Mapping) else {ruleset.key: ruleset for ruleset in games}

    def known(self, game: str) -> str:
        """The key of a game, if there is such a game. Raises NotFound."""
        if game not in self.rulesets():
            raise NotFound("game")
        return game
