"""An attack drawn as a funnel: shots, hits, wounds, what was not saved, and who was removed, each as wide as its number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup, escape

from auditor.report.boards.kind import Further, Scene, View, framed
from auditor.report.boards.pen import num

WIDE, BAR, MIDDLE, WORDS, HEAD, LINE = 372.0, 124.0, 70.0, 146.0, 26.0, 13.0
MOST_FACES = 16
STOPPED = "shots stopped by cover"
RESULTS = {"pen": "penetrating", "glance": "glancing", "none": "no effect"}


@dataclass(frozen=True)
class Stage:
    """A stage of the funnel: so many are left, and in words how it came to that.

    number   as the log has it, else as its dice have it; None: not recorded
    counted  what the recorded dice come to, where the log says another number
    words    how many dice on which number, and the row of the table that this goes by
    now      the event that is looked at is this stage
    """

    name: str
    number: int | None
    counted: int | None = None
    words: tuple[str, ...] = ()
    now: bool = False

    @property
    def said(self) -> str:
        if self.number is None:
            return f"{self.name}: not recorded"
        dice = "" if self.counted is None else f" by the log, {self.counted} by its dice"
        return f"{self.name}: {self.number}{dice}"


def further(scene: Scene, view: View, ruled: str) -> tuple[Further, ...]:
    """The attack of a board, if it has one, as one more picture."""
    attack = scene.board.get("attack")
    if not isinstance(attack, Mapping):
        return ()
    weapons = [one for one in _list(attack.get("weapons")) if isinstance(one, Mapping)]
    funnels = [(str(one.get("name") or "?"), list(_stages(one, attack, ruled))) for one in weapons]
    title = "The attack, step by step"
    heard = ". ".join(f"{name}: " + "; ".join(_heard(stage) for stage in stages) for name, stages in funnels)
    who = f"{attack.get('unit') or '?'} at {attack.get('target') or '?'}"
    return (Further(title, partial(_drawn, funnels, title, f"{who}. {heard}", view), who),)


def _heard(stage: Stage) -> str:
    return stage.said + "".join(f", {words}" for words in stage.words)


def _stages(weapon: Mapping[str, Any], attack: Mapping[str, Any], ruled: str) -> Iterable[Stage]:
    if (shots := _number(weapon.get("shots"))) is not None:
        yield Stage("shots", shots)
    steps = [step for step in _list(weapon.get("steps")) if isinstance(step, Mapping)]
    for step in steps:
        claimed, counted = _number(step.get("claimed")), _number(step.get("counted"))
        number = counted if claimed is None else claimed
        other = counted if counted != number else None
        now = step.get("seq") == attack.get("now")
        words = [_dice(step), _faces(step), str(step.get("row") or "")]
        if now and ruled:
            words.append(f"by the rules: {ruled}")
        match step.get("what"):
            case "cover":
                yield Stage(STOPPED, number, other, tuple(filter(None, words)), now)
            case "hull":
                words[2] = RESULTS.get(str(step.get("row")), "")
                yield Stage("wounds of the hull", number, other, tuple(filter(None, words)), now)
            case "saves":
                yield Stage("not saved", number, other, tuple(filter(None, words)), now)
                yield Stage("removed", _number(step.get("beside")) or 0, None, (), now)
            case what:
                if step.get("beside"):
                    words.append(f"{step['beside']} without a die")
                yield Stage(str(what), number, other, tuple(filter(None, words)), now)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _number(value: Any) -> int | None:
    """A count; a log may claim any number."""
    return min(max(value, 0), 9999) if isinstance(value, int) else None


def _dice(step: Mapping[str, Any]) -> str:
    """'6 dice on 3 or more'."""
    dice, needed = step.get("dice"), step.get("needed")
    if not dice:
        return ""
    one = step.get("what") == "saves"
    what = ("wound" if dice == 1 else "wounds") if one else "die" if dice == 1 else "dice"
    on = "" if needed is None else f"{', saves' if one else ''} on {needed} or more"
    return f"{dice} {what}{on}"


def _faces(step: Mapping[str, Any]) -> str:
    faces = [str(face) for face in _list(step.get("faces")) if isinstance(face, int)]
    return f"rolled {' '.join(faces[:MOST_FACES])}{' …' if len(faces) > MOST_FACES else ''}" if faces else ""


def _drawn(funnels: list[tuple[str, list[Stage]]], title: str, heard: str, view: View) -> Markup:
    out, y = [], 0.0
    for name, stages in funnels:
        out.append(f'<text class="fn-head" x="8" y="{num(y + 18)}">{escape(name)}</text>')
        drawn, y = _funnel(stages, y + HEAD)
        out.append(drawn)
    frame = View(size=view.size, sheet=view.sheet, title=title)
    return framed(f'<g class="funnel">{"".join(out)}</g>', (0, 0, WIDE, y), frame, heard)


def _funnel(stages: list[Stage], y: float) -> tuple[str, float]:
    """A funnel from a height down, and the height at its end."""
    most = max((stage.number or 0 for stage in stages), default=0) or 1
    out = []
    above: tuple[float, float] | None = None
    for stage in stages:
        wide = max(BAR * (stage.number or 0) / most, 2)
        aside = stage.name == STOPPED
        if above is not None and not aside:
            corners = ((-above[0], above[1]), (above[0], above[1]), (wide, y), (-wide, y))
            d = "L".join(f"{num(MIDDLE + x / 2)} {num(at)}" for x, at in corners)
            out.append(f'<path class="fn-way" d="M{d}z"/>')
        how = (" stopped" if aside else "") + (" now" if stage.now else "")
        if stage.number or not aside:
            out.append(_bar(f"fn-bar{how}", wide, y, 26))
        if stage.counted is not None:
            out.append(_bar("fn-dice", max(BAR * min(stage.counted / most, 1.1), 2), y - 2, 30))
        bad = " bad" if stage.counted is not None else ""
        out.append(f'<text class="fn-said{bad}" x="{num(WORDS)}" y="{num(y + 12)}">{escape(stage.said)}</text>')
        for line, words in enumerate(stage.words):
            out.append(
                f'<text class="fn-row" x="{num(WORDS)}" y="{num(y + 12 + LINE * (line + 1))}">{escape(words)}</text>'
            )
        above = None if aside else (wide, y + 26)
        y += max(26, 12 + LINE * len(stage.words)) + 12
    return "".join(out), y


def _bar(kind: str, wide: float, y: float, high: float) -> str:
    return f'<rect class="{kind}" x="{num(MIDDLE - wide / 2)}" y="{num(y)}" width="{num(wide)}" height="{num(high)}"/>'
