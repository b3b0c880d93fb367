"""One step from a fault: battle actions, blocks, damage, sweeps, special assaults."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.conformance.hcg.near.watching import Look, Near, Watching
from auditor.conformance.hcg.table import Event, Piece, other
from auditor.conformance.hcg.texts import Static

NEAR: Near = {
    "defender begins": ("HCG-BPH-05", "the first action of the second battle, the defender's"),
    "after one pass": ("HCG-BA-04", "a battle action after exactly one pass"),
    "side is empty": ("HCG-BA-06", "a battle action while a side has no card at the sector"),
    "after a break": ("HCG-BA-01", "a battle action after one that broke off, or that followed a pass"),
    "only BA line": ("HCG-BA-02", "a BA card played out of a hand with exactly one BA line, and others"),
    "charging shooter": ("HCG-SHOOT-01", "a charging unit shoots"),
    "shot at an asset": ("HCG-SHOOT-02", "a shot at an asset"),
    "one faster": (
        "HCG-SHOOT-03",
        "a block by a unit that is one faster, or none by one that is as fast as the shooter",
    ),
    "fast target": ("HCG-SHOOT-04", "a shot at a unit that is faster than the shooter and not locked"),
    "speed too late": ("HCG-SHOOT-05", "speed given after the chance to block a shot"),
    "shot by one": ("HCG-SHOOT-07", "damage of a shot equal to the armor, or one below"),
    "no sweep after a shot": ("HCG-SHOOT-08", "a shot destroys a unit with damage to spare while another stands there"),
    "would have died": ("HCG-SHOOT-09", "a blocked shot that would have destroyed its target"),
    "last ready unit": ("HCG-CHG-01", "the last ready unit of a side charges"),
    "charged just before": ("HCG-CHG-02", "an assault by the unit that charged in the action before"),
    "only charging unit": ("HCG-ASLT-01", "an assault by the only charging unit of a side"),
    "standard all the same": ("HCG-ASLT-02", "a standard assault by a unit with a special one"),
    "assault on an asset": ("HCG-ASLT-03", "an assault on an asset"),
    "slow blocker": ("HCG-ASLT-04", "an assault blocked by a unit that could block no shot of the assaulter"),
    "assault by one": ("HCG-ASLT-06", "damage of an assault equal to the armor, or one below"),
    "over by one": ("HCG-SWEEP-01", "a sweep with exactly one left over, or none after an exact kill"),
    "first target": ("HCG-SWEEP-02", "a sweep to the target of a blocked assault, or past an asset"),
    "sweep by one": ("HCG-SWEEP-03", "damage of a sweep equal to the armor, or one below"),
    "blocked sweep": ("HCG-SWEEP-04", "a sweep that is blocked, or in whose window a tactic is played"),
    "no second sweep": ("HCG-SWEEP-05", "a sweep destroys a unit with damage to spare while another stands there"),
    "past the asset": ("HCG-SWEEP-06", "a sweep after the blocked assault on an asset"),
    "cost before the lock": ("HCG-SPEC-01", "a special assault with a cost while a unit stands ready to block it"),
    "only one for it": ("HCG-SPEC-02", "a special assault by the only charging unit of a side"),
    "effect as a reward": ("HCG-SPEC-03", "the effect of a special assault after the fight with its blocker"),
    "nobody blocks": ("HCG-SPEC-04", "an unblocked special assault that a charging unit could have blocked"),
    "reward by one": ("HCG-SPEC-05", "a reward with exactly one to spare, or none after an exact kill"),
    "special in time": (
        "HCG-SPEC-06",
        "a special assault in whose window its unit, or another card, is struck or given something",
    ),
    "another to choose": ("HCG-SPEC-07", "a special assault on chosen cards while others could have been chosen"),
    "before its window": ("HCG-BAC-01", "a BA card with a cost, paid before its window"),
    "ship or source": ("HCG-BAA-01", "an ability of a ship, or while an own ship still waits at a sector"),
    "locked source": ("HCG-BAA-02", "an ability of a locked card"),
    "source gone": ("HCG-BAA-03", "the source of an ability leaves play before it is over"),
    "all locked": ("HCG-WDR-01", "a withdrawal of a side whose units are all locked"),
    "ships are kept": ("HCG-WDR-02", "a withdrawal of a side with ships in the fleet, or with assets"),
    "after the enemy's attack": ("HCG-WDR-03", "a withdrawal right after an attack of the enemy"),
    "asset cannot": ("HCG-POS-04", "a charge while an own ready asset lies there"),
    "ready again": (
        "HCG-POS-03",
        "the first act of a card readied at the end of a battle, or one of a card that came into play in this one",
    ),
    "counter by one": ("HCG-CA-01", "damage of a counterattack equal to the armor, or one below"),
    "dying counterattack": ("HCG-CA-02", "a counterattack by a unit that dies"),
    "no counterattack": ("HCG-CA-03", "an attack by a unit with that trait, or a blocked one on such a unit"),
    "compared by one": ("HCG-DMG-02", "damage equal to the armor, or one below"),
    "hurt before": ("HCG-DMG-03", "damage to a card that has survived some in this battle"),
    "several parts": ("HCG-DMG-04", "a number in a fight with a bonus and another part beside the printed one"),
    "standing part": ("HCG-STAT-01", "a number in a fight with a part that a standing text gives"),
    "sector's part": ("HCG-CARD-05", "a number in a fight with a part that the sector gives"),
    "versus part": ("HCG-VS-01", "a number in a fight with a versus bonus"),
    "other opponent": ("HCG-VS-02", "a versus bonus that would be another against the first target"),
    "no match": ("HCG-VS-03", "a unit with a versus bonus that does not match fights"),
    "had a bonus": ("HCG-TAC-06", "a unit fights that had gained something in the action before"),
    "broken off": ("HCG-DES-03", "an attack ends with a card that leaves play in its window"),
}


def _is_unit(piece: Piece) -> bool:
    return piece.card.kind == "unit"


def _begins(game: Watching, event: Event) -> Iterator[str]:
    """What is asked of every battle action."""
    kind, by = event["type"], event["by"]
    if game.ba == 1:
        if game.battle == 2:
            yield "defender begins"
    elif game.before == "ba.pass":
        yield "after one pass"
        if kind != "ba.pass":
            yield "after a break"
    elif game.log[-2].get("cause") == "destroyed_in_tactics":
        yield "after a break"
    if not game.rows[game.sector, "p1"] or not game.rows[game.sector, "p2"]:
        yield "side is empty"
    game.given_before, game.given = game.given, set()
    game.special_plan = game.ability_plan = None
    game.tactics = 0
    game.before, game.acting = kind, by
    if kind != "ba.assault":
        game.charged[by] = event["unit"] if kind == "ba.charge" else None


def _is_new(game: Watching, name: str) -> bool:
    """Whether a card came into play in this battle, or was readied at the end of one and has not acted since."""
    if name in game.readied:
        game.readied.remove(name)
        return True
    return name in game.newcomers


def _shoot(game: Watching, event: Event) -> Iterator[str]:
    yield from _begins(game, event)
    unit, target = game.pieces[event["unit"]], game.pieces[event["target"]]
    if unit.position == "charging":
        yield "charging shooter"
    if target.card.kind == "asset":
        yield "shot at an asset"
    if _is_new(game, unit.id):
        yield "ready again"


def _charge(game: Watching, event: Event) -> Iterator[str]:
    yield from _begins(game, event)
    ready = [piece.card.kind for piece in game.row(event["by"]) if piece.position == "ready"]
    if ready.count("unit") == 1:
        yield "last ready unit"
    if "asset" in ready:
        yield "asset cannot"
    if _is_new(game, event["unit"]):
        yield "ready again"


def _assault(game: Watching, event: Event) -> Iterator[str]:
    by = event["by"]
    yield from _begins(game, event)
    unit, special = game.pieces[event["unit"]], event["mode"] == "special"
    if game.charged[by] == unit.id:
        yield "charged just before"
    game.charged[by] = None
    if sum(piece.position == "charging" for piece in game.row(by)) == 1:
        yield "only one for it" if special else "only charging unit"
    if special:
        plan = game.special_plan = game.announced
        assert plan is not None
        if plan.text.costs and _could_block(game, by):
            yield "cost before the lock"
        if game.last_found[0] is plan and 0 < len(plan.chosen) < len(game.last_found[1]):
            yield "another to choose"
    else:
        if unit.card.typed("A"):
            yield "standard all the same"
        if game.pieces[event["target"]].card.kind == "asset":
            yield "assault on an asset"


def _could_block(game: Watching, by: str) -> bool:
    return any(piece.position == "charging" for piece in game.row(other(by)))


def _card(game: Watching, event: Event) -> Iterator[str]:
    yield from _begins(game, event)
    hand = game.hand(event["by"])
    lines = [game.pieces[name].card.line for name in hand]
    if len(hand) > 1 and sum(line is not None and line.type == "BA" for line in lines) == 1:
        yield "only BA line"
    if game.announced is not None and game.announced.text.costs:
        yield "before its window"


def _ability(game: Watching, event: Event) -> Iterator[str]:
    by = event["by"]
    yield from _begins(game, event)
    piece = game.pieces[event["source"]["card"]]
    game.ability_plan = game.announced
    if piece.card.kind == "ship" or any(
        game.pieces[name].card.kind == "ship"
        for (slot, who), names in game.rows.items()
        if who == by and slot != game.sector
        for name in names
    ):
        yield "ship or source"
    if piece.position == "locked":
        yield "locked source"
    if _is_new(game, piece.id):
        yield "ready again"


def _withdraw(game: Watching, event: Event) -> Iterator[str]:
    by, before = event["by"], game.before
    yield from _begins(game, event)
    row = game.row(by)
    if any(_is_unit(piece) for piece in row):
        yield "all locked"
    if game.zones[by]["fleet"]:
        yield "ships are kept"
        yield "fleet stays"
    elif any(piece.card.kind == "asset" for piece in row):
        yield "ships are kept"
    if before in ("ba.shoot", "ba.assault"):
        yield "after the enemy's attack"


def _action_end(game: Watching, event: Event) -> Iterator[str]:
    if event.get("cause") == "destroyed_in_tactics":
        yield "broken off"
        if game.special_plan is not None:
            yield "special in time"
    plan = game.ability_plan
    if plan is not None and plan.piece.zone not in ("sector", "fleet"):
        if not any(cost.op == "destroy" for cost in plan.text.costs):
            yield "source gone"


# -- blocks -----------------------------------------------------------------------------------------------------------


def _block(game: Watching, event: Event) -> Iterator[str]:
    attack = game.attack
    if attack is None:
        return
    unit, blocker = game.pieces[attack.attacker], game.pieces[event["unit"]]
    ahead = game.value(blocker, "speed") - game.value(unit, "speed")
    if attack.kind == "shot":
        if ahead == 1:
            yield "one faster"
        yield from _target_is_fast(game, event["by"])
    elif ahead <= 0:
        yield "slow blocker"
    if game.sweep_going:
        yield "blocked sweep"


def _no_block(game: Watching, event: Event) -> Iterator[str]:
    attack = game.attack
    if attack is None or attack.kind != "shot":
        return
    unit = game.pieces[attack.attacker]
    printed = unit.card.stats["speed"]
    for piece in game.row(event["by"]):
        # Only those whose printed speed is that of the shooter are looked at: it is quick, and seldom wrong.
        if piece.card.stats["speed"] == printed and _is_unit(piece) and piece.position != "locked":
            if piece.id != attack.target and game.value(piece, "speed") == game.value(unit, "speed"):
                yield "one faster"
                break
    yield from _target_is_fast(game, event["by"])


def _target_is_fast(game: Watching, by: str) -> Iterator[str]:
    attack = game.attack
    assert attack is not None and attack.target is not None
    target = game.pieces[attack.target]
    printed, shooter = target.card.stats["speed"], game.pieces[attack.attacker].card.stats["speed"]
    # Only those that are printed faster are looked at: it is quick, and seldom wrong.
    if _is_unit(target) and target.position != "locked" and (printed or 0) > (shooter or 0):
        if game.value(target, "speed") > game.value(game.pieces[attack.attacker], "speed"):
            yield "fast target"


# -- damage -----------------------------------------------------------------------------------------------------------


def _damage(game: Watching, event: Event) -> Iterator[str]:
    over = event["amount"] - event["armor"]
    close = over in (0, -1)
    to = game.pieces[event["to"]]
    if close:
        yield "compared by one"
    if to.id in game.hurt:
        yield "hurt before"
    if not event["destroyed"]:
        game.hurt.add(to.id)
    attack = game.attack
    if "source" in event or attack is None:
        return
    by = game.pieces[event["from"]]
    if event.get("counter"):
        if close:
            yield "counter by one"
        if game.log[-2]["type"] == "damage" and game.log[-2]["destroyed"]:
            yield "dying counterattack"
    else:
        yield from _blow(game, event, by, to, over)
    yield from _parts(game, event, by, to)


def _blow(game: Watching, event: Event, by: Piece, to: Piece, over: int) -> Iterator[str]:
    """What the attacking unit deals."""
    attack = game.attack
    assert attack is not None
    shot, close = attack.kind == "shot", over in (0, -1)
    if close:
        yield "shot by one" if shot else "sweep by one" if game.sweep_going else "assault by one"
    target = game.pieces[attack.target] if attack.target is not None else None
    if shot and attack.blocker is not None and target is not None:
        if event["amount"] >= (target.card.stats["armor"] or 0):
            yield "would have died"
    if "counterattack" in by.card.keywords or (
        attack.blocker is not None and target is not None and "counterattack" in target.card.keywords
    ):
        yield "no counterattack"
    if not event["destroyed"] or not _is_unit(to):
        return
    if over == 0 and not shot and not game.sweep_going:
        yield "over by one"
        if game.special_plan is not None:
            yield "reward by one"
    elif over > 0 and any(_is_unit(piece) and piece is not to for piece in game.row(to.owner)):
        if shot:
            yield "no sweep after a shot"
        elif game.sweep_going:
            yield "no second sweep"


def _parts(game: Watching, event: Event, by: Piece, to: Piece) -> Iterator[str]:
    """What the numbers of a fight are made of."""
    if by.id in game.given_before or to.id in game.given_before:
        yield "had a bonus"
    found: set[str] = set()
    sides = [(to, by, "armor", event["armor"])]
    if not game.sweep_going:
        sides.append((by, to, event["stat"], event["amount"]))
    for piece, foe, stat, value in sides:
        bonuses = [bonus.amount for bonus in piece.bonuses if bonus.stat == stat]
        rest = value - (piece.card.stats[stat] or 0) - sum(bonuses)
        against = _versus(game, piece, foe, stat, found)
        if value and rest != against:
            sector = _of_the_sector(game, piece, stat)
            found |= {"sector's part"} if sector else set()
            found |= {"standing part"} if rest != against + sector else set()
        if value and len(bonuses) + bool(against) + (rest != against) > 1:
            found.add("several parts")
    yield from found


def _versus(game: Watching, piece: Piece, foe: Piece, stat: str, found: set[str]) -> int:
    texts = [one for one in piece.card.box if isinstance(one, Static) and one.kind == "versus"]
    if not texts:
        return 0
    against = game.versus(piece, stat, foe)
    if against:
        found.add("versus part")
    elif any(name == stat for text in texts for name, _, _ in text.mods):
        found.add("no match")
    attack = game.attack
    if attack is not None and piece.id == attack.attacker and attack.target not in (None, foe.id):
        if game.versus(piece, stat, game.pieces[str(attack.target)]) != against:
            found.add("other opponent")
    return against


def _of_the_sector(game: Watching, piece: Piece, stat: str) -> int:
    total = 0
    for text in game.sectors[game.sector].statics:
        if text.kind == "standing" and text.what is not None and game.is_such(piece, text.what, "", None):
            total += sum(sign * int(amount) for name, sign, amount in text.mods if name == stat)
    return total


# -- sweeps and rewards -----------------------------------------------------------------------------------------------


def _sweep(game: Watching, event: Event) -> Iterator[str]:
    game.tactics = 0
    attack = game.attack
    assert attack is not None
    if event["leftover"] == 1:
        yield "over by one"
        if game.special_plan is not None:
            yield "reward by one"
    foes = game.row(other(game.pieces[event["unit"]].owner))
    if (attack.blocker is not None and attack.target == event["target"]) or any(
        piece.card.kind == "asset" for piece in foes
    ):
        yield "first target"
    if attack.blocker is not None and attack.target is not None:
        if game.pieces[attack.target].card.kind == "asset":
            yield "past the asset"


def _special(game: Watching, event: Event) -> Iterator[str]:
    if game.damage_steps:
        yield "effect as a reward"
        last = next(one for one in reversed(game.log) if one["type"] == "damage" and not one.get("counter"))
        if last["amount"] - last["armor"] == 1:
            yield "reward by one"
        return
    if _could_block(game, event["by"]):
        yield "nobody blocks"
    for one in reversed(game.log):
        if one["type"] == "ba.assault":
            break
        befallen = one["targets"] if one["type"] == "effect" else ()
        if event["unit"] in befallen or one["type"] == "destroy" or one.get("destroyed"):
            yield "special in time"
            break


LOOKS: dict[str, Look] = {
    "ba.pass": _begins,
    "ba.shoot": _shoot,
    "ba.charge": _charge,
    "ba.assault": _assault,
    "ba.card": _card,
    "ba.ability": _ability,
    "ba.withdraw": _withdraw,
    "ba.end": _action_end,
    "block": _block,
    "block.none": _no_block,
    "damage": _damage,
    "sweep": _sweep,
    "special": _special,
}
