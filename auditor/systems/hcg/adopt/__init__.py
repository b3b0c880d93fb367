"""What the table went on with: the only place where a position changes.

The log's claims are adopted where they can exist.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, get_args

import msgspec

from auditor.core.fields import unclaimed
from auditor.core.findings import Fact, Fault
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.adopt import deployment as adopt_deployment
from auditor.systems.hcg.adopt import plays as adopt_plays
from auditor.systems.hcg.adopt import reactions as adopt_reactions
from auditor.systems.hcg.adopt import rolls as adopt_rolls
from auditor.systems.hcg.adopt import setup as adopt_setup
from auditor.systems.hcg.adopt import special as adopt_special
from auditor.systems.hcg.adopt import stated as adopt_stated
from auditor.systems.hcg.adopt import victory as adopt_victory
from auditor.systems.hcg.adopt.as_played import PUT_RIGHT, as_played
from auditor.systems.hcg.adopt.bare import BARE, as_bare
from auditor.systems.hcg.adopt.battle import FOLLOWED as BATTLE
from auditor.systems.hcg.adopt.battle import IN_THE_FIGHT, come_to_light, damage
from auditor.systems.hcg.adopt.deployment import begin_turn, enter, refill_unsaid
from auditor.systems.hcg.adopt.in_doubt import DOUBTED, doubt
from auditor.systems.hcg.position.parts import AFTER_FIRST_WAVE, Reveal
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.amounts import told
from auditor.systems.hcg.reckoning.attacks import Outcome, outcome
from auditor.systems.hcg.reckoning.choices import are_astray, choices_made, unchosen
from auditor.systems.hcg.reckoning.costs import goes_on
from auditor.systems.hcg.reckoning.deployment import begins_again, begins_as_foretold, begins_unsaid
from auditor.systems.hcg.reckoning.game_end import winner_by_sectors
from auditor.systems.hcg.reckoning.plays import ANNOUNCES, ability_of, announced, cannot_be_played, numbered, play_by
from auditor.systems.hcg.reckoning.reactions import BRINGS_ABOUT
from auditor.systems.hcg.reckoning.refills import MAY_RUN_SHORT, ran_short
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.reckoning.restated import AFTER, BEFORE, compared, state
from auditor.systems.hcg.reckoning.victory import STEPS


def adopt(event: records.Event, view: View, position: Position, hearing: Hearing) -> None:
    """Go on with what the log claims, where it can exist."""
    # Readings are asked before anything is changed, also by a line that cannot be true and is put right.
    ends: tuple[adopt_rolls.End, ...] = ()
    if (roll := position.roll) is not None and not roll.settled:
        ends = adopt_rolls.unwind(event, roll, position, hearing)
    restated = (event, compared(event, position, BEFORE)) if position.holes else None
    event = _put_right(event, position, hearing)
    asked = _asked(event, position, hearing)
    position.kept = None
    was_at = position.seq
    _begin(event, position)
    for end in ends:
        adopt_rolls.settle_roll(position, end)
    play = _announced(event, was_at, position, hearing) if type(event) in ANNOUNCES else None
    _note(event, view, asked, position)
    _follow(event, asked, position, hearing)
    _note_what_followed(event, position)
    if play is not None:
        position.plays = (*position.plays, play)
        adopt_special.announced(event, position)
    if (action := position.action) is not None and action.mode == "special":
        adopt_special.follow(event, action, position)
    if restated is not None:
        state(restated[1], position)
        state(compared(restated[0], position, AFTER), position)
    _open_what_lacks(event, play, position)
    _end(event, asked, position)


class _Asked(NamedTuple):
    """What an event comes to, as far as readings decide it: whom it fells, what is rolled, the step of a victory, the cards
    of a first wave that nobody turned."""

    fell: Outcome | None = None
    rolled: adopt_rolls.End | None = None
    step: adopt_victory.Asked | None = None
    lost: adopt_deployment.Lost | None = None


def _put_right(event: Any, position: Position, hearing: Hearing) -> Any:
    """An event as it can exist."""
    if type(event) is records.Effect:
        event = as_bare(event, position)
    kind = type(event)
    if kind in DOUBTED and position.battle is not None:
        doubt(event, position)
    if kind in PUT_RIGHT:
        event = as_played(event, position)
    if kind in ANNOUNCES:
        event = numbered(event, position)
    if kind is records.Effect and event.amount is None and event.op in ("modify", "flags"):
        event = msgspec.structs.replace(event, amount=told(event, position, hearing))
    if kind is records.Damage and event.by_ability and event.to is None:
        found = play_by(event, position)
        if found is not None and found.choices is not None and len(found.choices) == 1:
            event = msgspec.structs.replace(event, to=found.choices[0])
    return event


def _asked(event: Any, position: Position, hearing: Hearing) -> _Asked:
    kind = type(event)
    step = adopt_victory.Asked(event, position, hearing) if kind in STEPS else None
    if kind is records.Damage:
        return _Asked(fell=outcome(event, position, hearing), step=step)
    if kind is records.Roll:
        return _Asked(rolled=adopt_rolls.result(event, position, hearing), step=step)
    if kind in AFTER_FIRST_WAVE and position.phase == "first_wave":
        return _Asked(lost=adopt_deployment.lost_flips(event, position, hearing), step=step)
    return _Asked(step=step)


def _begin(event: Any, position: Position) -> None:
    """What holds from the line itself on: its number, and the cards that it shows."""
    kind = type(event)
    if kind in MAY_RUN_SHORT and (short := ran_short(event, position)) is not None:
        position.short |= {short}
        refill_unsaid(event, short, position)
    position.seq, position.adopting = event.seq or position.seq + 1, True
    if kind not in (records.Reshuffle, records.Remark):
        position.settled = ()
    if event.ids:
        drawn = (event.cards or ()) if kind is records.Draw and event.by in position.table.other else ()
        for instance, card in event.ids.items():
            position.show(instance, event.by if instance in drawn else None, card)


def _announced(event: records.Event, was_at: int, position: Position, hearing: Hearing) -> Play | None:
    """What an event announces, marked where it can neither be played nor chosen so."""
    play = adopt_plays.with_its_table(announced(event, position), was_at, position)
    ability = ability_of(position, play)
    if play is not None and ability is not None:
        if cannot_be_played(play, ability, position):
            return play._replace(astray="played")
        if are_astray(choices_made(event, position) or (), position, hearing):
            return play._replace(astray="chosen")
    return play


def _note(event: records.Event, view: View, asked: _Asked, position: Position) -> None:
    """What windows, reactions and plays before an event learn of it."""
    if position.happened or position.reacted or position.windows:
        adopt_reactions.passes_by(event, position)
    if type(event) in BRINGS_ABOUT:
        adopt_reactions.note(event, position, asked.fell)
    if position.plays:
        # What cards are, an event may show, and the one after it (`card_of`).
        if "costs" in view.topics or position.table.shows:
            adopt_plays.note_late(position, event)
        adopt_plays.note_over(position, event)
    if position.arrived and goes_on(event):
        position.arrived = ()


def _follow(event: Any, asked: _Asked, position: Position, hearing: Hearing) -> None:
    """The event itself."""
    kind = type(event)
    if kind in _FOLLOW_ASKING:
        if kind in IN_THE_FIGHT:
            come_to_light(event, position)
        _FOLLOW_ASKING[kind](event, position, hearing)
    elif kind in _FOLLOW:
        _FOLLOW[kind](event, position)
    elif kind is records.Roll:
        adopt_rolls.roll(event, asked.rolled, position)
    elif asked.step is not None:
        adopt_victory.step(event, position, asked.step)
    else:
        assert asked.fell is not None, f"{kind.__name__} is not followed"
        if event.by_ability:
            adopt_plays.effect_damage(event, asked.fell.destroyed, position)
        else:
            damage(event, asked.fell, position)


def _note_what_followed(event: Any, position: Position) -> None:
    kind = type(event)
    if kind not in (records.Remark, records.Position, records.Judge):
        position.foretold = False
    if kind in GOES_ON and winner_by_sectors(position) is not None:
        position.after_win |= {"battle" if kind is records.BattleChoose else "turn"}
    if kind is records.Effect and event.op is not None:
        moved = event.op in BARE  # The bare event beside it says which cards.
        adopt_plays.note_done(position, event, event.op, () if moved else tuple(event.targets or ()))
        adopt_plays.note_given(position, event)


def _open_what_lacks(event: records.Event, play: Play | None, position: Position) -> None:
    lacking = records.lacking(event)
    if play is not None and unchosen(play, position):
        lacking.append("what was chosen")
    if lacking:
        why = f"event {position.seq} does not state {' and '.join(lacking)}"
        position.holes.open(Hole(position.seq, why))


def _end(event: records.Event, asked: _Asked, position: Position) -> None:
    """What is due by itself once an event is over."""
    if not isinstance(event, records.BattleChoose) and (flip := position.table.sets_up_next(position.seq)) is not None:
        adopt_setup.choose_unsaid(flip, position)
    if asked.lost:
        adopt_deployment.doubt_flips(asked.lost, position)
    position.table.doubt_strangers(position.seq, position.holes)
    position.started, position.adopting = True, False


ZONES = frozenset(get_args(records.ZoneName))


def right(event: Any, fault: Fault) -> Any:
    """An event without what follows from its facts. When it was, from where, of what an effect is, and the die of a card stay:
    no rule works that out of them, and the deck goes on with the card that was turned up."""
    of_it = ("stat", "what", "until") if isinstance(event, records.Effect) else ()
    stays = ("turn", "battle", "ba", "from_", *of_it, *(("die",) if fault.rule != "HCG-ROLL-01" else ()))
    kept = {name: getattr(event, name) for name in stays if hasattr(event, name)}
    found = adopt_victory.put_right(msgspec.structs.replace(unclaimed(event), **kept), fault)
    due = fault.recomputed
    if isinstance(due, Mapping) and getattr(found, "to", None) is not None and due.get("to") in ZONES:
        return msgspec.structs.replace(found, to=due["to"])
    if fault.rule == "HCG-SETUP-02" and fault.kind == "miscalculated":
        return records.SetupReveal(seq=event.seq, by=event.by, card=event.card, ids=event.ids)
    return found


def undone(event: Any, view: View, position: Position, hearing: Hearing, fault: Fault) -> None:
    """Go on as if an illegal act had not been done; where too many cards were drawn, so many as are due."""
    due = fault.recomputed
    if fault.rule == "HCG-DEP-01" and isinstance(due, int):
        event = msgspec.structs.replace(event, n=due, cards=(event.cards or [])[:due] or None)
    elif fault.seq is None and not isinstance(event, _MARKS):
        position.kept = None
        position.seq = event.seq or position.seq + 1
        position.started = True
        return
    adopt(event, view, position, hearing)


_MARKS = (records.PhaseStart, records.TurnStart, records.TurnEnd)


# -- setting up ---------------------------------------------------------------------------------------------------


def _shuffle(event: records.SetupShuffle, position: Position) -> None:
    if event.by in position.table.other:
        position.shuffle_in(event.by, (), tuple(event.order) if event.order is not None else None)
        if event.by in position.reveals:
            position.shuffled |= {event.by}


def _reveal(event: records.SetupReveal, position: Position) -> None:
    if event.by not in position.table.other:
        return
    if event.card is not None:
        position.show(event.card, event.by, None)
        if event.card not in position.at and not position.deck_top.get(event.by):
            position.order_deck(event.by, (event.card,))
        position.contradict_top(event.by, event.card)
    card, other = position.card_of(event.card), position.other(event.by)
    die = event.die if event.die is not None else card.die if card is not None else None
    if event.by in position.reveals and other not in position.reveals:
        # One of the two was the other player's: nobody knows which.
        position.reveals = {one: Reveal(None, None, position.seq) for one in (event.by, other)}
    position.reveals.setdefault(event.by, Reveal(event.card, die, position.seq))


def _coin(event: records.SetupCoin, position: Position) -> None:
    if event.winner in position.table.other:
        position.coin = event.winner


def _role(event: records.SetupRole, position: Position) -> None:
    if position.roles or event.by not in position.table.other or event.role is None:
        return  # Roles never change (HCG-SETUP-04).
    position.role_by = event.by
    position.roles[event.by] = event.role
    position.roles[position.other(event.by)] = "defender" if event.role == "attacker" else "attacker"


def _planet(event: records.SetupPlanet, position: Position) -> None:
    position.planet = event.planet


# -- turns --------------------------------------------------------------------------------------------------------


def _turn_start(event: records.TurnStart, position: Position) -> None:
    if begins_again(event, position):
        return
    if begins_as_foretold(event, position):
        # The position says where everything lies in this turn.
        position.phase, position.marked = "first_wave", ""
    else:
        is_next = event.turn == position.turn + 1
        begin_turn(position, event.turn)
        if event.turn is not None:
            _nothing_of_it_yet(position)
        if is_next:
            position.holes.state(("turn",))  # Another number is in doubt itself.


def _nothing_of_it_yet(position: Position) -> None:
    """A turn begins, and says which: nobody has done anything in it, and no battle is under way. Roles never change."""
    said: list[Fact] = ["phase", "battles", "battle", "setup", "stage", "passes", "withdrawn", "roll"]
    for player in position.table.players:
        said += [("served", player), ("drawn", player)]
    if position.role_by is not None:
        said += ["roles", "reveals"]
    position.holes.state(said)


def _phase_start(event: records.PhaseStart, position: Position) -> None:
    if event.phase is None or event.phase in ("setup", "over"):
        return
    if position.phase == "setup" or begins_unsaid(event, position):
        begin_turn(position, event.turn)
    enter(position, event.phase)
    position.marked = event.phase
    position.holes.state(("phase",))


def _ships(event: records.EndShips, position: Position) -> None:
    enter(position, "end")
    adopt_victory.ships(event, position)


def _end_check(event: records.EndCheck, position: Position) -> None:
    enter(position, "end")


def _turn_end(event: records.TurnEnd, position: Position) -> None:
    enter(position, "end")
    if position.holes:
        _count_anew(event, position)


def _count_anew(event: records.TurnEnd, position: Position) -> None:
    """How many cards a deck has is known again, where nobody could say."""
    for player, n in (event.decks or {}).items():
        count: Fact = ("deck", player)
        if player in position.table.other and not position.deck_top.get(player) and position.holes.doubt((count,)):
            position.deck_n[player] = n
            position.holes.state((count,))


# -- what every game has ------------------------------------------------------------------------------------------


def _nothing(event: records.Event, position: Position) -> None:
    """An event that changes nothing on the table."""


def _stated(event: records.Position, position: Position) -> None:
    adopt_stated.state(position, event)


def _judge(event: records.Judge, position: Position) -> None:
    if event.position is not None:
        adopt_stated.state(position, event.position)


_FOLLOW: Mapping[type, Callable[[Any, Position], None]] = {
    records.SetupShuffle: _shuffle,
    records.SetupReveal: _reveal,
    records.SetupCoin: _coin,
    records.SetupRole: _role,
    records.SetupPlanet: _planet,
    records.TurnStart: _turn_start,
    records.PhaseStart: _phase_start,
    records.TurnEnd: _turn_end,
    records.Position: _stated,
    records.Judge: _judge,
    **adopt_deployment.FOLLOWED,
    **adopt_setup.FOLLOWED,
    records.Modifier: adopt_rolls.modifier,
    records.ModifierPass: adopt_rolls.modifier_pass,
    records.RollFinal: _nothing,
    records.EndShips: _ships,
    records.EndCheck: _end_check,
    records.End: adopt_victory.game_end,
    records.GameEnd: adopt_victory.game_end,
}

_FOLLOW_ASKING: Mapping[type, Callable[[Any, Position, Hearing], None]] = {
    **adopt_plays.FOLLOWED,
    **adopt_special.FOLLOWED,
    **adopt_reactions.FOLLOWED,
    **BATTLE,
}
"""Those that may ask readings."""

GOES_ON = frozenset({records.BattleChoose, records.TurnStart, records.DeployFirst, records.DeployRegular})
"""Events with which a game goes on that somebody has won."""

FOLLOWED = frozenset(
    {
        *_FOLLOW,
        *_FOLLOW_ASKING,
        *STEPS,
        records.Damage,
        records.Roll,
    }
)
"""Event types that are followed. To the core all others are unknown: they open a hole, and no audit with one is clean."""


def about(event: records.Event, position: Position) -> Hashable:
    """Where the cards lie that an event is about."""
    return tuple(
        position.at.get(card) for name in ("card", "unit") if isinstance(card := getattr(event, name, None), str)
    )
