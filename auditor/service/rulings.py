"""Rulings: those of the log, the defaults, and those stored under a name or sent as a file."""

from __future__ import annotations

from typing import Any

import orjson

from auditor.core.rulings import BadRulings
from auditor.jobs.identity import terms_digest
from auditor.service.games import Games
from auditor.service.shared import Shared
from auditor.service.values import DEFAULTS, FILE, OWN, SET, Choice, NamedRulings, NotFound
from auditor.store import queries
from auditor.store.cleaning import clean, clean_value
from auditor.store.tables import LABEL, Audit, RulingsSet
from auditor.systems.shapes import keys_twice, parse

READ_AS = "read_as"
"""Beside the answers of an audit's rulings: the other way of writing in which its log was read."""
_READ_AS_WORDS = "; read as "


class Rulings:
    """Which answers a log is audited under. A name never comes to mean anything else."""

    def __init__(self, shared: Shared, games: Games) -> None:
        self._shared = shared
        self._games = games

    def own(self) -> Choice:
        """The log's own rulings where its header has them, over the defaults."""
        return Choice(OWN, "the log's own, else the defaults")

    def choose(self, choice: str, data: bytes = b"") -> Choice:
        """The rulings that a form or an API call asks for: `own`, `defaults`, `set:NAME`, or `file` with its bytes.

        Raises BadRulings with everything that is wrong with them, and where there are bytes that nobody would use.
        """
        if data and choice != FILE:
            raise BadRulings(
                ["a rulings file was sent, but other rulings were chosen; choose the file, or leave it out"]
            )
        if choice in ("", OWN):
            return self.own()
        if choice == DEFAULTS:
            return Choice(DEFAULTS, "the defaults")
        if choice.startswith(SET):
            named = self.named(choice.removeprefix(SET))
            return Choice(SET, named.name, named.value, named.game)
        if choice == FILE:
            value, game = self.read(data)
            return Choice(FILE, clean(value["name"], LABEL), value, game)
        raise BadRulings([f'rulings are "{OWN}", "{DEFAULTS}", "{SET}NAME" or "{FILE}"'])

    def read_as(self, audit: Audit, game: str | None, way: str) -> Choice:
        """The rulings of an audit, with its log read as written in another way. Raises BadRulings where there is none."""
        kept = {key: value for key, value in (audit.rulings or {}).items() if key != READ_AS}
        label = audit.rulings_label.partition(_READ_AS_WORDS)[0]
        if problem := self._games.engine.not_a_way(way):
            raise BadRulings([f"the log cannot be read as {problem}"])
        words = f"{_READ_AS_WORDS}{way}"
        return Choice(FILE, label[: LABEL - len(words)] + words, {**kept, READ_AS: way}, game)

    def read(self, data: bytes, name: str | None = None) -> tuple[dict[str, Any], str]:
        """Rulings from their JSON, with the game they are for. Raises BadRulings with all that is wrong with them."""
        if len(data) > self._shared.settings.max_rulings_bytes:
            raise BadRulings([f"a rulings file has at most {self._shared.settings.max_rulings_bytes:,} bytes"])
        try:
            given = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            raise BadRulings([f"line {error.lineno}, column {error.colno}: this is not JSON"]) from None
        try:
            twice = list(keys_twice(parse(data.decode())))
        except RecursionError:
            raise BadRulings(["objects lie within each other too deeply"]) from None
        if twice:
            raise BadRulings([f"{path} is given twice" for path in twice])
        if not isinstance(given, dict):
            raise BadRulings(["a rulings set is an object"])
        if name:
            wrapped = bool({"name", "readings", "settings", "not_audited"} & given.keys()) or not given
            answers = {key: value for key, value in given.items() if key != "game"}
            its_game = {"game": given["game"]} if "game" in given else {}
            given = {**its_game, **(answers if wrapped else {"readings": answers}), "name": name}
        game = str(self._games.engine.game_of_rulings(given))
        return self._normal(given, game), game

    def _normal(self, given: dict[str, Any], game: str) -> dict[str, Any]:
        whole = self._games.engine.check_rulings(given, game)
        problems = [
            f'"{text[:64]}" holds signs that cannot be stored'
            for text in (whole.name, *whole.settings, *whole.settings.values(), *whole.not_audited.values())
            if text != clean_value(text)
        ]
        if len(whole.name) > LABEL:
            problems.append(f"a name has at most {LABEL} characters; this one has {len(whole.name):,}")
        if problems:
            raise BadRulings(problems)
        # Only what was said is kept: silence means the default of the version that audits.
        wrapped = bool({"name", "readings", "settings", "not_audited"} & given.keys()) or not given
        said = given.get("readings", {}) if wrapped else given.keys() - {"game"}
        return {
            "game": game,
            "name": clean(whole.name, LABEL),
            "readings": {key: whole.readings[key] for key in sorted(said)},
            "settings": dict(sorted(whole.settings.items())),
            "not_audited": dict(sorted(whole.not_audited.items())),
        }

    def named(self, name: str) -> NamedRulings:
        """Rulings by their name. Raises NotFound."""
        with self._shared.database.read() as session:
            row = queries.rulings_set(session, clean(name, LABEL))
        if row is None:
            raise NotFound("rulings")
        return self._named(row)

    def all_named(self) -> list[NamedRulings]:
        """All stored rulings, by name."""
        with self._shared.database.read() as session:
            return [self._named(row) for row in queries.rulings_sets(session)]

    def store(self, name: str, data: bytes) -> NamedRulings:
        """Store rulings under a name. The same again is no change; other answers under a used name are refused."""
        label = clean(name, len(name) * 6 + 1)
        if not label:
            raise BadRulings(["rulings are stored under a name"])
        if len(label) > LABEL:
            raise BadRulings([f"a name has at most {LABEL} characters; this one has {len(label):,}"])
        value, _game = self.read(data, label)
        digest = terms_digest(value)
        with self._shared.database.one_at_a_time() as session:
            row = queries.rulings_set(session, label)
            if row is None:
                row = RulingsSet(name=label, digest=digest, value=value)
                session.add(row)
                session.flush()
            elif row.digest != digest:
                raise BadRulings([f'"{label}" is stored with other answers already; choose another name'])
        return self._named(row)

    def _named(self, row: RulingsSet) -> NamedRulings:
        try:
            game: str | None = self.read(orjson.dumps(row.value))[1]
        except BadRulings:
            game = None  # a reading it names is gone from the rules; choosing it says so
        return NamedRulings(row.name, row.digest, game, row.value, row.created_at)

    def for_game(self, choice: Choice, game: str | None) -> dict[str, Any] | None:
        """What the engine gets: null for the log's own. Raises BadRulings when the set is another game's."""
        if choice.kind == OWN or game not in self._games.rulesets():
            return None
        if choice.kind == DEFAULTS:
            defaults = {reading["id"]: reading["default"] for reading in self._games.readings(game)}
            return {"name": DEFAULTS, "readings": defaults, "settings": {}, "not_audited": {}}
        if choice.game != game:
            raise BadRulings([f'the rulings "{choice.label}" are not for the game "{game}"'])
        return choice.value
