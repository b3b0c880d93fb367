"""Echoes and licences: lines that change the position need one, or restate what an event held. Catalogue section 5."""

from __future__ import annotations

from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Bench, Found
from auditor.conformance.calth.board import as_edge, as_hex
from auditor.conformance.calth.position import Event, step_card
from auditor.conformance.calth.tables import CANNON, PLASMA, SUPPRESS

GONE = "CAL-ATK-08"


class Licences(Bench):
    """Model and unit removals, losses of TPs, destroyed weapons, doors, and what is placed in mid-game."""

    def keep_in_hand(
        self, event: Event, before: dict[str, int], fallen: set[str], broken: set[tuple[str, str]]
    ) -> None:
        """Keep what an event held, once it is taken over; `before` are the TPs of each unit before it."""
        held, name, position = self.held, event["type"], self.position
        held.removed |= fallen
        held.left |= before.keys() - position.units.keys()
        if name == "attack":
            held.weapons |= broken
            for step in event.get("steps", ()):
                card = step_card(step)
                if card is not None:
                    held.drawn.append(card)
                    held.locations = held.locations or bool(step.get("casualty"))
                elif "target_model" in step:
                    held.hit[step["target_model"]] = "CAL-ATK-06"
            crit = rules.the_crit(event)
            if crit is not None and crit.get("effect") == PLASMA and "model" in crit:
                held.overheated.add(crit["model"])
            if crit is not None and crit.get("effect") == SUPPRESS and event["target"] in before:
                key = event["target"]
                due = min(1, before[key])
                held.losses[key] = (
                    crit.get("tp_lost", before[key] - crit.get("tp_after", before[key] - due)),
                    SUPPRESS,
                )
        elif name == "activate":
            held.losses[event["unit"]] = (1, "CAL-ACT-02")
        elif name == "last_stand":
            held.hit |= dict.fromkeys(event["models"], "CAL-DLS-01")
            held.losses[event["unit"]] = (before.get(event["unit"], 0), "CAL-DLS-02")
        elif name == "card_play":
            unit, taken = event.get("target", ""), -position.card_tps.get(event.get("card", ""), 0)
            if taken and unit in before:
                held.losses[unit] = (min(before[unit], taken) if taken > 0 else taken, "CAL-ACT-05")
        elif name == "door":
            held.doors = {**held.doors, as_edge(event["edge"]): event["state"]}

    # -------------------------------------------------------------- whose word it is

    def by_word(self, event: Event) -> str | None:
        """What the words of a card or of the scenario make of a line that no machine-readable effect gives.

        `open` where a text that no machine can read may give it, or nothing says which text; None where nothing does.
        """
        cause = event.get("cause")
        source, named = (
            (cause.get("source"), cause.get("id")) if isinstance(cause, dict) else (cause, event.get("card"))
        )
        texts = list(self.header["scenario"].get("special_rules") or ())
        if event.get("override") is not None:
            known = self.override_of(event)
            return "open" if known is None or known.get("effect") is None else None
        if any(card.get("effect") is None for card in self.held.played) or self.held.unread:
            return "open"
        if source == "card":
            cards = {card["id"]: card for card in self.header.get("command_cards") or ()}
            known = cards.get(str(named), {}) if named is not None else {}
            if known.get("effect") is None:
                return None if named is None and self.held.played else "open"
            return None
        if source == "scenario":
            return "open" if any(rule.get("effect") is None for rule in texts) else None
        return None

    def unlicensed(self, event: Event, side: str | None, rule: str, kind: str, text: str) -> Found:
        """A line that nothing holds and nothing gives."""
        if "cause" not in event and "override" not in event:
            yield self.fault(rule, "ambiguous", side, f"the cause is not stated: {text}")
        elif self.by_word(event) == "open":
            if "override" not in event:
                yield self.fault("CAL-AUD-05", "ambiguous", side, f"it may rest on a text: {text}")
        else:
            yield self.fault(rule, kind, side, text)

    # -------------------------------------------------------------- the lines

    def on_model_removed(self, event: Event) -> Found:
        position, held = self.position, self.held
        name, cause = event["model"], event.get("cause")
        model = position.models.get(name)
        if model is None or name in position.removed:
            return
        side = model.side
        if model.has_damage_deck and held.locations and position.cards_that_kill is None and cause == "attack":
            self.draws_no_more()
            return
        if cause == "last_stand" and name not in held.hit and self.stand_is_due(name):
            yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")
            if self.active is not None:
                self.active.stood = True
        elif name in held.hit and cause in ("attack", "last_stand"):
            yield self.fault(held.hit[name], "miscalculated", side, f"{name} was not removed by what is restated")
        elif name in held.overheated and cause == "overheat":
            yield self.fault(PLASMA, "miscalculated", side, f"{name} did not overheat")
        else:
            yield from self.unlicensed(event, side, GONE, "illegal", f"nothing removed {name}")

    def draws_no_more(self) -> None:
        """Sor Gharax is removed, and hits that were left are due no further draw."""
        if self.active is not None:
            self.active.owes_draw = ""

    def stand_is_due(self, model: str) -> bool:
        """Whether a model stayed behind in a retreat that was due, and has not rolled."""
        active = self.active
        if active is None or active.stood or active.target is None:
            return False
        if active.left_behind is not None:
            return model in active.left_behind
        unit = self.position.units.get(active.target)
        return unit is not None and model in unit.models and rules.retreat_is_due(self.position, unit.id, active.lost)

    def on_unit_removed(self, event: Event) -> Found:
        position, held, cause = self.position, self.held, event.get("cause")
        unit = position.units.get(event["unit"])
        if unit is None or (cause in ("consolidate", "retreat") and event["unit"] in held.left):
            return
        models = [position.models[model] for model in unit.models]
        if held.locations and position.cards_that_kill is None and cause == "attack":
            if any(model.has_damage_deck for model in models):
                self.draws_no_more()
                return
        if cause in ("attack", "last_stand") and any(model in held.hit for model in unit.models):
            rule = next(held.hit[model] for model in unit.models if model in held.hit)
            yield self.fault(rule, "miscalculated", unit.side, f"{unit.id} still had models")
            return
        yield from self.unlicensed(event, unit.side, GONE, "illegal", f"nothing removed {unit.id}")

    def on_tp_loss(self, event: Event) -> Found:
        unit = self.position.units.get(event["unit"])
        if unit is None:
            return
        side, cause = unit.side, event.get("cause")
        owners = {"crit": SUPPRESS, "last_stand": "CAL-DLS-02", "activation": "CAL-ACT-02"}
        rule = owners.get(str(cause), "CAL-ACT-05")
        if event.get("amount", 0) < 0:
            gain = self.held.losses.get(unit.id, (0, ""))[0] or self.given(event)
            if gain != event["amount"]:
                yield self.fault("CAL-ACT-05", "illegal", side, "an amount below 0", event["amount"], 0)
                return
        if unit.id in self.held.losses:
            lost, rule = self.held.losses[unit.id]
            claims: list[tuple[str, Any, str]] = [
                ("tp_before", unit.tp + lost, SUPPRESS if cause == "crit" else "CAL-ACT-05"),
                ("amount", lost, rule),
                ("tp_after", unit.tp, rule),
            ]
        else:
            before = event.get("tp_before", unit.tp)
            amount = self.given(event)
            if amount is None:
                if event.get("amount", unit.tp - event.get("tp_after", unit.tp)) != 0:
                    text = f"nothing takes TPs from {unit.id}"
                    yield from self.unlicensed(event, side, "CAL-ACT-05", "illegal", text)
                    return
                amount = 0
            due = min(unit.tp, amount)
            claims = [
                ("tp_before", unit.tp, SUPPRESS if cause == "crit" else "CAL-ACT-05"),
                ("amount", amount if event.get("amount") == amount else due, rule),
                ("tp_after", max(0, before - amount), rule),
            ]
        for name, due, whose in claims:
            if event.get(name, due) != due:
                yield self.fault(whose, "miscalculated", side, name, {name: event[name]}, {name: due})
                return

    def on_weapon_destroyed(self, event: Event) -> Found:
        position, held = self.position, self.held
        name, weapon, cause = event["model"], event["weapon"], event.get("cause")
        model = position.models.get(name)
        if model is None:
            return
        by_card = cause == "damage_card"
        if weapon not in model.weapons:
            rule = "CAL-SOR-01" if by_card else CANNON
            yield self.fault(rule, "illegal", model.side, f"{name} never carried {weapon}")
            return
        if (name, weapon) in position.broken:
            return
        standing = [*held.drawn, *position.on_model] if model.has_damage_deck else []
        if any(position.damage_cards.get(card, {}).get("destroys_weapon") == weapon for card in standing):
            return
        rule, kind = CANNON, "illegal"
        if by_card:
            rule = "CAL-SOR-01"
        elif cause == "crit":
            kind = "miscalculated"
        yield from self.unlicensed(event, model.side, rule, kind, f"nothing destroyed {weapon} of {name}")

    def on_door(self, event: Event) -> Found:
        edge, cause = as_edge(event["edge"]), event.get("cause")
        side = event.get("player")
        named = cause.get("id") if isinstance(cause, dict) else None
        if self.held.doors.get(edge) == event["state"] and "override" not in event:
            return
        texts = [(one, True) for one in self.header["scenario"].get("special_rules") or ()]
        texts += [(one, False) for one in self.header.get("command_cards") or ()]
        over = self.override_of(event) if "override" in event else None
        known = False
        for one, is_rule in texts:
            if one["id"] != named and one is not over and one not in self.held.played:
                continue
            known = known or one["id"] == named
            effect = (one.get("effect") or {}).get("door")
            if effect and as_edge(effect["edge"]) == edge and effect["state"] == event["state"]:
                if not is_rule or one["effect"].get("round") in (None, self.position.round):
                    return
        if named is None and over is None:
            yield self.fault("CAL-SET-03", "ambiguous", side, "what moved the door is not stated")
        elif not known and isinstance(cause, dict) and cause.get("source") in ("scenario", "card"):
            yield self.fault("CAL-SET-03", "ambiguous", side, "what moved the door is a text that nobody knows")
        else:
            yield from self.unlicensed(event, side, "CAL-SET-03", "illegal", "nothing allows this door to change")

    def placed_late(self, event: Event) -> Found:
        """A model placed after the set-up."""
        model = self.position.models[event["model"]]
        if model.id in self.position.removed:
            yield self.fault(GONE, "illegal", model.side, f"{model.id} is removed for good")
            return
        texts = self.header["scenario"].get("special_rules") or ()
        if "override" in event or texts:
            if "override" not in event:
                yield self.fault("CAL-AUD-05", "ambiguous", model.side, "a model placed by a text")
            return
        yield self.fault("CAL-SET-02", "illegal", model.side, "a model was placed after the set-up")

    def moved_by_the_scenario(self, event: Event, side: str) -> Found:
        """A unit moved by a special rule: only where it ends is judged."""
        end = as_hex(event["path"][-1])
        texts = self.header["scenario"].get("special_rules") or ()
        if "override" not in event:
            if texts:
                yield self.fault("CAL-AUD-05", "ambiguous", side, "a unit moved by a text")
            else:
                yield self.fault("CAL-ACT-02", "illegal", side, "no rule moves this unit")
        yield from self.ends_well(event, end, side)

    def ends_well(self, event: Event, end: tuple[int, int], side: str) -> Found:
        """Whether a hex may be entered at all, and has room."""
        if self.position.board.is_shut(end):
            off_board = end not in self.position.board.kinds
            yield self.fault("CAL-HEX-02" if off_board else "CAL-HEX-01", "illegal", side, f"{end} cannot be entered")
        unit = self.position.units[event["unit"]]
        yield from self.has_room(end, event.get("models", unit.models), side)
