"""A charge as a bar: how far it had to go, and how far it was rolled for, on one ruler; and an attack as a funnel."""

from __future__ import annotations

from functools import partial

from markupsafe import Markup, escape

from auditor.report.boards.inches import funnel
from auditor.report.boards.kind import Further, Scene, View, framed
from auditor.report.boards.pen import num

WIDE, TOP, HIGH, LEFT = 340.0, 22.0, 18.0, 8.0
MOST = 99.0
"""Inches of the ruler at most: a log may claim any dice."""


def further(scene: Scene, view: View, ruled: str) -> tuple[Further, ...]:
    """The charge and the attack of a scene, each as one more picture where it has one."""
    return (*_charge(scene, view), *funnel.further(scene, view, ruled))


def _charge(scene: Scene, view: View) -> tuple[Further, ...]:
    for mark in scene.marks:
        if mark.get("mark") == "gap" and "rolled" in mark:
            needed, rolled = _inches(mark.get("length")), _inches(mark["rolled"])
            if needed is None or rolled is None:
                return ()
            said = f"needed {mark['length']}″, rolled {mark['rolled']}″"
            title = "The charge: what it needed and what was rolled"
            return (Further(title, partial(_drawn, needed, rolled, title, said, view), said),)
    return ()


def _inches(value: object) -> float | None:
    try:
        return min(max(float(str(value)), 0.0), MOST)
    except ValueError:
        return None


def _drawn(needed: float, rolled: float, title: str, said: str, view: View) -> Markup:
    end = max(needed, rolled, 12.0)
    scale = WIDE / end
    low = TOP + HIGH
    bars = [
        f'<rect class="ch-rolled" x="{num(LEFT)}" y="{num(TOP)}" width="{num(rolled * scale)}" height="{num(HIGH)}"/>',
        f'<path class="ch-needed" d="M{num(LEFT + needed * scale)} {num(TOP - 4)}V{num(low + 4)}"/>',
    ]
    step = 1 if end <= 24 else 6 if end <= 72 else 12
    for inch in range(0, int(end) + 1, step):
        x, long = LEFT + inch * scale, inch % 6 == 0
        bars.append(f'<path class="ch-tick" d="M{num(x)} {num(low)}v{8 if long else 4}"/>')
        if long:
            bars.append(f'<text class="fn-row" x="{num(x - 3)}" y="{num(low + 20)}">{inch}{"″" if inch else ""}</text>')
    bars.append(f'<text class="fn-said" x="{num(LEFT)}" y="14">{escape(said)}</text>')
    frame = View(size=view.size, sheet=view.sheet, title=title)
    return framed(f'<g class="funnel">{"".join(bars)}</g>', (0, 0, WIDE + 2 * LEFT + 12, low + 26), frame, said)
