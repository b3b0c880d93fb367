"""Claims that no other rule compares: who paid, why a battle ended, how long a number lasts, what a modifier adds
(HCG-DOC-04)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.core.findings import Remark
from auditor.core.ruleset import Rule
from auditor.systems.hcg import records
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.claims import cause_of_end, modifies, until_of
from auditor.systems.hcg.reckoning.plays import announced, play_by
from auditor.systems.hcg.rules.common import both


def _payer(this: Rule, event: records.Cost, position: Position) -> list[Remark]:
    play = play_by(event, position)
    if play is None or event.by in (None, play.by):
        return []
    text = f"The log has {event.by} pay for {position.named(play.card)}, which {play.by} played."
    claim, right = {"by": event.by}, {"by": play.by}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=right)]


def _cause(this: Rule, event: records.BattleEnd, position: Position) -> list[Remark]:
    right = cause_of_end(position)
    if right is None or event.cause in (None, right):
        return []
    words = {"double_pass": "two passes", "withdraw": "a withdrawal", "skip": "an empty side in the set-up"}
    battle = f"The log has the battle of {both(position)}"
    text = f"{battle} end by {words[str(event.cause)]}; it ended by {words[right]}."
    claim, due = {"cause": event.cause}, {"cause": right}
    return [this.miscalculated(text, player=None, claimed=claim, recomputed=due)]


def _until(this: Rule, event: records.Effect, position: Position) -> list[Remark]:
    play, right = play_by(event, position), until_of(event, position)
    if play is None or right is None or event.until in (None, right):
        return []
    lasts = {"ba": "the battle action", "battle": "the battle", "turn": "the turn"}
    said = f"until the end of {lasts[event.until]}" if event.until in lasts else "always"
    text = f"What {position.named(play.card)} gives lasts {said} in the log; it lasts until the end of {lasts[right]}."
    claim, due = {"until": event.until}, {"until": right}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=due)]


def _change(how: str, n: Any) -> str:
    return (
        f"a roll of {n}" if how == "set" else f"{n} more" if isinstance(n, int) and n >= 0 else f"{n} less".lstrip("-")
    )


def _modifier(this: Rule, event: records.Modifier, position: Position) -> list[Remark]:
    play, right = announced(event, position), modifies(event, position)
    said = ("set", event.set) if event.set is not None else ("amount", event.amount)
    if play is None or right is None or said[1] is None or said == right:
        return []
    text = f"{position.named(play.card)} gives {_change(*said)} in the log; its text gives {_change(*right)}."
    claim, due = dict([said]), dict([right])
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=due)]


CLAIMS: dict[type, Callable[[Rule, Any, Position], list[Remark]]] = {
    records.Cost: _payer,
    records.BattleEnd: _cause,
    records.Effect: _until,
    records.Modifier: _modifier,
}
"""Event type -> what is wrong with such claims of an event."""
