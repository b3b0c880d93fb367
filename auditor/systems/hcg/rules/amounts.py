"""X, and what is claimed of an ability against its text (catalogue 4.24, 4.29)."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.amounts import defined_x, named_x
from auditor.systems.hcg.reckoning.choices import ANNOUNCES
from auditor.systems.hcg.reckoning.deployment import counted
from auditor.systems.hcg.reckoning.effects import left_out
from auditor.systems.hcg.reckoning.plays import ability_of, announced, misplayed, need_before, play_by, players_of
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.values import untold
from auditor.systems.hcg.rules.common import Seen, rule
from auditor.systems.hcg.rules.costs import DOES

LATER = ("roll", *DOES)
DONE = frozenset(
    {
        *("draw", "discard", "mill", "destroy", "lock", "rally", "infiltrate", "damage", "return"),
        *("modify", "grant", "forbid", "flags", "roll_add", "roll_set", "reroll", "table", "test", "raw"),
    }
)
"""What an ability may do (catalogue 7.3); any other word says nothing that could be compared with a text."""


@rule(
    "HCG-X-01",
    "Defined X",
    section="4.24",
    events=[*ANNOUNCES, "roll"],
    kinds=["miscalculated"],
    readings=["OR-XSTAT", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys([*ANNOUNCES, "roll"], ("X",)),
)
def a_defined_x_is_as_defined(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """An X that the text defines is fixed by its definition as the ability is announced, after the target is chosen.

    Log:  `x`, and the number that the test needs, claims both.
    Edge: a wrong number that was announced is not told again at the roll that needs it.
    """
    this = a_defined_x_is_as_defined
    rolled = isinstance(event, records.Roll)
    play = play_by(event, position) if rolled else announced(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.x is None or "X" not in ability.has:
        return None
    if rolled:
        needs = [cost.n for cost in ability.costs if cost.op == "test"]
        if needs != ["X"] or event.purpose not in (None, "test"):
            return None
        name, said = "need", event.need
    else:
        name, said = "x", event.x
    if said is None:
        hearing.not_claimed()
        return None
    if rolled and said == need_before(event, position):
        return None  # What was claimed of the roll that this one takes the place of.
    if rolled and said == play.x:
        return RAN  # As it was announced: a wrong number was told there.
    found = defined_x(ability, play, position, hearing)
    if found is None:
        unread = "".join(f"; not read: {text}" for text in untold(position))
        return [Unchecked(this.id, f"nothing tells what X is: {ability.words(ability.x.at)}{unread}")]
    if said == found.value:
        return RAN
    text = f"X of {position.named(play.card)} is {found.value} ({found.how}), not {said}."
    return [
        this.miscalculated(
            text, play.card, player=play.by, claimed={name: said}, recomputed={name: found.value},
        )
    ]  # fmt: skip


@rule(
    "HCG-X-02",
    "Undefined X",
    section="4.24",
    events=[*ANNOUNCES, *LATER],
    kinds=["illegal", "miscalculated", "ambiguous"],
    readings=["OR-XRANGE", "OR-XSTAT", "OR-STATFLOOR", "OR-BONUSSETUP"],
    when=dict.fromkeys([*ANNOUNCES, *LATER], ("X",)),
)
def an_undefined_x_is_named(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """An X that the text does not define is any number that the player names as the ability is played, before the roll. Every X
    of the ability has the same value.

    Log:  `x` beside the choices, else the number that the test needs.
    """
    this = an_undefined_x_is_named
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is not None:
        if ability is None or ability.x is not None or "X" not in ability.has:
            return None
        if misplayed(play, ability, position):
            return None
        if play.x is None:
            if position.table.later.tells_x(event.seq, play.card):
                return RAN
            return [this.missing(["which number was named as X"], play.card, player=play.by)]
        low = 0 if play.x != 0 or hearing.ask("OR-XRANGE") == "nonneg" else 1
        if play.x >= low:
            return RAN
        text = f"{play.x} was named as X of {position.named(play.card)}; it is at least {low}."
        return [this.illegal(text, play.card, player=play.by, claimed=play.x, recomputed=low)]
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or "X" not in ability.has:
        return None
    seen: list[Remark] = []
    if event.x is not None and play.x is None and ability.x is None:
        text = f"X of {position.named(play.card)} was named only after it had been announced: {event.x}."
        seen.append(this.illegal(text, play.card, player=play.by, claimed=event.x))
    seen += _same_everywhere(event, play, ability, position, hearing)
    return seen or RAN


def _same_everywhere(event: Any, play: Play, ability: Ability, position: Position, hearing: Hearing) -> list[Remark]:
    """A need or a bonus that is not X."""
    this = an_undefined_x_is_named
    if isinstance(event, records.Roll):
        needs = [cost.n for cost in ability.costs if cost.op == "test"]
        if ability.x is not None or needs != ["X"] or event.need is None or play.x is None:
            return []
        name, said, right = "need", event.need, play.x
    else:
        amounts = _printed_amounts(event, ability)
        if amounts not in ({"X"}, {"-X"}):
            return []
        x = _need_rolled(play, position) if play.x is None and ability.x is None else None
        x = named_x(ability, play, position, hearing) if x is None else x
        if x is None:
            return []
        name, said, right = "amount", event.amount, -x if "-X" in amounts else x
    if said == right:
        return []
    text = f"X of {position.named(play.card)} is {abs(right)}; the log goes on with {said}."
    claim = {name: said}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed={name: right})]


def _printed_amounts(event: records.Event, ability: Ability) -> set[Any]:
    """The numbers that a text prints for what an event says of a number or of damage."""
    if isinstance(event, records.Effect) and event.op == "modify" and event.amount is not None:
        return {
            change.amount
            for effect in ability.effects
            for change in effect.changes
            if change.stat == ("flags" if event.stat == "flag" else event.stat)
        }
    if isinstance(event, records.Damage) and event.by_ability and event.amount is not None:
        return {effect.amount for effect in ability.effects if effect.op == "damage"}
    return set()


def _need_rolled(play: Play, position: Position) -> int | None:
    """X as the test (X+) of this ability told it."""
    roll, ability = position.roll, ability_of(position, play)
    if ability is None or not any(cost.op == "test" and cost.n == "X" for cost in ability.costs):
        return None
    return roll.need if roll is not None and roll.source == (play.card, play.ability) else None


def against_the_text(this: Rule, event: records.Event, position: Position) -> Seen:
    """What is claimed of an ability against what its text gives: the number, and what it does at all (HCG-DOC-04)."""
    play = play_by(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or ability.status != "full":
        return None
    if any(effect.op in ("table", "raw", "grant") for effect in ability.effects):
        return None
    if play.kind == "setup" and not (isinstance(event, records.Change) and left_out(event, position)):
        return None
    op = event.op if isinstance(event, records.Effect) else str(type(event).__struct_config__.tag)
    if op is None:
        return None
    if op not in DONE:
        return [Unchecked(this.id, f"what the word {op} for what {position.named(play.card)} did means")]
    mine = [effect for effect in ability.effects if effect.op == op]
    if not mine and isinstance(event, records.Change):
        paid = {one for cost, cards in play.costs if cost == op for one in cards}
        if paid.issuperset(event.cards or ()):
            return RAN  # It says once more what a cost said.
    if not mine:
        ops = sorted({effect.op for effect in ability.effects})
        text = f"The log has {position.named(play.card)} {op}; its text says: {ability.text}"
        return _off(this, text, play, {"op": op}, {"op": ops})
    if isinstance(event, records.Change) and (due := left_out(event, position)):
        named = ", ".join(map(position.named, due))
        text = f"The log has {position.named(play.card)} {op} nothing; chosen {'was' if len(due) == 1 else 'were'} {named}."
        return _off(this, text, play, {"cards": []}, {"cards": list(due)})
    said: int | None = None
    amounts: set[Any] = set()
    name = "amount"
    if isinstance(event, records.Draw):
        if event.cause != "effect":
            return None
        who = {one for effect in mine for one in players_of(effect.player, play.by, position)}
        theirs = all(position.owner.get(one) in who for one in event.cards) if event.cards else False
        if event.by in position.table.other and event.by not in who and not theirs:  # Else HCG-DOC-02 says it.
            text = f"{event.by} drew for {position.named(play.card)}; its text says: {ability.text}"
            return _off(this, text, play, {"by": event.by}, {"by": sorted(who)})
        said = counted(event)
        amounts, name = {effect.n for effect in mine if not effect.upto}, "n"
        if said is not None and any(isinstance(n, int) and said < n for n in amounts):
            return None  # The deck may have run out, or a refill come between.
    elif isinstance(event, records.Damage):
        said, amounts = event.amount, {effect.amount for effect in mine}
    elif isinstance(event, records.Effect) and op == "modify":
        stat = "flags" if event.stat == "flag" else event.stat
        changes = [change for effect in mine for change in effect.changes]
        if stat is not None and all(change.stat != stat for change in changes):
            text = f"The log has {position.named(play.card)} change {stat}; its text says: {ability.text}"
            return _off(this, text, play, {"stat": stat}, {"stat": sorted({change.stat for change in changes})})
        said, amounts = event.amount, {change.amount for change in changes if stat in (None, change.stat)}
    elif isinstance(event, records.Effect) and op == "flags":
        said, amounts = event.amount, {effect.amount for effect in mine}
    if said is None or not amounts or not all(isinstance(amount, int) for amount in amounts):
        return RAN
    if said in amounts:
        return RAN
    right = min(amounts)
    text = f"The log has {position.named(play.card)} give {said}; its text says {right}: {ability.text}"
    return _off(this, text, play, {name: said}, {name: right})


def _off(this: Rule, text: str, play: Play, claimed: dict[str, Any], recomputed: dict[str, Any]) -> Seen:
    return [this.miscalculated(text, play.card, player=play.by, claimed=claimed, recomputed=recomputed)]


RULES = (a_defined_x_is_as_defined, an_undefined_x_is_named)
