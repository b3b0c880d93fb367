"""An independent replay of a log: every place where it departs from the rules, in the catalogue's rule ids.

`check` reads the same logs as the auditor and was written without looking at it. It knows one set
of readings at a time, has no notion of scopes, drawings or causes, and keeps quiet where a fact is
missing. What it does say should be what the auditor says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from auditor.conformance import referee as rules
from auditor.conformance.adoption import apply
from auditor.conformance.board import Hex, are_neighbours, as_edge, as_hex, edge_of
from auditor.conformance.misjudged import rule_of_class
from auditor.conformance.packs import Packs
from auditor.conformance.position import Event, Position, Unit, faces_of, opening, step_card
from auditor.conformance.tables import (
    CANNON,
    CHAINFIST,
    CHAINSWORD,
    CLAWS,
    FIST,
    FOLLOW_UP,
    MELT,
    MISSILE,
    PLASMA,
    SIDES,
    SUPPRESS,
    SWORD,
    WEAPONS,
    Readings,
    cannon_rerolls,
    option,
    other,
    shifted,
    tally,
)


class Disagreement(NamedTuple):
    """One departure from the rules. `player` is whose act or number it is; None where it is both."""

    seq: int
    rule: str
    kind: str
    player: str | None
    text: str
    claimed: Any = None
    recomputed: Any = None


Found = Iterator[Disagreement]
CLOSING = ("activate", "pass", "round_end", "scenario_end")
OF_THE_ACTIONS = ("activate", "pass", "move_unit", "move_models", "attack", "counter", "retreat", "last_stand")
TOUCHES_NO_TPS = ("move_unit", "attack", "counter", "retreat", "card_draw", "initiative", "pass", "door", "round_end")


@dataclass
class Activation:
    """What has happened since an `activate` event."""

    player: str
    unit: str
    action: str
    hex: Hex
    beside_enemy: bool
    done: list[str] = field(default_factory=list)
    target: str | None = None
    target_side: str = ""
    target_hex: Hex | None = None
    lost: Counter[str] = field(default_factory=Counter)
    countered: bool = False
    retreat_seen: bool = False
    left_behind: list[str] | None = None
    before_retreat: list[str] = field(default_factory=list)
    stood: bool = False
    flame_hex: Hex | None = None
    may_follow_up: bool = False
    moved_in: bool = False
    unmarked: list[str] = field(default_factory=list)


class Replay:
    """One pass over a log."""

    def __init__(self, header: Event, readings: Readings, stated: Event | None = None) -> None:
        self.stated, self.header, self.ask = stated or header, header, readings
        self.no_repeats = option(readings, "R-SOR-DECK") == "no_repeat_in_attack"
        self.position: Position = opening(header)
        self.seq = 0
        self.to_come: Sequence[Event] = ()
        self.active: Activation | None = None
        self.drawn: Counter[str] = Counter()
        self.played: set[str] = set()
        self.refreshed = False
        self.without_tps: list[Unit] = []
        self.set_up_checked = False

    # -------------------------------------------------------------- saying so

    def fault(
        self, rule: str, kind: str, player: str | None, text: str, claimed: Any = None, recomputed: Any = None
    ) -> Disagreement:
        """A disagreement about the event now looked at."""
        return Disagreement(self.seq, rule, kind, player, text, claimed, recomputed)

    def compare(
        self, rule: str, holder: Mapping[str, Any], name: str, due: Any, player: str | None, kind: str = "miscalculated"
    ) -> Found:
        """A claimed value against the recomputed one; a value that was not claimed is not compared."""
        if name in holder and holder[name] != due:
            yield self.fault(rule, kind, player, f"{name} is not what follows", {name: holder[name]}, {name: due})

    # -------------------------------------------------------------- the pass

    def event(self, event: Event) -> Found:
        """Judge one event and then take it over."""
        self.seq = event["seq"]
        name = event["type"]
        # A door may move at any time; what ends the set-up is the first step of a round.
        if name not in ("place", "game_start", "position", "door") and not self.set_up_checked:
            self.set_up_checked = True
            yield from self.set_up_is_complete()
        if name in CLOSING:
            yield from self.close()
        suspended = self.suspended(event)
        judge = getattr(self, f"on_{name}", None)
        found = [*self.is_dated(event), *self.tps_are_as_stated(event), *(judge(event) if judge is not None else ())]
        yield from (one for one in found if one.rule not in suspended)
        yield from self.overridden(event)
        if self.can_exist(event):
            before, broken = set(self.position.removed), set(self.position.broken)
            apply(self.position, event, self.ask)
            self.after(event, self.position.removed - before, broken)

    # -------------------------------------------------------------- what any event may say

    def override_of(self, event: Event) -> dict[str, Any] | None:
        """The scenario rule or card that an event rests on, if the data know it."""
        source = str(event["override"]["source"])
        known = (*self.header["scenario"].get("special_rules", ()), *self.header.get("command_cards", ()))
        return next((one for one in known if source in (one["id"], one["name"])), None)

    def suspended(self, event: Event) -> set[str]:
        """The rules that are not judged on an event, by what it rests on (CAL-AUD-05)."""
        if "override" not in event:
            return set()
        known, named = self.override_of(event), set(event["override"].get("rule_ids", ()))
        if known is None:
            return named
        effect = known.get("effect")
        return named | set(known.get("rule_ids", ())) if effect is None else set(effect.get("suspends", ()))

    def overridden(self, event: Event) -> Found:
        """What rests on a card or rule that is not known, or that no machine can read, is left open (CAL-AUD-05)."""
        if "override" not in event:
            return
        known = self.override_of(event)
        if known is None or known.get("effect") is None:
            source = event["override"]["source"]
            yield self.fault("CAL-AUD-05", "ambiguous", event.get("player"), f"it rests on {source}")

    def is_dated(self, event: Event) -> Found:
        """The round and the phase that an event of the actions states."""
        if event["type"] in OF_THE_ACTIONS:
            yield from self.compare("CAL-RND-01", event, "round", self.position.round, None)
            yield from self.compare("CAL-RDY-03", event, "phase", "action", None)

    def tps_are_as_stated(self, event: Event) -> Found:
        """The TPs that an event states for units which it does not change (CAL-ACT-05), or may not change."""
        if event["type"] not in TOUCHES_NO_TPS:
            return
        rule = "CAL-ACT-05"
        for label, claimed in event.get("tp", {}).items():
            unit = self.position.units.get(label)
            if unit is None or claimed == unit.tp:
                continue
            if event["type"] == "attack" and label in (event["attacker"], event["target"]):
                free = {"counter": "CAL-ASL-03", "flamer_follow_up": "CAL-CRT-04"}
                if label == event["target"] or event["role"] not in free:
                    continue
                rule = free[event["role"]]
            elif event["type"] == "move_unit" and event["cause"] == "move_in" and label == event["unit"]:
                rule = "CAL-ASL-04"
            yield self.fault(rule, "miscalculated", unit.side, f"the TPs of {label}", claimed, unit.tp)

    def says_otherwise(self, what: str, stated: Any, is_so: Any) -> Found:
        """A statement about the position that is not so: the record against itself, which accuses nobody (CAL-AUD-06)."""
        if stated is not None and stated != is_so:
            yield self.fault("CAL-AUD-06", "record", None, what, stated, is_so)

    def can_exist(self, event: Event) -> bool:
        """Whether the position that an event claims could stand on a table (CAL-AUD-01)."""
        position, name = self.position, event["type"]
        if name == "move_unit":
            unit = position.units.get(event["unit"])
            end = as_hex(event["path"][-1])
            return unit is not None and not position.board.is_shut(end) and position.unit_at(end) in (None, unit)
        if name == "move_models":
            unit = position.units.get(event["unit"])
            placing = {line["model"]: as_hex(line["to"]) for line in event["moves"]}
            if unit is None:
                return False
            for model in placing:
                own = position.unit_of(model)
                if own is None or own.side != unit.side:
                    return False
            return not any(
                position.board.is_shut(h)
                or list(self.has_room(h, [m for m, to in placing.items() if to == h], unit.side, (), placing))
                for h in set(placing.values())
            )
        if name in ("attack", "last_stand", "tp_loss"):
            named = [event[key] for key in ("attacker", "target", "unit") if key in event]
            return all(unit in position.units for unit in named)
        if name == "place":
            h, model = as_hex(event["hex"]), position.models.get(event["model"])
            return model is not None and rules.room(position, h, model.side) >= model.bulk
        return True

    def after(self, event: Event, fallen: set[str], broken: set[tuple[str, str]]) -> None:
        """Keep the books of the open activation, once the event is taken over."""
        active, name = self.active, event["type"]
        if active is None:
            return
        if (
            name == "attack"
            and event["role"] in ("assault", "counter")
            and event["target"] in (active.unit, active.target)
        ):
            victim = other(event["player"])
            locations = sum(1 for s in event["steps"] if step_card(s) is not None and s.get("casualty"))
            counted = len([m for m in fallen if self.position.models[m].side == victim])
            if option(self.ask, "R-SOR-CAS") == "locations_count" and locations:
                counted = locations
            active.lost[victim] += counted
        if name == "weapon_destroyed" and event["model"] in active.unmarked:
            active.unmarked.remove(event["model"])
        if name == "attack" and event["mode"] == "ranged":
            crit = rules.the_crit(event)
            triggered = crit["model"] if crit is not None and crit["effect"] == CANNON else None
            lost = [m for m in rules.cannons_lost(event, self.ask) if (m, "assault_cannon") not in broken]
            active.unmarked += [m for m in lost if m != triggered]
            active.may_follow_up = crit is not None and crit["effect"] == FOLLOW_UP
            if event["target"] not in self.position.units and option(self.ask, "R-FLM-GONE") == "no_follow_up":
                active.may_follow_up = False

    # -------------------------------------------------------------- set-up

    def on_game_start(self, event: Event) -> Found:
        players = event.get("players") or self.header["players"]
        if len({player["id"] for player in players}) < len(players):
            yield self.fault("CAL-SET-01", "illegal", None, "both players are of one side")
        elif any(name in self.stated and event[name] != self.stated[name] for name in event if name != "type"):
            yield self.fault("CAL-SET-01", "ambiguous", None, "the start of the game is not that of the header")

    def on_place(self, event: Event) -> Found:
        position = self.position
        model = position.models.get(event["model"])
        if model is None or position.unit_of(model.id) is not None:
            yield self.fault("CAL-SET-02", "illegal", None, "the model is unknown or already stands somewhere")
            return
        h = as_hex(event["hex"])
        unit = position.unit_at(h)
        zones = [
            {as_hex(z) for z in line["zone"]}
            for line in self.header["scenario"].get("deployments") or ()
            if line["side"] == model.side
            and line.get("zone")
            and (line["models"] == "all" or model.id in line["models"])
        ]
        for rule in (one.rule for one in (*self.map_allows(h, h, None), *self.has_room(h, [model.id], model.side))):
            yield self.fault(rule, "illegal", model.side, "no model can be placed there")
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
                if position.unit_of(model) is None and model not in position.removed:
                    yield self.fault("CAL-SET-02", "omitted", side, f"{model} was never placed")

    def on_position(self, event: Event) -> Found:
        self.set_up_checked = True
        self.refreshed = event["phase"] == "action"
        self.drawn = Counter(dict.fromkeys(SIDES, int(self.refreshed)))
        for line in event["units"]:
            yield from self.compare("CAL-ACT-05", line, "tp", max(0, line["tp"]), line["side"])
        with_tps = {line["side"] for line in event["units"] if line["tp"] > 0}
        if event["phase"] == "action" and event.get("to_act") is not None and with_tps == {other(event["to_act"])}:
            yield self.fault(
                "CAL-ACT-04", "miscalculated", None, "who is to act", event["to_act"], other(event["to_act"])
            )

    def on_door(self, event: Event) -> Found:
        edge, cause = as_edge(event["edge"]), event["cause"]
        for rule in self.header["scenario"].get("special_rules", ()):
            effect = (rule.get("effect") or {}).get("door")
            if rule["id"] == cause.get("id") and effect and as_edge(effect["edge"]) == edge:
                on_time = rule["effect"].get("round") in (None, self.position.round)
                if effect["state"] == event["state"] and on_time:
                    return
        for card in self.header.get("command_cards", ()):
            effect = (card.get("effect") or {}).get("door")
            if card["id"] == cause.get("id") and effect and as_edge(effect["edge"]) == edge:
                return
        yield self.fault("CAL-SET-03", "illegal", event.get("player"), "nothing allows this door to change")

    def on_tp_loss(self, event: Event) -> Found:
        unit = self.position.units.get(event["unit"])
        if unit is None:
            return
        if event["cause"] == "crit":
            yield from self.compare("CAL-ACT-05", event, "tp_after", unit.tp, unit.side)
            return
        before = event.get("tp_before", unit.tp)
        yield from self.says_otherwise("TPs before a loss", before, unit.tp)
        yield from self.compare("CAL-ACT-05", event, "tp_after", max(0, before - event["amount"]), unit.side)

    def on_weapon_destroyed(self, event: Event) -> Found:
        model, weapon = event["model"], event["weapon"]
        card = self.position.damage_cards.get(event.get("card") or "", {})
        by_card = event.get("cause") != "crit" and card.get("destroys_weapon", weapon) == weapon
        if (model, weapon) not in self.position.broken and not by_card:
            side = self.position.models[model].side
            yield self.fault(CANNON, "miscalculated", side, "nothing destroyed this weapon")

    # -------------------------------------------------------------- rounds

    def on_initiative(self, event: Event) -> Found:
        first = self.header["scenario"].get("first_initiative") if self.position.round == 1 else None
        self.drawn.clear()
        self.refreshed = False
        if event["source"] == "scenario":
            if first is None:
                yield self.fault(
                    "CAL-INI-01", "omitted", None, "no roll for initiative and no scenario names the holder"
                )
            else:
                yield from self.compare("CAL-INI-01", event, "winner", first, None)
            return
        if "attempts" not in event:
            yield self.fault("CAL-INI-01", "ambiguous", None, "the dice are not recorded")
            return
        attempts = event["attempts"]
        if first is not None:
            yield self.fault("CAL-INI-01", "illegal", None, "the scenario names the holder of the first round")
        for n, attempt in enumerate(attempts):
            for side in SIDES:
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
        side = event["player"]
        count = event.get("count", 1)
        if self.position.phase == "action":
            yield self.fault("CAL-RDY-03", "illegal", side, "a card was drawn after the actions had begun")
        elif event.get("deck", side) != side:
            yield self.fault("CAL-RDY-01", "illegal", side, "a card from the other deck")
        elif self.drawn[side] + count > 1:
            yield self.fault("CAL-RDY-01", "illegal", side, "more than one card", self.drawn[side] + count, 1)
        elif self.position.deck_left[side] == 0 and option(self.ask, "R-RDY-EMPTY") == "no_draw":
            yield self.fault("CAL-RDY-01", "illegal", side, "a card from an empty deck")
        self.drawn[side] += count

    def on_card_play(self, event: Event) -> Found:
        self.played |= {card["side"] for card in self.header.get("command_cards", ()) if card["id"] == event["card"]}
        yield from ()

    def on_tp_refresh(self, event: Event) -> Found:
        position = self.position
        named = set()
        for line in event["units"]:
            unit = position.units.get(line["unit"])
            named.add(line["unit"])
            before = line.get("tp_before", unit.tp if unit else 0)
            side = unit.side if unit else None
            yield from self.says_otherwise("TPs before the ready phase", before, unit.tp if unit else before)
            if unit is None:
                yield self.fault("CAL-RDY-02", "miscalculated", None, f"{line['unit']} is not on the board")
            else:
                yield from self.compare("CAL-RDY-02", line, "tp_after", before + 2, side)
        self.without_tps = [unit for unit in position.units.values() if unit.id not in named]
        self.refreshed = True

    def has_a_card(self, side: str) -> bool:
        """Whether a side can draw; a deck of unknown size is taken to have cards, and an empty one is shuffled anew
        under R-RDY-EMPTY `reshuffle`, unless all cards of the side are in hand (CAL-RDY-01)."""
        if self.position.deck_left.get(side) != 0:
            return True
        cards = [card for card in self.header.get("command_cards", ()) if card["side"] == side]
        in_hand = cards and side not in self.played and len(self.position.hands[side]) >= len(cards)
        return option(self.ask, "R-RDY-EMPTY") == "reshuffle" and not in_hand

    def drawn_late(self, side: str) -> bool:
        """Whether a side's card of this round is still to come, which is another fault than none at all."""
        for event in self.to_come:
            if event["type"] in ("round_end", "initiative"):
                return False
            if event["type"] == "card_draw" and event["player"] == side:
                return True
        return False

    def ready_is_over(self) -> Found:
        """What the ready phase owes, once the first activation comes."""
        for side in SIDES:
            if self.drawn[side] == 0 and self.has_a_card(side) and not self.drawn_late(side):
                yield self.fault("CAL-RDY-01", "omitted", side, "no Command card was drawn")
            self.drawn[side] = max(1, self.drawn[side])
        for unit in self.without_tps:
            yield self.fault("CAL-RDY-02", "omitted", unit.side, f"{unit.id} got no TPs")
        self.without_tps = []
        if not self.refreshed:
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
        spent = event.get("tp_before", unit.tp) < 1 and not position.has_tp(side)
        if unit.side != side or (due is not None and due != side and not spent):
            yield self.fault("CAL-ACT-01", "illegal", side, "it was the other player's turn", side, due)
        before = event.get("tp_before", unit.tp)
        yield from self.says_otherwise("TPs before an activation", before, unit.tp)
        if before < 1:
            yield self.fault("CAL-ACT-02", "illegal", side, "the unit has no TPs")
        else:
            yield from self.compare("CAL-ACT-02", event, "tp_after", before - 1, side)
        pinned = rules.next_to_enemy(position, unit.hex, unit.side)
        if pinned and event["action"] in ("run", "shoot"):
            yield self.fault("CAL-PIN-01", "illegal", side, f"{unit.id} is pinned")
        self.active = Activation(side, unit.id, event["action"], unit.hex, pinned)

    def on_pass(self, event: Event) -> Found:
        side = event["player"]
        if self.position.has_tp(side) and option(self.ask, "R-ACT-PASS") == "no_pass":
            yield self.fault("CAL-ACT-04", "illegal", side, "a player with TPs passed")

    def on_round_end(self, event: Event) -> Found:
        left = {unit.id: unit.tp for unit in self.position.units.values() if unit.tp > 0}
        if left:
            yield self.fault("CAL-RND-01", "illegal", None, "the round ended while units had TPs", {}, left)

    def on_campaign_end(self, event: Event) -> Found:
        wins = tally(event["results"], self.ask)
        yield from self.compare("CAL-CMP-01", event, "tally", wins, None)
        sixth = event["scenario_6"]
        due = shifted(sixth["before"], event.get("tally", wins))
        if sixth["after"] != due:
            kind = "omitted" if sixth["after"] == sixth["before"] else "miscalculated"
            yield self.fault("CAL-CMP-02", kind, None, "the adjustment of scenario 6", sixth["after"], due)

    # -------------------------------------------------------------- what an activation still owes

    def close(self) -> Found:
        """Compulsory acts of the open activation that were not recorded."""
        active, self.active = self.active, None
        if active is None:
            return
        if active.action == "assault" and active.target is None and "assault" not in active.done:
            yield self.fault("CAL-ASL-01", "omitted", active.player, "an Assault without its attack")
        for model in active.unmarked:
            side = self.position.models[model].side
            yield self.fault(CANNON, "omitted", side, f"the assault cannon of {model} was not marked as destroyed")
        yield from self.retreat_was_made(active)

    def retreat_was_made(self, active: Activation) -> Found:
        """The retreat and the last stand that an assault owes, when something else comes."""
        position = self.position
        if active.target is None or active.stood:
            return
        side = active.target_side
        due = rules.retreat_is_due(position, active.target, active.lost)
        if active.left_behind is None:
            unit = position.units.get(active.target)
            if not due or unit is None:
                return
            hexes = rules.retreat_hexes(position, unit)
            nowhere: dict[str, Hex | None] = dict.fromkeys(unit.models)
            stuck = not rules.needlessly_stayed(position, nowhere, hexes)
            if active.retreat_seen and stuck:
                yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")
            else:
                yield self.fault("CAL-RET-01", "omitted", side, "a retreat was due and not made")
        elif active.left_behind:
            yield self.fault("CAL-DLS-01", "omitted", side, "no last stand was rolled")

    # -------------------------------------------------------------- moves

    def licensed(self, event: Event, unit: str, action: str) -> Found:
        """The open activation allows this action of this unit, and it is the first one."""
        active, side = self.active, event["player"]
        if active is None or active.unit != unit:
            yield self.fault("CAL-ACT-02", "illegal", side, f"{unit} acts without having been activated")
            return
        if active.done:
            yield self.fault("CAL-ACT-03", "illegal", side, "a second action in one activation")
        elif active.action != action:
            yield self.fault("CAL-ACT-03", "ambiguous", side, "another action than the one declared")
        active.done.append(action)

    def step_is_legal(self, a: Hex, b: Hex, start: Hex, rule: str, side: str) -> Found:
        """One step of a unit into an adjacent, enterable, unoccupied hex."""
        position = self.position
        if not rules.adjacent(position, a, b) or position.board.is_shut(b):
            yield self.fault(rule, "illegal", side, f"{b} is not adjacent to {a}, or cannot be entered")
        elif position.unit_at(b) is not None and b != start:
            yield self.fault(rule, "illegal", side, f"{b} is occupied")
        yield from self.map_allows(a, b, side)

    def map_allows(self, a: Hex, b: Hex, side: str | None) -> Found:
        """No step leads through a sealed door, into a blocked hex or off the board (CAL-HEX-01, -02, -05)."""
        position = self.position
        if are_neighbours(a, b) and edge_of(a, b) in position.sealed:
            yield self.fault("CAL-HEX-05", "illegal", side, "a step across a sealed door")
        if position.board.is_shut(b):
            off_board = b not in position.board.kinds
            yield self.fault("CAL-HEX-02" if off_board else "CAL-HEX-01", "illegal", side, f"{b} cannot be entered")

    def has_room(
        self, h: Hex, models: Sequence[str], side: str, also: Sequence[str] = (), moving: Collection[str] = ()
    ) -> Found:
        """What stands in a hex with those who arrive is of one side and has a bulk of 3 at most (CAL-HEX-07).

        `also` are the other rules that say so for this move, `moving` everybody who moves in it.
        """
        position = self.position
        there = position.unit_at(h)
        present = [m for m in there.models if m not in {*models, *moving}] if there is not None else []
        if there is not None and present and there.side != side:
            yield self.fault("CAL-HEX-07", "illegal", side, f"both sides in {h}")
            return
        bulk = position.bulk(present) + position.bulk(models)
        if bulk > rules.CAPACITY:
            for rule in ("CAL-HEX-07", *also):
                yield self.fault(rule, "illegal", side, "too much bulk in one hex", bulk, rules.CAPACITY)

    def on_move_unit(self, event: Event) -> Found:
        position, side, cause = self.position, event["player"], event["cause"]
        unit = position.units.get(event["unit"])
        if unit is None:
            yield self.fault("CAL-ATK-08", "illegal", side, f"{event['unit']} is not on the board")
            return
        path = rules.path_of(event)
        start, steps = path[0], len(path) - 1
        yield from self.says_otherwise("where a move starts", start, unit.hex)
        if cause in ("advance", "run"):
            yield from self.licensed(event, unit.id, cause)
        if steps and path[-1] != unit.hex:
            yield from self.has_room(path[-1], event.get("models", unit.models), side)
        rule = {"advance": "CAL-ADV-01", "run": "CAL-RUN-01", "assault_pre": "CAL-ASL-02", "move_in": "CAL-ASL-04"}[
            cause
        ]
        if cause == "move_in":
            yield from self.moved_in(event, unit, path)
            return
        broken: set[str] = set()
        for a, b in pairwise(path):
            for found in self.step_is_legal(a, b, start, rule, side):
                if found.rule not in broken:
                    yield found
                broken.add(found.rule)
        reported = rule in broken
        if cause == "run":
            yield from self.run_stopped(path, side, reported)
        elif steps != 1 and not reported:
            yield self.fault(rule, "illegal", side, "this move is exactly one step", steps, 1)
        if event.get("models") and set(event["models"]) != set(unit.models):
            yield self.fault(rule, "illegal", side, "the unit moves as a whole")
        if cause == "assault_pre":
            active = self.active
            if active is None or active.unit != unit.id:
                yield self.fault("CAL-ACT-02", "illegal", side, f"{unit.id} acts without having been activated")
                return
            if (active.beside_enemy or not rules.next_to_enemy(position, path[-1], side)) and not reported:
                yield self.fault("CAL-ASL-02", "illegal", side, "this step before the attack is not allowed")

    def run_stopped(self, path: list[Hex], side: str, reported: bool) -> Found:
        """The length of a Run, and the hexes that end it."""
        steps = len(path) - 1
        if steps > 2 and not reported:
            yield self.fault("CAL-RUN-01", "illegal", side, "a Run is at most two steps", steps, 2)
        if steps == 0 and option(self.ask, "R-ACT-NOP") == "not_allowed":
            yield self.fault("CAL-RUN-01", "illegal", side, "a Run of no steps")
        between = path[1:-1]
        if any(rules.next_to_enemy(self.position, h, side) for h in between):
            yield self.fault("CAL-RUN-02", "illegal", side, "a step beyond a hex next to an enemy")
        if any(self.position.board.is_rubble(h) for h in between):
            yield self.fault("CAL-RUN-03", "illegal", side, "a step beyond rubble")

    def moved_in(self, event: Event, unit: Unit, path: list[Hex]) -> Found:
        """The free move into the hex that the attacked unit has left."""
        active, side = self.active, event["player"]
        if active is not None:
            yield from self.retreat_was_made(active)
        fine = (
            active is not None
            and active.unit == unit.id
            and active.target_hex is not None
            and path[1:] == [active.target_hex]
            and self.position.unit_at(active.target_hex) is None
            and not active.moved_in
        )
        if not fine:
            yield self.fault("CAL-ASL-04", "illegal", side, "this is not the free move of the unit that attacked")
        elif active is not None:
            active.moved_in = True

    def on_move_models(self, event: Event) -> Found:
        position, side, retreat = self.position, event["player"], event["cause"] == "retreat"
        unit = position.units.get(event["unit"])
        if unit is None:
            yield self.fault("CAL-ATK-08", "illegal", side, f"{event['unit']} is not on the board")
            return
        placing: dict[str, Hex | None] = dict.fromkeys(unit.models)
        if retreat:
            yield from self.retreat_allowed(unit)
        else:
            yield from self.licensed(event, unit.id, "consolidate")
            if not event["moves"] and option(self.ask, "R-ACT-NOP") == "not_allowed":
                yield self.fault("CAL-CON-01", "illegal", side, "a Consolidate of no models")
        yield from self.nothing_else_moves(event, unit)
        for line in event["moves"]:
            model, h = line["model"], as_hex(line["to"])
            if model not in placing or placing[model] is not None:
                yield self.fault("CAL-CON-01", "illegal", side, f"{model} is not of this unit or moves twice")
                continue
            placing[model] = h
            host = position.unit_at(h)
            shut = not rules.adjacent(position, unit.hex, h) or position.board.is_shut(h)
            # A retreat is a Consolidate with further limits (CAL-RET-02).
            if shut or (host and host.side != side):
                yield self.fault("CAL-CON-01", "illegal", side, f"{h} is not open to {model}")
            if retreat and (shut or rules.next_to_enemy(position, h, side)):
                yield self.fault("CAL-RET-02", "illegal", side, f"{h} is not open to a retreat")
            yield from self.map_allows(unit.hex, h, side)
        claimed = {line["model"]: as_hex(line["to"]) for line in event["moves"]}
        full_too = ("CAL-CON-03", "CAL-RET-02") if retreat else ("CAL-CON-03",)
        for h in dict.fromkeys(claimed.values()):
            yield from self.has_room(h, [m for m, to in claimed.items() if to == h], side, full_too, claimed)
        if retreat:
            if rules.needlessly_stayed(position, placing, rules.retreat_hexes(position, unit)):
                yield self.fault("CAL-RET-03", "illegal", side, "a model stayed although it could leave")
            if self.active is not None:
                self.active.left_behind = [m for m, h in placing.items() if h is None]
                self.active.before_retreat = list(unit.models)
        yield from self.resulting_tps(event, unit)

    def nothing_else_moves(self, event: Event, unit: Unit) -> Found:
        """Models of a unit that is joined do not move (CAL-CON-02)."""
        entered = {as_hex(line["to"]) for line in event["moves"]}
        for line in event["moves"]:
            own = self.position.unit_of(line["model"])
            if own is not None and own is not unit and own.side == unit.side and own.hex in entered:
                yield self.fault("CAL-CON-02", "illegal", event["player"], f"{line['model']} is of the unit joined")

    def resulting_tps(self, event: Event, unit: Unit) -> Found:
        """The TPs of hosts (unchanged), of new units and of the parent."""
        position, side = self.position, event["player"]
        copied = rules.new_unit_tp(position, unit, event["cause"], self.ask)
        for line in event["units"]:
            h = as_hex(line["hex"])
            host = position.unit_at(h)
            if h == unit.hex:
                yield from self.compare("CAL-CON-05", line, "tp", unit.tp, side)
            elif host is not None:
                yield from self.compare("CAL-CON-04", line, "tp", host.tp, side)
            else:
                yield from self.compare("CAL-CON-05", line, "tp", copied, side)

    # -------------------------------------------------------------- retreat and last stand

    def on_counter(self, event: Event) -> Found:
        active, side = self.active, event["player"]
        if "choice" not in event:
            yield self.fault("CAL-ASL-03", "ambiguous", side, "whether a counter-attack was made")
            return
        gone = event["unit"] not in self.position.units
        if active is None or active.target != event["unit"] or (event["choice"] == "made" and gone):
            yield self.fault("CAL-ASL-03", "illegal", side, "this unit has no counter-attack")

    def on_retreat(self, event: Event) -> Found:
        active, side = self.active, event["player"]
        if active is None or active.target != event["unit"]:
            yield self.fault("CAL-RET-01", "illegal", side, "no retreat of this unit can be due")
            return
        lost = {s: active.lost[s] for s in SIDES}
        claimed = event.get("casualties", lost)
        if claimed != lost:
            yield self.fault("CAL-RET-01", "miscalculated", side, "the casualties of both units", claimed, lost)
        due = rules.retreat_is_due(self.position, event["unit"], claimed)
        yield from self.compare("CAL-RET-01", event, "due", due, side, "omitted" if due else "illegal")
        active.retreat_seen = event.get("due", due)
        if claimed != lost:
            active.lost = Counter(claimed)

    def retreat_allowed(self, unit: Unit) -> Found:
        """A retreat move is made by the attacked unit, and only when it is due."""
        active = self.active
        due = (
            active is not None
            and active.target == unit.id
            and rules.retreat_is_due(self.position, unit.id, active.lost)
        )
        if not due and not (active is not None and active.retreat_seen):
            yield self.fault("CAL-RET-01", "illegal", unit.side, "a retreat that was not due")

    def on_last_stand(self, event: Event) -> Found:
        position, side, active = self.position, event["player"], self.active
        unit = position.units.get(event["unit"])
        if unit is None or active is None:
            yield self.fault("CAL-DLS-01", "illegal", side, "nobody has to stand here")
            return
        if active.left_behind is None:
            active.before_retreat = list(unit.models)
            nowhere: dict[str, Hex | None] = dict.fromkeys(unit.models)
            if rules.needlessly_stayed(position, nowhere, rules.retreat_hexes(position, unit)):
                yield self.fault("CAL-RET-03", "illegal", side, "a model stayed although it could leave")
            active.left_behind = list(unit.models)
        active.stood = True
        named = list(event["models"])
        if not set(named) <= set(active.left_behind):
            yield self.fault("CAL-DLS-01", "illegal", side, "a model that did not stay rolled")
        elif len(named) != len(active.left_behind) or len(event["faces"]) != len(named):
            yield self.fault("CAL-DLS-01", "miscalculated", side, "one die for each model that stayed")
        pool = unit.models if option(self.ask, "R-DLS-VEX") == "in_hex" else active.before_retreat
        yield from self.rerolls_are_legal(event, event["faces"], rules.has_vexilla(position, pool), side)
        faces = rules.final_faces(event["faces"], event)
        due = [m for m, face in zip(named, faces, strict=False) if face == "S"]
        survivors = event.get("survivors", due)
        if sorted(survivors) != sorted(due):
            yield self.fault("CAL-DLS-01", "miscalculated", side, "who survives the last stand", survivors, due)
        yield from self.compare("CAL-DLS-02", event, "tp_after", 0 if survivors else None, side)

    def rerolls_are_legal(self, holder: Mapping[str, Any], faces: Any, bearer: bool, side: str) -> Found:
        """A vexilla beside a roll: a living bearer in the unit, dice of the roll, and no die twice."""
        seen: Counter[int] = Counter()
        size = len(faces) + len(faces_of((rules.the_crit(dict(holder)) or {}).get("added", ())))
        for entry in rules.rerolls_of(holder):
            seen.update(entry["indices"])
            if entry["source"] == "vexilla" and not bearer:
                rule = "CAL-DLS-03" if "survivors" in holder or holder.get("type") == "last_stand" else "CAL-WAR-02"
                yield self.fault(rule, "illegal", side, "no bearer of a vexilla may use it here")
        if any(not 0 <= i < size for i in seen):
            yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled that is not in the roll")
        elif any(count > 1 for count in seen.values()):
            yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled twice")

    # -------------------------------------------------------------- attacks

    def on_attack(self, event: Event) -> Found:
        position, side, role = self.position, event["player"], event["role"]
        attacker, target = position.units.get(event["attacker"]), position.units.get(event["target"])
        if attacker is None or target is None:
            yield self.fault("CAL-ATK-08", "illegal", side, "a unit that is not on the board")
            return
        if event["mode"] == "melee":
            yield from self.melee(event, attacker, target, role)
        else:
            yield from self.ranged(event, attacker, target, role)
        lacking = self.lacking(event, target)
        if lacking:
            yield self.fault(lacking[0], "ambiguous", side, "a fact of the attack is not recorded")
        elif not set(faces_of(event["roll"])) <= set("CHSB"):
            yield self.fault("CAL-DIE-01", "ambiguous", side, "a face that these dice do not have")
        else:
            yield from self.roll(event, attacker, target)
        yield from self.defence(event, target)

    def lacking(self, event: Event, target: Unit) -> list[str]:
        """The rules that a missing fact of an attack keeps from being judged, in the order in which they are asked."""
        rules_left: list[str] = []
        if "roll" not in event:
            rules_left.append("CAL-DIE-01")
        elif "crit" not in event and "C" in rules.faces_before_crit(event) and self.seen_kind != "obscured":
            rules_left.append("CAL-CRT-01")
        for step in event.get("steps", ()):
            if step_card(step) is None and "target_model" not in step and len(target.models) > 1:
                rules_left.append("CAL-ATK-04")
            if "faces" not in step:
                rules_left.append("CAL-ATK-05")
        return rules_left

    def melee(self, event: Event, attacker: Unit, target: Unit, role: str) -> Found:
        position, side, active = self.position, event["player"], self.active
        if role == "assault":
            yield from self.licensed(event, attacker.id, "assault")
            if target.side == side or not rules.adjacent(position, attacker.hex, target.hex):
                yield self.fault("CAL-ASL-01", "illegal", side, "the target is not an adjacent enemy unit")
            if active is not None:
                active.target, active.target_side, active.target_hex = target.id, target.side, target.hex
        else:
            right = active is not None and active.target == attacker.id and active.unit == target.id
            if not right or (active is not None and active.countered):
                yield self.fault("CAL-ASL-03", "illegal", side, "this unit has no counter-attack against that one")
            if active is not None:
                active.countered = True
        due = rules.melee_dice(position, attacker, target, role, self.ask)
        claimed = event.get("dice", due)
        for name, rule in (("models", "CAL-ATK-01"), ("weapons", "CAL-MEL-01"), ("pistols", "CAL-ATK-01")):
            yield from self.compare(rule, claimed, name, due[name], side)
        yield from self.compare("CAL-WAR-01", claimed, "harness", due["harness"], side)
        parts = sum(claimed.get(name, due[name]) for name in ("models", "weapons", "pistols", "harness"))
        yield from self.compare("CAL-ATK-01", claimed, "total", parts, side)
        self.dice_due = claimed.get("total", parts)
        self.seen_kind = ""

    def ranged(self, event: Event, attacker: Unit, target: Unit, role: str) -> Found:
        position, side, active = self.position, event["player"], self.active
        if role == "flamer_follow_up":
            yield from self.follow_up(event, attacker, target)
        else:
            yield from self.licensed(event, attacker.id, "shoot")
            if target.side == side:
                yield self.fault("CAL-SHT-01", "illegal", side, "the target is a friend")
        if active is not None:
            active.flame_hex = target.hex
        los = event.get("los", {})
        steps = rules.distance(position, attacker.hex, target.hex, self.ask)
        if los.get("distance") is not None:
            yield from self.compare("CAL-DST-01", los, "distance", steps, side)
        seen = rules.sight(position, attacker, target, self.ask, rules.aim_of(event))
        self.seen_kind = seen.kind
        claimed_class = los.get("class", seen.kind)
        if seen.kind == "none":
            yield self.fault("CAL-SHT-01", "illegal", side, "no line of sight of either kind")
        if seen.kind == "none" and claimed_class == "obscured":
            yield self.fault("CAL-OBS-01", "illegal", side, "no line for an obscured shot")
        elif seen.kind != claimed_class:
            rule = rule_of_class(rules.scene(position, attacker, target, self.ask))
            yield self.fault(rule, "miscalculated", side, "the class of the shot", claimed_class, seen.kind)
        if seen.kind == claimed_class == "obscured" and rules.aim_of(event) is not None and not seen.aim_is_legal:
            yield self.fault("CAL-OBS-01", "miscalculated", side, "the line to the point aimed at is not legal")
        parts = rules.bonuses(position, target, seen)
        parts["obscured"] = 2 if claimed_class == "obscured" else 0
        claimed = los.get("bonuses", parts)
        # A bonus that goes with the class claimed follows from that class, and is not another fault (CAL-AUD-02).
        fitting = {seen.barricade} if seen.kind != "none" else set()
        if claimed_class not in (seen.kind, "none"):
            aim = rules.aim_of(event)
            fitting.add(rules.barricade_of(position, attacker, target, claimed_class, self.ask, aim))
        over = claimed.get("barricade", 0)
        if over in (0, 2) and (not fitting or None in fitting or bool(over) in fitting):
            parts["barricade"] = over
        elif seen.kind == "none":
            # An illegal shot is counted as if it had been allowed, of the class that it claims.
            parts["barricade"] = 2 if True in fitting else 0
        for name, rule in (("obscured", "CAL-OBS-02"), ("rubble", "CAL-DEF-02"), ("barricade", "CAL-DEF-03")):
            yield from self.compare(rule, claimed, name, parts[name], target.side)
        yield from self.weapons(event, attacker, steps, role)
        due = rules.shooting_dice(event["weapons"])
        dice = event.get("dice", due)
        yield from self.compare("CAL-RNG-01", dice, "weapons", due["weapons"], side)
        yield from self.compare("CAL-ATK-02", dice, "total", dice.get("weapons", due["weapons"]), side)
        self.dice_due = dice.get("total", dice.get("weapons", due["total"]))
        if not rules.shooting_weapons(position, attacker, steps, role):
            yield self.fault("CAL-SHT-01", "illegal", side, "no usable weapon")

    def weapons(self, event: Event, attacker: Unit, steps: int | None, role: str) -> Found:
        """The weapons counted in a ranged attack against those that may be."""
        side = event["player"]
        named = {(m, w) for m, w in event["weapons"]}
        carried = set(rules.intact(self.position, attacker))
        due = set(rules.shooting_weapons(self.position, attacker, steps, role))
        broken = sorted((named - carried) & self.position.broken)
        if broken:
            # Each distinct rule once, however many weapons (CAL-AUD-03).
            yield self.fault("CAL-CRT-06", "illegal", side, f"{broken[0][1]} of {broken[0][0]} is destroyed")
        for m, w in sorted(named - carried - self.position.broken):
            yield self.fault("CAL-ATK-02", "miscalculated", side, f"{m} has no {w} to shoot with")
        too_far = [w for _, w in sorted(named & carried - due) if not rules.within(steps, WEAPONS[w].limit)]
        if too_far:
            yield self.fault("CAL-SHT-02", "illegal", side, f"{too_far[0]} beyond its range")
        wrong = [w for _, w in sorted(named & carried - due) if rules.within(steps, WEAPONS[w].limit)]
        if wrong:
            rule = "CAL-CRT-04" if role == "flamer_follow_up" else "CAL-ATK-02"
            yield self.fault(rule, "miscalculated", side, f"{wrong[0]} gives no dice here")
        left_out = sorted(due - named)
        if option(self.ask, "R-ATK-MULTI") == "one_per_model":
            armed = [m for m, _ in named & due]
            if len(set(armed)) < len(armed):
                yield self.fault("CAL-ATK-02", "miscalculated", side, "two weapons of one model")
            left_out = [(m, w) for m, w in left_out if m not in armed]
        for rule, some in (
            ("CAL-SHT-02", [w for _, w in left_out if WEAPONS[w].limit is not None]),
            ("CAL-ATK-02", [w for _, w in left_out if WEAPONS[w].limit is None]),
        ):
            if some:
                yield self.fault(rule, "miscalculated", side, f"{some[0]} was left out")

    def follow_up(self, event: Event, attacker: Unit, target: Unit) -> Found:
        """The extra attack of a flamer: allowed by a trigger, on a unit next to the target before."""
        active, side = self.active, event["player"]
        if active is None or active.unit != attacker.id or not active.may_follow_up:
            yield self.fault("CAL-CRT-04", "illegal", side, "no follow-up attack was due to this unit")
        elif active.flame_hex is None or not rules.adjacent(self.position, active.flame_hex, target.hex):
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is not next to the first")
        elif target.side == side and option(self.ask, "R-FLM-SIDE") == "enemy_only":
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is a friend")
        elif not rules.within(rules.distance(self.position, attacker.hex, target.hex, self.ask), 3):
            yield self.fault("CAL-CRT-04", "illegal", side, "the second target is beyond 3 hexes")

    def roll(self, event: Event, attacker: Unit, target: Unit) -> Found:
        """Faces, re-rolls, the critical effect and the pool."""
        position, side = self.position, event["player"]
        faces = faces_of(event["roll"])
        if len(faces) != self.dice_due:
            yield self.fault("CAL-DIE-01", "miscalculated", side, "faces in the roll", len(faces), self.dice_due)
        bearer = event["mode"] == "melee" and rules.has_vexilla(position, attacker.models)
        yield from self.rerolls_are_legal(event, faces, bearer, side)
        if event["mode"] == "melee" and option(self.ask, "R-VEX-TIMING") == "before_crit":
            for entry in rules.rerolls_of(event):
                if rules.is_late(entry) or any(i >= len(faces) for i in entry["indices"]):
                    yield self.fault("CAL-ATK-10", "illegal", side, "a vexilla after an effect was carried out")
        crit = rules.the_crit(event)
        if isinstance(event.get("crit"), list) and len(event["crit"]) > 1:
            yield self.fault("CAL-CRT-01", "illegal", side, "two critical effects in one attack")
        if crit is not None:
            yield from self.trigger(event, attacker, crit)
            yield from self.effect(event, target, crit)
        due = rules.hits(rules.faces_after_crit(event))
        first = rules.hits([*faces, *faces_of((crit or {}).get("added", ()))])
        rule = "CAL-DIE-02" if event.get("pool") == first else "CAL-ATK-03"
        yield from self.compare(rule, event, "pool", due, side)

    def trigger(self, event: Event, attacker: Unit, crit: Mapping[str, Any]) -> Found:
        """Whether this effect may be triggered at all."""
        side = event["player"]
        if crit["weapon"] in WEAPONS:
            table = "CAL-MEL-01" if event["mode"] == "melee" else "CAL-RNG-01"
            yield from self.compare(table, crit, "effect", WEAPONS[crit["weapon"]].effect, side)
        if "C" not in rules.faces_for_trigger(event, self.ask):
            yield self.fault("CAL-CRT-01", "illegal", side, "an effect without a critical")
        if self.seen_kind == "obscured":
            yield self.fault("CAL-OBS-03", "illegal", side, "an effect in an obscured attack")
        if event["role"] == "flamer_follow_up" and crit["effect"] == FOLLOW_UP:
            # The attack that comes of it follows from this fault, and is none of its own.
            if option(self.ask, "R-FLM-CHAIN") == "once":
                yield self.fault("CAL-CRT-04", "illegal", side, "a follow-up triggered another follow-up")
        if (crit["model"], crit["weapon"]) not in rules.effects_open(self.position, event, self.ask):
            yield self.fault("CAL-CRT-02", "illegal", side, f"{crit['weapon']} has no effect in this attack")

    def effect(self, event: Event, target: Unit, crit: Mapping[str, Any]) -> Found:
        """What a triggered effect did to the roll and to the target's TPs."""
        side, effect = event["player"], crit["effect"]
        faces = rules.faces_before_crit(event)
        passes = list(crit.get("passes", ()))
        added = faces_of(crit.get("added", ()))
        if effect == SUPPRESS:
            lost = min(1, target.tp)
            forgotten = lost and crit.get("tp_lost") == 0 and crit.get("tp_after", target.tp) == target.tp
            kind = "omitted" if forgotten else "miscalculated"
            yield from self.compare(SUPPRESS, crit, "tp_lost", lost, side, kind)
            yield from self.compare(SUPPRESS, crit, "tp_after", target.tp - crit.get("tp_lost", lost), side)
        elif effect == CANNON:
            now = list(faces)
            for entry in passes:
                if any(i >= len(now) or now[i] not in cannon_rerolls(self.ask) for i in entry["indices"]):
                    yield self.fault(CANNON, "illegal", side, "a die re-rolled that shows another face")
                    break
                now = rules.rerolled(now, [entry])
            due = rules.cannon_breaks(event, self.ask)
            yield from self.compare(CANNON, crit, "weapon_destroyed", due, side, "omitted" if due else "miscalculated")
        elif effect == CLAWS:
            allowed = 4 if crit["weapon"] == "two_lightning_claws" else 2
            chosen = [i for entry in passes for i in entry["indices"]]
            if len(chosen) > allowed:
                yield self.fault(CLAWS, "illegal", side, "more dice than the claws allow", len(chosen), allowed)
            before = {i for entry in rules.rerolls_of(event) if not rules.is_late(entry) for i in entry["indices"]}
            if any(not 0 <= i < len(faces) for i in chosen):
                yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled that is not in the roll")
            elif before & set(chosen) or len(chosen) != len(set(chosen)):
                yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled twice")
        elif effect in (MISSILE, PLASMA, CHAINSWORD):
            due_added = {MISSILE: len(target.models), PLASMA: 4, CHAINSWORD: rules.chain_dice(event, self.ask)}[effect]
            if len(added) != due_added:
                yield self.fault(effect, "miscalculated", side, "dice added", len(added), due_added)
            if effect == PLASMA:
                loses = crit["model"] if rules.overheats(added, self.ask) else None
                kind = "omitted" if loses and crit.get("self_casualty") is None else "miscalculated"
                yield from self.compare(PLASMA, crit, "self_casualty", loses, side, kind)

    def defence(self, event: Event, target: Unit) -> Found:
        """The damage loop, step by step."""
        position, side = self.position, target.side
        judged = rules.judged_steps(position, event, self.ask)
        crit = rules.the_crit(event)
        effect = crit["effect"] if crit is not None else None
        steps = event.get("steps", [])
        alive = list(target.models)
        deck, on_model, drawn = list(position.in_deck), len(position.on_model), list[str]()
        for n, (step, due) in enumerate(zip(steps, judged, strict=True)):
            if due["pool_before"] <= 0 or not alive:
                yield self.fault("CAL-ATK-07", "illegal", side, "the loop went on with nothing left")
            yield from self.target_choice(step, event, target, alive, deck, drawn)
            armour_rule = self.armour_rule(n, step, effect, event)
            # An effect's own rule is about its user; everything else in the loop is about the attacked side.
            whose = side if armour_rule == "CAL-ATK-05" else event["player"]
            yield from self.compare(armour_rule, step, "armour_used", due["armour_used"], whose)
            if n == 0 and effect == MELT and due["melted"] and 0 in (step.get("bonus_dice"), due["bonus_dice"]):
                yield from self.compare(MELT, step, "bonus_dice", due["bonus_dice"], event["player"])
            else:
                for_rubble = event["mode"] == "melee" and position.board.is_rubble(target.hex)
                rule = "CAL-DEF-02" if for_rubble and step.get("bonus_dice") == 1 else "CAL-DEF-04"
                yield from self.compare(rule, step, "bonus_dice", due["bonus_dice"], side)
            if "faces" in step:
                if len(step["faces"]) != due["dice"]:
                    found = len(step["faces"])
                    yield self.fault("CAL-ATK-05", "miscalculated", side, "defence dice", found, due["dice"])
                yield from self.rerolls_are_legal(step, step["faces"], False, side)
                yield from self.compare("CAL-ATK-05", step, "shields", due["shields"], side)
            yield from self.compare("CAL-ATK-05", step, "pool_after_shields", due["pool_after_shields"], side)
            stamina_rule = "CAL-ATK-06"
            if effect == CHAINFIST and (n == 0 or step.get("stamina_used") == 1):
                stamina_rule = CHAINFIST if n == 0 else "CAL-CRT-14"
            whose = side if stamina_rule == "CAL-ATK-06" else event["player"]
            yield from self.compare(stamina_rule, step, "stamina_used", due["stamina_used"], whose)
            yield from self.compare("CAL-ATK-06", step, "casualty", due["casualty"], side)
            yield from self.compare("CAL-ATK-06", step, "pool_left", due["pool_left"], side)
            card = step_card(step)
            if step.get("casualty", due["casualty"]):
                if card is None and step.get("target_model") in alive:
                    alive.remove(step["target_model"])
                elif card in deck and position.damage_cards[card].get("stays_on_model"):
                    deck.remove(card)
                    on_model += 1
                    if position.cards_that_kill is not None and on_model >= position.cards_that_kill:
                        alive = []
        left = event.get("pool", rules.hits(rules.faces_after_crit(event)))
        if steps:
            left = steps[-1].get("pool_left", judged[-1]["pool_left"])
        spent = bool(drawn) and self.no_repeats and all(card in drawn for card in deck)
        if left > 0 and alive and not spent:
            yield self.fault("CAL-ATK-07", "omitted", side, "hits and models were left", left, 0)

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
            elif isinstance(card, dict):
                fine = card.get("by") == "UM" and card.get("selection", "drawn") == "drawn"
                # Where all have been drawn there is no other.
                again = self.no_repeats and card["card"] in drawn and any(one not in drawn for one in deck)
                if fine and "shuffled" not in card:
                    yield self.fault("CAL-SOR-01", "omitted", "UM", "no shuffle of the Damage deck was recorded")
                elif not fine or not card["shuffled"] or card["card"] not in deck or again:
                    whose = card.get("by") or "UM"
                    yield self.fault("CAL-SOR-01", "illegal", whose, "the Damage card was not drawn as it must be")
                drawn.append(card["card"])
        elif step.get("target_model", alive[0] if alive else None) not in alive:
            yield self.fault("CAL-ATK-04", "illegal", target.side, "this model could not be picked")
        elif step.get("chosen_by", target.side) != target.side:
            yield self.fault("CAL-ATK-04", "illegal", target.side, "this model could not be picked so")


def check(lines: Sequence[Event], readings: Readings | None = None, packs: Packs | None = None) -> list[Disagreement]:
    """Every disagreement between a log (header first) and the rules, in the order of the log.

    `readings` left out are those of the header, and the defaults where that has none.
    """
    header, events = (packs or Packs()).inlined(lines[0]), lines[1:]
    in_force = readings if readings is not None else header.get("rulings", {}).get("readings", {})
    replay = Replay(header, in_force, lines[0])
    found: list[Disagreement] = []
    for n, event in enumerate(events):
        replay.to_come = events[n + 1 :]
        found += replay.event(event)
    return found
