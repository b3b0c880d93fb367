"""A table at which one thing is done or written wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.conformance.hcg.abilities import Plan
from auditor.conformance.hcg.game import Game
from auditor.conformance.hcg.table import Event, GameOver, Happening, Made
from auditor.conformance.hcg.windows import Roll

PLAYED_ON = 25
"""So many events are still written after a fault, unless the game goes on to its end."""


@dataclass
class Expected:
    """What an audit must find. `event` is the one that it is pinned to; None: the next one that is written."""

    rule: str
    kind: str
    player: str | None
    event: Event | None
    seq: int = 0
    sign: str = ""
    """A field that the next event must have."""
    at: tuple[str, ...] = ()
    """What the type of the next event begins with, where it is not the very next one."""
    of: str = ""
    """The card that is the source of the next event, where it is not any."""

    def is_at(self, event: Event) -> bool:
        """Whether the fault is pinned to an event that comes after it."""
        if self.of and event.get("source", {}).get("card") != self.of:
            return False
        if self.rule == "HCG-DEP-01" and event["type"] == "deploy.regular" and event["by"] != self.player:
            return False  # The hand of the other player.
        if event["type"] == "draw" and event["cause"] == "effect" and "setup.ships" in self.at:
            return False  # Drawn by another set-up instruction.
        if event["type"] == "reshuffle" and not self.at and self.rule != "HCG-ROLL-06":
            return False  # The deck is refilled for what comes next.
        return (not self.sign or self.sign in event) and (not self.at or event["type"].startswith(self.at))

    def as_json(self) -> Event:
        return {"rule": self.rule, "kind": self.kind, "seq": self.seq, "player": self.player}


class SpoiledGame(Game):
    """A game in which the fault `pending` is planted at the first occasion from turn `due` on."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pending = ""
        self.due = 1
        self.plays_on = False
        self.planted: Expected | None = None
        self.high = True
        self.blind_to_victory = False
        """Whether nobody sees that somebody has won."""
        self.earlier: dict[str, list[tuple[str, int]]] = {}
        """Bonuses of this battle that have ended, by card: (stat, amount)."""

    @property
    def still_to_plant(self) -> list[str]:
        """The faults that may be planted."""
        return [self.pending]

    @property
    def waiting(self) -> bool:
        """Whether the fault is still to be planted, now."""
        return self.planted is None and self.turn >= self.due

    def book(self, expected: Expected | None) -> bool:
        """Remember the fault that was just planted."""
        if expected is None:
            return False
        self.planted = expected
        if not self.plays_on:
            self.stops_at = len(self.log) + PLAYED_ON if self.stops_at is None else self.stops_at
            self.stop_reason = "stop"
        return True

    def write(self, type_: str, **fields: Any) -> Event:
        from auditor.conformance.hcg.plant.numbers import NUMBERS

        event = super().write(type_, **fields)
        if self.planted is not None and self.planted.event is None:
            if self.planted.is_at(event):
                self.planted.event = event
        if self.waiting and self.pending in NUMBERS:
            self.book(NUMBERS[self.pending](self, event))
        return event

    def twist(self, point: str, value: Made, *facts: Any) -> Made:
        from auditor.conformance.hcg.plant.twists import TWISTS

        if not self.waiting or TWISTS.get(self.pending, ("",))[0] != point:
            return value
        found = TWISTS[self.pending][1](self, value, *facts)
        if found is None:
            return value
        twisted, expected = found
        self.book(expected)
        made: Made = twisted
        return made

    def pick_act(self, by: str) -> str:
        from auditor.conformance.hcg.plant.misdeeds import MISDEEDS

        if self.waiting and self.pending in MISDEEDS:
            done = MISDEEDS[self.pending](self, by)
            if done:
                return done
        return self.led(by) or super().pick_act(by)

    def led(self, by: str) -> str:
        """An act, rightly done, that leads to the occasion for the fault."""
        from auditor.conformance.hcg.plant.leading import led

        return led(self, self.pending.split()[0], by) if self.waiting and self.pending else ""

    def draw(self, player: str, count: int, to: str, cause: str, source: Event | None = None) -> list[Event]:
        from auditor.conformance.hcg.plant.leading import lay_at_hand

        if cause == "command" and self.waiting and self.pending:
            lay_at_hand(self, self.pending.split()[0], player)
        return super().draw(player, count, to, cause, source)

    def play_turn(self) -> None:
        if not self.open_sectors():
            raise GameOver(None, "stop")  # A won game that went on till nothing was left to fight over.
        super().play_turn()

    def winner_by_sectors(self) -> str | None:
        return None if self.blind_to_victory else super().winner_by_sectors()

    def against_the_rule(
        self, by: str, letter: str, scope: tuple[Any, ...], acts: Sequence[Happening] = ()
    ) -> Plan | None:
        """What is played in a window where it may not be."""
        from auditor.conformance.hcg.plant.played import picked

        for name in self.still_to_plant:
            plan = picked(self, name, by, letter, scope, acts)
            if plan is not None:
                return plan
        return None

    def begin(self, plan: Plan, type_: str, scope: tuple[Any, ...], **fields: Any) -> Event:
        if plan.index == "line" and plan.piece.zone != "command_hand":
            # The command line of a card on the table: nothing leaves a hand.
            return self.write(type_, by=plan.by, source=plan.source, choices=plan.choices, **fields)
        return super().begin(plan, type_, scope, **fields)

    def pick_tactic(self, by: str) -> Plan | None:
        scope = ("ba", self.battle, self.turn, self.ba)
        return self.against_the_rule(by, "T", scope) or self.helpful(by) or super().pick_tactic(by)

    def helpful(self, by: str) -> Plan | None:
        """A tactic, rightly played, that brings the occasion for the fault about."""
        from auditor.conformance.hcg.plant.specials import killing

        return killing(self, by)

    def pick_reaction(self, by: str, trigger: int, acts: Sequence[Happening]) -> Plan | None:
        return self.against_the_rule(by, "R", ("trigger", trigger), acts) or super().pick_reaction(by, trigger, acts)

    def pick_modifier(self, by: str, made: Roll) -> Plan | None:
        scope = ("roll", made.event["seq"])
        return self.against_the_rule(by, "M", scope) or super().pick_modifier(by, made)

    def expire(self, *ends: str) -> None:
        if "battle" in ends:
            self.earlier = {}
        for piece in self.pieces.values():
            if piece.bonuses:
                ended = [(bonus.stat, bonus.amount) for bonus in piece.bonuses if bonus.until in ends]
                self.earlier.setdefault(piece.id, []).extend(ended)
        super().expire(*ends)

    def finish_game(self, end: GameOver) -> None:
        if end.reason == "stop" and self.planted is not None and self.planted.event is None:
            # The fault shows at an event that never comes.
            self.planted = None
        self.due = 0
        super().finish_game(end)
