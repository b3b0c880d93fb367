"""A whole game in inches for the speed table: five game turns, sixty models a side, made by rote and legal.

Six units of ten a side, in blocks of five by two that keep their shape. Each turn every unit moves a few inches if the
way is free, shoots with those who see a target, and, once near, charges and fights. Dice and claims follow from what the
models reach; wounds go to the nearest. It is made with the auditor's own measuring, so it shows how long an audit takes
and proves nothing about verdicts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from auditor.geometry.inches.charges import nearest
from auditor.geometry.inches.shapes import Circle, Point, about_gap, gap, point, polygon
from auditor.geometry.inches.sight import Blocker, Ground

RADIUS = Fraction(1, 2)
ROWS = [(x, y) for y in (0, 1) for x in range(5)]
STEP = Fraction("1.3")
WIDTH, DEPTH = 72, 48
TURNS = 5

Event = dict[str, Any]


def _profile() -> dict[str, Any]:
    return {"M": 6, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 9, "AS": 5, "inv": None, "CS": None}


def _unit(name: str, gun: str) -> dict[str, Any]:
    models = [
        {
            "id": f"{name}.m{i}",
            "profile": _profile(),
            "base": {"shape": "circle", "r": 0.5},
            "height": 1.5,
            "weapons": [gun, "blade"],
            "armour_class": "other",
        }
        for i in range(10)
    ]
    return {"id": name, "name": name, "faction": None, "type": "infantry", "models": models, "rules": []}


def _weapon(name: str, kind: str, reach: int | None, strength: int, ap: int | None, rules: list[str]) -> dict[str, Any]:
    shots = None if kind == "melee" else 2 if kind == "assault" else 1
    return {
        "id": name,
        "name": name,
        "range": reach,
        "S": strength,
        "AP": ap,
        "type": kind,
        "shots": shots,
        "rules": rules,
    }


WEAPONS = [
    _weapon("rifle", "assault", 24, 4, None, []),
    _weapon("stubber", "assault", 24, 3, None, ["pinning"]),
    _weapon("blade", "melee", None, 4, None, []),
]


class _Game:
    def __init__(self, seed: int, turns: int) -> None:
        self.last_turn = turns
        self.rng = random.Random(seed)
        self.events: list[Event] = []
        self.turn, self.phase, self.player = 0, "pre", "A"
        self.units = {f"{side}{i}".lower(): side for side in "AB" for i in range(6)}
        self.guns = {name: "stubber" if name[1] in "14" else "rifle" for name in self.units}
        self.at: dict[str, Point] = {}
        self.gone: set[str] = set()
        self.locked: dict[str, str] = {}
        self.pieces = list(self._pieces())
        self.ground = Ground(Blocker(polygon(piece["poly"])) for piece in self.pieces if piece["blocks_los"])

    def _pieces(self) -> Iterator[dict[str, Any]]:
        """Ten walls and ten woods between the two lines."""
        for i in range(20):
            x, y = 3 + 7 * (i % 10), 16 + 11 * (i // 10)
            wide, deep = self.rng.choice((2, 3, 4)), self.rng.choice((1, 2, 3))
            blocks = i % 2 == 0
            yield {
                "id": f"t{i}",
                "name": f"piece {i}",
                "poly": [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]],
                "blocks_los": blocks,
                "cover": "hard" if blocks else "soft",
                "difficult": not blocks,
            }

    def say(self, kind: str, **fields: Any) -> None:
        event = {"seq": len(self.events) + 1, "type": kind, "turn": self.turn, "phase": self.phase}
        self.events.append({**event, "player": self.player, **fields})

    def living(self, unit: str) -> list[str]:
        return [name for i in range(10) if (name := f"{unit}.m{i}") not in self.gone]

    def own(self, player: str) -> list[str]:
        return [unit for unit, side in self.units.items() if side == player and self.living(unit)]

    def base(self, model: str) -> Circle:
        return Circle(self.at[model], RADIUS)

    def far(self, one: str, other: str) -> float:
        return min(about_gap(self.base(a), self.base(b)) for a in self.living(one) for b in self.living(other))

    def nearest(self, unit: str) -> str | None:
        others = self.own("B" if self.units[unit] == "A" else "A")
        return min(others, key=lambda other: self.far(unit, other), default=None)

    # -- the phases -----------------------------------------------------------------------------------------------

    def play(self) -> list[Event]:
        self.say("roll_off", rolls=[{"player": "A", "die": 5}, {"player": "B", "die": 2}], claimed_winner="A")
        self.say("deploy_choice", deploys_first="A", first_turn="A")
        for unit, side in self.units.items():
            self.player = side
            i = int(unit[1])
            row = 6 if side == "A" else 40
            places = [point(4 + 11 * i + STEP * x, row + STEP * y) for x, y in ROWS]
            for model, place in enumerate(places):
                self.at[f"{unit}.m{model}"] = place
            rows = [{"id": m, "pos": _pos(self.at[m])} for m in self.living(unit)]
            self.say("deploy", unit=unit, models=rows, facing=90 if side == "A" else 270)
        for turn in range(1, self.last_turn + 1):
            self.turn = turn
            for self.player in "AB":
                self.phase = "movement"
                self.say("turn_start", claimed_night=self.turn >= 5)
                for self.phase in ("movement", "psychic", "shooting", "assault"):
                    self.say("phase_start")
                    getattr(self, f"_{self.phase}")()
                    self.say("phase_end")
                self.say("turn_end")
        self.player = "B"
        if self.last_turn < TURNS:
            return self.events
        self.say("game_length_roll", after_turn=self.last_turn, roller="B", die=1, claimed_continues=False)
        self.say("game_end", after_turn=self.last_turn, reason="roll")
        return self.events

    def _movement(self) -> None:
        for unit in self.own(self.player):
            if unit in self.locked:
                continue
            up = 1 if self.player == "A" else -1
            for dx, dy in ((0, 4), (1, 3), (-1, 3), (2, 0), (-2, 0)):
                legs = [Fraction(dx), Fraction(dy * up)]
                if self._free(unit, *legs):
                    self._go("move", unit, *legs, claimed_allowance=6)
                    break

    def _go(self, kind: str, unit: str, dx: Fraction, dy: Fraction, **fields: Any) -> None:
        rows = []
        for model in self.living(unit):
            start = self.at[model]
            self.at[model] = Point(start.x + dx, start.y + dy)
            rows.append({"id": model, "path": [_pos(start), _pos(self.at[model])]})
        self.say(kind, unit=unit, models=rows, **fields)

    def _free(self, unit: str, dx: Fraction, dy: Fraction) -> bool:
        """Whether a block may move so: on the table, over no wood, and far from everybody."""
        for model in self.living(unit):
            start = self.at[model]
            x, y = float(start.x + dx), float(start.y + dy)
            if not (1 <= x <= WIDTH - 1 and 1 <= y <= DEPTH - 1):
                return False
            for piece in self.pieces:
                (x0, y0), _, (x1, y1), _ = piece["poly"]
                if min(x, float(start.x)) - 0.6 < x1 and max(x, float(start.x)) + 0.6 > x0:
                    if min(y, float(start.y)) - 0.6 < y1 and max(y, float(start.y)) + 0.6 > y0:
                        return False
            for other in self.units:
                room = 2.1 if self.units[other] != self.units[unit] else 1.1
                if other == unit:
                    continue
                for one in self.living(other):
                    spot = self.at[one]
                    steps = ((x * t + float(start.x) * (1 - t), y * t + float(start.y) * (1 - t)) for t in (0, 0.5, 1))
                    if any((sx - float(spot.x)) ** 2 + (sy - float(spot.y)) ** 2 < room**2 + 1 for sx, sy in steps):
                        return False
        return True

    def _psychic(self) -> None:
        return

    def _shooting(self) -> None:
        hurt: dict[str, int] = {}
        for unit in self.own(self.player):
            target = self.nearest(unit)
            if unit in self.locked or target is None or target in self.locked:
                continue
            # Who fires sees all of the target, so that its nearest model takes each wound.
            enemies = self.living(target)
            firers = [m for m in self.living(unit) if all(self._hits(m, one) for one in enemies)]
            if firers:
                self._attack(unit, target, firers, hurt)
        for target, lost in hurt.items():
            if self.living(target):
                self.player = self.units[target]
                self.say(
                    "morale", unit=target, cause="shooting", dice=[1, 1], claimed_modifier=-lost, claimed_passed=True
                )
                self.player = "B" if self.units[target] == "A" else "A"

    def _hits(self, model: str, one: str) -> bool:
        a, b = self.base(model), self.base(one)
        return about_gap(a, b) <= 23.99 and self.ground.sees(a, b)

    def _attack(self, unit: str, target: str, firers: list[str], hurt: dict[str, int]) -> None:
        attack, gun = f"k{len(self.events)}", self.guns[unit]
        head = {"attack": attack, "weapon": gun}
        self.say("shoot", attack=attack, unit=unit, target=target, claimed_in_range=True)
        self.say("weapon_fire", **head, firers=[{"model": m, "shots": 2} for m in firers])
        self.player, own = self.units[target], self.player
        self.say("cover_rolls", **head, waived=True)
        self.player = own
        dice = [self.rng.randint(1, 6) for _ in range(2 * len(firers))]
        hits = sum(die >= 3 for die in dice)
        self.say("hit_rolls", **head, rolls=[{"die": die} for die in dice], claimed_needed=3, claimed_hits=hits)
        needed = 4 if gun == "rifle" else 5
        dice = [self.rng.choice((1, 2, 3, 4, 5)) if i % 4 else 5 for i in range(hits)]
        wounds = sum(die >= needed for die in dice)
        rolls = [{"die": die} for die in dice]
        self.say("wound_rolls", **head, rolls=rolls, claimed_needed=needed, claimed_wounds=wounds, pool=f"{attack}p")
        self.player = self.units[target]
        lost = 0
        rows = []
        for i in range(wounds):
            left = self.living(target)
            if not left:
                break
            taker = min(left, key=lambda m: min(about_gap(self.base(m), self.base(f)) for f in firers))
            saved = i % 3 != 2
            rows.append(
                {
                    "model": taker,
                    "save": {"kind": "AS", "die": 5 if saved else 2, "claimed_needed": 5},
                    "claimed_saved": saved,
                    "claimed_removed": not saved,
                }
            )
            if not saved:
                self.gone.add(taker)
                lost += 1
        if rows:
            self.say("allocate", attack=attack, pool=f"{attack}p", list=rows)
        if hits and gun == "stubber" and self.living(target):
            self.say(
                "pinning_test",
                unit=target,
                causes=[attack],
                dice=[1, 1],
                claimed_modifier=-lost,
                claimed_pinned=False,
            )
        self.player = own
        hurt[target] = hurt.get(target, 0) + lost
        if not hurt[target]:
            del hurt[target]

    def _assault(self) -> None:
        for unit in self.own(self.player):
            target = self.nearest(unit)
            if target is None or unit in self.locked or target in self.locked:
                continue
            self._charge(unit, target)
        for unit, enemy in list(self.locked.items()):
            if self.units[unit] == self.player:
                self._fight(unit, enemy)

    def _charge(self, unit: str, target: str) -> None:
        """A charge straight forward whose first meeting is exact: of two models in one column."""
        pairs = [
            (abs(self.at[b].y - self.at[a].y) - 1, a, b)
            for a in self.living(unit)
            for b in self.living(target)
            if self.at[a].x == self.at[b].x
        ]
        if not pairs:
            return
        ahead, one, other = min(pairs)
        up = 1 if self.at[other].y > self.at[one].y else -1
        moved = {m: Circle(Point(self.at[m].x, self.at[m].y + up * ahead), RADIUS) for m in self.living(unit)}
        others = [self.base(m) for u in self.units if u != unit for m in self.living(u)]
        if ahead > 9 or any(gap(a, b).sign() < 0 for a in moved.values() for b in others):
            return
        far = nearest([self.base(m) for m in self.living(unit)], [self.base(m) for m in self.living(target)])[0]
        self.say("charge", unit=unit, target=target, dice=[6, 6], claimed_distance=far.shown(), claimed_success=True)
        self._go("charge_move", unit, Fraction(0), up * ahead, target=target, failed=False)
        self.locked[unit], self.locked[target] = target, unit

    def _fight(self, unit: str, enemy: str) -> None:
        own = self.player
        for one, other in ((unit, enemy), (enemy, unit)):
            self.player = self.units[one]
            attack = f"f{len(self.events)}"
            charged = any(
                e["type"] == "charge" and e["unit"] == one and e["turn"] == self.turn for e in self.events[-200:]
            )
            blows = 2 if charged and one == unit else 1
            rows = [
                {"model": m, "claimed_attacks": blows, "claimed_initiative": 4, "target": other, "weapon": "blade"}
                for m in self.living(one)
            ]
            self.say("fight_step", attack=attack, initiative=4, attackers=rows)
            dice = [self.rng.choice((1, 2, 3)) for _ in range(blows * len(rows))]
            rolls = [{"die": die} for die in dice]
            self.say("hit_rolls", attack=attack, weapon="blade", rolls=rolls, claimed_needed=4, claimed_hits=0)
        self.player = own
        self.say("combat_result", wounds_by_A=0, wounds_by_B=0, claimed_loser=None, units=[unit, enemy])


def _pos(at: Point) -> list[float]:
    return [float(at.x), float(at.y)]


def game(seed: int = 1, turns: int = TURNS) -> tuple[dict[str, Any], list[Event]]:
    """The header and the events of a game, or of its first turns."""
    table = _Game(seed, turns)
    events = table.play()
    header = {
        "type": "header",
        "game": "clx",
        "format": 1,
        "players": [
            {"id": side, "name": side, "units": [name for name, own in table.units.items() if own == side]}
            for side in "AB"
        ],
        "table": {"W": WIDTH, "D": DEPTH},
        "units": [_unit(name, table.guns[name]) for name in table.units],
        "weapons": WEAPONS,
        "powers": [],
        "terrain": table.pieces,
        "base_rules": {"BASE-CHARGE": "2D6", "BASE-COVER-GEOM": "AREA_ONLY"},
    }
    return header, events
