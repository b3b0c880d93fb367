"""How battle actions change the position: shots, charges, standard assaults, sweeps, their windows and damage."""

from __future__ import annotations

from typing import Any

from auditor.core.findings import Fact
from auditor.core.holes import Hole
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.abilities.shapes import Amount
from auditor.systems.hcg.adopt.in_doubt import from_hand
from auditor.systems.hcg.position.parts import SETUP, Action, Bonus, Pending, Victory, Window
from auditor.systems.hcg.position.places import At
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.readings import READINGS
from auditor.systems.hcg.reckoning.attacks import Outcome, is_counter
from auditor.systems.hcg.reckoning.battles import cards_at, ends_another, is_outside_an_action, one_is_missing
from auditor.systems.hcg.reckoning.plays import ability_of, is_known, players_of, text_of
from auditor.systems.hcg.reckoning.selectors import matches
from auditor.systems.hcg.reckoning.values import standing
from auditor.systems.hcg.reckoning.victory import supplied, victory_of


def open_action(event: Any, kind: str, position: Position, **more: Any) -> None:
    """A battle action begins; the one before it is over."""
    position.holes.state(("withdrawn",))
    missing = one_is_missing(event, position)
    close_action(position)
    if missing:
        pass_over(position, event.ba - 1)
    come_to_the_end(position, None)
    position.plays = ()
    battle = position.battle
    if battle is None or event.by not in position.table.other:
        return
    number, said = battle.ba + 1, event.ba if event.ba is not None else 0
    if said > 0 and (position.holes or not (battle.ba or battle.stage)):
        number = said  # Nobody else counts them.
    position.action = Action(number, kind, event.by, said=said or number, **more)
    if battle.step == "setup":
        ships_have_left(position)
    if kind != "pass":
        position.holes.state(("passes",))
    position.battle = battle._replace(step="battle", passes=battle.passes + 1 if kind == "pass" else 0)


def pass_over(position: Position, said: int) -> None:
    """A battle action is not recorded: nobody knows what it did to the cards at the sector, and which card it cost its
    player."""
    battle = position.battle
    if battle is None or battle.next is None:
        return
    player = battle.next
    there = [one for other in position.table.players for _, one, _ in cards_at(position, other)]
    facts: set[Fact] = {"bonuses", "flags", "passes", ("zone", player, "command_hand", None), ("deck", player)}
    facts |= {("at", one) for one in (*there, *position.located(player, "command_hand"))}
    facts |= {("at", one) for other in position.table.players for one in position.located(other, "fleet")}
    facts |= {("zone", one, "sector", battle.sector) for one in position.table.players}
    why = f"what {player} did in battle action {said} is not recorded"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))
    position.battle = battle._replace(step="battle", ba=battle.ba + 1, said=said, passes=0, next=position.other(player))


IN_THE_FIGHT = frozenset({records.BaShoot, records.BaCharge, records.BaAssault, records.Block})
"""Events whose unit and target are at the sector of the battle."""


def come_to_light(event: Any, position: Position) -> None:
    """A card that fights, and that nobody has seen, is one of the unknown cards at the sector, if it can be: of who attacks
    rather, or of the enemy who is attacked."""
    battle, enemy = position.battle, position.table.other.get(event.by or "")
    for instance, whose in ((event.unit, event.by), (getattr(event, "target", None), enemy)):
        if battle is None or instance is None or instance in position.at:
            continue
        for player in sorted(position.table.players, key=lambda one: one != whose):
            if position.may_be(instance, player, "sector", battle.sector):
                position.put(
                    position.take(player, "sector", instance, battle.sector), At("sector", player, battle.sector)
                )
                break


def ships_have_left(position: Position) -> None:
    """The set-up is over: ships of which nothing is recorded have moved to their fleets all the same."""
    for player in position.table.players:
        for _, instance, at in cards_at(position, player):
            card = position.card_of(instance)
            if card is not None and card.kind == "ship":
                position.at[instance] = At("fleet", at.player)


OPEN: frozenset[Fact] = frozenset({"battle", "next", "passes", "bonuses", "roll"})
"""What hangs on what is open within a battle action."""


def come_to_the_end(position: Position, number: int | None) -> None:
    """The battle action is over within which a position stood. `number`: as the log has it."""
    battle = position.battle
    if not position.midway or battle is None:
        return
    # A position may count the battle action within which it stands; then the record goes on from that.
    n = number or position.table.later.closed_before(position.seq) or battle.ba + 1
    position.midway = False
    for player in position.table.players:
        for instance in position.located(player, "limbo"):
            position.at[instance] = At("discard", position.owner.get(instance, player))
    position.battle = battle._replace(ba=n, said=n, next=None)
    position.end_bonuses("ba")
    position.holes.state(OPEN - position.unstated)


def close_action(position: Position) -> None:
    """The open battle action is over: what it gave ends, the other player is next."""
    settle(position)
    action, battle = position.action, position.battle
    if action is None or battle is None:
        return
    _give_what_lasts(position)
    position.end_bonuses("ba")
    position.windows = tuple(window for window in position.windows if window.ba != action.n)
    position.battle = battle._replace(ba=action.n, said=action.said, ended=False, next=position.other(action.by))
    position.action = None
    position.plays = ()
    at = position.at.get(action.source) if action.source is not None else None
    if action.source is not None and at is not None and at.zone == "limbo":
        position.at[action.source] = At("discard", position.owner.get(action.source, at.player))


def _give_what_lasts(position: Position) -> None:
    """A battle action by card or ability is over: what its text gives for longer than that, where no effect says it."""
    for play in position.plays:
        ability = ability_of(position, play)
        if play.passed is False:
            continue
        no_time = any(one.source == play.card and one.what == NO_TIME for one in position.bonuses)
        if ability is None:
            # What nobody knows may say anything, and for how long.
            if not is_known(play, position) and (no_time or not play.done):
                position.untold = (*position.untold, (play.card, position.named(play.card)))
            continue
        longer = any(one.until not in (None, "ba") for one in ability.effects)
        lasts = may_last(ability) or play.astray == "played" or (play.astray == "chosen" and longer)
        if lasts and (no_time or not play.done or ability.gives_a_text):
            position.untold = (*position.untold, (play.card, f"{position.named(play.card)}: {ability.text}"))
        if play.done or play.kind != "BA" or not ability.effects_are_read:
            continue
        said = Pending(play.seq, play.by, play.card, play.ability, play.choices or ())
        made = [bonus for bonus in given(said, ability, position) if bonus.until != "ba"]
        there = {(bonus.target, bonus.stat, bonus.seq) for bonus in position.bonuses}
        new = [bonus for bonus in made if (bonus.target, bonus.stat, bonus.seq) not in there]
        if new and play.passed is None and ability.tests:
            position.untold = (*position.untold, (play.card, f"{position.named(play.card)}: {ability.text}"))
        else:
            position.bonuses = (*position.bonuses, *new)


def may_last(ability: Ability) -> bool:
    """Whether what a text gives may outlive its battle action: nobody can tell it, and the text speaks of a longer time."""
    if ability.bonuses_are_told:
        return False
    return ability.type == "setup" or any(word in ability.text.lower() for word in ("battle", "turn"))


def settle(position: Position) -> None:
    """The damage step is over: destroyed cards go to their owners' discard piles."""
    action = position.action
    if action is None or not action.doomed:
        return
    for instance in action.doomed:
        destroy(position, instance)
    position.action = action._replace(doomed=(), fell=(*action.fell, *action.doomed))


def destroy(position: Position, instance: str) -> None:
    """A card in play is destroyed."""
    at = position.at.get(instance)
    if at is not None and at.zone in ("sector", "fleet"):
        position.at[instance] = At("discard", position.owner.get(instance, at.player))


def lock(position: Position, instance: str | None) -> None:
    at = position.at.get(instance) if instance is not None else None
    if instance is not None and at is not None and at.zone in ("sector", "fleet"):
        position.at[instance] = at._replace(stance="locked")


def attack_window(position: Position) -> None:
    action = position.action
    if action is not None:
        position.action = action._replace(overran=False)
        astray = position.battle is not None and position.battle.early == action.n
        position.windows = (*position.windows, Window("tactics", action.by, action.by, ba=action.n, astray=astray))


def take_place(action: Action, position: Position) -> Action:
    """A battle action takes place. Where two passes have not closed its tactics window, that is left open."""
    return action._replace(overran=True) if any(one.passes < 2 for one in _tactics(action, position)) else action


def _tactics(action: Action, position: Position) -> list[Window]:
    return [one for one in position.windows if one.kind == "tactics" and one.ba == action.n]


def _shoot(event: records.BaShoot, position: Position, hearing: Hearing) -> None:
    open_action(event, "shoot", position, unit=event.unit, target=event.target, defending=event.target)
    lock(position, event.unit)
    attack_window(position)


def _charge(event: records.BaCharge, position: Position, hearing: Hearing) -> None:
    open_action(event, "charge", position, unit=event.unit)
    at = position.at.get(event.unit) if event.unit is not None else None
    card = position.card_of(event.unit)
    if event.unit is not None and at is not None and at.zone == "sector" and (card is None or card.kind == "unit"):
        position.at[event.unit] = at._replace(stance="charging")


def _assault(event: records.BaAssault, position: Position, hearing: Hearing) -> None:
    mode = "special" if event.special else "standard"
    target = None if event.special else event.target
    open_action(event, "assault", position, unit=event.unit, mode=mode, target=target, defending=target)
    if not event.special:
        lock(position, event.unit)
    attack_window(position)


def _pass(event: records.BaPass, position: Position, hearing: Hearing) -> None:
    """A pass with the number of one that its player has just made is that one, said again."""
    action = position.action
    if action is None or action.kind != "pass" or action.by != event.by or event.ba not in (action.n, action.said):
        open_action(event, "pass", position)


def _withdraw(event: records.BaWithdraw, position: Position, hearing: Hearing) -> None:
    """What is said to be destroyed is; where nothing is said, all that the player has at the sector."""
    open_action(event, "withdraw", position)
    battle = position.battle
    if battle is None or event.by not in position.table.other:
        return
    mine = [
        one
        for one, at in position.at.items()
        if at.zone == "sector" and at.sector == battle.sector and at.player == event.by
    ]
    gone = [one for one in mine if event.destroyed is None or one in event.destroyed]
    gone += [one for one in event.destroyed or () if one in position.located(event.by, "fleet")]
    due = tuple(one._replace(place="withdrawn") if one.card in gone else one for one in supplied(position))
    for instance in gone:
        destroy(position, instance)
    begin_victory(position, Victory(due=due))


def _battle_end(event: records.BattleEnd, position: Position, hearing: Hearing) -> None:
    begin_victory(position)


def begin_victory(position: Position, victory: Victory | None = None) -> None:
    """The battle step is over. What lasts until the end of the battle lasts until its sector is taken or reset."""
    close_action(position)
    battle = position.battle
    if battle is not None:
        position.battle = battle._replace(step="victory", victory=battle.victory or victory or victory_of(position))


def _block(event: records.Block, position: Position, hearing: Hearing) -> None:
    settle(position)
    if position.action is not None and event.unit is not None:
        position.action = position.action._replace(defending=event.unit, blocker=event.unit)
    lock(position, event.unit)
    if event.unit is not None and is_outside_an_action(position) and not position.midway:
        why = f"the block of event {position.seq} stands outside a battle action"
        position.holes.open(Hole(position.seq, why, frozenset({("at", event.unit)})))


def _no_block(event: records.BlockNone, position: Position, hearing: Hearing) -> None:
    """Nothing changes: an attack that is not blocked goes on."""


def _tactic(event: records.Tactic, position: Position, hearing: Hearing) -> None:
    settle(position)
    position.pending = _yet_to_roll(position)
    before = position.window
    _window_entry(event, position, passed=False)
    source = event.source
    if source is None or source.card is None or event.by not in position.table.other:
        return
    if source.zone == "hand":
        from_hand(source.card, event.by, At("discard", event.by), position)
    ability = ability_of(position, source)
    if ability is None:
        return
    chosen = event.choices.cards if event.choices is not None else ()
    window = before if before is not None and before.kind == "tactics" else None
    said = Pending(event.seq, event.by, source.card, source.ability, chosen, window, source.zone == "hand")
    announce(said, ability, position)


def _yet_to_roll(position: Position) -> Pending | None:
    """The battle action itself, where its test was not rolled yet: it may come after the tactics (OR-COSTTIME)."""
    said = position.pending
    while said is not None and not said.whole:
        said = said.outer
    rolled = not position.plays or ("test", ()) in position.plays[0].costs
    return None if rolled else said


def announce(said: Pending, ability: Ability, position: Position) -> None:
    """An ability takes effect at once, or hangs on its test. What a text gives that was not read, the log alone says; an X
    is not verified until an `effect` states it."""
    if not ability.effects_are_read:
        return
    if ability.tests:
        outer = position.pending
        within = position.roll is not None and not position.roll.settled
        position.pending = said._replace(outer=outer if within or (outer is not None and outer.whole) else None)
    else:
        position.bonuses = (*position.bonuses, *given(said, ability, position))


def take_effect(said: Pending, position: Position) -> None:
    """An ability that hung on a test takes effect."""
    ability = ability_of(position, records.Source(card=said.source, ability=said.ability))  # type: ignore[arg-type]
    whole = position.action is not None and position.action.kind == "assault" and said.whole
    if ability is not None and not whole:
        position.bonuses = (*position.bonuses, *given(said, ability, position))


def given(said: Pending, ability: Ability, position: Position) -> list[Bonus]:
    """The bonuses that a text gives, as far as its choices are recorded."""
    chosen = list(said.choices)
    made: list[Bonus] = []
    step = position.action.step if position.action is not None else 0
    last: list[str] = []
    lasts = "ba" if position.action is not None else "battle"
    for effect in ability.effects:
        if effect.op == "flags":
            number = _printed(effect.amount, ability)
            known, amount = number is not None, number or 0
            for player in players_of(effect.player, said.by, position):
                until = effect.until or lasts
                made.append(Bonus(player, "flags", amount, until, said.source, said.seq, step, verified=known))
        target = effect.target
        if effect.op not in ("modify", "grant") or target is None:
            continue
        if target.q == "self":
            last = [said.source]
        elif target.q == "all":
            last = [
                one
                for one, at in position.at.items()
                if at.zone == "sector"
                and position.battle is not None
                and at.sector == position.battle.sector
                and matches(target, one, position, said.by, said.source)
            ]
        elif target.q != "same":
            n = target.n if isinstance(target.n, int) else len(chosen)  # "X units": as many as were chosen.
            last, chosen = chosen[:n], chosen[n:]
        until = effect.until or lasts
        for one in last:
            if effect.op == "grant" and effect.what is not None:
                what = effect.what.lower()
                made.append(Bonus(one, "keyword", 0, until, said.source, said.seq, step, what=what))
            for change in effect.changes:
                number = _printed(change.amount, ability)
                known, amount = number is not None, number or 0
                made.append(Bonus(one, change.stat, amount, until, said.source, said.seq, step, verified=known))
    return made


def _printed(amount: Amount | None, ability: Ability) -> int | None:
    """A number as the text prints it, or its X; None where it prints none."""
    if isinstance(amount, int):
        return amount
    x = ability.x.n if ability.x is not None and ability.x.what == "int" else None
    return {"X": x, "-X": None if x is None else -x}.get(str(amount))


def _tactic_pass(event: records.TacticPass, position: Position, hearing: Hearing) -> None:
    settle(position)
    _window_entry(event, position, passed=True)


def _window_entry(event: records.Event, position: Position, *, passed: bool) -> None:
    action, window, battle = position.action, position.window, position.battle
    if battle is not None and is_outside_an_action(position) and event.ba in (None, battle.ba + 1):
        position.battle = battle._replace(early=battle.ba + 1)
    if action is not None:
        mine = _tactics(action, position)
        over = not mine or mine[-1].passes >= 2
        tactics = action.tactics if passed else action.tactics + 1
        position.action = action._replace(tactics=tactics, overran=action.overran or over)
    if window is None or window.kind != "tactics" or event.by not in position.table.other:
        return
    other = position.other(event.by)
    changed = window.entered(event.seq, event.by, other, passed=passed)
    position.windows = (*position.windows[:-1], changed)


def _effect(event: records.Effect, position: Position, hearing: Hearing) -> None:
    """What an ability did, as claimed: its number takes the place of the one that the text gives."""
    settle(position)
    if event.op == "grant" and (event.targets is None or event.what is None):
        why = f"what was given to which card at event {event.seq} is not known"
        position.holes.open(Hole(event.seq, why, frozenset({"granted"})))
    if event.op == "grant" and isinstance(event.what, str):
        step = position.action.step if position.action is not None else 0
        source = event.source.card if event.source is not None else None
        printed = text_of(position, event.source)
        given_until = [one.until for one in (printed.effects if printed is not None else ()) if one.op == "grant"]
        says: str = event.until or next((one for one in given_until if one is not None), "ba")
        for target in event.targets or ():
            bonus = Bonus(target, "keyword", 0, says, source, event.seq, step, what=event.what.lower())
            position.bonuses = (*position.bonuses, bonus)
    of = event.source.card if event.source is not None else None
    unsaid = event.amount is None or event.targets is None or (event.stat is None and event.op == "modify")
    if event.op in ("modify", "flags") and unsaid and of not in {bonus.source for bonus in position.bonuses}:
        why = f"what event {event.seq} changed, and by how much, is not known"
        position.holes.open(Hole(event.seq, why, frozenset({"bonuses"})))
    if event.amount is None or (event.op != "flags" and (event.op != "modify" or event.stat is None)):
        return
    stat = "flags" if event.op == "flags" or event.stat == "flag" else event.stat
    assert stat is not None
    lasts = "battle" if position.battle is not None and position.battle.step != "battle" else "ba"
    source = event.source.card if event.source is not None else None
    ability = text_of(position, event.source)
    step = position.action.step if position.action is not None else 0
    read = ability is not None and ability.status == "full"
    printed_until = next((until for one, until in _times(ability) if one == stat), None)
    if position.battle is not None and position.battle.step == "setup":
        lasts = SETUP
        changed_stats = [
            change.stat for one in (ability.effects if ability is not None else ()) for change in one.changes
        ]
        read = read and stat in changed_stats
    if ability is not None and stat not in _given_by(ability):
        read = False  # Its text gives no such number: nobody knows whether another ability did, or none (HCG-DOC-04).
    position.untold = tuple(one for one in position.untold if one[0] != source)
    for target in event.targets or ():
        there = [
            n
            for n, bonus in enumerate(position.bonuses)
            if (bonus.target, bonus.stat, bonus.source) == (target, stat, source)
        ]
        if there:
            n = there[-1]
            text = position.bonuses[n]
            # Of a wrong number (HCG-DOC-04) nobody knows whether play went on with that or with the right one.
            right = not text.verified or text.amount == event.amount
            changed = text._replace(amount=event.amount, verified=read and right)
            position.bonuses = (*position.bonuses[:n], changed, *position.bonuses[n + 1 :])
        else:
            told_until = event.until or printed_until
            until = lasts if told_until is None or told_until == "ba" else told_until
            what = NO_TIME if event.until is None and ability is not None and may_last(ability) else None
            made = Bonus(target, stat, event.amount, until, source, event.seq, step, verified=read, what=what)
            position.bonuses = (*position.bonuses, made)


NO_TIME = "no time"
"""`what` of a number that may last, where neither its effect nor its text can be made to say how long."""


def _given_by(ability: Ability) -> set[str]:
    """The numbers that a text changes."""
    flags = {"flags"} if any(one.op == "flags" for one in ability.effects) else set()
    return {stat for stat, _ in _times(ability)} | flags


def _times(ability: Ability | None) -> list[tuple[str, str | None]]:
    """The numbers that a text changes, in the rows of a roll too, and until when."""
    if ability is None:
        return []
    effects = [*ability.effects, *(one for effect in ability.effects for row in effect.rows for one in row.effects)]
    return [(change.stat, one.until) for one in effects for change in one.changes]


def _damage_outside(event: records.Damage, position: Position) -> None:
    """Damage of an attack within which a position stood, or whose battle action is over: what was open of it is not known, what
    it destroyed is said, or a hole. Of one that is over nobody compares the numbers, so the hole is there in any case."""
    if event.destroyed:
        destroy(position, str(event.to))
        if not position.midway:
            why = f"the damage of event {position.seq} stands outside a battle action"
            position.holes.open(Hole(position.seq, why, frozenset({("at", str(event.to))})))
    elif event.destroyed is None and event.to is not None:
        may_have_fallen(event.to, position)


def may_have_fallen(instance: str, position: Position) -> None:
    """Nobody knows whether the damage of this event destroyed a card."""
    at = position.at.get(instance)
    facts: set[Fact] = {("at", instance)}
    if at is not None:
        facts |= {("zone", at.player, at.zone, at.sector), ("zone", at.player, "discard", None), "flags"}
    why = f"whether the damage at event {position.seq} destroyed {instance} is not known"
    position.holes.open(Hole(position.seq, why, frozenset(facts)))


def damage(event: records.Damage, fell: Outcome, position: Position) -> None:
    """Damage of one direction, with what it came to. What it destroys leaves when the step is over."""
    action = position.action
    if action is None and position.battle is not None:
        _damage_outside(event, position)
    if action is None:
        return
    counter = is_counter(event, action)
    slot = position.battle.sector if position.battle is not None else None
    if not counter:
        # As the table went on with it.
        if event.to not in (None, action.unit) and position.lives_at(event.to, slot):
            action = action._replace(defending=event.to)
        attacker = position.at.get(event.from_ or "")
        if (
            event.from_ != action.unit
            and attacker is not None
            and attacker.player == action.by
            and attacker.sector == slot
        ):
            action = action._replace(unit=event.from_)
            lock(position, event.from_)
    source = action.defending if counter else action.unit
    to = action.unit if counter else action.defending
    if not fell.destroyed and to is not None and fell.amount:
        position.wounds = {**position.wounds, to: (*position.wounds.get(to, ()), fell.amount)}
    if counter:
        more = 0 if fell.destroyed else fell.amount or 0
        action = action._replace(dealt=(*action.dealt, source or ""), suffered=action.suffered + more)
    else:
        again = source in action.dealt
        if again:
            position.action = action
            settle(position)
            action = position.action
        card = position.card_of(to)
        known = fell.amount is not None and fell.armor is not None
        left = (fell.amount or 0) - (fell.armor or 0) if fell.destroyed and known else None
        fought = action.fought
        if action.kind == "assault" and not action.sweep and source is not None:
            silent = Hearing({reading.id: reading.default for reading in READINGS})
            fought = tuple(part.what for part in standing(position, source, "assault", to, silent))
        action = action._replace(
            step=action.step + 1,
            # A counterattack may be written before the damage that it answers: both are dealt at once.
            dealt=(*(() if again else action.dealt), *((source,) if source is not None else ())),
            amount=fell.amount,
            leftover=left if card is None or card.kind == "unit" else None,
            unsure=not known or (card is None and fell.destroyed is not False),
            fought=fought,
        )
        action = take_place(action, position)
        position.windows = tuple(window for window in position.windows if window.ba != action.n)
    if fell.destroyed and to is not None:
        action = action._replace(doomed=(*action.doomed, to))
    elif fell.destroyed is None and to is not None:
        may_have_fallen(to, position)
    position.action = action


def _sweep(event: records.Sweep, position: Position, hearing: Hearing) -> None:
    settle(position)
    action = position.action
    if action is None:
        return
    leftover = event.leftover if event.leftover is not None else action.leftover
    # A sweep is an assault of its own, one that wrongly follows a shot too (HCG-SWEEP-04).
    position.action = action._replace(
        kind="assault", sweep=True, target=event.target, defending=event.target, blocker=None, dealt=(), tactics=0,
        leftover=leftover, over=action.leftover,
    )  # fmt: skip
    attack_window(position)


def _no_sweep(event: records.SweepNone, position: Position, hearing: Hearing) -> None:
    settle(position)
    action = position.action
    if action is not None and len(action.dealt) == 1 and action.defending is not None:
        # The damage step is over: a counterattack that is not recorded is missed here, and only here.
        position.action = action._replace(dealt=(*action.dealt, action.defending))


def _ba_end(event: records.BaEnd, position: Position, hearing: Hearing) -> None:
    if ends_another(event, position):
        return
    battle = position.battle
    if battle is not None and position.action is None and battle.step == "battle" and not position.midway:
        if event.ba == battle.said + 1:
            pass_over(position, event.ba)
    close_action(position)
    come_to_the_end(position, event.ba)
    if position.battle is not None:
        position.battle = position.battle._replace(ended=True)
    for instance, stance in (event.positions or {}).items():
        at = position.at.get(instance)
        if at is not None and at.zone in ("sector", "fleet"):
            position.at[instance] = at._replace(stance=stance)


FOLLOWED: dict[type, Any] = {
    records.BaShoot: _shoot,
    records.BaCharge: _charge,
    records.BaAssault: _assault,
    records.BaPass: _pass,
    records.BaWithdraw: _withdraw,
    records.BattleEnd: _battle_end,
    records.Block: _block,
    records.BlockNone: _no_block,
    records.Tactic: _tactic,
    records.TacticPass: _tactic_pass,
    records.Effect: _effect,
    records.Sweep: _sweep,
    records.SweepNone: _no_sweep,
    records.BaEnd: _ba_end,
}
"""Event types of battle actions that are followed, beside damage, which has to be reckoned first."""
