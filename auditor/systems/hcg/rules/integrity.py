"""Whether a record can be true: cards, places, order, labels (catalogue 4.29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.naming import VALUES
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import is_counter
from auditor.systems.hcg.reckoning.battles import ends_another, is_outside_an_action, owner_of_flipped
from auditor.systems.hcg.reckoning.claims import op_of, sent_back_by
from auditor.systems.hcg.reckoning.deployment import (
    begins_again,
    begins_as_foretold,
    begins_unsaid,
    cause_of,
    left_out,
    may_leave_hand,
)
from auditor.systems.hcg.reckoning.lacking import next_action, off_the_top
from auditor.systems.hcg.reckoning.named import LISTS_OF, MAY_ANSWER, MAY_NAME, TAKING
from auditor.systems.hcg.reckoning.plays import ANNOUNCED, ANNOUNCES, ability_of, announced, play_by
from auditor.systems.hcg.reckoning.refills import off_the_deck, ran_short
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.setup import misplaced
from auditor.systems.hcg.reckoning.victory import closes_late, victory_of
from auditor.systems.hcg.rules.amounts import against_the_text
from auditor.systems.hcg.rules.attacks import is_new
from auditor.systems.hcg.rules.claims import CLAIMS
from auditor.systems.hcg.rules.common import Seen, both, rule, shown_by
from auditor.systems.hcg.rules.played import not_of_the_hand
from auditor.systems.spelling import alike
from auditor.systems.words import count

BEGINS_TURN = (records.TurnStart, records.PhaseStart, records.DeployFirst)
OFF_THE_DECK = ("draw", "roll", "mill")
OF_AN_ABILITY = (
    records.Effect, records.Damage, records.Draw, records.Destroy, records.Lock, records.Rally, records.Return,
)  # fmt: skip
PARTS = (records.Cost, records.Roll, records.Discard, records.Mill, records.Infiltrate)
"""Other events that belong to an ability."""
_OF_ONE = (*OF_AN_ABILITY, *PARTS)
WITHIN_AN_ACTION = (
    records.Block, records.BlockNone, records.TacticPass, records.Sweep, records.SweepNone, records.Special,
    records.SpecialNone, records.Damage,
)  # fmt: skip


@rule(
    "HCG-DOC-01",
    "Conservation",
    section="4.29",
    events=["*"],
    kinds=["illegal", "ambiguous"],
    when={"*": ("shows",)},
)
def cards_are_neither_made_nor_lost(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The cards of a player in all places are as many as the deck has, at every event; each counts for its owner.

    Log:  the deck list; what a `position` states.
    Edge: a record that states fewer has lost track of some (`ambiguous`).
    """
    this = cards_are_neither_made_nor_lost
    if isinstance(event, records.Position):
        return _stated(event, position)
    seen = []
    looked = False
    counted: dict[tuple[str, str], int] = {}
    for instance, card in shown_by(event).items():
        if instance in position.card:
            continue
        owner = position.owner.get(instance)
        if owner is None and event.by in position.table.other and any(one == instance for one, _ in _taken(event)):
            owner = event.by
        elif owner is None and isinstance(event, records.SetupFlip):
            owner = owner_of_flipped(position, instance, card)
        left = position.unseen(owner) if owner is not None else None
        if owner is None or left is None or card not in left:
            continue
        looked = True
        counted[owner, card] = counted.get((owner, card), 0) + 1
        if counted[owner, card] > left[card]:
            n = position.table.decks[owner][card]
            text = f"{instance} is shown as {_titled(card, position)}; none is left to be seen of the {n} in {owner}'s deck."
            more = counted[owner, card] + n - left[card]
            seen.append(this.illegal(text, instance, player=owner, claimed=more, recomputed=n))
    return seen or (RAN if looked else None)


def _stated(event: records.Position, position: Position) -> Seen:
    """The cards that a position states for each player, against the size of the deck."""
    this = cards_are_neither_made_nor_lost
    counts = dict.fromkeys(position.table.players, 0)
    for player in position.table.players:
        zones = (event.zones or {}).get(player)
        if zones is None or zones.deck is None or zones.deck.n is None or zones.sectors is None:
            return None
        places = (zones.deploy_hand, zones.command_hand, zones.discard, zones.limbo, zones.set_aside, zones.fleet)
        if any(place is None for place in places):
            return None
        counts[player] += zones.deck.n
        for rows in (*places, *zones.sectors.values()):
            for row in rows if isinstance(rows, list) else ():
                owner = row.owner if isinstance(row, records.Row) and row.owner is not None else player
                counts[owner if owner in counts else player] += 1
            counts[player] += rows if isinstance(rows, int) else 0
    seen: list[Remark] = []
    for player, n in counts.items():
        size = position.table.sizes.get(player)
        if size is None or n == size:
            continue
        text = f"The position states {n} cards of {player}; the deck has {size}."
        if n > size:
            made = this.illegal(text, player, player=player, claimed=n, recomputed=size)
        else:
            made = this.ambiguous(text, player, player=player, claimed=n, recomputed=size, would_be="illegal")
        seen.append(made)
    return seen or (RAN if position.table.sizes else None)


def _titled(card: str, position: Position) -> str:
    """A card of the set by its title."""
    known = position.table.cards.get(card)
    return f"{known.title} ({card})" if known is not None else card


@rule("HCG-DOC-02", "Identity", section="4.29", events=["*"], kinds=["illegal"], when={"*": ("shows", "names")})
def an_instance_stays_what_it_is(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """An instance never changes its card or its owner, and is in one place.

    Log:  the instances named, and what they are shown to be.
    Edge: where cards were drawn or deployed unnamed, an instance shown later may be any that can be one of them.
    """
    this, kind = an_instance_stays_what_it_is, type(event)
    if not event.ids and kind not in MAY_NAME:
        return None
    if not event.ids and kind in _LISTING:
        return [*_all_twice(this, event, position)] or None
    seen: list[Remark] = []
    for instance, card in shown_by(event).items() if event.ids or isinstance(event, records.SetupFlip) else ():
        known = position.card.get(instance)
        if known is not None and known != card:
            now, before = (_titled(one, position) for one in (card, known))
            text = f"{instance} is shown as {now}; it was {before}."
            player = position.owner.get(instance)
            seen.append(this.illegal(text, instance, player=player, claimed=card, recomputed=known))
    if isinstance(event, records.SetupReveal) and event.card is not None and event.by in position.table.other:
        whose = position.table.owner_of.get(event.card, event.by)
        if whose != event.by:
            text = f"{event.by} revealed {position.named(event.card)}, which is of {whose}'s deck."
            seen.append(this.illegal(text, event.card, claimed=event.by, recomputed=whose))
    if isinstance(event, records.SetupShuffle) and event.order and event.by in position.table.other:
        wrong = misplaced(event, position)
        if wrong and len(wrong) < len(event.order):
            named = ", ".join(map(position.named, wrong))
            text = f"The order of {event.by}'s deck names {named}, which cannot be there."
            seen.append(this.illegal(text, *wrong))
    taken = list(_taken(event)) if kind in TAKING else []
    refilled = bool(taken) and ran_short(event, position) is not None  # Of a refill not written down: HCG-ROLL-06.
    theirs = [] if (owner := sent_back_by(event, position)) in (None, event.by) else list(event.returned)
    for instance, zones in taken:
        owner, at = position.owner.get(instance), position.at.get(instance)
        if owner is not None and event.by in position.table.other and owner != event.by:
            theirs.append(instance)
        elif at is not None and at.zone not in zones and not (refilled and at.zone == "discard"):
            place = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
            text = f"{position.named(instance)} was taken from the {zones[0].replace('_', ' ')}; it lies in {place}."
            claim = {"from": zones[0]}
            seen.append(this.illegal(text, instance, claimed=claim, recomputed={"from": at.zone}))
    if theirs:
        owner = position.owner[theirs[0]]
        names = ", ".join(map(position.named, theirs))
        text = f"{event.by} took {names}, which {'is' if len(theirs) == 1 else 'are'} of {owner}'s deck."
        seen.append(this.illegal(text, *theirs, claimed=event.by, recomputed=owner))
    seen += _not_in_the_hand(event, position)
    if kind in MAY_ANSWER:
        seen += not_of_the_hand(this, announced(event, position), position)
    seen += _all_twice(this, event, position)
    return seen or (RAN if event.ids or taken else None)


def _all_twice(this: Rule, event: records.Event, position: Position) -> list[Remark]:
    """The instances that are listed twice in one line."""
    return [
        this.illegal(f"{position.named(instance)} is listed twice in one line.", instance)
        for instance in _listed_twice(event)
    ]


def _not_in_the_hand(event: records.Event, position: Position) -> list[Remark]:
    """A card that was deployed and that nobody has seen can be none of a hand whose cards are known."""
    if not isinstance(event, records.DeployRegular) or event.card is None or event.by not in position.table.other:
        return []
    owner, at = position.owner.get(event.card, event.by), position.at.get(event.card)
    if at is not None or owner != event.by or may_leave_hand(event.card, event.by, position):
        return []
    text = f"{position.named(event.card)} was deployed; {event.by}'s hand is known and does not hold it."
    return [an_instance_stays_what_it_is.illegal(text, event.card)]


def _listed_twice(event: records.Event) -> list[str]:
    found: list[str] = []
    for name in LISTS_OF[type(event)]:
        value = getattr(event, name)
        if isinstance(value, list) and len(value) > 1:
            named = [one.card if isinstance(one, records.Flip) else one for one in value]
            if len(set(named)) < len(named):
                found += sorted(one for one, n in Counter(named).items() if n > 1 and one is not None)
    return found


_LISTING = MAY_NAME - frozenset(
    {*TAKING, records.SetupReveal, records.SetupShuffle, records.SetupFlip, records.SetupUnique, *MAY_ANSWER}
)
"""Event types that name cards in lists alone, of which any may be there."""


def _taken(event: records.Event) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(instance, places it can come from) of what an event takes; the first is the one that the event says.

    Where another rule says what is wrong with a place, that is among them (HCG-FW-02, HCG-ROLL-01).
    """
    if isinstance(event, (records.Draw, records.Mill)):
        again = ("discard",) if isinstance(event, records.Mill) else ()
        for instance in event.cards or ():
            yield instance, ("deck", *again)
    elif (isinstance(event, records.Roll) and event.card is not None) or (
        isinstance(event, records.DeployFirst) and event.card is not None
    ):
        yield event.card, ("deck", "command_hand", "deploy_hand")
    elif isinstance(event, records.DeployRegular) and event.card is not None:
        yield event.card, ("deploy_hand", "set_aside")


@rule("HCG-DOC-03", "The top of the deck", section="4.29", events=OFF_THE_DECK, kinds=["illegal"])
def cards_come_off_the_top(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Draws, flips, rolls and discards off a deck take its top cards.

    Log:  the instances, and the order of the deck where it is recorded.
    Edge: first-wave flips are HCG-FW-02.
    """
    this = cards_come_off_the_top
    if event.by not in position.table.other:
        return None
    top, named = position.deck_top.get(event.by, ()), off_the_deck(event)
    if not top or not named:
        return None
    if isinstance(event, records.Draw) and event.n not in (None, len(named)):
        due = set(top[: event.n])
        if due.issubset(named) or due.issuperset(named):
            return RAN  # They are the top cards, too many or too few.
    if isinstance(event, records.Draw) and left_out(event, str(event.by), position):
        return RAN  # They lay under the cards that are missing.
    due_next = iter(top)
    for n, instance in enumerate(named):
        if instance in position.passed_over and instance not in top:
            continue
        lay = next(due_next, None)
        if instance == lay or lay is None or alike(instance, lay):
            continue
        if isinstance(event, records.Draw) and set(top[: len(named)]).issubset(named):
            return RAN  # The same cards, listed in another order.
        at = position.at.get(instance)
        if (at is not None and at.zone != "deck") or position.owner.get(instance, event.by) != event.by:
            return None  # It was never in the deck: nothing was taken off it.
        where = "" if n == 0 else f" after {n} more"
        text = f"{position.named(instance)} was taken off {event.by}'s deck; {position.named(lay)} lay on top{where}."
        lacks = off_the_top(event.by, position, event)
        return [this.illegal(text, instance, claimed=instance, recomputed=lay, lacks=lacks)]
    return RAN


@rule("HCG-DOC-04", "Claims", section="4.29", events=["*"], kinds=["miscalculated"])
def claims_are_compared(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """What a record claims beyond its facts agrees with them: `turn`, `battle` and `ba`, the `step` of damage; and of an
    ability what its text gives.

    Log:  the labels, what the ability did and whence it came, how many cards were drawn.
    Edge: of a text that was not all read nothing is compared. X is HCG-X-01 and HCG-X-02, d6 HCG-ROLL-03. Other totals,
          positions and counts are compared by the rules that they are about. Who has numbered a turn or a battle action
          wrongly and goes on from there has done so once.
    """
    this, kind = claims_are_compared, type(event)
    seen: list[Remark] = []
    for compare in _COMPARED[kind]:
        seen += compare(this, event, position) or ()
    labelled = event.turn is not None or event.battle is not None or event.ba is not None
    labelled = labelled or (kind in _STEPPED and event.step is not None)
    wrong = list(_wrong_labels(event, position)) if labelled and not _is_said_again(event, position) else ()
    if wrong:
        claimed, recomputed = ({name: label[n] for name, *label in wrong} for n in (0, 1))
        text = f"This is {_words(recomputed)}; the log writes {_words(claimed)}."
        lacks = next_action(position, event) if "ba" in claimed and claimed["ba"] == recomputed["ba"] + 1 else None
        seen.append(this.miscalculated(text, player=None, claimed=claimed, recomputed=recomputed, lacks=lacks))
    if kind is records.Effect and op_of(event, position) is None:
        seen.append(Unchecked(this.id, f"nothing tells what event {event.seq} did"))
    return seen or (RAN if labelled or kind in OF_AN_ABILITY else None)


def _draw(this: Rule, event: records.Draw, position: Position) -> list[Any]:
    """The number of a draw against the cards that it names, and where a hand for deployment goes."""
    seen = []
    if event.n is not None and event.cards is not None and event.n != len(event.cards):
        n = len(set(event.cards))
        if event.n != n:
            text = f"The log has {event.by or 'somebody'} draw {count(event.n, 'card')} and names {n}."
            seen.append(this.miscalculated(text, claimed={"n": event.n}, recomputed={"n": n}))
    cause = cause_of(event, position)
    if event.cause == "effect" != cause:
        text = f"No ability drew cards; {event.by} drew {'for deployment' if cause == 'deployment' else 'the command hand'}."
        seen.append(this.miscalculated(text, claimed={"cause": event.cause}, recomputed={"cause": cause}))
    if event.cause == "deployment" and event.to not in (None, "deploy_hand"):
        text = (
            f"{event.by} drew for deployment; the cards go to the deploy hand, not to the {event.to.replace('_', ' ')}."
        )
        claim, right = {"to": event.to}, {"to": "deploy_hand"}
        seen.append(this.miscalculated(text, claimed=claim, recomputed=right))
    return seen


def _zone(this: Rule, event: records.Event, position: Position) -> list[Remark]:
    """The zone of the source of an ability against that with which it was announced, and where the card lies."""
    source = getattr(event, "source", None)
    if not isinstance(source, records.Source) or source.card is None:
        return []
    play = play_by(event, position)
    if play is None or play.zone is None or source.zone in (None, play.zone, play.said) or source.card != play.card:
        return []
    at = position.at.get(play.card)
    if source.ability != "line" and at is not None and at.zone == source.zone:
        return []  # What is wrong was said as it was announced.
    if source.ability == "line" and source.zone == "hand":
        return []
    text = f"The ability of {position.named(play.card)} is of the {source.zone} in the log; it was announced from the "
    text += f"{play.zone}."
    claim, right = {"zone": source.zone}, {"zone": play.zone}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=right)]


def _lies_elsewhere(this: Rule, event: records.Event, position: Position) -> list[Remark]:
    """The zone of an ability that is announced against where its card lies."""
    play = announced(event, position)
    if play is None or play.said in (None, play.zone):
        return []
    text = f"The log has {position.named(play.card)} in the {play.said}; it is in the {play.zone}."
    claim, right = {"zone": play.said}, {"zone": play.zone}
    return [this.miscalculated(text, play.card, player=play.by, claimed=claim, recomputed=right)]


STAGES = {
    "initial": "before any event",
    **{stage: VALUES[stage] for stage in ("after_atk", "after_dfd")},
}


def _stage(this: Rule, event: records.VictoryFlags, position: Position) -> list[Remark]:
    """The stage of the third flag totals against those of the two before."""
    before = victory_of(position).counted if position.battle is not None else ()
    left = [stage for stage in STAGES if stage not in before]
    if len(before) < 2 or event.stage not in before or event.stage is None or not left:
        return []
    called = f"The log calls these flag totals of {both(position)} those {STAGES[event.stage]}"
    text = f"{called}, as it calls earlier ones; it has none {STAGES[left[0]]}."
    return [this.miscalculated(text, player=None, claimed={"stage": event.stage}, recomputed={"stage": left[0]})]


def _counter(this: Rule, event: records.Damage, position: Position) -> list[Remark]:
    """Whether damage is marked as that of a counterattack, against whom it is dealt to."""
    if position.action is None or event.counter is None:
        return []
    back = is_counter(event, position.action)
    if event.by_ability or event.counter == back:
        return []
    dealt = f"The damage{f' to {position.named(event.to)}' if event.to is not None else ''} in {position.action.by}'s attack"
    text = f"{dealt} is {'that of a' if back else 'no'} counterattack; the log says otherwise."
    marks = {"claimed": {"counter": event.counter}, "recomputed": {"counter": back}}
    return [this.miscalculated(text, player=None, **marks)]


_COMPARED: dict[type, list[Callable[[Rule, Any, Position], Iterable[Any] | None]]] = {
    kind: [
        *([against_the_text] if kind in OF_AN_ABILITY else []),
        *([_draw] if kind is records.Draw else []),
        *([_zone] if kind in _OF_ONE else []),
        *([CLAIMS[kind]] if kind in CLAIMS else []),
        *([_stage] if kind is records.VictoryFlags else []),
        *([_counter] if kind is records.Damage else []),
        *([_lies_elsewhere] if kind in ANNOUNCED else []),
    ]
    for kind in records.EVENTS.values()
}
"""Event type -> what is compared of such an event beside its labels."""


def _words(labels: dict[str, int]) -> str:
    names = {"turn": "turn", "battle": "battle", "ba": "battle action", "step": "damage step"}
    return ", ".join(f"{names[name]} {n}" for name, n in labels.items())


def _wrong_labels(event: Any, position: Position) -> Iterator[tuple[str, int, int]]:
    """(label, what the event bears, what it is) of the wrong ones, as far as that is known."""
    kind = type(event)
    if kind in _STATES:
        return
    if event.turn is not None and (turn := _turn(event, position)) not in (None, event.turn):
        yield "turn", event.turn, turn
    if kind in (records.BattleChoose, records.BattleNone) and position.roles:
        yield from _battle(event, position)
    if kind in _BEGINS:
        return
    battle, action = position.battle, position.action
    if battle is None or not position.roles:
        return
    if kind is records.BaEnd and ends_another(event, position):
        return  # What it bears is of the battle action that it ends.
    if event.battle is not None and event.battle != battle.n and not closes_late(event, position):
        yield "battle", event.battle, battle.n
    if kind is records.Damage and event.step is not None and action is not None:
        yield from _step(event, event.step, action)
    if event.ba is None:
        return
    if isinstance(event, records.BattleAction):
        before, said = (action.n, action.said) if action is not None else (battle.ba, battle.said)
        new = is_new(event, position) and (before or battle.stage) and event.ba != said + 1
        if (new or event.ba < 1) and event.ba != before + 1:
            yield "ba", event.ba, before + 1
    elif action is not None and event.ba not in (action.said, action.n):
        yield "ba", event.ba, action.n
    elif action is None and kind is records.BaEnd and battle.ba and event.ba not in (battle.said, battle.ba):
        if not (position.midway and event.ba == battle.ba + 1):  # It closes the one within which a position stood.
            yield "ba", event.ba, battle.ba  # It closes a withdrawal, which has ended the battle.


def _is_said_again(event: records.Event, position: Position) -> bool:
    """Whether the labels of an event are those said before it, and right: a glance, before each is looked at."""
    if type(event) in _LOOKED_AT or event.turn not in (None, position.turn_said):
        return False
    battle = position.battle
    if battle is None or not position.roles:
        return True
    if event.battle not in (None, battle.n):
        return False
    return event.ba is None or (position.action is not None and event.ba == position.action.n)


_STEPPED = frozenset(kind for kind in records.EVENTS.values() if "step" in kind.__struct_fields__)
_LOOKED_AT = frozenset(
    {*records.of(records.BattleAction), *BEGINS_TURN, records.BattleChoose, records.BattleNone, *_STEPPED}
)
"""Event types that bear more than what was said before, or begin what they number."""
_STATES = frozenset({records.Position, records.Judge, records.Undo})
_BEGINS = frozenset({records.TurnStart, records.BattleChoose, records.BattleNone})


def _turn(event: records.Event, position: Position) -> int | None:
    """The number of the turn, where an event says otherwise than goes on from what was said before; a record that begins
    with a turn tells it."""
    if begins_as_foretold(event, position) or begins_again(event, position):
        return None
    too_early = isinstance(event, records.PhaseStart) and event.phase == "first_wave" and position.phase == "end"
    if (too_early or begins_unsaid(event, position)) and event.turn == position.turn_said + 1:
        return None  # The turn that it bears has begun: the mark of it is missing, or comes after it.
    if isinstance(event, BEGINS_TURN) and (position.phase == "setup" or isinstance(event, records.TurnStart)):
        return position.turn + 1 if position.started and event.turn != position.turn_said + 1 else None
    if position.turn > 0 and position.phase not in ("setup", "over") and event.turn != position.turn_said:
        return position.turn
    return None


def _battle(event: records.BattleChoose | records.BattleNone, position: Position) -> Iterator[tuple[str, int, int]]:
    """The number of a battle that begins: 1 is the planet attacker's, 2 the defender's. Who has no battle to begin may be
    named by mistake, and the number be right."""
    attacker, had = position.player_as("attacker"), position.had if position.phase == "battle" else {}
    if event.battle is None or attacker is None or event.by not in position.table.other:
        return
    right = 1 if event.by == attacker else 2
    is_in_turn = event.by not in had and (event.by == attacker or attacker in had)
    if event.battle != right and (is_in_turn or event.battle not in (1, 2)):
        yield "battle", event.battle, right


def _step(event: records.Damage, said: int, action: Action) -> Iterator[tuple[str, int, int]]:
    """The damage step of an attack. A first one that is not recorded is missed elsewhere."""
    if event.by_ability or action.kind not in ("shoot", "assault"):
        return
    answers = is_counter(event, action) and action.unit in action.dealt
    right = action.step if answers else action.step + 1
    if said != right and not (action.sweep and not action.step):
        yield "step", said, right


def _to_a_roll(event: records.RollFinal, position: Position) -> str | None:
    if event.roll is not None and event.roll not in position.table.rolls:
        return f"refers to a roll at event {event.roll}, and there is none"
    return None


def _to_a_roll_before(event: records.Modifier | records.ModifierPass, position: Position) -> str | None:
    if event.roll is not None and (event.roll not in position.table.rolls or event.roll >= event.seq):
        return f"refers to a roll at event {event.roll}, and there is none before it"
    return None


def _to_a_reroll(event: records.Modifier, position: Position) -> str | None:
    if event.reroll is None or position.table.breaks_off_before(event.reroll):
        return None
    if event.reroll not in position.table.rolls or event.reroll <= event.seq:
        return f"names event {event.reroll} as the new roll, and there is none after it"
    return None


def _to_an_event_before(event: records.Reaction | records.ReactionPass, position: Position) -> str | None:
    if event.trigger is not None and not 1 <= event.trigger < event.seq:
        return f"answers event {event.trigger}, which is not before it"
    return None


def _within_an_action(event: records.Event, position: Position) -> str | None:
    if not is_outside_an_action(position):
        return None
    if type(event) is records.Damage:
        # Without a `stat` it may be that of an instruction, or of an event.
        may_be = event.stat is None and position.battle is not None and position.battle.step != "battle"
        if event.by_ability or may_be or position.midway:
            return None
    return "belongs to a battle action, and none is open"


def _of_another(event: records.BaEnd, position: Position) -> str | None:
    if not ends_another(event, position):
        return None
    n = position.action.n if position.action is not None else None
    if n is None:
        return f"ends battle action {event.ba}, which begins after it"
    return f"ends battle action {event.ba}, and battle action {n} has begun"


def _not_announced(event: Any, position: Position) -> str | None:
    """Why what an ability is said to have done, paid or rolled is of none that was announced, as the end of a sentence.

    What an ability that is always on does needs no announcement.
    """
    source = event.source
    if (
        not isinstance(source, records.Source)
        or source.card is None
        or source.ability is None
        or position.battle is None
        or position.midway
    ):
        return None
    if play_by(event, position) is not None:
        return None
    ability = ability_of(position, source)
    if ability is not None and ability.type == "static":
        return None
    if position.action is not None and source.card == position.action.unit:
        return None  # What a unit uses in its own attack is announced with that.
    name = position.named(source.card)
    if any(play.card == source.card for play in position.plays):
        which = "its command line" if source.ability == "line" else f"ability {source.ability} of its box"
        return f"is of {name}, {which}, but another of its abilities was announced"
    return None if ability is None else f"is of an ability of {name}, which was not announced"


def _no_such_text(event: records.Event, position: Position) -> str | None:
    """Why an event announces an ability that its card does not have, as the end of a sentence."""
    play = announced(event, position)
    card = position.card_of(play.card) if play is not None else None
    if play is None or card is None or play.kind not in ("BA", "T", "R", "M") or not isinstance(play.ability, int):
        return None  # A set-up, an event and an attack count by what is printed for them.
    if play.zone == "hand":
        return None  # Of a card of the hand only the command line counts.
    if 0 <= play.ability < len(card.abilities):
        return None
    return f"names ability {play.ability} of {position.named(play.card)}, which has {len(card.abilities)}"


_REFERS: dict[type, list[Callable[[Any, Position], str | None]]] = {
    kind: [
        *([_to_a_roll] if kind is records.RollFinal else []),
        *([_to_a_roll_before] if kind in (records.Modifier, records.ModifierPass) else []),
        *([_to_an_event_before] if kind in (records.Reaction, records.ReactionPass) else []),
        *([_within_an_action] if kind in WITHIN_AN_ACTION else []),
        *([_of_another] if kind is records.BaEnd else []),
        *([_to_a_reroll] if kind is records.Modifier else []),
        *([_not_announced] if kind in _OF_ONE else []),
        *([_no_such_text] if kind in ANNOUNCES else []),
    ]
    for kind in records.EVENTS.values()
}
"""Event type -> what it refers to: why that is not there, as the end of a sentence."""


@rule(
    "HCG-DOC-05",
    "Chronology",
    section="4.29",
    events=[name for name, kind in records.EVENTS.items() if _REFERS[kind]],
    kinds=["ambiguous"],
)
def events_refer_to_what_is_there(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Events refer to earlier events (a reroll to a later one); what belongs to a battle action lies between its start and
    its end.

    Log:  the references.
    Edge: a break in the numbers of the events is a hole and no fault of its own. An end that stands after the next battle
          action has begun, or before its own, closes nothing. An instance that is in neither list is an error of the file.
    """
    for refers in _REFERS[type(event)]:
        why = refers(event, position)
        if why is not None:
            return [events_refer_to_what_is_there.ambiguous(f"This event {why}.", would_be="illegal")]
    return RAN


RULES = (
    cards_are_neither_made_nor_lost,
    an_instance_stays_what_it_is,
    cards_come_off_the_top,
    claims_are_compared,
    events_refer_to_what_is_there,
)
