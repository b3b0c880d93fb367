"""The frame of a game: who begins, turns and phases, who may act, night and how long it lasts (catalogue 6.1)."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.conformance.clx.armies import SIDES
from auditor.conformance.clx.chart import goes_on
from auditor.conformance.clx.referee.board import Board, Reader
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.table import Json

PHASES = ("movement", "psychic", "shooting", "assault")
BEFORE = ("roll_off", "deploy_choice", "deploy", "seize", "lore_mastery")
FREE = ("turn_start", "turn_end", "game_length_roll", "game_end", "end", "judge")
"""Events whose phase is not looked at."""
TIED = {
    **dict.fromkeys(("move", "reserve_arrival", "tank_shock"), "movement"),
    **dict.fromkeys(("warp_charge", "cast", "dispel", "mental_resistance"), "psychic"),
    **dict.fromkeys(("shoot", "weapon_fire", "guess_shot", "run", "jink", "go_to_ground"), "shooting"),
    **dict.fromkeys(("charge", "charge_move", "grenade", "fight_step", "combat_result"), "assault"),
}
OWN = ("move", "embark", "disembark", "reserve_arrival", "run", "tank_shock", "charge", "charge_move", "shoot",
       "weapon_fire", "guess_shot", "cast", "spot")  # fmt: skip
"""What only the active player does."""
FIRST_ROLL, LAST_ROLL = 5, 7


class Course(Board):
    """The table with the course of the game."""

    def __init__(self, header: Json, options: Mapping[str, str] | None) -> None:
        super().__init__(header, options)
        self.winner: str | None = None
        self.first: str | None = None
        self.seized = False
        self.turn = 0
        self.served: list[str] = []
        """Who has had a turn in this game turn."""
        self.in_turn = self.in_phase = False
        self.ended = False
        self.phase = "pre"
        self.goes_on: dict[int, bool] = {}
        """After which game turns somebody rolled, and what was claimed of it."""

    # ---------------------------------------------------------------- where an event stands

    def stands_right(self, at: Reader) -> Faults:
        """CLX-GAME-01 of an event; whoever cannot tell where it stands raises NotJudged."""
        type_, phase = at.event["type"], at.event.get("phase")
        if type_ in FREE or type_ in ("phase_start", "phase_end"):
            return
        if type_ in BEFORE:
            if self.turn or phase != "pre" or at.event.get("turn") != 0:
                raise NotJudged(f"a {type_} in the game")
            return
        if not self.in_turn or at.event.get("turn") != self.turn:
            raise NotJudged("an event of another turn")
        by, tied = at.player(), TIED.get(type_)
        if type_ == "guess_shot" and phase == "assault" and self.by("OR-GREN-G") == "GUESS":
            raise NotJudged("guesses of grenades are not followed")
        if not self.in_phase or phase != self.phase:
            raise NotJudged("an event of another phase")
        mine = type_ in OWN or (type_ == "warp_charge" and at.event.get("role") == "attack")
        mine = mine or (type_ == "grenade" and at.event.get("side") == "attacker")
        owner = self.owner_of(at)
        if mine and by != self.t.active and owner not in (by, self.t.active):
            raise NotJudged("an act of nobody")
        if tied not in (None, phase) or (mine and by != self.t.active and owner == by):
            yield self.fault("GAME-01", "illegal", by)
            self.stops = True

    def owner_of(self, at: Reader) -> str | None:
        """Whose unit or psyker an event names: the act is theirs, whoever stands in `player` (section 5)."""
        unit, psyker = at.event.get("unit"), at.event.get("psyker")
        if isinstance(unit, str) and unit in self.t.units:
            return self.t.units[unit].owner
        if isinstance(psyker, str) and psyker in self.models:
            return self.models[psyker].unit.owner
        return None

    def on_phase_start(self, at: Reader) -> Faults:
        phase = at.one_of("phase", PHASES)
        if not self.in_turn or self.in_phase or at.event.get("turn") != self.turn:
            raise NotJudged("a phase out of place")
        if self.phase in PHASES and PHASES.index(phase) <= PHASES.index(self.phase):
            yield self.fault("GAME-01", "illegal", self.t.active)
            self.stops = True
            return
        self.phase, self.in_phase = phase, True
        self.t.phase = phase
        self.opens(phase)

    def on_phase_end(self, at: Reader) -> Faults:
        if not self.in_phase or at.event.get("phase") != self.phase or at.event.get("turn") != self.turn:
            raise NotJudged("a phase ends that was not open")
        yield from self.closes(self.phase)
        self.in_phase = False

    def opens(self, phase: str) -> None:
        """What begins anew with a phase."""
        raise NotImplementedError

    def closes(self, phase: str) -> Faults:
        """What is left out when a phase ends."""
        raise NotImplementedError

    # ---------------------------------------------------------------- before the battle

    def on_roll_off(self, at: Reader) -> Faults:
        rolls = at.rows("rolls")
        if self.winner is not None or len(rolls) % 2 or not rolls:
            raise NotJudged("a roll-off out of place")
        pairs = [{row.player(): row.whole("die") for row in rolls[n : n + 2]} for n in range(0, len(rolls), 2)]
        if any(len(pair) < 2 or not all(1 <= die <= 6 for die in pair.values()) for pair in pairs):
            raise NotJudged("a roll-off of other dice")
        ties = [pair["A"] == pair["B"] for pair in pairs]
        if ties[-1] or not all(ties[:-1]):
            raise NotJudged("a roll-off that decides nothing, or twice")
        winner = "A" if pairs[-1]["A"] > pairs[-1]["B"] else "B"
        self.winner = at.player("claimed_winner") if "claimed_winner" in at.event else winner
        if self.winner != winner:
            yield self.fault("GAME-02", "miscalculated", None)

    def on_deploy_choice(self, at: Reader) -> Faults:
        by, self.first = at.player(), at.player("first_turn")
        apart = at.player("deploys_first") != self.first and self.by("OR-FIRST") == "COUPLED"
        wrong = by != self.winner or apart
        if self.winner is None:
            yield self.fault("GAME-02", "omitted", None)
            if apart:
                raise NotJudged("two faults of one choice")
        elif wrong:
            yield self.fault("GAME-02", "illegal", by)

    def on_seize(self, at: Reader) -> Faults:
        by, die = at.player(), at.whole("die")
        if self.first is None or not 1 <= die <= 6:
            raise NotJudged("a die of nobody")
        claimed = at.flag_claimed("claimed_success")
        success = die == 6 if claimed is None else claimed
        if by == self.first or self.seized:
            yield self.fault("GAME-03", "illegal", by)
            if success or claimed != (die == 6):
                self.stops = True
            return
        self.seized = True
        if success != (die == 6):
            yield self.fault("GAME-03", "miscalculated", by)
        if success:
            self.first = by

    # ---------------------------------------------------------------- turns

    @property
    def second(self) -> str:
        """Who goes second."""
        assert self.first is not None
        return "B" if self.first == "A" else "A"

    def on_turn_start(self, at: Reader) -> Faults:
        if self.first is None or self.in_turn or self.ended:
            raise NotJudged("a turn out of place")
        begins = len(self.served) in (0, len(SIDES))
        turn, player = (self.turn + 1, self.first) if begins else (self.turn, self.second)
        if (at.event.get("turn"), at.player()) != (turn, player):
            raise NotJudged("somebody else's turn")
        if begins and FIRST_ROLL <= self.turn <= LAST_ROLL:
            if self.goes_on.get(self.turn) is False:
                raise NotJudged("a turn after the end")
            if self.turn not in self.goes_on:
                yield self.fault(self.rule_of(self.turn), "omitted", self.second)
        if begins and turn > LAST_ROLL + 1:
            raise NotJudged("a turn after the last")
        night = at.flag_claimed("claimed_night")
        if night is not None and night != (turn >= FIRST_ROLL):
            yield self.fault("GAME-08", "miscalculated", None)
        self.served = [player] if begins else [*self.served, player]
        self.turn = self.t.turn = turn
        self.t.active = player
        self.t.clock += 1
        self.in_turn, self.in_phase, self.phase = True, False, ""
        self.begins_turn(player)

    def begins_turn(self, player: str) -> None:
        """What of a unit lasts for a turn."""
        for unit in self.t.units.values():
            unit.begin_turn(player)

    def on_turn_end(self, at: Reader) -> Faults:
        if not self.in_turn or self.in_phase or at.event.get("turn") != self.turn:
            raise NotJudged("a turn ends that was not open")
        self.in_turn = False
        yield from ()

    @staticmethod
    def rule_of(turn: int) -> str:
        """The rule about the roll after a game turn."""
        return f"GAME-0{turn - 1}"

    def over(self, at: Reader) -> int:
        """The game turn that has just been played."""
        turn = at.whole("after_turn")
        if self.in_turn or len(self.served) < len(SIDES) or turn != self.turn or at.event.get("turn") != turn:
            raise NotJudged("the end of another turn")
        return turn

    def on_game_length_roll(self, at: Reader) -> Faults:
        turn, by, die = self.over(at), at.player("roller"), at.whole("die")
        if turn in self.goes_on or not FIRST_ROLL <= turn <= LAST_ROLL or not 1 <= die <= 6:
            raise NotJudged("a roll out of place")
        claimed = at.flag_claimed("claimed_continues")
        right = goes_on(turn, die)
        self.goes_on[turn] = right if claimed is None else claimed
        if by != self.second and self.by("OR-LENGTH-ROLLER") == "SECOND":
            yield self.fault(self.rule_of(turn), "illegal", by)
            if claimed not in (None, right):
                raise NotJudged("two faults of one roll")
        elif claimed not in (None, right):
            yield self.fault(self.rule_of(turn), "miscalculated", by)

    def on_game_end(self, at: Reader) -> Faults:
        reason = at.one_of("reason", ("roll", "last_turn", "concession", "time", "other"))
        self.ended = True
        if reason in ("concession", "time", "other"):
            return
        turn = self.over(at)
        if reason == "last_turn":
            if turn != LAST_ROLL + 1:
                raise NotJudged("no last turn")
        elif not FIRST_ROLL <= turn <= LAST_ROLL or self.goes_on.get(turn):
            raise NotJudged("an end that no roll brought")
        elif turn not in self.goes_on:
            yield self.fault(self.rule_of(turn), "omitted", self.second)

    def on_end(self, at: Reader) -> Faults:
        self.stops = True
        yield from ()

    def on_judge(self, at: Reader) -> Faults:
        """A judge's word, which states no position."""
        if "position" in at.event:
            raise NotJudged("a judge states a position")
        yield from ()
