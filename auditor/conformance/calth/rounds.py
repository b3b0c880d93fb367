"""Set-up, rounds and the campaign: catalogue sections 6 and 7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.bench import Activation, Found
from auditor.conformance.calth.board import Hex, as_hex
from auditor.conformance.calth.facts import ACTIONS
from auditor.conformance.calth.licences import Licences
from auditor.conformance.calth.position import Event
from auditor.conformance.calth.tables import (
    SIDES,
    option,
    other,
    shifted,
    tally,
)


class Rounds(Licences):
    """What is judged outside an action."""

    def on_game_start(self, event: Event) -> Found:
        players = event.get("players") or self.header["players"]
        named = [player.get("id") for player in players if isinstance(player, dict) and player.get("id")]
        if len(set(named)) < len(named):
            yield self.fault("CAL-SET-01", "illegal", None, "both players are of one side")
        elif any(
            name in self.stated and event[name] not in (None, self.stated[name]) for name in event if name != "type"
        ):
            yield self.fault("CAL-SET-01", "ambiguous", None, "the start of the game is not that of the header")

    def on_place(self, event: Event) -> Found:
        position = self.position
        model = position.models.get(event["model"])
        if model is None:
            yield self.fault("CAL-SET-02", "illegal", None, "the model is in no roster")
            return
        h = as_hex(event["hex"])
        if position.phase == "setup":
            self.placed.add(model.id)
            if event.get("unit") and (position.board.is_shut(h) or list(self.has_room(h, [model.id], model.side))):
                self.labels.of_nobody.add(event["unit"])
        if position.phase != "setup":
            late = list(self.placed_late(event))
            yield from late
            if model.id not in position.removed:
                enemies = self.enemy_holds(h, model.side)
                room = () if enemies else self.has_room(h, [model.id], model.side)
                problems = [*self.map_allows(h, h, model.side), *room]
                yield from problems
                if (problems or enemies) and not late:
                    yield self.fault("CAL-SET-02", "illegal", model.side, "no model can be placed there")
            return
        elif (there := position.unit_of(model.id)) is not None:
            if there.hex == h:
                return
            yield self.fault("CAL-SET-02", "illegal", model.side, f"{model.id} already stands somewhere")
            if not self.enemy_holds(h, model.side):
                yield from self.has_room(h, [model.id], model.side)
            return
        unit = position.unit_at(h)
        zones = [
            {as_hex(z) for z in line["zone"]}
            for line in self.header["scenario"].get("deployments") or ()
            if line["side"] == model.side
            and line.get("zone")
            and (line["models"] == "all" or model.id in line["models"])
        ]
        yield from self.map_allows(h, h, model.side)
        if not self.enemy_holds(h, model.side):
            yield from self.has_room(h, [model.id], model.side)
        if position.board.is_shut(h) or (unit is not None and unit.side != model.side):
            yield self.fault("CAL-SET-02", "illegal", model.side, "no model of this side can stand in that hex")
        elif rules.room(position, h, model.side) < model.bulk:
            yield self.fault("CAL-SET-02", "illegal", model.side, "the hex is too full")
        elif zones and not any(h in zone for zone in zones):
            yield self.fault("CAL-SET-02", "illegal", model.side, "the hex is outside the model's zone")

    def set_up_is_complete(self) -> Found:
        """Every model that the scenario sets up stands on the board when the first round begins."""
        position = self.position
        if not position.units:
            return
        for line in self.header["scenario"].get("deployments") or ():
            side = line["side"]
            everyone = [m.id for m in position.models.values() if m.side == side]
            for model in everyone if line["models"] == "all" else line["models"]:
                if position.unit_of(model) is None and model not in {*position.removed, *self.placed}:
                    yield self.fault("CAL-SET-02", "omitted", side, f"{model} was never placed")

    def on_position(self, event: Event) -> Found:
        self.set_up_checked = True
        self.refreshed = event["phase"] == "action"
        self.drawn = Counter(dict.fromkeys(SIDES, int(self.refreshed)))
        for side, deck in event.get("decks", {}).items():
            if deck.get("left") is not None:
                self.decks_stated[side] = deck["left"]
        for line in event["units"]:
            yield from self.compare("CAL-ACT-05", line, "tp", max(0, line.get("tp", 0)), line["side"])
        yield from self.can_stand(event["units"])
        with_tps = {line["side"] for line in event["units"] if line.get("tp", 0) > 0}
        if event["phase"] == "action" and event.get("to_act") is not None and with_tps == {other(event["to_act"])}:
            yield self.fault(
                "CAL-ACT-04", "miscalculated", None, "who is to act", event["to_act"], other(event["to_act"])
            )

    def can_stand(self, lines: Sequence[Event]) -> Found:
        """A position is checked like a set-up (CAL-SET-02): its models are known and stand once, where they may."""
        known, seen = self.position.models, set[str]()
        at: dict[Hex, list[Event]] = {}
        for line in lines:
            side, h = line["side"], as_hex(line["hex"])
            wrong = [m for m in line["models"] if m not in known or known[m].side != side]
            twice = [m for n, m in enumerate(line["models"]) if m in seen or m in line["models"][:n]]
            seen.update(line["models"])
            shut = self.position.board.is_shut(h)
            if wrong or twice or shut:
                yield self.fault("CAL-SET-02", "illegal", side, f"not all of {line['unit']} can stand in {h}")
            at.setdefault(h, []).append(line)
        for h, there in at.items():
            side = there[0]["side"]
            bulk = self.position.bulk([m for line in there for m in line["models"] if m in known])
            if any(line["side"] != side for line in there):
                yield self.fault("CAL-SET-02", "illegal", None, f"both sides in {h}")
            elif bulk > rules.CAPACITY:
                for rule in ("CAL-HEX-07", "CAL-SET-02"):
                    yield self.fault(rule, "illegal", side, "too much bulk in one hex", bulk, rules.CAPACITY)

    def on_initiative(self, event: Event) -> Found:
        first = self.header["scenario"].get("first_initiative") if self.position.round == 1 else None
        self.drawn.clear()
        self.late_draw.clear()
        self.refreshed = False
        self.refreshed_units = set()
        if event["source"] == "scenario":
            if first is None:
                yield self.fault(
                    "CAL-INI-01", "omitted", None, "no roll for initiative and no scenario names the holder"
                )
            else:
                yield from self.compare("CAL-INI-01", event, "winner", first, None)
            return
        if "attempts" not in event and first is None:
            yield self.fault("CAL-INI-01", "ambiguous", None, "the dice are not recorded")
            return
        attempts = event.get("attempts", [])
        if not attempts and first is None:
            yield self.fault("CAL-INI-01", "omitted", None, "nobody rolled for initiative")
            return
        if not attempts:
            yield self.fault("CAL-INI-01", "illegal", None, "the scenario names the holder of the first round")
            return
        if first is not None:
            yield self.fault("CAL-INI-01", "illegal", None, "the scenario names the holder of the first round")
        if event.get("rerolled"):
            yield self.fault("CAL-WAR-02", "illegal", None, "dice of a roll for the initiative were rolled again")
        for n, attempt in enumerate(attempts):
            for side in SIDES:
                if side not in attempt and n == 0:
                    yield self.fault("CAL-INI-01", "ambiguous", None, "the dice of a player are not recorded")
                    return
                if side not in attempt:
                    yield self.fault("CAL-INI-02", "illegal", None, "only one player rolled")
                    return
                if len(attempt[side]) != 3:
                    yield self.fault("CAL-INI-01", "miscalculated", side, "three dice each", len(attempt[side]), 3)
            decided = rules.initiative_winner([attempt], self.ask) is not None
            if decided and n + 1 < len(attempts):
                yield self.fault("CAL-INI-02", "illegal", None, "rolled again after a decided attempt")
                break
        winner = rules.initiative_winner(attempts, self.ask)
        if winner is None:
            # Who won is a claim: where nobody is said to have won, nothing was made of the tie (CAL-AUD-04).
            if event.get("winner") is not None:
                yield self.fault("CAL-INI-02", "illegal", None, "a tie was not rolled again")
        else:
            yield from self.compare("CAL-INI-02" if len(attempts) > 1 else "CAL-INI-01", event, "winner", winner, None)

    def on_card_draw(self, event: Event) -> Found:
        side, count = event["player"], event.get("count", 1)
        extra = self.more_draws[side]
        override = self.override_of(event) if "override" in event else None
        extra += int(((override or {}).get("effect") or {}).get("draw") or 0)
        late = self.position.phase == "action"
        owed = 0 if late else max(0, 1 - self.drawn[side])
        if event.get("deck", side) != side:
            yield self.fault("CAL-RDY-01", "illegal", side, "a card from the other deck")
        elif count < 0:
            yield self.fault("CAL-RDY-01", "illegal", side, "fewer cards than none", count, 1)
        elif count > owed + extra:
            if (late and self.drawn[side] < 1 and count == 1 + extra) or (
                late and self.was_drawn_late(side, count - extra)
            ):
                yield self.fault("CAL-RDY-03", "illegal", side, "a card was drawn after the actions had begun")
            else:
                yield self.fault("CAL-RDY-01", "illegal", side, "more than one card", self.drawn[side] + count, 1)
        elif self.position.deck_left[side] == 0 and option(self.ask, "R-RDY-EMPTY") == "no_draw" and count:
            yield self.fault("CAL-RDY-01", "illegal", side, "a card from an empty deck")
        self.more_draws[side] = max(0, self.more_draws[side] - max(0, count - owed))
        self.drawn[side] += max(0, count)
        yield from self.deck_is_as_said(event, side, count)

    def deck_is_as_said(self, event: Event, side: str, count: int) -> Found:
        """How many cards are left follows from what the record has said of that deck before; what it says first stands."""
        deck = str(event.get("deck", side))
        before, said = self.decks_stated.get(deck), event.get("deck_left")
        if before is not None and 0 <= count <= before and "override" not in event and said is not None:
            yield from self.compare("CAL-RDY-01", event, "deck_left", before - count, side)
        if said is not None and said >= 0:
            self.decks_stated[deck] = said
        elif before is not None:
            self.decks_stated[deck] = max(0, before - max(0, count))

    def on_card_play(self, event: Event) -> Found:
        """What a card is, as far as the data say (CAL-AUD-05)."""
        cards = self.header.get("command_cards") or ()
        named = event.get("card")
        known = next((card for card in cards if named in (card["id"], card.get("name"))), None)
        if known is None:
            self.held.unread = True
            if "override" not in event:
                yield self.fault("CAL-AUD-05", "ambiguous", event.get("player"), f"the card {named} is not known")
            return
        self.played.add(known["side"])
        self.held.played.append(known)
        self.more_draws[known["side"]] += int((known.get("effect") or {}).get("draw") or 0)

    def on_tp_refresh(self, event: Event) -> Found:
        position = self.position
        lines = [line.get("unit", "") for line in event["units"]]
        again = sorted({key for n, key in enumerate(lines) if key in self.refreshed_units or key in lines[:n]})
        again = [key for key in again if key in position.units]
        if again:
            yield self.fault("CAL-RDY-02", "illegal", None, f"refreshed twice in a round: {', '.join(again)}")
        for key in lines:
            if key and key not in position.units and key not in self.labels.of_nobody:
                yield self.fault("CAL-RDY-02", "miscalculated", None, f"{key} is not on the board")
        if not self.refreshed:
            owed = self.without_tps if self.refreshed_units else list(position.units.values())
            self.without_tps = [unit for unit in owed if unit.id not in lines]
        self.refreshed_units |= set(lines)

    def has_a_card(self, side: str) -> bool:
        """Whether a side can draw; a deck of unknown size is taken to have cards, and an empty one is shuffled anew
        under R-RDY-EMPTY `reshuffle`, unless all cards of the side are in hand (CAL-RDY-01)."""
        if self.position.deck_left.get(side) != 0:
            return True
        cards = [card for card in self.header.get("command_cards", ()) if card["side"] == side]
        in_hand = cards and side not in self.played and len(self.position.hands[side]) >= len(cards)
        return option(self.ask, "R-RDY-EMPTY") == "reshuffle" and not in_hand

    def was_drawn_late(self, side: str, count: int) -> bool:
        """Whether this draw is the one that was due before the actions; it is so once."""
        was_due = side in self.late_draw and count == 1
        self.late_draw.discard(side)
        return was_due

    def drawn_late(self, side: str) -> bool:
        """Whether a side's card of this round is still to come, which is another fault than none at all."""
        for event in self.to_come:
            if event["type"] in ("round_end", "initiative"):
                return False
            if event["type"] == "card_draw" and event["player"] == side:
                return True
        return False

    def ready_is_over(self) -> Found:
        """What the ready phase owes, once the first activation or pass comes."""
        for side in SIDES:
            late = self.drawn[side] == 0 and self.drawn_late(side)
            if late:
                self.late_draw.add(side)
            if self.drawn[side] == 0 and self.has_a_card(side) and not late:
                yield self.fault("CAL-RDY-01", "omitted", side, "no Command card was drawn")
            self.drawn[side] = max(1, self.drawn[side])
        for unit in self.without_tps:
            yield self.fault("CAL-RDY-02", "omitted", unit.side, f"{unit.id} got no TPs")
        self.without_tps = []
        if not self.refreshed and not self.refreshed_units:
            yield self.fault("CAL-RDY-02", "omitted", None, "the units got no TPs")
        self.refreshed = True

    def on_activate(self, event: Event) -> Found:
        position, side = self.position, event["player"]
        if position.last_actor is None:
            yield from self.ready_is_over()
        unit = position.units.get(event["unit"])
        if unit is None:
            yield self.fault("CAL-ATK-08", "illegal", side, f"{event['unit']} is not on the board")
            return
        due = rules.side_to_act(position)
        # A player without TPs who acts all the same breaks CAL-ACT-02 alone (CAL-ACT-04).
        spent = unit.tp < 1 and not position.has_tp(side)
        if unit.side != side or (due is not None and due != side and not spent):
            yield self.fault("CAL-ACT-01", "illegal", side, "it was the other player's turn", side, due)
        if unit.tp < 1:
            yield self.fault("CAL-ACT-02", "illegal", side, "the unit has no TPs")
        pinned = rules.next_to_enemy(position, unit.hex, unit.side)
        if pinned and event.get("action") in ("run", "shoot"):
            yield self.fault("CAL-PIN-01", "illegal", side, f"{unit.id} is pinned")
        if event.get("action") not in ACTIONS:
            yield self.fault("CAL-ACT-03", "ambiguous", side, "which action was declared is not stated")
        self.active = Activation(side, unit.id, event.get("action"), unit.hex, pinned)

    def on_pass(self, event: Event) -> Found:
        side = event["player"]
        if self.position.last_actor is None and self.position.phase == "ready":
            yield from self.ready_is_over()
        if self.position.has_tp(side) and option(self.ask, "R-ACT-PASS") == "no_pass":
            yield self.fault("CAL-ACT-04", "illegal", side, "a player with TPs passed")

    def on_round_end(self, event: Event) -> Found:
        left = {unit.id: unit.tp for unit in self.position.units.values() if unit.tp > 0}
        if left:
            yield self.fault("CAL-RND-01", "illegal", None, "the round ended while units had TPs", {}, left)

    def on_campaign_end(self, event: Event) -> Found:
        wins = tally(event["results"], self.ask)
        claimed = event.get("tally", wins)
        if any(claimed.get(side, wins[side]) != wins[side] for side in SIDES):
            yield self.fault("CAL-CMP-01", "miscalculated", None, "the tally", claimed, wins)
        sixth = event.get("scenario_6")
        if not isinstance(sixth, dict) or not all(isinstance(sixth.get(key), dict) for key in ("before", "after")):
            return
        if any(side not in sixth["before"] for side in SIDES):
            return
        due = shifted(sixth["before"], {side: claimed.get(side, wins[side]) for side in SIDES})
        if any(sixth["after"].get(side, due[side]) != due[side] for side in SIDES):
            kind = "omitted" if sixth["after"] == sixth["before"] else "miscalculated"
            yield self.fault("CAL-CMP-02", kind, None, "the adjustment of scenario 6", sixth["after"], due)
