"""When and from where abilities are played, and what they must have done when they are over (catalogue 4.1, 4.13, 4.19,
4.21, 4.22)."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import RAN, Remark, Unchecked
from auditor.core.ruleset import Rule, not_auditable
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Effect
from auditor.systems.hcg.position.parts import Action, Battle
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import just_left_behind, optional_text
from auditor.systems.hcg.reckoning.claims import cause_of_end
from auditor.systems.hcg.reckoning.costs import is_next, overtaken
from auditor.systems.hcg.reckoning.effects import line_of, lost, one_alone, undone
from auditor.systems.hcg.reckoning.lacking import answered, battle_action
from auditor.systems.hcg.reckoning.plays import ability_of, announced, is_in_hand, may_be_anybodys, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ACTIONS, is_new
from auditor.systems.hcg.rules.common import CHAPTERS, SOURCE, TYPES, Seen, one_of, rule, went_back_to_the_hand
from auditor.systems.hcg.rules.costs import DOES
from auditor.systems.hcg.rules.victory import has_begun

OPTIONAL = ("tactic", "reaction", "modifier", "ba.card", "ba.ability", "ba.assault")
ENDS_ACTION = (*ACTIONS, "ba.end", "battle.end")
NEXT = (*ENDS_ACTION, "tactic", "tactic.pass", "block", "block.none", "damage", "sweep", "sweep.none", "special")


def tag(event: records.Event) -> str:
    return str(type(event).__struct_config__.tag)


# -- 4.1 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-CARD-03",
    "Command lines",
    section="4.1",
    events=["tactic", "reaction", "modifier", "event"],
    kinds=["illegal"],
)
def lines_are_played_as_printed(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The colour of the die number tells the type of a command line: BA, T, R, M or E. It is played as that.

    Log:  the card and how it was played.
    Edge: a line that is no battle action and was played as one is HCG-BA-02.
    """
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None or play.ability != "line":
        return None
    if ability.type == play.kind:
        return RAN
    is_, as_ = (TYPES.get(str(one), f"of type {one}") for one in (ability.type, play.kind))
    text = f"The command line of {position.named(play.card)} is {is_}; it was played as {as_}."
    return [
        lines_are_played_as_printed.illegal(text, play.card, player=play.by, claimed=play.kind, recomputed=ability.type)
    ]


@rule(
    "HCG-CARD-01",
    "Four kinds of cards",
    section="4.1",
    events=["*"],
    kinds=["ambiguous"],
    when={"*": ("shows",)},
)
def cards_are_known(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Every card is a unit, an asset, a ship or a sector.

    Log:  cards that the card set has. What needs the data of another cannot be judged.
    Edge: a card used as a kind that it is not breaks the rule of that act.
    """
    shown = dict(event.ids or {})
    if isinstance(event, records.SetupFlip):
        shown |= {one.card: one.id for one in event.cards or () if one.card is not None and one.id is not None}
    new = {instance: card for instance, card in shown.items() if instance not in position.card}
    if not new:
        return None
    missing = sorted({card for card in new.values() if card not in position.table.cards})
    missing = [card for card in missing if card not in position.card.values()]
    if not missing:
        return RAN
    text = (
        f"No card set at hand has {', '.join(missing)}; what hangs on {'it' if len(missing) == 1 else 'them'} is open."
    )
    return [cards_are_known.ambiguous(text, *missing, player=None, would_be="illegal")]


# -- 4.7 ----------------------------------------------------------------------------------------------------------


@rule(
    "HCG-POS-04",
    "Only units charge",
    section="4.7",
    events=["ba.charge", "ba.end", "position"],
    kinds=["illegal", "miscalculated"],
)
def only_units_charge(
    event: records.BaCharge | records.BaEnd | records.Position, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Only units can be charging, assets and ships never.

    Log:  what charged; positions claimed.
    """
    this = only_units_charge
    if isinstance(event, records.BaCharge):
        card = position.card_of(event.unit)
        if card is None or event.unit is None:
            return None
        if card.kind == "unit":
            return RAN
        what = f"{'an' if card.kind == 'asset' else 'a'} {card.kind}"
        text = (
            f"{event.by or 'Somebody'} charged with {position.named(event.unit)}, which may not charge: it is {what}."
        )
        return [this.illegal(text, event.unit, claimed=card.kind, recomputed="unit")]
    said: dict[str, str] = dict(event.positions or {}) if isinstance(event, records.BaEnd) else _stated(event)
    ids = {**position.card, **(event.ids or {})}
    seen = []
    for instance, stance in said.items():
        card = position.table.cards.get(ids.get(instance))
        if stance != "charging" or card is None or card.kind == "unit":
            continue
        kind = f"{'an' if card.kind == 'asset' else 'a'} {card.kind}"
        text = f"{card.title} ({instance}) is charging in the log; it is {kind}."
        at = position.at.get(instance)
        claim = {"position": stance}
        if isinstance(event, records.Position):
            seen.append(this.illegal(text, instance, player=None, claimed=claim))
            continue
        player = at.player if at is not None else None
        right = {"position": at.stance if at is not None else None}
        seen.append(this.miscalculated(text, instance, player=player, claimed=claim, recomputed=right))
    return seen or (RAN if said else None)


def _stated(event: records.Position) -> dict[str, str]:
    said: dict[str, str] = {}
    for zones in (event.zones or {}).values():
        for rows in (zones.fleet, *(zones.sectors or {}).values()):
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, records.Row) and row.card is not None and row.position is not None:
                    said[row.card] = row.position
    return said


# -- 4.13 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-BA-02",
    "The seven battle actions",
    section="4.13",
    events=["ba.card", "ba.ability", "deploy.first", "deploy.regular"],
    kinds=["illegal"],
)
def battle_actions_are_seven(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A battle action is one of seven: shoot, charge, assault, a BA card, a BA ability, withdraw, pass. Nothing else is.

    Log:  what was played as a battle action.
    """
    this, battle = battle_actions_are_seven, position.battle
    if isinstance(event, (records.DeployFirst, records.DeployRegular)):
        if battle is None or battle.step != "battle" or position.phase != "battle":
            return None
        text = f"{one_of(event.by)} deployed {position.named(event.card)} in the battle step."
        return [this.illegal(text, *([event.card] if event.card else []))]
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is None or ability is None:
        return None
    if ability.type == "BA":
        return RAN
    text = f"{play.by} played {position.named(play.card)} as a battle action; its text is {_type(ability)}."
    return [this.illegal(text, play.card, player=play.by, claimed="BA", recomputed=ability.type)]


def _type(ability: Ability) -> str:
    return TYPES.get(ability.type) or ("an event" if ability.type == "E" else f"a {ability.type} text")


# -- 4.19 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-BAC-01",
    "BA cards",
    section="4.19",
    events=["ba.card", "cost", "roll", *DOES, *(one for one in ENDS_ACTION if one not in ("ba.card",))],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-COSTTIME", "OR-FIZZLE", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-ROLLRANGE"],
    when=dict.fromkeys(["cost", "roll", *DOES, *(one for one in ENDS_ACTION if one != "ba.card")], ("card",)),
)
def cards_go_step_by_step(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A BA card from the command hand is checked, its choices made and its costs paid; it is laid on the table; a tactics
    window opens; it takes effect; it is discarded.

    Log:  these steps in order. The discard is implied.
    Edge: how the choices and costs have to be is judged by their own rules.
    """
    this = cards_go_step_by_step
    if isinstance(event, records.BaCard) and event.card is None:
        return [this.missing(records.lacking(event))]
    seen = not_of_the_hand(this, announced(event, position), position) if isinstance(event, records.BaCard) else None
    return _with(seen, _steps(this, "card", event, position, hearing))


@rule(
    "HCG-BAA-01",
    "BA abilities",
    section="4.19",
    events=["ba.ability", "cost", "roll", *DOES, *(one for one in ENDS_ACTION if one not in ("ba.ability",))],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-COSTTIME", "OR-SOURCEGONE", "OR-FIZZLE", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-ROLLRANGE"],
    when=dict.fromkeys(["cost", "roll", *DOES, *(one for one in ENDS_ACTION if one != "ba.ability")], ("ability",)),
)
def abilities_go_step_by_step(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A BA ability stands on an own unit or asset at the sector, or on an own ship in the fleet. It is announced and checked;
    a tactics window opens; it takes effect.

    Log:  the source, and these steps in order.
    Edge: a ship at a sector is not in the fleet yet.
    """
    this = abilities_go_step_by_step
    seen: Seen = None
    if isinstance(event, records.BaAbility):
        if event.source is None or event.source.card is None:
            return [this.missing(["which ability was used"])]
        seen = in_play(this, event, position)
    return _with(seen, _steps(this, "ability", event, position, hearing))


def _with(seen: Seen, more: Seen) -> Seen:
    """What two looks at an event saw; None where neither had anything to look at."""
    if seen is None or more is None:
        return more if seen is None else seen
    return [*seen, *more]


def not_of_the_hand(this: Rule, play: Play | None, position: Position) -> list[Remark]:
    """A card that is played from the hand and lies in another place. Of one in play, or discarded, other rules say so
    (HCG-CMD-02, HCG-CMD-03, HCG-TAC-07)."""
    if play is None or play.zone != "hand" or is_in_hand(play.card, play.by, position):
        return []
    at = position.at.get(play.card)
    if at is not None and at.zone in ("sector", "fleet", "discard", "limbo"):
        return []
    where = "is none of the cards in it" if at is None else f"lies in the {at.zone.replace('_', ' ')}"
    if at is not None and at.player != play.by:
        where = f"is {at.player}'s, and {where}"
    text = f"{position.named(play.card)} was played from {play.by}'s hand; it {where}."
    return [this.illegal(text, play.card, player=play.by, claimed="hand")]


def in_play(this: Rule, event: records.Event, position: Position) -> Seen:
    """Whether the source of an ability lies where its controller may use it."""
    play, battle = announced(event, position), position.battle
    if play is None or battle is None or play.zone in ("hand", "sectorcard"):
        return None
    at, card = position.at.get(play.card), position.card_of(play.card)
    if at is None:
        return [Unchecked(this.id, f"nobody knows where {play.card} lies")]
    if play.said is None and at.zone == "command_hand" and at.player == play.by:
        return [Unchecked(this.id, f"the log does not say whether {play.card} was played from the hand")]
    alive = position.action is None or play.card not in position.action.doomed
    if at.zone == "sector" and at.sector == battle.sector and alive:
        why = f"it is {at.player}'s" if at.player != play.by else None
        if why is None and card is not None and card.kind == "ship" and not just_left_behind(event, at, position):
            why = "it is a ship, and not in the fleet yet"
    elif at.zone == "fleet":
        why = f"it is {at.player}'s" if at.player != play.by else None
    else:
        place = f"sector {at.sector}" if at.zone == "sector" else f"the {at.zone.replace('_', ' ')}"
        why = f"it lies in {place}" if alive else "it was destroyed"
    if why is None:
        return RAN
    text = f"{play.by} used an ability of {position.named(play.card)}; {why}."
    return [this.illegal(text, play.card, player=play.by)]


def _paid_with_itself(play: Play) -> bool:
    """Whether the card that prints an ability was destroyed as its cost."""
    return any(op == "destroy" and play.card in cards for op, cards in play.costs)


def _steps(this: Rule, kind: str, event: records.Event, position: Position, hearing: Hearing) -> Seen:
    """The order of costs, window and effect of a battle action, and the effect that is missing at its end."""
    action = position.action
    play = position.plays[0] if position.plays and position.plays[0].kind == "BA" else None
    ability = ability_of(position, play)
    if action is None or action.kind != kind or play is None or ability is None:
        return None
    if isinstance(event, (records.Cost, records.Roll)):
        return cost_time(this, event, play, ability, action, position, hearing)
    is_gone = kind == "ability" and not position.lives_in_play(play.card) and not _paid_with_itself(play)
    if tag(event) in DOES:
        found = on_chosen(this, event, play, ability, position, hearing)
        if found and is_gone and play.card in position.at:
            return RAN if hearing.ask("OR-SOURCEGONE") == "fizzles" else found  # Nothing is done by it then.
        return found
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    if is_gone:
        return None  # What an ability owes whose card is gone is a question of its own.
    seen = _undrawn(this, play, ability, position, hearing)
    for effect in _owed(play, ability, position, hearing):
        text = (
            f"{play.by} played {position.named(play.card)}, and nothing was recorded of “{ability.words(effect.at)}”."
        )
        due = line_of(effect, play, ability, position, hearing)
        seen.append(this.omitted(text, play.card, player=play.by, due=due))
    return seen or RAN


def _undrawn(this: Rule, play: Play, ability: Ability, position: Position, hearing: Hearing) -> list[Remark]:
    """What one of both players who have to draw is not recorded to have drawn."""
    seen: list[Remark] = []
    for player, effect in one_alone(play, ability, position, hearing):
        text = f"{play.by} played {position.named(play.card)}, and nothing was recorded of what {player} draws by “"
        text += f"{ability.words(effect.at)}”."
        seen.append(this.omitted(text, play.card, player=player))
    return seen


def _owed(play: Play, ability: Ability, position: Position, hearing: Hearing) -> list[Effect]:
    """What is missing of the effects of a battle action; nothing where one lost card may undo all of them (OR-FIZZLE)."""
    missing = undone(play, ability, position, hearing)
    if missing and lost(play, ability, position, hearing)[1] and hearing.ask("OR-FIZZLE") == "all-or-nothing":
        return []
    return missing


def cost_time(
    this: Rule, event: Any, play: Play, ability: Ability, action: Action, position: Position, hearing: Hearing
) -> Seen:
    """When the costs of a battle action are paid (OR-COSTTIME)."""
    if play_by(event, position) != play:
        return None
    op = "test" if isinstance(event, records.Roll) else event.op
    if not any(cost.op in (op, "raw") for cost in ability.costs) or position.table.setup.terse:
        return None
    if isinstance(event, records.Roll) and (event.purpose not in (None, "test") or ("test", ()) in play.costs):
        return None
    window = next((one for one in position.windows if one.kind == "tactics" and one.ba == action.n), None)
    begun = bool(play.done or action.tactics or action.blocker or window is None or window.entries)
    over = window is None or window.passes >= 2
    if play.done:
        text = f"A cost of {position.named(play.card)} was paid after it had taken effect."
    elif begun and hearing.ask("OR-COSTTIME") == "announce":
        text = f"A cost of {position.named(play.card)} was paid after its tactics window had begun."
    elif not over and not position.table.setup.passes_implied and hearing.ask("OR-COSTTIME") == "resolve":
        text = f"A cost of {position.named(play.card)} was paid before its tactics window was closed."
    else:
        return RAN
    return [this.illegal(text, play.card, player=play.by)]


def on_chosen(
    this: Rule, event: records.Event, play: Play, ability: Ability, position: Position, hearing: Hearing
) -> Seen:
    """A battle action takes effect on what was chosen as it was announced (OR-FIZZLE)."""
    if play_by(event, position) != play or not play.choices or ability.status != "full":
        return None
    if any(one.target is None or one.target.q in ("self", "all", "same") for one in ability.effects) or isinstance(
        event, (records.Draw, records.Discard, records.Mill, records.Infiltrate)
    ):
        return None
    cards = _cards_of(event)
    others = [one for one in cards if one not in play.choices]
    if isinstance(event, records.Destroy):
        others = [one for one in others if position.lives_in_play(one) or one not in position.at]  # Else HCG-DES-01.
    is_lost, may_be_lost = lost(play, ability, position, hearing)
    if others:
        if may_be_lost and hearing.ask("OR-FIZZLE") == "rechoose":
            return RAN
        text = f"{position.named(play.card)} took effect on {', '.join(map(position.named, others))}; chosen "
        text += f"{'was' if len(play.choices) == 1 else 'were'} {', '.join(map(position.named, play.choices))}."
        return [this.illegal(text, *others, player=play.by, claimed=others, recomputed=list(play.choices))]
    if is_lost and cards and hearing.ask("OR-FIZZLE") == "all-or-nothing":
        text = f"{position.named(play.card)} took effect though not all that was chosen was still there."
        return [this.illegal(text, play.card, player=play.by)]
    return RAN


def _cards_of(event: Any) -> tuple[str, ...]:
    if isinstance(event, records.Effect):
        return tuple(event.targets or ())
    if isinstance(event, records.Damage):
        return () if event.to is None else (event.to,)
    return tuple(event.cards or ())


@rule(
    "HCG-BAA-03",
    "The source is destroyed",
    section="4.19",
    events=[*DOES, *ENDS_ACTION],
    kinds=["illegal", "omitted"],
    readings=["OR-SOURCEGONE", "OR-FIZZLE", "OR-STATFLOOR", "OR-BONUSSETUP", "OR-ROLLRANGE"],
    when=dict.fromkeys([*DOES, *ENDS_ACTION], ("ability",)),
)
def a_source_may_be_gone(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Whether a BA ability still takes effect when the card that prints it was destroyed in the tactics window, the text does
    not say (OR-SOURCEGONE).

    Log:  the destruction, and what the ability did.
    """
    this, action = a_source_may_be_gone, position.action
    play = position.plays[0] if position.plays else None
    ability = ability_of(position, play)
    if action is None or action.kind != "ability" or play is None or ability is None:
        return None
    if position.lives_in_play(play.card) or play.card not in position.at:
        return None
    if _paid_with_itself(play):
        return None
    if tag(event) in DOES:
        if play_by(event, position) != play or hearing.ask("OR-SOURCEGONE") == "still-resolves":
            return RAN
        text = f"The ability of {position.named(play.card)} took effect after its source had left play."
        return [this.illegal(text, play.card, player=play.by)]
    if isinstance(event, records.BattleAction) and not is_new(event, position):
        return None
    missed = _owed(play, ability, position, hearing)
    if not missed or hearing.ask("OR-SOURCEGONE") == "fizzles":
        return RAN
    text = f"{position.named(play.card)} left play in the tactics window, and its ability was not carried out."
    return [this.omitted(text, play.card, player=play.by)]


# -- 4.21 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-OPT-01",
    "Only in the battle step",
    section="4.21",
    events=[*OPTIONAL, "setup.ability"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-CHARGEWIN"],
)
def abilities_belong_to_the_battle_step(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """BA, T, R, M and A abilities are playable in the battle step only: not in deployment, set-up or victory step.

    Log:  where in the game it was played.
    Edge: a roll for a set-up instruction or an event cannot be modified, and what they destroy not reacted to. Such a text
          that is named as a set-up instruction is used in the set-up. Whether a withdrawal opens a tactics window is
          OR-CHARGEWIN.
    """
    this, battle = abilities_belong_to_the_battle_step, position.battle
    if isinstance(event, records.BaAssault) and event.mode != "special":
        return None
    if isinstance(event, records.SetupAbility) and (battle is None or optional_text(event, position) is None):
        return None
    if battle is not None and position.phase == "battle":
        begins = isinstance(event, records.BattleAction) and battle.step == "setup"
        if battle.step == "battle" or begins:
            return RAN
        if isinstance(event, records.Tactic) and _is_on_a_withdrawal(battle, position):
            if hearing.ask("OR-CHARGEWIN") == "window-all":
                return RAN
        where = "set-up of a battle" if battle.step == "setup" else "victory step"
    else:
        where = f"{position.phase.replace('_', ' ')}, outside any battle"
    play = announced(event, position)
    named = position.named(play.card) if play is not None else "An ability"
    text = f"{named} was played in the {where}."
    subject = (play.card,) if play is not None else ()
    lacks = battle_action(position, event) if battle is not None and battle.step == "setup" else None
    if lacks is not None and isinstance(event, records.Reaction) and play is not None:
        lacks = answered(event, play, ability_of(position, play), position)
    return [this.illegal(text, *subject, claimed=where, recomputed="battle step", lacks=lacks)]


# -- 4.22 ---------------------------------------------------------------------------------------------------------


@rule(
    "HCG-TAC-01",
    "When and from where tactics are played",
    section="4.22",
    events=["tactic"],
    kinds=["illegal", "ambiguous"],
    readings=["OR-CHARGEWIN", "OR-FAILWIN", "OR-ROLLRANGE"],
)
def tactics_need_a_window(event: records.Tactic, view: View, position: Position, hearing: Hearing) -> Seen:
    """Tactics are played after a battle action that has a tactics window and before it resolves: a shot, an assault, a sweep,
    a BA card, a BA ability. They come from the command hand or from own cards in play, ships in the fleet included.

    Log:  the source; the battle action.
    Edge: a pass and a withdrawal have no window; what a charge has is HCG-CHG-02.
    """
    this, action, battle = tactics_need_a_window, position.action, position.battle
    seen: list[Remark] = []
    if battle is not None and battle.step == "battle":
        text, lacks, by = None, None, event.by or "Somebody"
        if action is None:
            text = f"{by} played a tactic between two battle actions."
            lacks = battle_action(position, event)
        elif action.kind == "pass":
            if hearing.ask("OR-CHARGEWIN") != "window-all":
                text = f"{by} played a tactic on a pass."
        elif _is_over(position) and hearing.ask("OR-FAILWIN") == "none":
            text = f"{by} played a tactic on a battle action whose test had failed."
        if text is not None:
            seen.append(this.illegal(text, lacks=lacks))
    play = announced(event, position)
    ability = ability_of(position, play)
    if play is not None and play.zone != "hand" and ability is not None and ability.type != "T":
        text = f"{play.by} used {position.named(play.card)} as a tactic; its text is {_type(ability)}."
        seen.append(this.illegal(text, play.card, claimed="T", recomputed=ability.type))
    seen += not_of_the_hand(this, play, position)
    found = in_play(this, event, position)
    if found and battle is not None and _is_on_a_withdrawal(battle, position):
        found = None if hearing.ask("OR-CHARGEWIN") == "window-all" else found  # The window precedes the destruction.
    return [*seen, *(found or ())] or RAN


def _is_on_a_withdrawal(battle: Battle, position: Position) -> bool:
    """Whether the battle has just ended by a withdrawal, and nothing of its victory step was recorded."""
    return battle.step == "victory" and cause_of_end(position) == "withdraw" and not has_begun(battle)


def _is_over(position: Position) -> bool:
    """Whether the test that the battle action itself hangs on was failed."""
    return bool(position.plays) and position.plays[0].kind in ("BA", "A") and position.plays[0].passed is False


@rule(
    "HCG-TAC-04",
    "Once a battle action",
    section="4.22",
    events=["tactic"],
    kinds=["illegal"],
    readings=["OR-FAILEDTEST"],
)
def tactics_in_play_are_used_once(event: records.Tactic, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each tactic printed on a card in play is used once in a battle action by each instance, the window of a sweep included.

    Log:  the source.
    Edge: two instances of one card have one use each. A failed test uses it (OR-FAILEDTEST). "Unlimited" lifts this.
    """
    this = tactics_in_play_are_used_once
    play, ability = announced(event, position), ability_of(position, announced(event, position))
    if play is None or play.zone == "hand" or position.action is None:
        return None
    before = [one for one in position.plays if (one.kind, one.card, one.ability) == ("T", play.card, play.ability)]
    if not before:
        return RAN
    if ability is None:
        return [Unchecked(this.id, f"nothing tells which text of {play.card} was used")]
    if ability.limit != "once":
        return RAN
    if all(one.passed is False for one in before) and hearing.ask("OR-FAILEDTEST") == "refunded":
        return RAN
    text = f"{position.named(play.card)} used “{ability.text}” again in one battle action."
    return [this.illegal(text, play.card, player=play.by, claimed=len(before) + 1, recomputed=1)]


@rule(
    "HCG-TAC-05",
    "Tactics resolve at once",
    section="4.22",
    events=[*DOES, *(one for one in NEXT if one not in DOES)],
    kinds=["illegal", "omitted"],
    readings=["OR-STATFLOOR", "OR-BONUSSETUP", "OR-ROLLRANGE"],
    when=dict.fromkeys([*DOES, *NEXT], ("played",)),
)
def tactics_resolve_at_once(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each tactic resolves before the next player acts, so that later tactics see what it did.

    Log:  what a tactic did, directly after it.
    """
    this = tactics_resolve_at_once
    behind = overtaken(event, position)
    if tag(event) in DOES and not is_next(event) and not behind:
        play = play_by(event, position)
        if play is None or play.kind != "T":
            return None
        if not play.over or any(one.astray for one in position.windows):
            return RAN  # Two lines changed places: it was not over when this was done.
        if may_be_anybodys(event):
            return RAN
        text = f"{position.named(play.card)} took effect only after the next had acted."
        return [this.illegal(text, play.card, player=play.by)]
    seen = []
    for play in behind or position.plays:
        ability = ability_of(position, play)
        if play.kind != "T" or play.over or ability is None or position.table.later.does(event.seq, play.card):
            continue
        seen += _undrawn(this, play, ability, position, hearing)
        for effect in undone(play, ability, position, hearing):
            text = f"{play.by} played {position.named(play.card)}, and nothing was recorded of “{ability.words(effect.at)}”."
            due = line_of(effect, play, ability, position, hearing)
            seen.append(this.omitted(text, play.card, player=play.by, due=due))
    return seen or (RAN if any(play.kind == "T" for play in position.plays) else None)


@rule(
    "HCG-TAC-07",
    "Tactics are discarded",
    section="4.22",
    events=["tactic", "return"],
    kinds=["illegal"],
    readings=["OR-FAILEDTEST"],
)
def tactics_are_discarded(
    event: records.Tactic | records.Return, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A tactic from the hand is discarded after use.

    Log:  the discard is implied; what is said otherwise is compared.
    Edge: one whose test has failed goes back to the hand under OR-FAILEDTEST = refunded.
    """
    this = tactics_are_discarded
    if isinstance(event, records.Tactic):
        play = announced(event, position)
        if play is None or play.zone != "hand":
            return None
        at = position.at.get(play.card)
        if at is None or at.zone != "discard":
            return RAN
        text = f"{position.named(play.card)} was played from the hand; it lies in the discard pile."
        return [this.illegal(text, play.card, player=play.by)]
    played = {play.card: play for play in position.plays if play.kind == "T" and play.zone == "hand"}
    back = [one for one in event.cards or () if one in played]
    if not back or ((source := play_by(event, position)) is not None and source.card not in played):
        return None
    if went_back_to_the_hand([played[one] for one in back], hearing):
        return RAN
    if source is None and event.cause == "effect":
        return [Unchecked(this.id, f"nothing tells which text took {', '.join(map(position.named, back))} back")]
    if source is not None:
        ability = ability_of(position, source)
        if ability is None or ability.status != "full" or any(effect.op == "return" for effect in ability.effects):
            return None
    text = f"{', '.join(map(position.named, back))} went back after it had been played; a tactic is discarded."
    return [this.illegal(text, *back, player=played[back[0]].by)]


HCG_UNL_01 = not_auditable(
    "HCG-UNL-01",
    "Unlimited",
    "It lifts the limits of HCG-TAC-04, HCG-REA-02 and HCG-MOD-02, which ask for it; that costs are paid each time is "
    "HCG-OPT-06, that the turn order of the window still applies HCG-TAC-02, HCG-REA-03 and HCG-MOD-03.",
    "“Unlimited” lifts the once-limit of a T, R or M. Costs are paid each time, one use at a time, in turn.",
    chapter=CHAPTERS["4.23"],
    source=f"{SOURCE}, section 4.23",
)

RULES = (
    lines_are_played_as_printed,
    cards_are_known,
    only_units_charge,
    battle_actions_are_seven,
    cards_go_step_by_step,
    abilities_go_step_by_step,
    a_source_may_be_gone,
    abilities_belong_to_the_battle_step,
    tactics_need_a_window,
    tactics_in_play_are_used_once,
    tactics_resolve_at_once,
    tactics_are_discarded,
    HCG_UNL_01,
)
