"""What the rules share: how they are declared, and how faults and notes are worded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from auditor.core import ruleset
from auditor.core.findings import Evidence, Fault, Figure, Kind, Lack, Note, Remark, Unchecked
from auditor.core.ruleset import Check, Rule
from auditor.core.work import spend
from auditor.geometry.inches.lengths import inches as inches
from auditor.geometry.inches.lengths import shown
from auditor.systems.clx.packs import hooks
from auditor.systems.clx.position.state import Position
from auditor.systems.clx.show import marks
from auditor.systems.clx.tolerance import Judged
from auditor.systems.words import listed as listed

Seen = list[Remark] | tuple[Remark, ...] | None

CHAPTERS = {
    "LOG": ("The record", "catalogue section 5"),
    "GAME": ("The game", "seed L8; catalogue 6.1"),
    "MOVE": ("Movement", "seed L15, L97; catalogue 6.2"),
    "PSY": ("Psychic Phase", "seed L21-26; catalogue 6.3"),
    "FACE": ("Facing", "seed L32; catalogue 6.4"),
    "SUPP": ("Suppression and pinning", "seed L33-34; catalogue 6.4"),
    "SHOOT": ("Shooting", "seed L36; catalogue 6.5"),
    "RUN": ("Shooting: running instead", "seed L36; catalogue 6.5"),
    "WPN": ("Types of weapons", "seed L55-62; catalogue 6.6"),
    "GREN": ("Grenades and bombs", "seed L63-67, L84; catalogue 6.7"),
    "ASLT": ("Assault", "seed L81; catalogue 6.8"),
    "MOR": ("Morale", "seed L88; catalogue 6.9"),
    "VEH": ("Vehicles", "seed L93-99; catalogue 6.10"),
    "GEAR": ("Special rules of weapons", "seed L103; catalogue 6.11"),
    "USR": ("Special rules of units", "seed L106; catalogue 6.12"),
    "MISC": ("Miscellaneous", "seed L108; catalogue 6.13"),
}
"""Family of rule ids -> chapter and source."""

FIELDS = {
    "excess": "by how much a limit is broken, as a decimal",
    "unit": "of what the excess is: in (inches), die, charges",
    "tolerance": "inches that would not have been held against anybody",
    "turn": "the game turn",
}
"""What a finding of this game has beyond those of others (catalogue 1.2)."""
_WORK_OF_A_FAULT = 250
"""To put one into words: lengths are shown exactly."""


def rule(
    rule_id: str,
    title: str,
    *,
    events: Iterable[str],
    kinds: Iterable[str],
    readings: Iterable[str] = (),
    when: Mapping[str, tuple[str, ...]] | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule at its check; chapter and source follow from the family of its id."""
    chapter, source = CHAPTERS[rule_id.split("-")[1]]
    return ruleset.rule(
        rule_id, title, chapter=chapter, source=source, events=events, kinds=kinds, readings=readings, when=when
    )


def fault(
    rule_id: str,
    kind: Kind,
    text: str,
    *subject: str,
    player: str | None = "",
    claimed: Any = None,
    recomputed: Any = None,
    figures: Iterable[Figure] = (),
    also: tuple[str, ...] = (),
    evidence: Callable[[], Evidence] | None = None,
    judged: Judged | None = None,
    seq: int | None = None,
    due: Callable[[], Any] | None = None,
    lacks: Lack | None = None,
) -> Fault:
    """A fault. `judged`: by how much a length was over, and what was allowed. `seq`: of an earlier event that it
    belongs to."""
    spend(_WORK_OF_A_FAULT)
    fields: dict[str, Any] = {}
    if judged is not None:
        fields = {"excess": shown(judged.over), "unit": "in", "tolerance": shown(judged.allowed)}
    return Fault(
        rule_id,
        kind,
        text,
        subject,
        player,
        claimed,
        recomputed,
        tuple(figures),
        seq=seq,
        also=also,
        evidence=evidence,
        game_fields=fields or None,
        due=due,
        lacks=lacks,
    )


def within_tolerance(rule_id: str, judged: Judged, text: str) -> Note:
    """A length over its limit that is not held against anybody."""
    told = f"{text} {inches(judged.over)} over, within the {inches(judged.allowed)} of measuring and recording."
    return Note("tolerance", told, rule_id, margin=shown(judged.over))


def unchecked(rule_id: str, why: str) -> Unchecked:
    """What could not be checked. Where it hangs on a value of the base game, the report says where that is written."""
    named = [name for name in dict.fromkeys(_HOOK.findall(why)) if name in _IN_HEADER]
    return Unchecked(rule_id, f"{why}; {listed(named)} is set in base_rules of the header" if named else why)


_HOOK = re.compile(r"BASE-[A-Z]+(?:-[A-Z]+)*!?")
_IN_HEADER = frozenset(hook.id for hook in hooks().values() if hook.kind != "text")
"""The base rules that a header sets."""


def by_whom(attacks: Iterable[str | None], position: Position) -> str:
    """Whose attacks these are: their names in the log tell a reader nothing."""
    known = (position.attacks.get(name) for name in attacks)
    return listed(dict.fromkeys(one.unit for one in known if one is not None and one.unit)) or "an attack"


def whose(event: Any, position: Position) -> str:
    """Whose hit, shot or blow an event is: its unit by its name, else the player for whom the event is recorded."""
    attack, step = position.attacks.get(event.attack), position.combat.steps.get(event.attack)
    unit = position.setup.units.get((attack.unit if attack else step.unit if step else None) or "")
    return unit.name if unit is not None else who_plays(event.player, position)


def who_plays(player: str | None, position: Position) -> str:
    """A player by the name, where a sentence begins with who did it."""
    return position.setup.player(player) if player else "a player"


def path_marks(
    model: str, path: Iterable[Any], allowed: Any = None, *more: Mapping[str, Any]
) -> Callable[[], Evidence]:
    """A way that was not allowed, with the place where the allowance ended, and other marks."""

    def evidence() -> Evidence:
        drawn = marks.way(model, path, allowed)
        return {"marks": [drawn, *more], "path": drawn["path"]}

    return evidence
