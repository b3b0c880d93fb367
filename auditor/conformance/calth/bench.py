"""What every chapter of the replay works with: the open activation, what is said, and what any move must keep to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from auditor.conformance.calth import referee as rules
from auditor.conformance.calth.board import Hex, are_neighbours, edge_of
from auditor.conformance.calth.held import Held
from auditor.conformance.calth.labels import Labels
from auditor.conformance.calth.position import Event, Position, Unit, faces_of, opening
from auditor.conformance.calth.tables import (
    WEAPONS,
    Readings,
    option,
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
"""What ends the open activation."""


@dataclass
class Activation:
    """What has happened since an `activate` event."""

    player: str
    unit: str
    action: str | None
    hex: Hex
    beside_enemy: bool
    done: list[str] = field(default_factory=list)
    target: str | None = None
    target_side: str = ""
    target_hex: Hex | None = None
    striker: str | None = None
    lost: Counter[str] = field(default_factory=Counter)
    countered: bool = False
    said: str = ""
    retreat_seen: bool = False
    retreat_denied: bool = False
    left_behind: list[str] | None = None
    before_retreat: list[str] = field(default_factory=list)
    stood: bool = False
    flame_hex: Hex | None = None
    may_follow_up: bool = False
    flamed: bool = False
    moved_in: bool = False
    unmarked: list[str] = field(default_factory=list)
    recorded: bool = False
    owes_draw: str = ""


@dataclass
class Going:
    """A move that the next line may go on with: catalogue section 5, "One act in several lines".

    path    of a unit: the hexes from the first line's start
    placed  of models: where each went, in the lines so far
    broken  the rules that the lines so far have broken
    """

    type: str
    unit: str
    cause: str
    path: list[Hex] = field(default_factory=list)
    placed: dict[str, Hex] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)


class Bench:
    """The state of one pass over a log, and the checks that several chapters share."""

    def __init__(self, header: Event, readings: Readings, stated: Event | None = None) -> None:
        self.stated, self.header, self.ask = stated or header, header, readings
        self.no_repeats = option(readings, "R-SOR-DECK") == "no_repeat_in_attack"
        self.position: Position = opening(header)
        self.seq = 0
        self.to_come: Sequence[Event] = ()
        self.active: Activation | None = None
        self.going: Going | None = None
        self.locations = 0
        self.seen_kind = ""
        self.drawn: Counter[str] = Counter()
        self.played: set[str] = set()
        self.refreshed = False
        self.refreshed_units: set[str] = set()
        self.misdated: dict[str, tuple[Any, Any]] = {}
        self.labels = Labels(readings)
        self.more_draws: Counter[str] = Counter()
        self.decks_stated: dict[str, int] = {}
        self.late_draw: set[str] = set()
        self.held = Held()
        self.without_tps: list[Unit] = []
        self.set_up_checked = False
        self.placed: set[str] = set()

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

    def says_otherwise(self, what: str, stated: Any, is_so: Any) -> Found:
        """A statement about the position that is not so: the record against itself, which accuses nobody (CAL-AUD-06)."""
        if stated is not None and stated != is_so:
            yield self.fault("CAL-AUD-06", "record", None, what, stated, is_so)

    def override_of(self, event: Event) -> dict[str, Any] | None:
        """The scenario rule or card that an event rests on, if the data know it."""
        source = str(event["override"].get("source"))
        known = (*(self.header["scenario"].get("special_rules") or ()), *(self.header.get("command_cards") or ()))
        return next((one for one in known if source in (one["id"], one.get("name"))), None)

    def given(self, event: Event) -> int | None:
        """The TPs that the effect of a named card or special rule takes; None where none does."""
        if event.get("cause") not in ("card", "scenario") and "override" not in event:
            return None
        known = self.override_of(event) if "override" in event else None
        if known is None:
            texts = (*(self.header["scenario"].get("special_rules") or ()), *(self.header.get("command_cards") or ()))
            known = next((one for one in texts if one["id"] == event.get("card")), None)
        number = ((known or {}).get("effect") or {}).get("tp")
        return None if number is None else -int(number)

    def dice_of_card(self, event: Event) -> int:
        """The dice that the card adds which an attack names."""
        known = self.override_of(event) if "override" in event else None
        return int(((known or {}).get("effect") or {}).get("dice") or 0)

    def suspended(self, event: Event) -> set[str]:
        """The rules that are not judged on an event, by what it rests on (CAL-AUD-05)."""
        if "override" not in event:
            return set()
        known, named = self.override_of(event), set(event["override"].get("rule_ids") or ())
        if known is None:
            return named
        effect = known.get("effect")
        return named | set(known.get("rule_ids") or ()) if effect is None else set(effect.get("suspends") or ())

    def overridden(self, event: Event) -> Found:
        """What rests on a card or rule that is not known, or that no machine can read, is left open (CAL-AUD-05)."""
        if "override" not in event:
            rolls = [event, *event.get("steps", ()), *event.get("attempts", ())]
            sources = [entry.get("source") for roll in rolls for entry in roll.get("rerolls", ())]
            if any(self.text_gives_rerolls(source) for source in sources if source is not None):
                yield self.fault("CAL-AUD-05", "ambiguous", event.get("player"), "a re-roll rests on a text")
            return
        known = self.override_of(event)
        if known is None or known.get("effect") is None:
            source = event["override"].get("source")
            yield self.fault("CAL-AUD-05", "ambiguous", event.get("player"), f"it rests on {source}")

    def licensed(self, event: Event, unit: str, action: str) -> Found:
        """The open activation allows this action of this unit, and it is the first one."""
        active, side = self.active, event["player"]
        if active is None or active.unit != unit:
            yield self.fault("CAL-ACT-02", "illegal", side, f"{unit} acts without having been activated")
            return
        if active.done:
            yield self.fault("CAL-ACT-03", "illegal", side, "a second action in one activation")
        elif active.action != action and not self.own_act_follows(active):
            yield self.fault("CAL-ACT-03", "ambiguous", side, "another action than the one declared")
        active.done.append(action)

    def own_act_follows(self, active: Activation) -> bool:
        """Whether the act of the action declared is still to come: then it is the second one (CAL-ACT-03)."""
        label = self.labels.of.get(active.unit, active.unit)
        for event in self.to_come:
            type_, cause, role = event.get("type"), event.get("cause"), event.get("role")
            if type_ in CLOSING:
                return False
            if active.action == cause and type_ in ("move_unit", "move_models") and event.get("unit") == label:
                return True
            if active.action == role and type_ == "attack" and event.get("attacker") == label:
                return True
        return False

    def map_allows(self, a: Hex, b: Hex, side: str | None) -> Found:
        """No step leads through a sealed door, into a blocked hex or off the board (CAL-HEX-01, -02, -05)."""
        position = self.position
        if are_neighbours(a, b) and edge_of(a, b) in position.sealed:
            yield self.fault("CAL-HEX-05", "illegal", side, "a step across a sealed door")
        if position.board.is_shut(b):
            off_board = b not in position.board.kinds
            yield self.fault("CAL-HEX-02" if off_board else "CAL-HEX-01", "illegal", side, f"{b} cannot be entered")

    def enemy_holds(self, h: Hex, side: str) -> bool:
        """Whether the other side stands in a hex; who enters it breaks the rule of the act alone (CAL-HEX-07)."""
        there = self.position.unit_at(h)
        return there is not None and there.side != side

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

    def text_gives_rerolls(self, source: Any) -> bool:
        """Whether this names a card or a rule of the scenario of which only the text is known."""
        texts = (*(self.header["scenario"].get("special_rules") or ()), *(self.header.get("command_cards") or ()))
        return any(source in (one["id"], one.get("name")) and one.get("effect") is None for one in texts)

    def rerolls_are_legal(self, holder: Mapping[str, Any], faces: Any, bearer: bool, side: str) -> Found:
        """A vexilla beside a roll: a living bearer in the unit, dice of the roll, and no die twice."""
        seen: Counter[int] = Counter()
        size = len(faces) + len(faces_of((rules.the_crit(dict(holder)) or {}).get("added", ())))
        for entry in rules.rerolls_of(holder):
            seen.update(entry["indices"])
            if len(faces_of(entry["faces"])) not in (len(entry["indices"]), len(set(entry["indices"]))):
                yield self.fault(
                    "CAL-DIE-02", "miscalculated", side, "dice re-rolled and their new faces differ in number"
                )
            source = entry.get("source")
            by_rule = source in (None, "vexilla", *WEAPONS) or str(source).startswith("CAL-")
            if not by_rule and not self.text_gives_rerolls(source):
                yield self.fault("CAL-WAR-02", "illegal", side, f"no rule gives a re-roll by {source}")
            if source == "vexilla" and not bearer:
                rule = "CAL-DLS-03" if "survivors" in holder or holder.get("type") == "last_stand" else "CAL-WAR-02"
                yield self.fault(rule, "illegal", side, "no bearer of a vexilla may use it here")
        if any(not 0 <= i < size for i in seen):
            yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled that is not in the roll")
        elif any(count > 1 for count in seen.values()):
            yield self.fault("CAL-DIE-02", "illegal", side, "a die was re-rolled twice")
