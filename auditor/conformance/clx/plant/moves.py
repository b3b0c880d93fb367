"""Faults of movement, runs and driving (CLX-MOVE, CLX-RUN, CLX-VEH-05)."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal

from auditor.conformance.clx.inches import Point, apart, connected, gap, length, number, written
from auditor.conformance.clx.moving import EXACT, turn_to_way
from auditor.conformance.clx.plant.spoiling import Expected, Occasion, Planter, found
from auditor.conformance.clx.table import Json, Model, Table

CENT = Decimal("0.01")


def model_of(t: Table, key: str) -> Model:
    """A model by its id."""
    return next(m for u in t.units.values() for m in u.models if m.id == key)


def points(row: Json) -> list[Point]:
    """The points of a way."""
    return [(number(p[0]), number(p[1])) for p in row["path"]]


def round_about(o: Occasion, row: Json, low: Decimal, high: Decimal) -> bool:
    """Make a way longer than `low` and at most `high` by a corner off it; whether there is one that breaks nothing else."""
    model = model_of(o.t, row["id"])
    if model.base.corners or len(row["path"]) != 2:
        return False
    start, end = points(row)
    for out in ("0.5", "1", "2", "3", "4", "5"):
        for d in o.rng.sample(EXACT, len(EXACT)):
            corner = ((start[0] + d[0] * Decimal(out)).quantize(CENT), (start[1] + d[1] * Decimal(out)).quantize(CENT))
            way = [start, corner, end]
            if not low < length(way) <= high or not o.t.in_bounds(model.base_at(corner)):
                continue
            if any(o.t.crossed(model, way, flag) for flag in ("difficult", "dangerous", "impassable")):
                continue
            foes = [n for e in o.t.enemies(model.unit) for n in e.living]
            if foes and min(clear_by(model, way, n) for n in foes) < Decimal("1.1"):
                continue
            z = row["path"][0][2:]
            row["path"].insert(1, [written(corner[0]), written(corner[1]), *z])
            if "headings" in row:
                row["headings"].insert(1, row["headings"][0])
            return True
    return False


def clear_by(model: Model, way: list[Point], foe: Model) -> Decimal:
    """How far a way keeps from an enemy."""
    from auditor.conformance.clx.inches import way_gap

    return way_gap(model.base, way, foe.base)


def too_far(o: Occasion) -> Expected | None:
    """A model goes further than it may."""
    if o.event["type"] != "move" or o.tag["crossing"] or o.tag.get("hull"):
        return None
    limit = o.tag["full"]
    more = o.rng.choice((Decimal("0.1"), Decimal("0.5"), Decimal(1)))
    for row in o.rng.sample(o.event["models"], len(o.event["models"])):
        if round_about(o, row, limit + more, limit + more + 2):
            o.event.pop("difficult_dice", None)
            return found("CLX-MOVE-01", "illegal", subject=[row["id"]])
    return None


def wrong_allowance(o: Occasion) -> Expected | None:
    """An allowance is claimed that the models do not have."""
    if o.event["type"] != "move" or o.tag["crossing"] or "claimed_allowance" not in o.event:
        return None
    if any("headings" in row for row in o.event["models"]):
        return None  # What a hull that turns may move is the base game's.
    o.event["claimed_allowance"] += o.rng.choice((1, 2, -1))
    return found("CLX-MOVE-01", "miscalculated")


def too_near(o: Occasion) -> Expected | None:
    """A model passes an enemy closer than an inch."""
    if o.event["type"] != "move" or o.tag["crossing"] or o.tag.get("hull"):
        return None
    for row in o.event["models"]:
        model = model_of(o.t, row["id"])
        if model.base.corners or len(row["path"]) != 2:
            continue
        start, end = points(row)
        for foe in (n for e in o.t.enemies(model.unit) for n in e.living):
            if apart(start, foe.at) > 12 or foe.base.corners:
                continue
            reach = model.base.r + foe.base.r + Decimal("0.7")
            for d in EXACT:
                corner = (foe.at[0] + d[0] * reach, foe.at[1] + d[1] * reach)
                corner = (corner[0].quantize(CENT), corner[1].quantize(CENT))
                way = [start, corner, end]
                if length(way) > o.tag["full"] or not o.t.in_bounds(model.base_at(corner)):
                    continue
                if any(o.t.crossed(model, way, flag) for flag in ("difficult", "dangerous", "impassable")):
                    continue
                if gap(model.base_at(start), foe.base) < 1:
                    continue
                row["path"].insert(1, [written(corner[0]), written(corner[1]), *row["path"][0][2:]])
                return found("CLX-MOVE-02", "illegal", subject=[row["id"]])
    return None


def left_behind(o: Occasion) -> Expected | None:
    """A unit ends its move out of coherency: one model stays where it was, or goes elsewhere."""
    if o.event["type"] not in ("move", "run") or o.tag.get("crossing") or o.tag.get("hull") or "before" not in o.tag:
        return None
    rows = o.event["models"]
    unit = o.t.units[o.event["unit"]]
    if len(rows) < 2 or len(rows) != len(unit.living) or unit.vehicle:
        return None
    for row in o.rng.sample(rows, len(rows)):
        model = model_of(o.t, row["id"])
        start = points(row)[0]
        kept, high = model.at, model.z
        for d in [(Decimal(0), Decimal(0)), *EXACT]:
            step = o.tag["allowance"] if d[0] or d[1] else Decimal(0)
            spot = (
                (start[0] + d[0] * step).quantize(CENT, ROUND_DOWN),
                (start[1] + d[1] * step).quantize(CENT, ROUND_DOWN),
            )
            if (not step and spot != start) or apart(start, spot) > o.tag["allowance"]:
                continue
            model.at = spot
            others = [m.base for m in unit.living if m is not model]
            lonely = min(gap(model.base, base) for base in others) > Decimal("2.4")
            flags = ("difficult", "dangerous", "impassable")
            clear = all(gap(model.base, n.base) >= 1 for e in o.t.enemies(unit) for n in e.living)
            clear = clear and o.t.keeps_clear(model, [start, spot])
            clear = clear and not any(o.t.crossed(model, [start, spot], f) for f in flags)
            if lonely and clear and connected(others) and o.t.room([(model, model.base)]):
                model.z = o.t.surface(spot)
                at = [written(v) for v in (*spot, model.z)] if model.z or high else [written(v) for v in spot]
                row["path"] = [row["path"][0], at] if step else [row["path"][0], row["path"][0]]
                if not step:
                    model.z = number(row["path"][0][2]) if len(row["path"][0]) > 2 else Decimal(0)
                turn_to_way(unit, o.tag["before"])
                return found("CLX-MOVE-03" if o.event["type"] == "move" else "CLX-RUN-03", "illegal")
            model.at = kept
    return None


def coherent_move(o: Occasion) -> Expected | None:
    """CLX-MOVE-03."""
    return left_behind(o) if o.event["type"] == "move" else None


def coherent_run(o: Occasion) -> Expected | None:
    """CLX-RUN-03."""
    return left_behind(o) if o.event["type"] == "run" else None


def no_dice_in_the_rough(o: Occasion) -> Expected | None:
    """Nobody rolled for difficult ground."""
    if o.event["type"] != "move" or not o.tag["crossing"] or "difficult_dice" not in o.event:
        return None
    del o.event["difficult_dice"]
    o.event.pop("claimed_allowance", None)
    return found("CLX-MOVE-04", "omitted")


def both_dice(o: Occasion) -> Expected | None:
    """The dice for difficult ground are added, or the lower one is taken."""
    if o.event["type"] != "move" or not o.tag["crossing"] or "claimed_allowance" not in o.event:
        return None
    dice = o.event["difficult_dice"]
    wrong = [v for v in (sum(dice), min(dice)) if v != o.event["claimed_allowance"]]
    if not wrong:
        return None
    o.event["claimed_allowance"] = o.rng.choice(wrong)
    return found("CLX-MOVE-04", "miscalculated")


def run_too_far(o: Occasion) -> Expected | None:
    """A model runs further than the dice allow."""
    if o.event["type"] != "run" or o.event["mode"] == "flat_out":
        return None
    limit = o.tag["allowance"]
    for row in o.rng.sample(o.event["models"], len(o.event["models"])):
        if round_about(o, row, limit + Decimal("0.2"), limit + 3):
            return found("CLX-RUN-01", "illegal", subject=[row["id"]])
    return None


def run_misread(o: Occasion) -> Expected | None:
    """The distance of a run is claimed as another."""
    if o.event["type"] != "run" or "dice" not in o.event:
        return None
    o.event["claimed_distance"] += o.rng.choice((1, -1))
    return found("CLX-RUN-01", "miscalculated")


def fled_too_far(o: Occasion) -> Expected | None:
    """A unit falls back further than it rolled."""
    if o.event["type"] != "fall_back" or not o.tag.get("cause"):
        return None
    limit = Decimal(o.tag["roll"])
    for row in o.event["models"]:
        if round_about(o, row, limit + Decimal("0.2"), limit + 6):
            return found(o.tag["cause"], "illegal", subject=[row["id"]])
    return None


def turned_once_more(o: Occasion) -> Expected | None:
    """A vehicle that used all its movement turns on the spot."""
    if o.event["type"] != "move" or not o.tag.get("hull") or not o.tag["border"] or len(o.event["models"]) > 1:
        return None
    row = o.event["models"][0]
    model = model_of(o.t, row["id"])
    for by in (90, -90, 45):
        new = (row["headings"][-1] + by) % 360
        if o.t.room([(model, model.base_at(model.at, new))]):
            row["path"].append(row["path"][-1])
            row["headings"].append(new)
            model.heading = new
            return found("CLX-VEH-05", "illegal", subject=[row["id"]])
    return None


MOVES: dict[str, Planter] = {
    "CLX-MOVE-01": too_far,
    "CLX-MOVE-01 miscalculated": wrong_allowance,
    "CLX-MOVE-02": too_near,
    "CLX-MOVE-03": coherent_move,
    "CLX-MOVE-04": both_dice,
    "CLX-MOVE-04 omitted": no_dice_in_the_rough,
    "CLX-RUN-01": run_too_far,
    "CLX-RUN-01 miscalculated": run_misread,
    "CLX-RUN-03": coherent_run,
    "CLX-MOR-01 flight": fled_too_far,
    "CLX-VEH-05": turned_once_more,
}
