"""A watched table at which Command cards and the scenario do what no rule does: draw, add dice, move doors and units.

Everything of it is licensed: by a card in the hand of its player, played once, or by a special rule of the scenario.
"""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import edge_of, neighbours
from auditor.conformance.calth.boards import Pack
from auditor.conformance.calth.near import WatchedTable
from auditor.conformance.calth.position import Event, Unit
from auditor.conformance.calth.tables import SIDES

THROUGH_RUBBLE, UNBIDDEN = "CAL-RUN-03", "CAL-ACT-02"
CURRENT: Pack = {
    "id": "current",
    "name": "The current",
    "text": "Between two activations the current may carry a unit off.",
    "rule_ids": [UNBIDDEN],
    "effect": {"suspends": [UNBIDDEN]},
}
"""A special rule under which a unit is moved without being activated."""


def cards_of_orders(rng: Random, board: Pack) -> list[Pack]:
    """A Command deck for each side of cards that draw, add dice, suspend a rule or move a door."""
    doors = [edge_of((a[0], a[1]), (b[0], b[1])) for a, b in _doors(board)]
    cards: list[Pack] = []
    for side in SIDES:
        effects: list[tuple[list[str], Pack]] = [
            *([(["CAL-RDY-01"], {"draw": n}) for n in (1, 2)]),
            *([(["CAL-ATK-01", "CAL-ATK-02"], {"dice": n}) for n in (1, 1, 2)]),
            *([([THROUGH_RUBBLE], {"suspends": [THROUGH_RUBBLE]})] * 2),
        ]
        for door in rng.sample(doors, min(2, len(doors))):
            state = rng.choice(("open", "sealed"))
            effects.append((["CAL-SET-03"], {"door": {"edge": [list(h) for h in door], "state": state}}))
        rng.shuffle(effects)
        cards += [
            {"id": f"{side.lower()}-order-{n}", "side": side, "name": f"Order {n}", "timing": "action",
             "rule_ids": ids, "effect": effect}
            for n, (ids, effect) in enumerate(effects, 1)
        ]  # fmt: skip
    return cards


def _doors(board: Pack) -> list[tuple[Any, Any]]:
    return [(edge["a"], edge["b"]) for edge in board["edges"] if edge["feature"] == "door"]


class TableWithOrders(WatchedTable):
    """A watched table; in the share `orders` of its activations a card is played for what it does, or a rule used."""

    orders = 0.0

    def activation(self, side: str) -> None:
        """As at any table; before it a card may be played, or a unit be carried off."""
        if self.chance(self.orders):
            self.rng.choice((self.draws_more, self.moves_a_door, self.carries_off))(side)
            if rules.side_to_act(self.position) != side:
                return
        if self.chance(self.orders) and self.runs_through(side):
            return
        super().activation(side)

    def _cards(self, side: str, effect: str) -> list[dict[str, Any]]:
        """The cards in hand with such an effect."""
        known = {card["id"]: card for card in self.header.get("command_cards", ())}
        return [known[c] for c in self.in_hand[side] if effect in (known[c].get("effect") or {})]

    def _named(self, side: str, card: dict[str, Any]) -> dict[str, Any]:
        """The override of an event that rests on a card, which leaves the hand."""
        self.in_hand[side].remove(card["id"])
        return {"source": card["id"], "rule_ids": list(card["rule_ids"]), "text": card["name"]}

    def draws_more(self, side: str) -> None:
        """A card is played whose effect is to draw; all that it gives, or less."""
        for card in self._cards(side, "draw")[:1]:
            self.in_hand[side].remove(card["id"])
            self.write("card_play", side, card=card["id"])
            for _ in range(self.rng.randint(0, card["effect"]["draw"])):
                if self.position.deck_left[side]:
                    self.draw_card(side)

    def moves_a_door(self, side: str) -> None:
        """A card is played that moves a door."""
        for card in self._cards(side, "door")[:1]:
            self.in_hand[side].remove(card["id"])
            self.write("card_play", side, card=card["id"])
            door = card["effect"]["door"]
            self.write("door", side, edge=door["edge"], state=door["state"], cause={"source": "card", "id": card["id"]})

    def carries_off(self, side: str) -> None:
        """The scenario moves a unit, wherever there is room."""
        if CURRENT not in self.header["scenario"].get("special_rules", ()):
            return
        position = self.position
        unit = self.rng.choice(position.side_units(side))
        free = [h for h in sorted(position.board.kinds) if rules.room(position, h, unit.side) == rules.CAPACITY]
        if free:
            named = {"source": CURRENT["id"], "rule_ids": list(CURRENT["rule_ids"]), "text": CURRENT["text"]}
            path = [list(unit.hex), list(self.rng.choice(free))]
            self.write("move_unit", unit.side, unit=unit.id, path=path, cause="scenario", override=named)

    def runs_through(self, side: str) -> bool:
        """A Run that a card lets go on after rubble; whether there was one."""
        position = self.position
        for card in self._cards(side, "suspends")[:1]:
            for unit in (u for u in position.side_units(side) if u.tp >= 1):
                if rules.next_to_enemy(position, unit.hex, side):
                    continue
                for h in neighbours(unit.hex):
                    if not position.board.is_rubble(h) or rules.next_to_enemy(position, h, side):
                        continue
                    ends = [g for g in neighbours(h) if g != unit.hex and rules.may_enter(position, h, g)]
                    if ends and rules.may_enter(position, unit.hex, h):
                        self.activate(unit, "run")
                        path = [list(x) for x in (unit.hex, h, self.rng.choice(ends))]
                        named = self._named(side, card)
                        self.write("move_unit", side, unit=unit.id, path=path, cause="run", override=named)
                        return True
        return False

    def add_dice(self, unit: Unit, event: Event) -> None:
        """A card adds dice to an attack roll."""
        for card in self._cards(unit.side, "dice")[:1]:
            if self.chance(self.orders):
                event["override"] = self._named(unit.side, card)
                event["dice"] = {**event["dice"], "total": event["dice"]["total"] + card["effect"]["dice"]}
