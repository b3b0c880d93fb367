"""The damage loop: catalogue section 12, and Sor Gharax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Bench, Found
from auditor.conformance.calth.position import Event, Unit, step_card
from auditor.conformance.calth.tables import (
    CHAINFIST,
    FIST,
    MELT,
    SWORD,
)


class Damage(Bench):
    """Defence rolls, casualties, and who is hit."""

    def defence(self, event: Event, target: Unit) -> Found:
        """The damage loop, step by step; nothing where neither the hits are known nor their number is claimed."""
        if "pool" not in event and not rules.roll_is_whole(event):
            return
        position, side = self.position, target.side
        judged = rules.judged_steps(position, event, self.ask)
        by_weapon = rules.judged_steps(position, rules.with_effect_of_weapon(event), self.ask)
        crit = rules.the_crit(event)
        effect = crit["effect"] if crit is not None else None
        steps = event.get("steps", [])
        alive = list(target.models)
        deck, on_model, drawn = list(position.in_deck), len(position.on_model), list[str]()
        went_on = False
        told: set[str] = set()
        named = {step.get("target_model") for step in steps}
        effect_is_missing = "crit" not in event and self.seen_kind != "obscured"
        effect_is_missing = effect_is_missing and "C" in rules.faces_before_crit(event)
        for n, (step, due) in enumerate(zip(steps, judged, strict=True)):
            if due["pool_before"] <= 0:
                went_on = True
                yield self.fault("CAL-ATK-07", "illegal", side, "the loop went on with nothing left")
                if step_card(step) is None and step.get("target_model", None) in {*position.models} - {*alive}:
                    yield self.fault("CAL-ATK-04", "illegal", side, "this model could not be picked")
            elif not alive:
                went_on = True
                yield self.fault("CAL-ATK-04", "illegal", side, "no model was left to be picked")
            else:
                yield from self.target_choice(step, event, target, alive, deck, drawn)
            if alive and step_card(step) is not None and not position.models[alive[0]].has_damage_deck:
                continue  # no model was picked: against whom the roll was made is not told
            if step_card(step) is None and "target_model" not in step and len(alive) > 1:
                spare = [model for model in alive if model not in named]
                alive.remove((spare or alive)[-1])
                continue  # who was hit is a missing fact, and nothing of the pass can be judged without it
            armour_rule = self.armour_rule(n, step, effect, event)
            # An effect's own rule is about its user; everything else in the loop is about the attacked side.
            whose = side if armour_rule == "CAL-ATK-05" else event["player"]
            # An effect wrongly named is one fault; the Armour may follow from the name or from the weapon.
            if step.get("armour_used") != by_weapon[n]["armour_used"] and not (n == 0 and effect_is_missing):
                # One effect on several models breaks its rule once (CAL-AUD-03).
                if armour_rule == "CAL-ATK-05" or armour_rule not in told:
                    found = list(self.compare(armour_rule, step, "armour_used", due["armour_used"], whose))
                    told |= {one.rule for one in found}
                    yield from found
            if n == 0 and effect == MELT and due["melted"] and 0 in (step.get("bonus_dice"), due["bonus_dice"]):
                yield from self.compare(MELT, step, "bonus_dice", due["bonus_dice"], event["player"])
            else:
                for_rubble = event["mode"] == "melee" and position.board.is_rubble(target.hex)
                rule = "CAL-DEF-02" if for_rubble and step.get("bonus_dice") == 1 else "CAL-DEF-04"
                yield from self.compare(rule, step, "bonus_dice", due["bonus_dice"], side)
            if n == 0 and effect_is_missing and not {"armour_used", "stamina_used"} <= step.keys():
                pass  # an effect that is not recorded may have changed what this model rolled, and what it stood
            else:
                if n == 0 and effect_is_missing:
                    due = {**due, "stamina_used": step["stamina_used"], "armour_used": step["armour_used"]}
                other = by_weapon[n] if n == 0 else due
                yield from self.numbers_of(n, step, due, event, side, effect, other)
            card = step_card(step)
            if step.get("casualty", due["casualty"]):
                if card is None and alive:
                    # Whoever fell in place of a model that could not be picked, one model less is left.
                    fell = step.get("target_model")
                    spare = [model for model in alive if model not in named]
                    alive.remove(fell if fell in alive else (spare or alive)[-1])
                elif card in deck and position.damage_cards[card].get("stays_on_model"):
                    deck.remove(card)
                    on_model += 1
                    if position.cards_that_kill is not None and on_model >= position.cards_that_kill:
                        alive = []
        left = event.get("pool", rules.hits(rules.faces_after_crit(event)))
        if steps:
            left = steps[-1].get("pool_left", judged[-1]["pool_left"])
        spent = bool(drawn) and self.no_repeats and all(card in drawn for card in deck)
        if left > 0 and alive and not spent and not went_on and "steps" in event:
            located = any(step_card(step) is not None and step.get("casualty") for step in steps)
            if located and position.cards_that_kill is None and self.active is not None:
                # Whether Sor Gharax is removed with a location only the log says, perhaps in a later line (CAL-SOR-01).
                self.active.owes_draw = side
            else:
                yield self.fault("CAL-ATK-07", "omitted", side, "hits and models were left", left, 0)

    def on_damage_card(self, event: Event) -> Found:
        """A Damage card drawn outside an attack, or recorded before the one that it belongs to (CAL-SOR-01)."""
        by = event.get("by", event.get("player"))
        if "card" not in event:
            yield self.fault("CAL-SOR-01", "ambiguous", by, "which Damage card was drawn is not recorded")
        elif by == "WB" or event.get("selection", "drawn") != "drawn" or event.get("shuffled") is False:
            yield self.fault("CAL-SOR-01", "illegal", by, "the Damage card was not drawn as it must be")
        elif event["card"] not in self.position.in_deck:
            yield self.fault("CAL-SOR-01", "illegal", by, "this Damage card is not in the deck")
        elif "shuffled" not in event:
            yield self.fault("CAL-SOR-01", "omitted", "UM", "no shuffle of the Damage deck was recorded")

    def numbers_of(
        self, n: int, step: Event, due: Event, event: Event, side: str, effect: str | None, by_weapon: Event
    ) -> Found:
        """Faces, shields, hits left and casualty of one pass; `by_weapon` is what is due by the weapon's own effect.

        What follows from the right number before it is no second fault beside the wrong one (CAL-AUD-02).
        """
        armours = {step.get("armour_used", due["armour_used"]), due["armour_used"], by_weapon["armour_used"]}
        extras = {step.get("bonus_dice", due["bonus_dice"]), due["bonus_dice"]}
        shields = {due["shields"]}
        if "faces" in step:
            dice = sorted(one + extra for one in armours for extra in extras)
            found = len(step["faces"])
            if found not in dice:
                yield self.fault("CAL-ATK-05", "miscalculated", side, "defence dice", found, due["dice"])
                shields.add(step.get("shields", due["shields"]))
            yield from self.rerolls_are_legal(step, step["faces"], False, side)
            yield from self.one_of("CAL-ATK-05", step, "shields", due["shields"], shields, side)
        shields.add(step.get("shields", due["shields"]))
        after = {max(0, due["pool_before"] - shown) for shown in shields}
        yield from self.one_of("CAL-ATK-05", step, "pool_after_shields", due["pool_after_shields"], after, side)
        after.add(step.get("pool_after_shields", due["pool_after_shields"]))
        stamina_rule = "CAL-ATK-06"
        if effect == CHAINFIST and (n == 0 or step.get("stamina_used") == 1):
            stamina_rule = CHAINFIST if n == 0 else "CAL-CRT-14"
        whose = side if stamina_rule == "CAL-ATK-06" else event["player"]
        # An effect wrongly named is one fault; the Stamina too may follow from the name or from the weapon.
        if step.get("stamina_used") != by_weapon["stamina_used"]:
            yield from self.compare(stamina_rule, step, "stamina_used", due["stamina_used"], whose)
        if "faces" not in step and due["dice"] > 0 and not {"shields", "pool_after_shields"} & step.keys():
            return  # how many hits were left is not known
        needed = {step.get("stamina_used", due["stamina_used"]), due["stamina_used"], by_weapon["stamina_used"]}
        falls = {stood >= hits for stood in after for hits in needed}
        if step.get("casualty", due["casualty"]) not in falls:
            # What is said to be left after it is not told beside it (CAL-AUD-03).
            yield from self.compare("CAL-ATK-06", step, "casualty", due["casualty"], side)
            return
        falls.add(step.get("casualty", due["casualty"]))
        left = {max(0, stood - hits) if fell else 0 for stood in after for hits in needed for fell in falls}
        yield from self.one_of("CAL-ATK-06", step, "pool_left", due["pool_left"], left, side)

    def one_of(self, rule: str, step: Event, name: str, due: Any, fitting: set[Any], side: str) -> Found:
        """A claim that is neither what is due nor what follows from a number before it."""
        if step.get(name, due) not in fitting:
            yield from self.compare(rule, step, name, due, side)

    def armour_rule(self, n: int, step: Event, effect: str | None, event: Event) -> str:
        """The rule about the Armour of a pass: the effect's for the first target, and for a later one to which the effect
        was applied; a half Armour there has a rule of its own (CAL-CRT-05, -09, -14)."""
        if effect not in (MELT, FIST, SWORD):
            return "CAL-ATK-05"
        if n == 0:
            return effect
        steps = rules.attack_distance(self.position, event, self.ask)
        touched = rules.first_target_effect(event, steps)
        if step.get("armour_used") != rules.defence(rules.printed_values(self.position, step), 0, touched, self.ask)[0]:
            return "CAL-ATK-05"
        return "CAL-CRT-14" if effect == SWORD else effect

    def target_choice(
        self, step: Event, event: Event, target: Unit, alive: Sequence[str], deck: Sequence[str], drawn: list[str]
    ) -> Found:
        """Who picked the target model, and whether it could be picked; for Sor Gharax the draw."""
        card = step.get("damage_card")
        if alive and self.position.models[alive[0]].has_damage_deck:
            if card is None:
                yield self.fault("CAL-SOR-01", "omitted", "UM", "no Damage card was drawn")
            elif not isinstance(card, dict):
                # Its draw is recorded in a line of its own.
                if card not in deck:
                    yield self.fault("CAL-SOR-01", "illegal", "UM", "this Damage card is not in the deck")
                drawn.append(card)
            else:
                fine = card.get("by", "UM") == "UM" and card.get("selection", "drawn") == "drawn"
                # Where all have been drawn there is no other.
                again = self.no_repeats and card["card"] in drawn and any(one not in drawn for one in deck)
                if fine and "shuffled" not in card:
                    yield self.fault("CAL-SOR-01", "omitted", "UM", "no shuffle of the Damage deck was recorded")
                elif not fine or not card["shuffled"] or card["card"] not in deck or again:
                    whose = card.get("by") or "UM"
                    yield self.fault("CAL-SOR-01", "illegal", whose, "the Damage card was not drawn as it must be")
                drawn.append(card["card"])
        elif card is not None:
            whose = str(card.get("by") or "UM") if isinstance(card, dict) else "UM"
            yield self.fault(
                "CAL-SOR-01", "illegal", whose, "a Damage card was drawn against a unit without such a deck"
            )
        elif step.get("target_model", alive[0] if alive else None) not in alive:
            kind = "ambiguous" if event.get("either") else "illegal"
            yield self.fault("CAL-ATK-04", kind, target.side, "this model could not be picked")
        elif step.get("chosen_by", target.side) != target.side:
            yield self.fault("CAL-ATK-04", "illegal", target.side, "this model could not be picked so")
