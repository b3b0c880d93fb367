"""Boards as SVG pictures: one drawing function for each kind of board, chosen by the board's own `kind`.

Shapes: Board, Marks, Sight and Path as the audit carries them (`evidence` of a finding, frames of a replay). Nothing is
set inline: colours and weights come from classes, patterns and dice from `signs.page_defs()`, which a page holds once.
Every mark differs in shape, weight or pattern before it differs in colour. All text is escaped.

A `Sheet` belongs to one page. What several boards share (hexes, doors, models) is drawn once, in its `defs()`, and
used by number, so that a page of sixty boards stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from markupsafe import Markup, escape

from auditor.report import plane
from auditor.report.plane import R, Spot, spot
from auditor.report.signs import ACTING, BADGES, TOKENS
from auditor.report.words import edge_words, hex_words, is_pair, label, plural, shorten, side_class

Board: TypeAlias = Mapping[str, Any]
Mark: TypeAlias = Mapping[str, Any]
Sight: TypeAlias = Mapping[str, Any]
Hex: TypeAlias = tuple[int, int]
Window: TypeAlias = tuple[float, float, float, float]  # x, y, width, height
Size: TypeAlias = Literal["whole", "near"]

_HEX = "l29.4 17v34l-29.4 17-29.4-17v-34z"
_INNER = "l25.3 14.6v29.2l-25.3 14.6-25.3-14.6v-29.2z"
_RING = "l26.6 15.4v30.7l-26.6 15.4-26.6-15.4v-30.7z"
_INNER_TOP, _RING_TOP = 29.2, 30.7
_EDGE_PAD = 5.0
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Sheet:
    """What the boards of one page share: each layer once, whatever the number of boards that use it."""

    _layers: dict[str, str] = field(default_factory=dict)
    _boards: int = 0

    def share(self, markup: str) -> str:
        """The markup by reference: the first use defines it."""
        if not markup:
            return ""
        name = self._layers.setdefault(markup, f"L{len(self._layers) + 1}")
        return f'<use href="#{name}"/>'

    def number(self) -> int:
        """A new number for a board on this page."""
        self._boards += 1
        return self._boards

    def defs(self) -> Markup:
        """The shared layers; stands anywhere on the page, once."""
        if not self._layers:
            return Markup("")
        layers = "".join(f'<g id="{name}">{markup}</g>' for markup, name in self._layers.items())
        return Markup(
            '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
            + layers
            + "</defs></svg>"
        )


def _n(value: float) -> str:
    """A length on the drawing: one decimal, no more digits than needed."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def _xy(at: Spot) -> str:
    return f'x="{_n(at[0])}" y="{_n(at[1])}"'


def _line(kind: str, a: Spot, b: Spot) -> str:
    return f'<path class="{kind}" d="M{_n(a[0])} {_n(a[1])}L{_n(b[0])} {_n(b[1])}"/>'


def _mix(a: Spot, b: Spot, t: float) -> Spot:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def _hex_path(kind: str, places: Iterable[Sequence[int]], shape: str = _HEX, top: float = R, fill: str = "") -> str:
    drawn = []
    for q, r in places:
        x, y = spot((q, r))
        drawn.append(f"M{_n(x)} {_n(y - top)}{shape}")
    if not drawn:
        return ""
    return f'<path class="{kind}"{fill} d="{"".join(drawn)}"/>'


# ---------------------------------------------------------------------------------------------------------------------
# Layers of a hex board, from the ground up


def _ground(hexes: Sequence[Sequence[Any]]) -> str:
    kinds: dict[str, list[Sequence[int]]] = {"open": [], "blocked": [], "rubble": []}
    for q, r, kind in hexes:
        kinds.setdefault(kind if kind in kinds else "open", []).append((q, r))
    return (
        _hex_path("hex", kinds["open"])
        + _hex_path("hex", kinds["rubble"])
        + _hex_path("grit", kinds["rubble"], _INNER, _INNER_TOP, ' fill="url(#p-rubble)"')
        + _hex_path("hex blocked", kinds["blocked"])
        + _hex_path("hatch", kinds["blocked"], _INNER, _INNER_TOP, ' fill="url(#p-blocked)"')
    )


def _coordinates(hexes: Sequence[Sequence[Any]]) -> str:
    out = []
    for q, r, kind in hexes:
        x, y = spot((q, r))
        dark = ' class="onb"' if kind == "blocked" else ""
        out.append(f"<text{dark} {_xy((x, y - 21))}>{hex_words((q, r))}</text>")
    return f'<g class="coord">{"".join(out)}</g>'


def _edges(edges: Sequence[Mapping[str, Any]]) -> str:
    out = []
    for item in edges:
        a, b = item["edge"]
        ends = plane.hexside(a, b)
        if ends is None:
            continue
        p, q = spot(ends[0]), spot(ends[1])
        match item.get("feature"):
            case "door_sealed":
                out.append(_line("d-bar", p, q) + _line("d-core", _mix(p, q, 0.06), _mix(p, q, 0.94)))
            case "door_open":
                out.append(_line("d-jamb", p, _mix(p, q, 0.27)) + _line("d-jamb", _mix(p, q, 0.73), q))
            case "obstruction":
                out.append(_zigzag(p, q))
            case _:
                out.append(_line("d-core", p, q))
    return "".join(out)


def _zigzag(p: Spot, q: Spot) -> str:
    dx, dy = (q[0] - p[0]) / R, (q[1] - p[1]) / R
    steps = 8
    points = []
    for i in range(steps + 1):
        x, y = _mix(p, q, 0.06 + 0.88 * i / steps)
        swing = 0.0 if i in (0, steps) else 4.6 * (1 if i % 2 else -1)
        points.append(f"{_n(x - dy * swing)} {_n(y + dx * swing)}")
    d = "M" + "L".join(points)
    return f'<path class="obst-bg" d="{d}"/><path class="obst" d="{d}"/>'


def _barricades(barricades: Sequence[Mapping[str, Any]]) -> str:
    out = []
    for item in barricades:
        at, k = item["hex"], item["dir"]
        centre = spot(at)
        p, q = spot(plane.corner(at, k - 1)), spot(plane.corner(at, k))
        a, b = _mix(_mix(p, q, 0.1), centre, 0.13), _mix(_mix(p, q, 0.9), centre, 0.13)
        teeth = "".join(
            f"M{_n(x)} {_n(y)}L{_n(u)} {_n(v)}"
            for x, y, u, v in ((*_mix(a, b, t), *_mix(_mix(a, b, t), centre, 0.17)) for t in (0.1, 0.37, 0.63, 0.9))
        )
        out.append(_line("b-rail", a, b) + f'<path class="b-tooth" d="{teeth}"/>')
    return "".join(out)


def _short(name: str) -> str:
    return name if len(name) <= 9 else name[:4] + "…" + name[-3:]


def _models(models: Sequence[Mapping[str, Any]]) -> str:
    """One pill a model, as long as its bulk."""
    bulks = [m.get("bulk") for m in models]
    lengths = [b if isinstance(b, int) and b > 0 else 1 for b in bulks]
    total = sum(lengths)
    if not total:
        return ""
    unit = 6.8 if total <= 3 else 22.0 / total
    gap = 1.4 if total <= 6 else 0.4
    x = -(total * unit - gap) / 2
    out = []
    for length in lengths:
        out.append(f'<rect class="mod" x="{_n(x)}" y="8" width="{_n(length * unit - gap)}" height="4.6" rx="2.3"/>')
        x += length * unit
    return "".join(out)


def _points(tp: Any) -> str:
    """One triangle a tactical point; a hollow one for none, a question mark where the log does not say."""
    if not isinstance(tp, int) or isinstance(tp, bool):
        return '<text class="tpq" y="-6">?</text>'
    if tp <= 0:
        return '<path class="tp off" d="M-3.5-7.2L0-12.8 3.5-7.2z"/>'
    if tp > 3:
        return f'<path class="tp" d="M-10.5-7.2L-7-12.8-3.5-7.2z"/><text class="tpq" x="4" y="-6.5">×{tp}</text>'
    left = -(tp * 9.2 - 2.2) / 2
    return "".join(f'<path class="tp" d="M{_n(left + i * 9.2)} -7.2l3.5-5.6 3.5 5.6z"/>' for i in range(tp))


def unit_words(unit: Mapping[str, Any]) -> str:
    """'um-1 (UM): Line, Line, Sergeant; bulk 4; 2 TP'."""
    names = [str(m.get("name") or m.get("id")) for m in unit.get("models") or ()]
    bulk = sum(m["bulk"] for m in unit.get("models") or () if isinstance(m.get("bulk"), int))
    tp = unit.get("tp")
    return (
        f"{unit.get('id')} ({unit.get('side')}) in {hex_words(unit['hex'])}: {', '.join(names) or 'no models'}"
        f"; bulk {bulk}; {'TPs unknown' if tp is None else f'{tp} TP'}"
    )


def _unit(unit: Mapping[str, Any], sides: Sequence[str], acting: bool, share: Callable[[str], str]) -> str:
    side = side_class(sides, unit.get("side"))
    x, y = spot(unit["hex"])
    name = _short(str(unit["id"]))
    # Names of three letters fit; longer ones are set smaller, and pressed together where even that is too wide.
    size = "" if len(name) <= 3 else " l"
    fit = ' textLength="29" lengthAdjust="spacingAndGlyphs"' if len(name) > 5 else ""
    ring = ACTING[side] if acting else ""
    body = share(TOKENS[side] + ring + _points(unit.get("tp")) + _models(unit.get("models") or ()))
    return (
        f'<g class="unit {side}" transform="translate({_n(x)} {_n(y + 3)})"><title>{escape(unit_words(unit))}</title>'
        f'{body}<text class="uid{size}" y="{4.4 if not size else 3.8}"{fit}>{escape(name)}</text></g>'
    )


# ---------------------------------------------------------------------------------------------------------------------
# Sight


@dataclass(frozen=True)
class Contact:
    """A thing that the centre line meets: its crossing, and where along the line it begins and ends (0 to 1)."""

    n: int
    how: str
    stops: bool
    reached: bool
    places: tuple[Hex, ...]
    is_edge: bool
    span: tuple[Fraction, Fraction] | None
    closed: bool | None


def contacts(sight: Sight) -> list[Contact]:
    """The crossings of a sight, in its order, each with the part of the line it takes."""
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    stop = sight.get("stop")
    out = []
    reached = True
    for i, crossing in enumerate(sight.get("crossings") or (), 1):
        n = crossing.get("n", i)
        stops = bool(crossing.get("stops")) or (stop is not None and n == stop)
        edge = crossing.get("edge")
        places = tuple((int(p[0]), int(p[1])) for p in (edge if edge else crossing.get("hexes") or ()))
        span = None
        if edge:
            ends = plane.hexside(*places) if len(places) == 2 else None
            span = plane.met_edge(start, end, ends) if ends else None
        elif places:
            met = [m for m in (plane.met_hex(start, end, p) for p in places) if m is not None]
            # A line through a corner or along a hexside is told by all the hexes named: what they have in common.
            if met:
                low, high = max(m[0] for m in met), min(m[1] for m in met)
                span = (low, high) if low <= high else met[0]
        how = str(crossing.get("how"))
        out.append(Contact(n, how, stops and reached, reached, places, bool(edge), span, crossing.get("closed")))
        if stop is not None and n == stop:
            reached = False
    return out


def badge(contact: Contact, at: Spot | None = None) -> str:
    """The numbered mark of a contact, for the picture (at a place) or for the list beside it."""
    state = " stop" if contact.stops else "" if contact.reached else " idle"
    shape = BADGES.get(contact.how, BADGES["through"])
    low = {"door_end": 5.2}.get(contact.how, 3.7)
    where = f' transform="translate({_n(at[0])} {_n(at[1])})"' if at else ""
    return f'<g class="mk{state}"{where}>{shape}<text y="{low}">{contact.n}</text></g>'


def _corners(polygon: Iterable[Sequence[Any]]) -> list[plane.Place]:
    return [plane.place(p) for p in polygon]


def _seen(sight: Sight) -> str:
    """The part of the target's hex that can be seen, hatched, and the fan of lines that reach it."""
    start = plane.place(sight["from"])
    out = []
    for polygon in sight.get("seen") or ():
        points = _corners(polygon)
        if len(points) < 3:
            continue
        outer = plane.extremes(start, points)
        if outer:
            d = "L".join(f"{_n(x)} {_n(y)}" for x, y in map(spot, (start, *outer)))
            out.append(f'<path class="fan" d="M{d}z"/>')
        d = "L".join(f"{_n(x)} {_n(y)}" for x, y in map(spot, points))
        out.append(f'<path class="seen" fill="url(#p-seen)" d="M{d}z"/>')
    return "".join(out)


def _closers(found: Sequence[Contact], kinds: Mapping[Hex, str], taken: Mapping[Hex, Any]) -> str:
    """The hexes that stop the line: blocked and off-board ones in a solid outline, occupied ones in a dashed one."""
    out = []
    for contact in found:
        if not contact.stops or contact.is_edge:
            continue
        for at in contact.places:
            shut = kinds.get(at) in ("blocked", None)
            if not shut and at not in taken:
                continue
            if at not in kinds:
                out.append(_hex_path("ghosthex", [at]))
            out.append(_hex_path("closer-bg", [at], _RING, _RING_TOP))
            out.append(_hex_path("closer" if shut else "closer occ", [at], _RING, _RING_TOP))
    return "".join(out)


def _ray(sight: Sight, found: Sequence[Contact]) -> str:
    """The centre line, solid to where it stops and dotted beyond, and the hexsides it runs along or is stopped by."""
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    a, b = spot(start), spot(end)
    stopper = next((c for c in found if c.stops and c.span), None)
    stop = spot(plane.between(start, end, stopper.span[0])) if stopper and stopper.span else b
    out = [_line("ray under", a, stop)]
    if stopper:
        out.append(_line("ray beyond", stop, b))
    out.append(_line("ray", a, stop))
    for c in found:
        if c.is_edge:
            ends = plane.hexside(*c.places) if len(c.places) == 2 else None
            if c.stops and ends:
                p, q = spot(ends[0]), spot(ends[1])
                out.append(_line("shut-bg", p, q) + _line("shut", _mix(p, q, 0.04), _mix(p, q, 0.96)))
        elif c.span and c.span[0] < c.span[1] and c.how == "along":
            p, q = (spot(plane.between(start, end, t)) for t in c.span)
            if c.stops:
                out.append(_line("shut-bg", p, q) + _line("shut", _mix(p, q, 0.04), _mix(p, q, 0.96)))
            else:
                out.append(_line("rail", p, q))
    return "".join(out)


def _used_line(sight: Sight) -> tuple[str, str]:
    """The line used, in long dashes with a head (under the tokens), and its aim point (above them)."""
    line = sight.get("line")
    if not line:
        return "", ""
    start, aim = plane.place(sight["from"]), plane.place(line["to"])
    a, b = spot(start), spot(aim)
    point = f'<circle class="aimpt" cx="{_n(b[0])}" cy="{_n(b[1])}" r="3.6"/>'
    return _line("aim", a, b), _head("aim head", _mix(a, b, 0.86), _mix(a, b, 0.93)) + point


def _contact_badges(sight: Sight, found: Sequence[Contact], taken: Mapping[Hex, Any]) -> str:
    start, end = plane.place(sight["from"]), plane.place(sight["to"])
    out = []
    for c in found:
        if c.span is None:
            continue
        low, high = c.span
        # A badge would hide the name on a token, so on a held hex it stands where the line comes in.
        held = c.how == "through" and any(p in taken for p in c.places)
        t = low + (high - low) / 12 if held else (low + high) / 2
        out.append(badge(c, spot(plane.between(start, end, t))))
    return "".join(out)


# ---------------------------------------------------------------------------------------------------------------------
# Paths and marks


def _head(kind: str, a: Spot, b: Spot, size: float = 9.0) -> str:
    """An arrow head at b, pointing away from a."""
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 or 1.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    left = (b[0] - ux * size - uy * size * 0.5, b[1] - uy * size + ux * size * 0.5)
    right = (b[0] - ux * size + uy * size * 0.5, b[1] - uy * size - ux * size * 0.5)
    d = "L".join(f"{_n(x)} {_n(y)}" for x, y in (b, left, right))
    return f'<path class="{kind}" d="M{d}z"/>'


def _distance(path: Sequence[Sequence[int]]) -> str:
    """A counted path: dots from hex to hex, the steps numbered. It runs a little below the centres, out of the way."""
    if len(path) < 2:
        return ""
    low = [(x, y + 12.0) for x, y in map(spot, path)]
    low[0] = _mix(low[0], low[1], 0.3)
    low[-1] = _mix(low[-2], low[-1], 0.62)
    d = "L".join(f"{_n(x)} {_n(y)}" for x, y in low)
    dots = "".join(
        f'<g transform="translate({_n(x)} {_n(y)})"><circle r="6"/><text y="3">{i}</text></g>'
        for i, (x, y) in enumerate(low[1:], 1)
    )
    return f'<path class="walk" d="M{d}"/><g class="wk">{dots}</g>'


def _cross(at: Spot) -> str:
    return f'<path class="cross" d="M{_n(at[0] - 7)} {_n(at[1] - 7)}l14 14m0-14l-14 14"/>'


def _letter(letter: str, at: Spot) -> str:
    if not letter:
        return ""
    box = '<rect x="-6.5" y="-6.5" width="13" height="13" rx="2"/>'
    return f'<g class="let" transform="translate({_n(at[0])} {_n(at[1])})">{box}<text y="3.8">{letter}</text></g>'


def letters(marks: Sequence[Mark]) -> list[str]:
    """The letter of each mark that says something, '' for the others; the list beside the picture has the same."""
    out: list[str] = []
    spare = iter(_LETTERS)
    for mark in marks:
        out.append(next(spare, "") if mark.get("label") else "")
    return out


_HOW = {"bad": ", not allowed", "claimed": ", as the log claims", "ruled": ", by the rules"}


def mark_words(mark: Mark) -> str:
    """A mark in words, for the list beside the picture and for those who hear it."""
    said = str(mark.get("label") or "")
    match mark.get("mark"):
        case "move":
            path = mark.get("path") or ()
            drawn = " → ".join(hex_words(p) for p in path) + ("" if mark.get("ok", True) else ", not allowed")
        case "hex":
            how = _HOW.get(str(mark.get("how")), "")
            drawn = hex_words(mark.get("hex") or ()) + how
        case "unit":
            drawn = str(mark.get("unit"))
        case "edge":
            drawn = edge_words(mark.get("edge") or ())
        case "shot":
            drawn = f"{hex_words(mark.get('from') or ())} shoots at {hex_words(mark.get('to') or ())}"
            drawn += "" if mark.get("ok", True) else ", not allowed"
        case other:
            drawn = str(other)
    return f"{drawn}: {said}" if said else drawn


def _mark_ground(mark: Mark) -> str:
    """The part of a mark that lies under the tokens."""
    if mark.get("mark") == "hex" and is_pair(mark.get("hex")):
        how = str(mark.get("how"))
        how = how if how in ("bad", "claimed", "ruled", "note") else "note"
        back = _hex_path("closer-bg", [mark["hex"]], _RING, _RING_TOP) if how == "bad" else ""
        return back + _hex_path(f"ringed {how}", [mark["hex"]], _RING, _RING_TOP)
    return ""


def _mark_over(mark: Mark, letter: str, homes: Mapping[str, Sequence[int]], share: Callable[[str], str]) -> str:
    """The part of a mark that lies over the tokens, with its letter."""
    match mark.get("mark"):
        case "move":
            points = [spot(p) for p in mark.get("path") or () if is_pair(p)]
            if not points:
                return ""
            if len(points) == 1:
                x, y = points[0]
                return f'<circle class="eye" cx="{_n(x)}" cy="{_n(y)}" r="5"/>' + _letter(letter, (x + 20, y - 12))
            bad = "" if mark.get("ok", True) else " bad"
            points[0] = _mix(points[0], points[1], 0.34)
            last = _mix(points[-2], points[-1], 0.9)
            d = "L".join(f"{_n(x)} {_n(y)}" for x, y in (*points[:-1], _mix(points[-2], points[-1], 0.8)))
            out = f'<path class="act under" d="M{d}"/><path class="act{bad}" d="M{d}"/>'
            out += _head(f"act head{bad}", points[-2], last, 12)
            middle = _mix(points[-2], points[-1], 0.5)
            if bad:
                out += _cross(middle)
            side = (points[-1][1] - points[-2][1], points[-2][0] - points[-1][0])
            length = (side[0] ** 2 + side[1] ** 2) ** 0.5 or 1.0
            return out + _letter(letter, (middle[0] + side[0] / length * 17, middle[1] + side[1] / length * 17))
        case "hex":
            if not is_pair(mark.get("hex")):
                return ""
            x, y = spot(mark["hex"])
            out = ""
            if mark.get("how") == "bad":
                out = f'<path class="cross" d="M{_n(x - 23)} {_n(y + 8)}l9 9m0-9l-9 9"/>'
            return out + _letter(letter, (x + 19, y + 13))
        case "unit":
            at = mark.get("hex") if is_pair(mark.get("hex")) else homes.get(str(mark.get("unit")))
            if at is None:
                return ""
            x, y = spot(at)
            ring = share('<circle class="called-bg" r="24"/><circle class="called" r="24"/>')
            return f'<g transform="translate({_n(x)} {_n(y + 3)})">{ring}</g>' + _letter(letter, (x + 21, y - 12))
        case "edge":
            ends = plane.hexside(*mark["edge"]) if len(mark.get("edge") or ()) == 2 else None
            if ends is None:
                return ""
            p, q = spot(ends[0]), spot(ends[1])
            kind = "shut" if mark.get("how") == "bad" else "sided"
            middle = _mix(p, q, 0.5)
            out = _line("shut-bg", p, q) + _line(kind, _mix(p, q, 0.04), _mix(p, q, 0.96))
            return out + _letter(letter, (middle[0] + (q[1] - p[1]) / R * 14, middle[1] - (q[0] - p[0]) / R * 14))
        case "shot":
            if not (is_pair(mark.get("from")) and is_pair(mark.get("to"))):
                return ""
            a, b = spot(mark["from"]), spot(mark["to"])
            far = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 or 1.0
            a, b = _mix(a, b, 22 / far), _mix(a, b, 1 - 22 / far)
            bad = "" if mark.get("ok", True) else " bad"
            return (
                _line("shot under", a, b)
                + _line(f"shot{bad}", a, b)
                + _head(f"act head{bad}", a, b, 11)
                + (_cross(_mix(a, b, 0.5)) if bad else "")
                + _letter(letter, _mix(a, b, 0.3))
            )
    return ""


# ---------------------------------------------------------------------------------------------------------------------
# Whole boards


def interest(board: Board, marks: Sequence[Mark], sight: Sight | None, path: Sequence[Sequence[int]]) -> list[Hex]:
    """The hexes that the picture is about."""
    out: list[Sequence[int]] = [*path]
    if sight:
        out += [sight["from"], sight["to"]]
        for c in sight.get("crossings") or ():
            out += c.get("hexes") or c.get("edge") or ()
    homes = {str(u["id"]): u["hex"] for u in board.get("units") or ()}
    for mark in marks:
        out += mark.get("path") or ()
        out += [mark[k] for k in ("hex", "from", "to") if is_pair(mark.get(k))]
        out += mark.get("edge") or ()
        if mark.get("mark") == "unit" and str(mark.get("unit")) in homes:
            out.append(homes[str(mark["unit"])])
    if not out and str(board.get("acting")) in homes:
        out.append(homes[str(board["acting"])])
    return [(int(p[0]), int(p[1])) for p in out if is_pair(p)]


def _box(spots: Sequence[Spot], pad_x: float, pad_y: float) -> Window:
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return min(xs) - pad_x, min(ys) - pad_y, max(xs) + pad_x, max(ys) + pad_y


def _window(hexes: Sequence[Sequence[Any]], shown: Sequence[Hex], size: Size) -> Window:
    """The part of the drawing that is shown: x, y, width, height."""
    ground = [spot((h[0], h[1])) for h in hexes] or [(0.0, 0.0)]
    marked = [spot(p) for p in shown]
    x0, y0, x1, y1 = _box(ground + marked, plane.WIDE / 2 + _EDGE_PAD, R + _EDGE_PAD)
    if size == "near" and marked:
        a0, b0, a1, b1 = _box(marked, plane.WIDE * 1.55, R * 2.3)
        grow_x, grow_y = max(0.0, 380 - (a1 - a0)) / 2, max(0.0, 250 - (b1 - b0)) / 2
        a0, a1, b0, b1 = a0 - grow_x, a1 + grow_x, b0 - grow_y, b1 + grow_y
        # Pushed back inside the board where it hangs over, so that no picture is half empty.
        shift_x = max(x0 - a0, 0.0) or min(x1 - a1, 0.0)
        shift_y = max(y0 - b0, 0.0) or min(y1 - b1, 0.0)
        a0, a1, b0, b1 = a0 + shift_x, a1 + shift_x, b0 + shift_y, b1 + shift_y
        a0, a1, b0, b1 = max(a0, x0), min(a1, x1), max(b0, y0), min(b1, y1)
        if (a1 - a0) * (b1 - b0) < 0.8 * (x1 - x0) * (y1 - y0):
            x0, x1, y0, y1 = a0, a1, b0, b1
    return x0, y0, x1 - x0, y1 - y0


def _description(board: Board, marks: Sequence[Mark], sight: Sight | None) -> str:
    said = [unit_words(u) for u in board.get("units") or ()]
    said += [mark_words(m) for m in marks]
    if sight:
        stop = next((c for c in contacts(sight) if c.stops), None)
        line = f"Line of sight from {hex_words(sight['from'])} to {hex_words(sight['to'])}: {sight.get('sight')}"
        said.append(line + (f", stopped at contact {stop.n}" if stop else ""))
    return ". ".join(said) + "." if said else "No units."


def _hex_board(
    board: Board,
    marks: Sequence[Mark],
    sight: Sight | None,
    path: Sequence[Sequence[int]],
    size: Size,
    labels: bool,
    sides: Sequence[str],
    share: Callable[[str], str],
    focus: Sequence[Hex],
) -> tuple[str, Window]:
    hexes = board.get("hexes") or ()
    units = board.get("units") or ()
    kinds = {(h[0], h[1]): h[2] for h in hexes}
    ends = {tuple(sight["from"]), tuple(sight["to"])} if sight else set()
    taken = {tuple(u["hex"]): u for u in units if tuple(u["hex"]) not in ends}
    homes = {str(u["id"]): u["hex"] for u in units}
    found = contacts(sight) if sight else []
    under, aim = _used_line(sight) if sight else ("", "")
    named = letters(marks)
    parts = [
        share(_ground(hexes)),
        _seen(sight) if sight else "",
        f'<g class="cl">{share(_coordinates(hexes))}</g>' if labels else "",
        share(_edges(board.get("edges") or ()) + _barricades(board.get("barricades") or ())),
        "".join(_mark_ground(m) for m in marks),
        _closers(found, kinds, taken),
        _ray(sight, found) if sight else "",
        under,
        "".join(_unit(u, sides, u["id"] == board.get("acting"), share) for u in units),
        _distance(path),
        "".join(_mark_over(m, letter, homes, share) for m, letter in zip(marks, named, strict=True)),
        _contact_badges(sight, found, taken) if sight else "",
        aim,
    ]
    return "".join(parts), _window(hexes, focus or interest(board, marks, sight, path), size)


# One entry a kind of board. Each gives the drawing and the part of it that is shown (x, y, width, height).
DRAWINGS: dict[str, Callable[..., tuple[str, Window]]] = {"hex": _hex_board}


def board_svg(
    board: Board | None,
    *,
    marks: Sequence[Mark] = (),
    sight: Sight | None = None,
    path: Sequence[Sequence[int]] = (),
    size: Size = "whole",
    labels: bool = True,
    sheet: Sheet | None = None,
    title: str = "",
    sides: Sequence[str] | None = None,
    focus: Sequence[Hex] = (),
) -> Markup:
    """A board as one SVG element.

    `size` "near" shows the hexes that the marks, the sight and the path are about and what is round them, or round the
    hexes that `focus` names, so that two boards can show the same ground; "whole" shows all. `labels` adds the
    coordinates. `sides` says which side is drawn with which token (default: the sides of the board, in alphabetical
    order). With a `sheet`, what boards share is put there and used from there. A board of an unknown kind gives a
    sentence that says so. The page must hold `signs.page_defs()` once.
    """
    board = board or {}
    draw = DRAWINGS.get(str(board.get("kind")))
    if draw is None:
        return Markup('<p class="quiet">No picture: the board is of a kind that cannot be drawn ({}).</p>').format(
            shorten(str(board.get("kind")), 40)
        )
    known = sides if sides is not None else sorted({str(u.get("side")) for u in board.get("units") or ()})
    share: Callable[[str], str] = sheet.share if sheet is not None else lambda markup: markup
    drawn, (x, y, wide, high) = draw(board, marks, sight, path, size, labels, known, share, focus)
    n = sheet.number() if sheet is not None else 0
    return Markup(
        f'<svg class="board {size}" viewBox="{_n(x)} {_n(y)} {_n(wide)} {_n(high)}" role="img" '
        f'aria-labelledby="b{n}t" aria-describedby="b{n}d"><title id="b{n}t">{escape(title or "The board")}</title>'
        f'<desc id="b{n}d">{escape(_description(board, marks, sight))}</desc>{drawn}</svg>'
    )


def state_words(board: Board | None) -> str:
    """'Round 2, action phase, UM to act, UM has the initiative'. Empty where the board does not say."""
    if not board:
        return ""
    said = []
    if board.get("round"):
        said.append(f"round {board['round']}")
    if board.get("phase"):
        said.append(f"{label(str(board['phase']))} phase")
    if board.get("to_act"):
        said.append(f"{board['to_act']} to act")
    if board.get("initiative"):
        said.append(f"{board['initiative']} has the initiative")
    text = ", ".join(said)
    return text[:1].upper() + text[1:]


def units_count(board: Board) -> str:
    """'9 units'."""
    return plural(len(board.get("units") or ()), "unit")


# ---------------------------------------------------------------------------------------------------------------------
# The key


def key_items(sides: Sequence[str]) -> list[tuple[Markup, str]]:
    """The key to the pictures: each sign and what it means."""

    def contact(n: int, how: str, stops: bool = False, reached: bool = True) -> str:
        return badge(Contact(n, how, stops, reached, (), False, None, None))

    def token(side: str, acting: bool = False) -> str:
        ring = ACTING[side] if acting else ""
        drawn = TOKENS[side] + ring + _points(1) + _models([{"bulk": 2}, {"bulk": 1}])
        return f'<g class="unit {side}" transform="scale(.62)">{drawn}</g>'

    def box(kind: str) -> str:
        return f'<path class="{kind}" d="M-11-9H11V9H-11z"/>'

    arrow = _head("act head", (0, 0), (13, 0), 10)
    bad_arrow = _head("act head bad", (0, 0), (13, 0), 10)
    signs = [
        *((token(side_class(sides, s)), s) for s in list(sides)[:3]),
        (token("a", acting=True), "the unit that acts"),
        ('<path class="act" d="M-13 0H6"/>' + arrow, "the act"),
        (
            '<path class="act bad" d="M-13 0H6"/>' + bad_arrow + '<path class="cross" d="M-8-5l10 10m0-10l-10 10"/>',
            "not allowed",
        ),
        (box("ringed claimed"), "as the log claims"),
        (box("ringed ruled"), "by the rules"),
        ('<path class="ray" d="M-14 0H14"/>', "centre line"),
        ('<path class="ray beyond" d="M-14 0H14"/>', "beyond where it stops"),
        (contact(1, "through"), "goes through a hex"),
        (contact(2, "along"), "runs along a hexside"),
        (contact(3, "corner"), "touches a corner"),
        (contact(4, "through", stops=True), "stops here"),
        (contact(5, "through", reached=False), "not reached"),
        ('<path class="shut" d="M-12 0H12"/>', "hexside that stops it"),
        ('<path class="aim" d="M-14 0H6"/><circle class="aimpt" cx="9" r="3.6"/>', "line used, aim point"),
        ('<path class="seen" fill="url(#p-seen)" d="M-12-9H12V9H-12z"/>', "part that can be seen"),
        (
            '<path class="walk" d="M-13 0H13"/><g class="wk"><circle r="6"/><text y="3">4</text></g>',
            "distance in steps",
        ),
        (box("hex blocked") + '<path fill="url(#p-blocked)" d="M-10-8H10V8H-10z"/>', "blocked"),
        (box("hex") + '<path fill="url(#p-rubble)" d="M-11-9H11V9H-11z"/>', "rubble"),
        (_line("d-bar", (-13, 0), (13, 0)) + _line("d-core", (-11.5, 0), (11.5, 0)), "sealed door"),
        (_line("d-jamb", (-13, 0), (-6, 0)) + _line("d-jamb", (6, 0), (13, 0)), "open door"),
        (_zigzag((-14, 0), (14, 0)), "obstruction"),
        ('<path class="b-rail" d="M-12 5H12"/><path class="b-tooth" d="M-9 5V-1M-3 5V-1M3 5V-1M9 5V-1"/>', "barricade"),
    ]
    frame = Markup('<svg viewBox="-15 -13 30 26" aria-hidden="true">')
    return [(frame + Markup(drawn) + Markup("</svg>"), said) for drawn, said in signs]
