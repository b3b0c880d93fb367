"""Which rulings an audit goes by: those given, else the header's own, else the defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.core.findings import Note
from auditor.core.nearest import nearest
from auditor.core.record import InputError
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import BadRulings, Rulings
from auditor.core.rulings import rulings as complete
from auditor.engine.games import GAMES


def check_rulings(given: Mapping[str, Any], game: str) -> Rulings:
    """The complete rulings of a game. Raises BadRulings with everything that is wrong with those given."""
    return complete_rulings(given, GAMES[game], "unnamed")


def game_of_rulings(given: Mapping[str, Any]) -> str:
    """The game that rulings are of: the one that they name, else the only one that they fit.

    Raises BadRulings with everything that is wrong with them, and where they fit several games.
    """
    if isinstance(given, Mapping) and given.get("game") is not None:
        named = given["game"]
        if named not in list(GAMES):
            known = ", ".join(GAMES)
            raise BadRulings([f'there is no game "{str(named)[:64]}"{nearest(named, GAMES)}; there is {known}'])
        check_rulings(given, named)
        return str(named)
    refusals: list[BadRulings] = []
    fitting: list[str] = []
    for game in GAMES:
        try:
            check_rulings(given, game)
        except BadRulings as bad:
            refusals.append(bad)
        else:
            fitting.append(game)
    if len(fitting) > 1:
        raise BadRulings([f'they name no game and fit {" and ".join(fitting)}: add "game"'])
    if not fitting:
        # The game that has most of what they name was meant.
        raise min(refusals, key=lambda bad: len(bad.problems))
    return fitting[0]


def complete_rulings(given: Any, ruleset: Ruleset, name: str) -> Rulings:
    """The rulings of a game under a name, with the defaults where nothing is given. Raises BadRulings as well for those of
    another game."""
    named = given.get("game") if isinstance(given, Mapping) else None
    if named is not None and named != ruleset.key:
        raise BadRulings([f'they are of the game "{str(named)[:64]}", and this is {ruleset.key}'])
    rule_ids = [rule.id for rule in ruleset.rules]
    return complete(given, ruleset.readings, rule_ids, name=name, settings=ruleset.settings)


def in_force_of(
    header: Mapping[str, Any], ruleset: Ruleset, given: Mapping[str, Any] | None
) -> tuple[Rulings, list[Note], list[InputError]]:
    """The rulings in force; where the header's own differ, a note for each difference; what is wrong with those."""
    own: Rulings | None = None
    errors: list[InputError] = []
    if header.get("rulings"):
        try:
            own = complete_rulings(header["rulings"], ruleset, "the log's own")
        except BadRulings as bad:
            expected = "rulings that this game has; the header's are passed over"
            errors = [InputError(None, "rulings", problem, expected) for problem in bad.problems]
    if given is not None:
        in_force = complete_rulings(given, ruleset, "unnamed")
    else:
        in_force = own or complete_rulings(None, ruleset, "defaults")
    notes = [Note("reading", text) for text in _differences(header["rulings"], own, in_force)] if own else []
    return in_force, notes, errors


def _differences(written: Mapping[str, Any], own: Rulings, in_force: Rulings) -> Iterator[str]:
    """What a header says of rulings and is not in force, a sentence each."""
    by = f'by the rulings "{in_force.name}"'
    stated = written.get("readings") if isinstance(written.get("readings"), Mapping) else written
    for reading, option in own.readings.items():
        if reading in (stated or {}) and in_force.readings[reading] != option:
            yield f"The header claims {reading} as {option}; in force is {in_force.readings[reading]}, {by}."
    set_there = written.get("settings")
    for name, value in own.settings.items():
        if name in (set_there or {}) and in_force.settings.get(name) != value:
            yield f"The header claims {name} as {value}; in force is {in_force.settings.get(name, 'nothing')}, {by}."
    for rule in own.not_audited:
        if rule not in in_force.not_audited:
            yield f"The header wants {rule} left out; it is audited, {by}."
