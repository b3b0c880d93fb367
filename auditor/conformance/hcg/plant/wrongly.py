"""Faults in what is played: choices that do not fit, texts played from where they may not be, acts that are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.plant.course import insert
from auditor.conformance.hcg.plant.table import Expected, SpoiledGame
from auditor.conformance.hcg.table import Event, Happening, Piece, other
from auditor.conformance.hcg.texts import Cost, Effect

Found = tuple[Any, Expected] | None
Candidates = Callable[[SpoiledGame, Plan, Effect], Sequence[Piece]]
Picked = Callable[[SpoiledGame, str, str, tuple[Any, ...], Sequence[Happening]], Plan | None]
DOES = ("effect", "draw", "destroy", "lock", "rally", "mill", "discard", "damage", "return", "infiltrate")
"""With what the events of an ability begin that do something."""
AS_DONE = {"lock": "locked", "rally": "ready"}
"""How cards lie after an effect: for one that lies so already there is nothing to do, and nothing to leave out."""


# ---------------------------------------------------------------- choices


def forbids(game: SpoiledGame) -> bool:
    """Whether any text here forbids anything, so that one choice may break two rules."""
    return any(text.kind == "cannot" for piece in game.here() for text in piece.card.statics)


def choice(rule: str, candidates: Candidates) -> Callable[..., Found]:
    """One card chosen that is not what the text means."""

    def twist(game: SpoiledGame, plan: Plan) -> Found:
        effect = plan.choosing
        if effect is None or effect.what is None or not plan.chosen or effect.op == "infiltrate":
            return None
        if effect.what.q != "exact" or plan.text.x is not None or forbids(game):
            return None
        fit = [one for one in candidates(game, plan, effect) if not game.is_odd(one)]
        if not fit:
            return None
        plan.chosen = [*plan.chosen[:-1], game.rng.choice(fit).id]
        return plan, Expected(rule, "illegal", plan.by, None)

    return twist


def but_for(**relaxed: Any) -> Candidates:
    """Cards that are what a text means but for one thing."""

    def candidates(game: SpoiledGame, plan: Plan, effect: Effect) -> Sequence[Piece]:
        assert effect.what is not None
        wider = replace(effect.what, **relaxed)
        if wider == effect.what:
            return ()
        return [
            one
            for one in game.here()
            if game.is_such(one, wider, plan.by, plan.piece)
            and not game.is_such(one, effect.what, plan.by, plan.piece)
            and not (effect.op == "lock" and one.position == "locked")
            and not (effect.op == "rally" and one.position == "ready")
        ]

    return candidates


def elsewhere(game: SpoiledGame, plan: Plan, effect: Effect) -> Sequence[Piece]:
    """Cards at another sector that everybody has seen."""
    assert effect.what is not None
    if effect.what.role is not None or effect.what.where != "here":
        return ()
    return [
        one
        for slot in game.open_sectors()
        if slot != game.sector
        for player in ("p1", "p2")
        for one in game.row(player, slot)
        if one.face == "up" and game.is_such(one, effect.what, plan.by, plan.piece)
        if effect.op not in ("lock", "rally")
    ]


def ships(game: SpoiledGame, plan: Plan, effect: Effect) -> Sequence[Piece]:
    """Ships, of which the text says nothing."""
    if effect.what is None or effect.what.kind == "ship" or effect.op not in ("lock", "rally", "destroy"):
        return ()
    side = effect.what.side
    fleets = [player for player in ("p1", "p2") if side == "any" or (player == plan.by) == (side == "own")]
    state = {"lock": "ready", "rally": "locked"}.get(effect.op)
    return [one for player in fleets for one in game.fleet(player) if state in (None, one.position)]


def once_more(op: str, position: str) -> Candidates:
    """Cards that are locked, or ready, already."""

    def candidates(game: SpoiledGame, plan: Plan, effect: Effect) -> Sequence[Piece]:
        assert effect.what is not None
        if effect.op != op or effect.what.state is not None:
            return ()
        fit = [one for one in game.here() if game.is_such(one, effect.what, plan.by, plan.piece)]
        return [one for one in fit if one.position == position]

    return candidates


def nothing_chosen(game: SpoiledGame, plan: Plan) -> Found:
    """No choice where the text demands one."""
    if plan.choosing is None or plan.choosing.what is None or len(plan.chosen) != 1 or plan.text.x is not None:
        return None
    if plan.choosing.what.q != "exact" or plan.choosing.op == "infiltrate":
        return None
    plan.chosen = []
    return plan, Expected("HCG-OPT-02", "illegal", plan.by, None)


# ---------------------------------------------------------------- what is done and paid


def effect_left_out(rule: str, letter: str, line: bool | None, at: tuple[str, ...]) -> Callable[..., Found]:
    """Something that an ability must do and does not."""

    def twist(game: SpoiledGame, value: bool, plan: Plan, effect: Effect) -> Found:
        if game.step != "battle" or plan.text.type != letter or len(plan.text.effects) != 1 or plan.text.rows:
            return None
        if line is not None and (plan.index == "line") != line:
            return None
        if letter == "BA" and plan.index != "line" and plan.piece.zone not in ("sector", "fleet"):
            return None  # HCG-BAA-03.
        chosen = (
            effect.op in ("destroy", "return", "lock", "rally")
            and effect is plan.choosing
            and any(game.pieces[one].position != AS_DONE.get(effect.op) for one in game.objects(plan, effect))
        )
        drawn = effect.op == "draw" and effect.player == "you" and len(game.zone(plan.by, "deck")) > 9
        if not chosen and not drawn:
            return None
        return False, Expected(rule, "omitted", plan.by, None, at=at)

    return twist


def after_a_failed_test(game: SpoiledGame, value: bool, plan: Plan) -> Found:
    """A tactic that takes effect though its test failed."""
    costs = plan.text.costs
    if value or game.step != "battle" or plan.text.type != "T" or not costs or costs[-1].op != "test":
        return None
    if plan.text.rows or len(plan.text.effects) != 1 or plan.choosing is None or not plan.chosen:
        return None
    return True, Expected("HCG-OPT-07", "illegal", plan.by, None, at=DOES)


def paid_by_the_enemy(game: SpoiledGame, value: list[str], plan: Plan, cost: Cost) -> Found:
    """A cost paid with a card of the other player."""
    assert cost.what is not None
    if cost.what.q == "self" or cost.what.kind == "ship" or len(value) != 1 or cost.op == "destroy":
        return None
    fit = [
        one
        for one in game.row(other(plan.by))
        if one.card.kind == cost.what.kind
        and game.is_such(one, replace(cost.what, side="any"), plan.by, plan.piece)
        and one.position != AS_DONE[cost.op]
    ]
    if not fit:
        return None
    return [game.rng.choice(fit).id], Expected("HCG-OPT-08", "illegal", plan.by, None)


def another_row(game: SpoiledGame, value: list[Effect], plan: Plan, final: int | None) -> Found:
    """Another row of a variable roll than that of the final number."""
    ops = {effect.op for effect in value}
    for _, _, effects in plan.text.rows:
        if len(effects) == 1 and len(value) == 1 and effects[0].op == "draw" and "draw" not in ops:
            return list(effects), Expected("HCG-ROLL-04", "miscalculated", plan.by, None, at=("draw",))
    return None


def off_the_table(game: SpoiledGame, value: list[str], who: str) -> Found:
    """A card at the sector discarded in place of one in the hand."""
    mine = [one.id for one in game.row(who) if one.card.kind == "unit"]
    if len(value) != 1 or game.step != "battle" or game.attack is not None or not mine:
        return None
    return [game.rng.choice(mine)], Expected("HCG-DISC-01", "illegal", who, None)


def late_block(game: SpoiledGame, value: str, passes: int) -> Found:
    """A block of a shot after somebody has played a tactic."""
    attack = game.attack
    if passes or attack is None or attack.kind != "shot" or attack.blocker is not None or game.sweep_going:
        return None
    if game.log[-1]["type"] not in ("tactic", "effect") or forbids(game):
        return None
    actor = game.pieces[attack.attacker].owner
    fit = [one for one in game.blockers(actor) if not one.bonuses]
    if not fit or game.pieces[attack.attacker].bonuses:
        return None
    unit = game.rng.choice(fit)
    expected = Expected("HCG-SHOOT-05", "illegal", other(actor), game.write("block", by=other(actor), unit=unit.id))
    unit.position = "locked"
    attack.defender = attack.blocker = unit.id
    return value, expected


def swept_shot(game: SpoiledGame, value: bool, by: str, unit: Piece, killed: bool, left: int) -> Found:
    """A sweep after a shot."""
    if not killed or left <= 0 or not game.is_here(unit.id) or not game.enemies(by, unit, units_only=True):
        return None
    game.sweeps, game.blocks = 1.0, 0.0
    return True, Expected("HCG-SHOOT-08", "illegal", by, None, at=("sweep",))


# ---------------------------------------------------------------- texts played from where they may not be


def chosen_only(plan: Plan | None) -> bool:
    """Whether a text does something to a chosen card, so that it is the same wherever it is printed."""
    return (
        plan is not None
        and plan.choosing is not None
        and bool(plan.chosen)
        and len(plan.text.effects) == 1
        and not plan.text.costs
        and plan.text.condition is None
        and plan.text.x is None
    )


def line_of_another_type(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A command line for battle actions, played as a tactic."""
    for name in game.hand(by):
        piece = game.pieces[name]
        if piece.card.line is not None and piece.card.line.type == "BA":
            plan = game.plan(by, piece, "line", piece.card.line)
            if chosen_only(plan):
                return plan
    return None


def line_on_the_table(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """The command line of a card at the sector."""
    for piece in game.row(by):
        if piece.card.line is not None and piece.card.line.type == "T":
            plan = game.plan(by, piece, "line", piece.card.line)
            if plan is not None and chosen_only(plan):
                plan.source = {"zone": "sector", "card": piece.id, "ability": "line"}
                return plan
    return None


def from_another_sector(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A tactic of a card at another sector."""
    for slot in game.open_sectors():
        for piece in game.row(by, slot) if slot != game.sector else ():
            for index, text in piece.card.typed("T") if piece.face == "up" and piece.card.kind != "ship" else ():
                plan = game.plan(by, piece, index, text)
                if plan is not None and not text.costs and text.condition is None and text.x is None:
                    return plan
    return None


# ---------------------------------------------------------------- battle actions


def booked(game: SpoiledGame, rule: str, by: str, at: tuple[str, ...] = ()) -> None:
    game.book(Expected(rule, "illegal", by, None, at=at))


def plain_units(game: SpoiledGame, by: str, *positions: str) -> list[Piece]:
    found = [one for one in game.row(by) if one.card.kind == "unit" and one.position in positions]
    return [one for one in found if None not in one.card.stats.values()]


def charge_and_assault(game: SpoiledGame, by: str) -> str:
    """A charge and an assault in one battle action."""
    units, targets = plain_units(game, by, "ready"), [one for one in game.row(other(by)) if one.card.kind == "unit"]
    targets = [one for one in targets if not game.is_odd(one)]
    if forbids(game) or not units or not targets:
        return ""
    unit = game.rng.choice(units)
    game.charge(by, unit)
    if not game.is_here(unit.id) or unit.position != "charging" or not game.is_here(targets[0].id):
        return "charge"
    booked(game, "HCG-CHG-02", by, ("ba.assault",))
    return game.standard_assault(by, unit, targets[0])


def asset_charges(game: SpoiledGame, by: str) -> str:
    assets = [one for one in game.row(by) if one.card.kind == "asset" and one.position == "ready"]
    if forbids(game) or not assets:
        return ""
    booked(game, "HCG-POS-04", by)
    asset = game.rng.choice(assets)
    game.write("ba.charge", by=by, unit=asset.id)
    return "charge"


def tactic_as_action(game: SpoiledGame, by: str) -> str:
    """A command line for tactics, played as a battle action."""
    for name in game.hand(by):
        piece = game.pieces[name]
        if piece.card.line is None or piece.card.line.type != "T":
            continue
        plan = game.plan(by, piece, "line", piece.card.line)
        if plan is not None and chosen_only(plan):
            booked(game, "HCG-BA-02", by)
            event = game.write("ba.card", by=by, card=name, choices=plan.choices)
            game.move(name, "limbo")
            game.react([(event, [Happening("plays", player=by)])], by)
            return game.carry_out(plan, "card")
    return ""


def special_without_one(game: SpoiledGame, by: str) -> str:
    """A special assault of a unit that prints none."""
    units = [one for one in plain_units(game, by, "charging") if not one.card.typed("A")]
    if forbids(game) or not units:
        return ""
    unit = game.rng.choice(units)
    booked(game, "HCG-ASLT-02", by)
    game.write("ba.assault", by=by, unit=unit.id, mode="special", ability=0, choices={})
    unit.position = "locked"
    game.stops_at = len(game.log)
    return "special"


def special_of_a_ready_unit(game: SpoiledGame, by: str) -> str:
    """A special assault of a unit that is not charging."""
    if forbids(game):
        return ""
    for unit in plain_units(game, by, "ready", "locked"):
        for index, text in unit.card.typed("A"):
            plan = game.plan(by, unit, index, text)
            if plan is not None and not text.costs:
                booked(game, "HCG-SPEC-02", by)
                return game.special_assault(by, unit, plan)
    return ""


def locked_lock(game: SpoiledGame, by: str) -> str:
    """A BA ability that locks its own card, which is locked already."""
    for piece in game.row(by):
        for index, text in piece.card.typed("BA"):
            first = text.costs[0] if len(text.costs) == 1 else None
            if piece.position != "locked" or first is None or first.op != "lock" or first.what is None:
                continue
            plan = game.plan(by, piece, index, replace(text, costs=()))
            if first.what.q != "self" or plan is None or text.condition is not None or text.x is not None:
                continue
            plan.text = text
            game.write("ba.ability", by=by, source=plan.source, choices=plan.choices)
            booked(game, "HCG-BAA-02", by)
            game.write("cost", by=by, source=plan.source, op="lock", cards=[piece.id])
            game.tactics_window(by)
            game.resolve_or_state(plan)
            return "ability"
    return ""


def withdrawal_in_reply(game: SpoiledGame, by: str) -> str:
    """A withdrawal within the other player's battle action."""
    units, foe = plain_units(game, by, "ready"), other(by)
    if forbids(game) or not units or plain_units(game, foe, "ready", "charging") or not game.row(foe):
        return ""
    if any(one.card.kind == "unit" and one.position != "locked" for one in game.row(foe)):
        return ""
    game.charge(by, game.rng.choice(units))
    booked(game, "HCG-WDR-03", foe, ("ba.withdraw",))
    game.write("ba.withdraw", by=foe, destroyed=[one.id for one in game.row(foe)])
    game.stops_at = len(game.log)
    return "charge"


# ---------------------------------------------------------------- events written wrongly, and too many of them


def wrong_pile(game: SpoiledGame, event: Event) -> Expected | None:
    """A destroyed card that goes to the other player's pile."""
    if event["type"] != "destroy" or event["cause"] != "effect" or len(event["cards"]) != 1:
        return None
    owner = game.pieces[event["cards"][0]].owner
    event["to"] = {"zone": "discard", "player": other(owner)}
    return Expected("HCG-DES-01", "miscalculated", None, event)


def target_strikes_back(game: SpoiledGame, event: Event) -> Expected | None:
    """A counterattack of the target of a blocked attack."""
    if event["type"] != "damage" or event["stat"] == "effect" or event.get("counter") or game.attack is None:
        return None
    attack = game.attack
    if attack.blocker is None or attack.target is None or event["destroyed"] or game.damage_steps > 1:
        return None
    target = game.pieces[attack.target]
    if target.card.kind != "unit" or "counterattack" not in game.keywords(target) or game.is_odd(target):
        return None
    if "counterattack" in game.keywords(game.pieces[attack.blocker]):
        return None
    fields = {"from": target.id, "to": attack.attacker, "stat": event["stat"], "destroyed": False, "counter": True}
    game.log.append({**event, "seq": event["seq"] + 1, **fields, "amount": 0, "armor": 9})
    new = game.log[-1]
    del new["armor"], new["amount"]
    return Expected("HCG-CA-03", "illegal", None, new)


def damage_of_the_dead(game: SpoiledGame, event: Event) -> Expected | None:
    """Damage in an attack that lost its unit, or the card attacked, in the window."""
    if event["type"] != "ba.end" or event.get("cause") != "destroyed_in_tactics":
        return None
    acts = [one for one in game.log if one.get("ba") == game.ba and one.get("battle") == game.battle]
    acts = [one for one in acts if one.get("turn") == game.turn]
    if any(one["type"] in ("sweep", "damage") and one.get("stat") != "effect" for one in acts):
        return None
    first = next(one for one in acts if one["type"].startswith("ba."))
    if first["type"] not in ("ba.shoot", "ba.assault") or first.get("mode") == "special":
        return None
    hit = next((one["unit"] for one in acts if one["type"] == "block"), first["target"])
    unit = first["unit"]
    if not game.is_here(hit) and not game.is_here(unit):
        return None
    stat = "firepower" if first["type"] == "ba.shoot" else "assault"
    fields = {"from": unit, "to": hit, "stat": stat, "amount": 1, "destroyed": False, "step": 1}
    new = insert(game, event, "damage", **fields)
    new["ba"] = game.ba
    return Expected("HCG-DES-03", "illegal", first["by"], new)


def modifier_too_late(game: SpoiledGame, event: Event) -> Expected | None:
    """A modifier to a roll whose window was closed."""
    if event["type"] != "ba.end":
        return None
    rolls = [one for one in game.log[:-3] if one["type"] == "roll" and one.get("ba") == game.ba]
    rolls = [one for one in rolls if one.get("battle") == game.battle and one["turn"] == game.turn]
    if not rolls or game.log[-2]["type"] not in ("tactic.pass", "damage", "draw", "lock", "destroy", "discard"):
        return None
    for player in ("p1", "p2"):
        for name in game.hand(player):
            line = game.pieces[name].card.line
            effect = line.effects[0] if line is not None and line.type == "M" and len(line.effects) == 1 else None
            if line is None or effect is None or effect.op != "roll_add" or line.costs or line.condition:
                continue
            if not isinstance(effect.mods[0][2], int) or effect.whose != "any":
                continue
            source = {"zone": "hand", "card": name, "ability": "line"}
            new = insert(game, event, "modifier", by=player, source=source, roll=rolls[-1]["seq"])
            new["ba"] = game.ba
            game.move(name, "discard")
            return Expected("HCG-MOD-01", "illegal", player, new)
    return None


def versus_nobody(game: SpoiledGame, event: Event) -> Expected | None:
    """A versus bonus counted against a card that it does not mean."""
    if event["type"] != "damage" or event["stat"] == "effect" or game.damage_steps > 1 or event["destroyed"]:
        return None
    piece = game.pieces[event["from"]]
    if piece.bonuses or game.earlier.get(piece.id) or game.standing(piece, event["stat"]):
        return None
    if game.versus(piece, event["stat"], game.foe(piece)) or (game.attack is not None and game.attack.blocker):
        return None
    parts = [
        sign * amount
        for text in piece.card.statics
        if text.kind == "versus"
        for stat, sign, amount in text.mods
        if stat == event["stat"] and isinstance(amount, int)
    ]
    if len(parts) != 1 or parts[0] <= 0:
        return None
    event["amount"] += parts[0]
    return Expected("HCG-VS-03", "miscalculated", piece.owner, event)


def played_twice(
    game: SpoiledGame, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening]
) -> Plan | None:
    """A tactic from the hand that was played and discarded in this battle action."""
    for event in reversed(game.log[-20:]):
        source = event.get("source", {})
        if event["type"] != "tactic" or event["by"] != by or source["zone"] != "hand" or event.get("ba") != game.ba:
            continue
        piece = game.pieces[source["card"]]
        if piece.zone == "discard" and piece.card.line is not None:
            plan = game.plan(by, piece, "line", piece.card.line)
            if chosen_only(plan):
                return plan
    return None


def one_side_is_gone(game: SpoiledGame, value: int, passes: int) -> Found:
    """A battle that ends because a side has no card left."""
    if passes or bool(game.row("p1")) == bool(game.row("p2")):
        return None
    return 0, Expected("HCG-BA-06", "illegal", None, None)


WRONG_NUMBERS: dict[str, Callable[[SpoiledGame, Event], Expected | None]] = {
    "HCG-DES-01": wrong_pile,
    "HCG-CA-03": target_strikes_back,
    "HCG-DES-03": damage_of_the_dead,
    "HCG-MOD-01": modifier_too_late,
    "HCG-VS-03": versus_nobody,
}
WRONG_TWISTS: dict[str, tuple[str, Callable[..., Found]]] = {
    "HCG-OPT-09 side": ("announced", choice("HCG-OPT-09", but_for(side="any"))),
    "HCG-FLAG-01": ("announced", choice("HCG-FLAG-01", but_for(flag=None))),
    "HCG-KEY-01": ("announced", choice("HCG-KEY-01", but_for(keywords=()))),
    "HCG-TAC-08": ("announced", choice("HCG-TAC-08", but_for(role=None))),
    "HCG-OPT-03": ("announced", choice("HCG-OPT-03", but_for(limit=None))),
    "HCG-BA-05": ("announced", choice("HCG-BA-05", elsewhere)),
    "HCG-SHIP-03": ("announced", choice("HCG-SHIP-03", ships)),
    "HCG-POS-02": ("announced", choice("HCG-POS-02", once_more("lock", "locked"))),
    "HCG-POS-05": ("announced", choice("HCG-POS-05", once_more("rally", "ready"))),
    "HCG-OPT-02 nothing": ("announced", nothing_chosen),
    "HCG-TAC-05": ("is done", effect_left_out("HCG-TAC-05", "T", None, ("tactic", "damage", "ba.", "special"))),
    "HCG-BAC-01": ("is done", effect_left_out("HCG-BAC-01", "BA", True, ("ba.end",))),
    "HCG-BAA-01": ("is done", effect_left_out("HCG-BAA-01", "BA", False, ("ba.end",))),
    "HCG-OPT-07": ("test is paid", after_a_failed_test),
    "HCG-OPT-08": ("who pays", paid_by_the_enemy),
    "HCG-ROLL-04": ("row", another_row),
    "HCG-DISC-01": ("discarded names", off_the_table),
    "HCG-SHOOT-05": ("next tactic", late_block),
    "HCG-SHOOT-08": ("sweep after a shot", swept_shot),
    "HCG-BA-06": ("closing passes", one_side_is_gone),
}
WRONG_PLAYED: dict[str, tuple[str, Picked]] = {
    "HCG-CARD-03": ("T", line_of_another_type),
    "HCG-CMD-02": ("T", line_on_the_table),
    "HCG-TAC-01": ("T", from_another_sector),
    "HCG-TAC-07": ("T", played_twice),
}
WRONG_ACTS: dict[str, Callable[[SpoiledGame, str], str]] = {
    "HCG-CHG-02": charge_and_assault,
    "HCG-POS-04": asset_charges,
    "HCG-BA-02": tactic_as_action,
    "HCG-ASLT-02": special_without_one,
    "HCG-SPEC-02": special_of_a_ready_unit,
    "HCG-BAA-02": locked_lock,
    "HCG-WDR-03": withdrawal_in_reply,
}
