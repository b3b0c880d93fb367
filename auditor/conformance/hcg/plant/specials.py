"""Faults in special assaults, in what abilities and damage do, and in what is played out of its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.plant.course import insert
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.plant.wrongly import Found, Picked, but_for, choice, chosen_only
from auditor.conformance.hcg.table import Event, Happening, Piece, Table, other
from auditor.conformance.hcg.texts import Effect

Planter = Callable[[SpoiledGame, Event], Expected | None]


def this_ba(game: SpoiledGame) -> list[Event]:
    """The events of the battle action that is going on."""
    where = [("turn", game.turn), ("battle", game.battle), ("ba", game.ba)]
    return [one for one in game.log if all(one.get(key) == number for key, number in where)]


# ---------------------------------------------------------------- special assaults


def paid_late(game: SpoiledGame, value: bool, plan: Plan) -> Found:
    """A special assault that is paid after its tactics window."""
    if not plan.text.costs or plan.text.costs[0].op != "test":
        return None
    game.blocks = 0.0
    return True, Expected("HCG-SPEC-01", "illegal", plan.by, None, at=("roll",), of=plan.piece.id)


def effect_before_the_fight(game: SpoiledGame, value: bool, plan: Plan) -> Found:
    """A blocked special assault that takes effect before it is fought."""
    if any(effect.op not in ("discard", "lock") for effect in plan.text.effects):
        return None
    by = plan.by
    return True, Expected("HCG-SPEC-03", "illegal", by, None, at=("special",))


def effect_all_the_same(game: SpoiledGame, value: bool, by: str, unit: Piece) -> Found:
    """A special assault that takes effect though it broke off in its tactics window."""
    return True, Expected("HCG-SPEC-06", "illegal", by, None, at=("special",))


def special_without_effect(game: SpoiledGame, value: bool, plan: Plan) -> Found:
    """An unblocked special assault that takes no effect."""
    if game.attack is None or game.attack.blocker is not None or plan.choosing is None or not plan.chosen:
        return None
    return False, Expected("HCG-SPEC-04", "omitted", plan.by, None, at=("ba.end",))


def damage_in_a_special(counter: bool) -> Planter:
    """Damage, or a counterattack, in a special assault that nobody blocked."""

    def planter(game: SpoiledGame, event: Event) -> Expected | None:
        if event["type"] != "special" or any(one["type"] in ("block", "damage") for one in this_ba(game)):
            return None
        unit = game.pieces[event["unit"]]
        foes = [one for one in game.enemies(unit.owner, unit, units_only=True) if game.value(one, "armor") > 0]
        if not foes or not game.is_here(unit.id):
            return None
        foe = game.rng.choice(foes)
        from_, to = (foe.id, unit.id) if counter else (unit.id, foe.id)
        fields: Event = {"from": from_, "to": to, "stat": "assault", "amount": 0, "destroyed": False}
        new = insert(game, event, "damage", **fields, **({"counter": True} if counter else {}))
        return Expected("HCG-SPEC-04", "illegal", unit.owner, new)

    return planter


def not_the_chosen(game: SpoiledGame, names: list[str], plan: Plan, effect: Effect) -> Found:
    """A special effect on a card that was not chosen."""
    if plan.text.type != "A" or effect is not plan.choosing or not names or effect.op not in ("lock", "destroy"):
        return None
    fit = [name for name in game.candidates(plan, effect) if name not in plan.chosen]
    if not fit:
        return None
    return [*names[:-1], game.rng.choice(fit)], Expected("HCG-SPEC-07", "illegal", plan.by, None, at=(effect.op,))


# ---------------------------------------------------------------- abilities


def source_gone(game: SpoiledGame, value: bool, plan: Plan, effect: Effect) -> Found:
    """A BA ability that takes no effect because its source was destroyed in the tactics window."""
    if plan.text.type != "BA" or plan.index == "line" or plan.piece.zone in ("sector", "fleet"):
        return None
    if any(one.op == "destroy" for one in plan.text.costs) or len(plan.text.effects) != 1 or plan.text.rows:
        return None
    if effect is not plan.choosing or not game.objects(plan, effect):
        return None
    return False, Expected("HCG-BAA-03", "omitted", plan.by, None, at=("ba.end",))


def one_of_all(more: bool) -> Callable[..., Found]:
    """An effect on all cards of a kind that leaves one out, or that is done to one of another kind too."""

    def twist(game: SpoiledGame, names: list[str], plan: Plan, effect: Effect) -> Found:
        what = effect.what
        if game.step != "battle" or plan.text.type != "BA" or what is None or what.q != "all" or effect.op != "lock":
            return None
        if not more and len(names) > 1:
            if any(one["type"] == "reaction" for one in this_ba(game)):
                return None  # What lies there now may have come in answer.
            game.keenness["reaction"] = 0.0
            gone = game.rng.choice(names)
            left = [name for name in names if name != gone]
            return left, Expected("HCG-OPT-05", "miscalculated", plan.by, None, at=("ba.end",))
        mine = [one.id for one in game.row(plan.by) if one.card.kind == what.kind and one.position != "locked"]
        if not more or not names or not mine:
            return None
        return [*names, game.rng.choice(mine)], Expected("HCG-OPT-05", "miscalculated", plan.by, None, at=("lock",))

    return twist


def milled_too_many(game: SpoiledGame, value: int, who: str, plan: Plan) -> Found:
    """More cards off the top of a deck than the text says."""
    if game.step != "battle" or len(game.zone(who, "deck")) < 9:
        return None
    return value + game.rng.randint(1, 2), Expected("HCG-DISC-02", "miscalculated", who, None, at=("mill",))


def rolled_for_a_mill(game: SpoiledGame, value: int, who: str, plan: Plan) -> Found:
    """A roll for a text that only discards cards off the top of a deck."""
    if game.step != "battle" or len(game.zone(who, "deck")) < 9 or plan.text.costs or who != plan.by:
        return None
    card = game.take(who, "discard")
    die = game.pieces[card].card.die
    event = Table.write(game, "roll", by=who, source=plan.source, card=card, die=die, purpose="variable", final=die)
    return value, Expected("HCG-DISC-02", "illegal", who, event)


# ---------------------------------------------------------------- damage


def effect_destroys(game: SpoiledGame, value: bool, name: str) -> Found:
    """A card that survives the damage of an effect that kills it, or dies of what does not."""
    if value == game.high or game.step != "battle" or (not value and wounds(game, name)):
        return None  # HCG-DMG-03.
    return not value, Expected("HCG-DMG-02", "miscalculated", None, None, at=("damage",))


def armor_against_an_effect(game: SpoiledGame, event: Event) -> Expected | None:
    """The armor that damage by an effect is compared with, where the outcome stays what it is."""
    if event["type"] != "damage" or event["stat"] != "effect":
        return None
    if any(text.kind == "versus" for text in game.pieces[event["to"]].card.statics):
        return None
    wrong = event["armor"] + (1 if game.high else -1)
    if wrong < 0 or (event["amount"] >= wrong) != event["destroyed"]:
        return None
    event["armor"] = wrong
    return Expected("HCG-DMG-04", "miscalculated", None, event)


def wounds(game: SpoiledGame, name: str, *, of_attacks: bool = False) -> int:
    """What a card has survived in this battle; of attacks only, or of abilities too."""
    here = [one for one in game.log if one.get("battle") == game.battle and one.get("turn") == game.turn]
    hits = [one for one in here if one["type"] == "damage" and one["to"] == name and not one["destroyed"]]
    return sum(one["amount"] for one in hits if not of_attacks or one["stat"] != "effect")


def wounds_added(game: SpoiledGame, value: bool, card: Piece, amount: int, armor: int) -> Found:
    """A card that dies of damage only together with what it had survived before; not in a sweep, whose damage is
    OR-SWEEPPOOL."""
    if (
        game.damage_steps > 1
        or value
        or not amount
        or game.attack is None
        or not wounds(game, card.id, of_attacks=True)
        or amount + wounds(game, card.id, of_attacks=True) < armor
    ):
        return None
    dealer = game.pieces[game.attack.attacker].owner
    return True, Expected("HCG-DMG-03", "miscalculated", dealer, None, at=("damage",))


def target_of_a_blocked_shot(game: SpoiledGame, event: Event) -> Expected | None:
    """The damage of a blocked shot dealt to the target, which survives it as the blocker would have."""
    attack = game.attack
    if event["type"] != "damage" or event["stat"] != "firepower" or event.get("counter") or attack is None:
        return None
    if attack.blocker is None or attack.target is None or event["destroyed"] or not game.is_here(attack.target):
        return None
    target, blocker = game.pieces[attack.target], game.pieces[attack.blocker]
    armor = game.value(target, "armor")
    if any("counterattack" in game.keywords(one) for one in (target, blocker)) or armor <= event["amount"]:
        return None
    event.update(to=target.id, armor=armor)
    return Expected("HCG-SHOOT-09", "illegal", game.pieces[attack.attacker].owner, event)


def discard_called_destruction(game: SpoiledGame, event: Event) -> Expected | None:
    """A card that was played or rolled, and is called destroyed."""
    if event["type"] != "tactic.pass":
        return None
    played = [one["source"]["card"] for one in this_ba(game) if one["type"] == "tactic"]
    played = [name for name in played if game.pieces[name].zone == "discard" and game.log[-2].get("op") == "modify"]
    if not played or game.log[-2]["source"]["card"] != played[-1]:
        return None
    return Expected("HCG-DES-02", "illegal", None, insert(game, event, "destroy", cards=[played[-1]], cause="played"))


# ---------------------------------------------------------------- what is played out of its place


def box_from_the_hand(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A text of the ability box of a card in a hand."""
    for name in game.hand(by) if len(game.hand(by)) > 2 else ():
        piece = game.pieces[name]
        for index, text in piece.card.typed(letter):
            plan = game.plan(by, piece, index, text)
            if plan is None or text.condition is not None or any(cost.op != "discard" for cost in text.costs):
                continue
            if any(text.trigger and game.answers(text.trigger, act, by, piece) for act in acts):
                plan.source = {"zone": "hand", "card": name, "ability": index}
                plan.index = "line"  # The card is laid on the table as for its line.
                return plan
    return None


def again_from_the_hand(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A reaction or a modifier from the hand that was played and discarded in this battle action."""
    type_ = {"R": "reaction", "M": "modifier"}[letter]
    for event in reversed(this_ba(game)):
        if event["type"] != type_ or event["by"] != by or event["source"]["zone"] != "hand":
            continue
        piece = game.pieces[event["source"]["card"]]
        line = piece.card.line
        if piece.zone != "discard" or line is None or line.costs or line.condition is not None or line.x is not None:
            continue
        if letter == "M" and (line.effects[0].op != "roll_add" or line.effects[0].whose != "any"):
            continue
        if letter == "R" and not any(line.trigger and game.answers(line.trigger, act, by, piece) for act in acts):
            continue
        plan = game.plan(by, piece, "line", line)
        if plan is not None:
            return plan
    return None


def waiting_ship(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A tactic of a ship that still waits at another sector."""
    for slot in game.open_sectors():
        for piece in game.row(by, slot) if slot != game.sector else ():
            for index, text in piece.card.typed(letter) if piece.face == "up" and piece.card.kind == "ship" else ():
                plan = game.plan(by, piece, index, text)
                if plan is not None:
                    return plan
    return None


def is_lock_of_this_battle(game: SpoiledGame, event: Event) -> bool:
    return (
        event["type"] in ("cost", "lock")
        and event.get("op", "lock") == "lock"
        and ((event["turn"], event["battle"]) == (game.turn, game.battle))
    )


def ship_still_locked(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A ship locked as a cost in both battles of a turn."""
    spent = {
        name
        for one in game.log
        if one["type"] == "cost" and one["op"] == "lock" and one["turn"] == game.turn and one["battle"] < game.battle
        for name in one["cards"]
    }
    spent -= {name for one in game.log if is_lock_of_this_battle(game, one) for name in one["cards"]}
    for piece in game.fleet(by):
        for index, text in piece.card.typed(letter) if piece.id in spent and piece.position == "locked" else ():
            if [cost.op for cost in text.costs] != ["lock"] or not game.unused(piece, index, text, scope):
                continue
            piece.position = "ready"  # So that it can be locked once more.
            plan = game.plan(by, piece, index, text)
            if plan is not None:
                return plan
            piece.position = "locked"
    return None


def card_played_again(game: SpoiledGame, by: str) -> str:
    """A BA card that was played and discarded in this battle."""
    here = [one for one in game.log if one.get("battle") == game.battle and one.get("turn") == game.turn]
    for event in here:
        if event["type"] != "ba.card" or event["by"] != by or game.pieces[event["card"]].zone != "discard":
            continue
        piece = game.pieces[event["card"]]
        assert piece.card.line is not None
        plan = game.plan(by, piece, "line", piece.card.line)
        if plan is not None and chosen_only(plan):
            game.book(Expected("HCG-CMD-03", "illegal", by, None))
            event = game.write("ba.card", by=by, card=piece.id, choices=plan.choices)
            game.move(piece.id, "limbo")
            game.react([(event, [Happening("plays", player=by)])], by)
            return game.carry_out(plan, "card")
    return ""


def after_the_battle(game: SpoiledGame, value: bool) -> Found:
    """A tactic in the victory step."""
    for by in (game.atk, game.dfd):
        for name in game.hand(by):
            piece = game.pieces[name]
            line = piece.card.line
            plan = game.plan(by, piece, "line", line) if line is not None and line.type == "T" else None
            if plan is not None and chosen_only(plan) and plan.choosing is not None and plan.choosing.op == "modify":
                event = Table.write(game, "tactic", by=by, source=plan.source, choices=plan.choices)
                game.move(name, "discard")
                game.do(plan, plan.choosing)
                return value, Expected("HCG-OPT-01", "illegal", by, event)
    return None


def before_the_battle(game: SpoiledGame, value: list[str]) -> Found:
    """A tactic of a card at the sector before command hands are drawn."""
    for piece in game.here() if not value else ():
        for index, text in piece.card.typed("T"):
            plan = game.plan(piece.owner, piece, index, text)
            locks = all(cost.op == "lock" for cost in text.costs)
            if plan is not None and locks and text.x is None and text.effects[0].op == "modify":
                event = Table.write(game, "tactic", by=piece.owner, source=plan.source, choices=plan.choices)
                game.pay(plan)
                game.do(plan, text.effects[0])
                # How long a bonus lasts that nobody could give the rules do not say.
                game.stops_at, game.stop_reason = len(game.log), "stop"
                return value, Expected("HCG-OPT-01", "illegal", piece.owner, event)
    return None


def blocked_sweep(game: SpoiledGame, value: bool, by: str) -> Found:
    """A sweep that is blocked where the tournament does not allow it."""
    if value or not game.blockers(by):
        return None
    game.blocks = 1.0
    return True, Expected("HCG-SWEEP-04", "illegal", other(by), None, at=("block",))


# ---------------------------------------------------------------- what brings an occasion about


def in_danger(game: SpoiledGame, name: str) -> str | None:
    """The card whose destruction in the tactics window gives the occasion for a fault."""
    if name == "HCG-SPEC-06" and game.attack is not None and game.attack.kind != "shot":
        special = any(one["type"] == "ba.assault" and one["mode"] == "special" for one in this_ba(game))
        return (game.attack.blocker or game.attack.attacker) if special and not game.sweep_going else None
    if name == "HCG-BAA-03" and game.attack is None:
        begun = next((one for one in this_ba(game) if one["type"] == "ba.ability"), None)
        return begun["source"]["card"] if begun is not None else None
    if name == "HCG-DES-03" and game.attack is not None and not game.sweep_going and game.damage_steps == 0:
        special = any(one["type"] == "ba.assault" and one["mode"] == "special" for one in this_ba(game))
        both = [one for one in (game.attack.attacker, game.attack.defender) if one is not None and game.is_here(one)]
        weakest = min(both, key=lambda one: game.value(game.pieces[one], "armor"), default=None)
        return None if special else weakest
    return None


def killing(game: SpoiledGame, by: str) -> Plan | None:
    """A tactic that deals damage enough to the card in danger."""
    card = in_danger(game, game.pending)
    if not game.waiting or card is None or not game.is_here(card):
        return None
    for piece, index, text in game.abilities_of(by, "T"):
        effect = text.effects[0] if len(text.effects) == 1 else None
        if effect is None or effect.op != "damage" or int(effect.n) < game.value(game.pieces[card], "armor"):
            continue
        plan = game.plan(by, piece, index, text)
        if plan is not None and plan.choosing is effect and card in game.candidates(plan, effect):
            plan.chosen = [card]
            return plan
    return None


SPECIAL_NUMBERS: dict[str, Planter] = {
    "HCG-SPEC-04 damage": damage_in_a_special(counter=False),
    "HCG-SPEC-04 counterattack": damage_in_a_special(counter=True),
    "HCG-DMG-04": armor_against_an_effect,
    "HCG-SHOOT-09": target_of_a_blocked_shot,
    "HCG-DES-02": discard_called_destruction,
}
SPECIAL_TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-SPEC-01": ("is paid late", paid_late),
    "HCG-SPEC-03": ("effect before the fight", effect_before_the_fight),
    "HCG-SPEC-04 omitted": ("effect takes place", special_without_effect),
    "HCG-SPEC-06": ("effect all the same", effect_all_the_same),
    "HCG-SPEC-07": ("befallen", not_the_chosen),
    "HCG-SWEEP-04": ("sweep may be blocked", blocked_sweep),
    "HCG-BAA-03": ("is done", source_gone),
    "HCG-OPT-01 set-up": ("empty sides", before_the_battle),
    "HCG-OPT-01 victory": ("victory step", after_the_battle),
    "HCG-OPT-05 fewer": ("befallen", one_of_all(more=False)),
    "HCG-OPT-05 more": ("befallen", one_of_all(more=True)),
    "HCG-POS-03": ("announced", choice("HCG-POS-03", but_for(state=None))),
    "HCG-DISC-02 miscalculated": ("milled count", milled_too_many),
    "HCG-DISC-02 illegal": ("milled count", rolled_for_a_mill),
    "HCG-DMG-02": ("effect destroys", effect_destroys),
    "HCG-DMG-03": ("destroyed", wounds_added),
}
SPECIAL_PLAYED: dict[str, tuple[str, Picked]] = {
    "HCG-CMD-01": ("R", box_from_the_hand),
    "HCG-CMD-03 reaction": ("R", again_from_the_hand),
    "HCG-CMD-03 modifier": ("M", again_from_the_hand),
    "HCG-SHIP-02": ("T", waiting_ship),
    "HCG-SHIP-05": ("T", ship_still_locked),
}
SPECIAL_ACTS: dict[str, Callable[[SpoiledGame, str], str]] = {
    "HCG-CMD-03 card": card_played_again,
}
