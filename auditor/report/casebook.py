"""One audit as a casebook: its findings with their roots, sides, rules and pictures, ready for the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from auditor.core.effects import NOBODY, UNKNOWN
from auditor.core.naming import Named, Names
from auditor.report import chances
from auditor.report.boards import Kind, Scene, Sheet, Size, View, draw, kind_of, letters, speech_of
from auditor.report.compare import comparison, working
from auditor.report.links import Links
from auditor.report.model import Assignments, Case, Changed, Json, Option, Passage, Picture, Row, Scope, Shown, Side
from auditor.report.paging import Where
from auditor.report.passages import PassagesOf
from auditor.report.timeline import Flag, moment_of
from auditor.report.words import ICONS, label, paragraphs, shorten, side_class, slug, tidy, value_words

BOTH = "both players"
"""Whose act it is where it is nobody's alone."""


def in_force(audit: Json, readings: Sequence[Json]) -> dict[str, str]:
    """The option of every reading that the audit went by: the rulings', else the default."""
    chosen = (audit.get("rulings") or {}).get("readings") or {}
    options = {str(r["id"]): str(r["default"]) for r in readings}
    return options | {str(k): str(v) for k, v in chosen.items()}


def sides_of(header: Json, audit: Json) -> tuple[Side, ...]:
    """The players in the order of their ids, so that a side looks the same in every game."""
    names = {str(p["id"]): str(p.get("name") or p["id"]) for p in header.get("players") or ()}
    if not names:
        names = {str(f["player"]): str(f["player"]) for f in audit.get("findings") or () if f.get("player")}
    ids = sorted(names)
    return tuple(Side(i, shorten(names[i], 60), side_class(ids, i)) for i in ids)


def bears_on_the_verdict(finding: Json) -> bool:
    """Whether a finding bears on the verdict: it stands, or its act could not be judged and was not taken back."""
    return bool(finding.get("stands") or (finding.get("kind") == "ambiguous" and not finding.get("undone")))


def is_slim(finding: Json) -> bool:
    """Whether a finding holds only under readings not in force and is not drawn in its audit."""
    return finding.get("evidence") is None and not finding.get("stands") and finding.get("kind") != "ambiguous"


class Casebook:
    """One audit with its frames and rules: what several parts of its pages ask for."""

    def __init__(
        self,
        audit: Json,
        frames: Sequence[Json],
        rules: Sequence[Json],
        readings: Sequence[Json],
        header: Json,
        links: Links,
        sheet: Sheet,
    ) -> None:
        self.audit, self.header = tidy(audit), tidy(header)
        # Boards are most of a game, and a page shows few of them: each is made fit for printing when it is drawn.
        self._boards = {f["seq"]: f.get("board") for f in frames}
        self.frames: list[Json] = [tidy({k: v for k, v in f.items() if k != "board"}) for f in frames]
        self.rules = {str(r["id"]): r for r in tidy(rules)}
        self.readings = {str(r["id"]): r for r in tidy(readings)}
        self.links, self.sheet = links, sheet
        self.caveat = str(self.header.get("caveat") or "")
        self.sides = sides_of(self.header, self.audit)
        self.side_ids = [s.id for s in self.sides]
        called = {side.id: side.name for side in self.sides}
        # Two players of one name go by their ids: nobody could tell them apart.
        self.called = called if len({*called.values()}) == len(called) else {}
        self.names = Names({ident: Named(name) for ident, name in self.called.items()})
        self.force = in_force(self.audit, tidy(readings))
        self.by_seq = {f["seq"]: f for f in self.frames}
        self.findings: list[Json] = list(self.audit.get("findings") or ())
        self.by_id = {str(f["id"]): f for f in self.findings}
        self.course: Any = None
        """What the pages of its events are made from, once one is asked for (`replay.Course`)."""
        self.elsewhere: Mapping[str, Where] = {}
        """The findings that are not in the report itself but on a further page of their list."""
        self.here: Where | None = None
        """The page of a list that is being made; None: the report itself."""

    def board(self, seq: Any) -> Json:
        """The board of a frame; empty where it has none."""
        board: Json = tidy(self._boards.get(seq) or {})
        return board

    def told(self, value: Any) -> Any:
        """A value with the players in it by their names."""
        if isinstance(value, str):
            return self.called.get(value) or self.names(value)
        if isinstance(value, Mapping):
            return {self.told(key): self.told(inner) for key, inner in value.items()}
        return [self.told(one) for one in value] if isinstance(value, list | tuple) else value

    def shown_board(self, board: Json) -> Json:
        """A board as its kind shows it by the players' names, where it bears their ids."""
        return kind_of(board).named(board, self.called) if board and self.called else board

    def shown_marks(self, marks: Sequence[Json]) -> Sequence[Json]:
        """The marks of an act with the players in them by their names."""
        return [
            {**one, "player": self.called.get(one["player"], one["player"])} if "player" in one else one
            for one in marks
        ]

    @cached_property
    def kind(self) -> Kind:
        """The kind of this game's boards, which also says how its places and dice are called."""
        shown = ((f.get("evidence") or {}).get(key) for f in self.findings for key in ("before", "after"))
        boards = (board for board in (*shown, *self._boards.values()) if board)
        return speech_of(next(boards, None))

    @cached_property
    def passages(self) -> PassagesOf:
        """The events of this game that belong together."""
        bearing = [f for f in reversed(self.findings) if bears_on_the_verdict(f)]
        marks = {f["seq"]: found for f in bearing if (found := (f.get("evidence") or {}).get("marks"))}
        signs = {f["seq"]: str(f["kind"]) for f in bearing}
        return PassagesOf(self.kind.passages, self.frames, signs, marks, self.side, self.links.replay, self.names)

    def place_of(self, ident: Any, here: bool = True) -> str | None:
        """Where a finding stands in the report: on the page that is being made (`here`), or on another."""
        page = self.elsewhere.get(str(ident))
        if here and page == self.here:
            return f"#f-{slug(ident)}"
        if page is None:
            return self.links.finding(str(ident))
        address = self.links.part(*page)
        return None if address is None else f"{address}#f-{slug(ident)}"

    def side(self, player: Any) -> Side | None:
        return next((s for s in self.sides if s.id == player), None)

    # -- findings

    @cached_property
    def roots(self) -> dict[str, str]:
        """For every finding that stands and follows from others that stand: the earliest root."""
        standing = {str(f["id"]) for f in self.findings if f.get("stands")}
        parents = {
            str(f["id"]): [str(p) for p in f.get("depends_on") or () if str(p) in standing]
            for f in self.findings
            if f.get("stands")
        }
        order = {str(f["id"]): n for n, f in enumerate(self.findings)}
        roots: dict[str, str] = {}
        for finding in parents:
            tops: set[str] = set()
            seen = {finding}
            todo = list(parents[finding])
            while todo:
                above = todo.pop()
                if above in seen:
                    continue
                seen.add(above)
                if parents[above]:
                    todo += parents[above]
                else:
                    tops.add(above)
            if tops:
                roots[finding] = min(tops, key=order.__getitem__)
        return roots

    @cached_property
    def _settled_by(self) -> dict[str, Json]:
        """For what was left open and is as it should be if a line meant something else: the finding that says so."""
        found: dict[str, Json] = {}
        for finding in self.findings:
            for ident in (finding.get("meant") or {}).get("settles") or ():
                found.setdefault(str(ident), finding)
        return found

    def _settled_words(self, ident: str) -> str:
        by = self._settled_by.get(ident)
        return (
            ""
            if by is None
            else f"see the finding at event {by.get('seq')}; if that is so, this act is as it should be."
        )

    def standing_roots(self) -> list[Json]:
        return [f for f in self.findings if f.get("stands") and str(f["id"]) not in self.roots]

    @cached_property
    def _following(self) -> dict[str, list[Json]]:
        found: dict[str, list[Json]] = {}
        for f in self.findings:
            root = self.roots.get(str(f["id"]))
            if root is not None:
                found.setdefault(root, []).append(f)
        return found

    def consequences(self, root: str) -> list[Json]:
        return self._following.get(root, [])

    def option(self, reading: str, option: str) -> Option:
        known = self.readings.get(reading) or {}
        means = next((str(o.get("means") or "") for o in known.get("options") or () if o.get("id") == option), "")
        question = str(known.get("question") or "")
        return Option(reading, question, self.links.reading(reading), option, means, self.force.get(reading) == option)

    def scope(self, finding: Json) -> Scope:
        scope = finding.get("scope") or {}

        def all_of(key: str) -> tuple[tuple[Option, ...], ...]:
            rows = [tuple(self.option(str(r), str(o)) for r, o in a.items()) for a in scope.get(key) or ()]
            return tuple(sorted(rows, key=lambda row: sum(not o.in_force for o in row)))

        every = scope.get("kind") != "only_under"
        note = (
            "A fault however the open questions are answered." if every and finding.get("kind") != "ambiguous" else ""
        )
        if scope.get("partial"):
            note = "Not every combination of answers is listed."
        holds, clears = all_of("holds"), all_of("clears")
        asked = dict.fromkeys(option.reading for row in (*holds, *clears) for option in row)
        readings = tuple(self.option(reading, self.force.get(reading, "")) for reading in asked)
        nearest = holds[0] if holds else ()
        return Scope(every, self._joined(holds), self._joined(clears), nearest, note, readings)

    def _joined(self, rows: Iterable[tuple[Option, ...]]) -> tuple[Assignments, ...]:
        """Assignments that differ in one reading alone as one, with all its options there; together they say the same.

        Rows stay in the order of their first assignment, and the options of a reading in that of the rows.
        """
        found: list[dict[str, tuple[Option, ...]]] = [{option.reading: (option,) for option in row} for row in rows]
        before = 0
        while len(found) != before:
            before = len(found)
            for reading in dict.fromkeys(name for row in found for name in row):
                together: dict[Any, dict[str, tuple[Option, ...]]] = {}
                for row in found:
                    rest = frozenset((name, frozenset(options)) for name, options in row.items() if name != reading)
                    like = together.setdefault((reading in row, rest), row)
                    if reading in row:
                        together[True, rest] = {**like, reading: tuple(dict.fromkeys((*like[reading], *row[reading])))}
                found = list(together.values())
        return tuple(Assignments(tuple(of for of in row.values() if not self._is_any(of))) for row in found)

    def _is_any(self, options: tuple[Option, ...]) -> bool:
        """Whether these are all the options of their reading."""
        known = {str(one.get("id")) for one in (self.readings.get(options[0].reading) or {}).get("options") or ()}
        return bool(known) and known <= {option.option for option in options}

    def at(self, seq: Any) -> str:
        """When an event is, in short: 'R2'."""
        return str(moment_of(self.by_seq.get(seq) or {}).get("short") or "")

    def place(self, finding: Json) -> str:
        """When and where a finding is, and where it was seen if elsewhere: 'round 3, line 20, seen at event 31'."""
        board = (finding.get("evidence") or {}).get("before") or {}
        said = [kind_of(board).when(board)]
        if finding.get("line") is not None:
            said.append(f"line {finding['line']}")
        if finding.get("seen_at") not in (None, finding.get("seq")):
            said.append(f"seen at event {finding['seen_at']}")
        return ", ".join(filter(None, said))

    def under(self, other: Json) -> str:
        """What a finding would be under other readings, in a sentence."""
        asked = [self.option(str(r), str(o)) for r, o in (other.get("readings") or {}).items()]
        said = [f"to “{o.question or o.reading}” is “{o.means or o.option}” ({o.reading}: {o.option})" for o in asked]
        value = self.told(other.get("recomputed"))
        ruled = "" if value is None else f", by the rules {value_words(value, '', self.kind)}"
        return f"{'If the answer ' + ' and that '.join(said) if said else 'In any case'}: {other.get('kind')}{ruled}."

    def extra(self, fields: Json) -> tuple[tuple[str, Shown], ...]:
        """What a finding of this game has beyond those of others, as its kind of board says it."""
        said = self.kind.extra(fields)
        if said is not None:
            return tuple((what, Shown(words)) for what, words in said)
        return tuple((label(str(name)), Shown(value, str(name), self.kind)) for name, value in fields.items())

    def rule(self, rule_id: str) -> tuple[str, str, str | None]:
        rule = self.rules.get(rule_id) or {}
        text = paragraphs(str(rule.get("text") or ""))
        return str(rule.get("title") or ""), text[0] if text else "", self.links.rule(rule_id)

    def named_rule(self, rule_id: str) -> tuple[str, str | None]:
        """A rule by its id and its title, and its page."""
        title, _, href = self.rule(rule_id)
        return f"{rule_id} {title}".strip(), href

    def case(self, finding: Json, *, deep: bool = True) -> Case:
        """A finding with everything under it; `deep` False leaves out the pictures (for lists)."""
        ident, seq = str(finding["id"]), finding.get("seq")
        rule_id = str(finding.get("rule"))
        title, words, href = self.rule(rule_id)
        evidence = finding.get("evidence") or {}
        scene = scene_of(evidence)
        effect = finding.get("effect") or {}
        kind = str(finding.get("kind"))
        root = self.roots.get(ident)
        side = self.side(finding.get("player"))
        rows = comparison(self.told(finding.get("claimed")), self.told(finding.get("recomputed")), self.kind)
        above = [self.by_id[str(p)] for p in finding.get("depends_on") or () if str(p) in self.by_id]
        links = [
            (f"Replay at event {seq}", self.links.replay(seq) if isinstance(seq, int) else None),
            (
                f"Line {finding.get('line')} of the log",
                self.links.log_line(finding["line"]) if isinstance(finding.get("line"), int) else None,
            ),
            ("Incident sheet", self.links.sheet(ident)),
            ("JSON", self.links.finding_json(ident)),
            ("Its board, drawn", self.links.drawn(ident) if is_slim(finding) else None),
        ]
        return Case(
            id=ident,
            anchor=f"f-{slug(ident)}",
            kind=kind,
            icon=ICONS.get(kind, "amb"),
            seq=seq if isinstance(seq, int) else None,
            at=self.at(seq),
            place=self.place(finding),
            side=side,
            who=side.full if side else str(finding.get("player") or BOTH),
            text=shorten(str(finding.get("text") or title or rule_id), 400),
            event_text=self.names(str((self.by_seq.get(seq) or {}).get("text") or "")),
            rule=rule_id,
            rule_title=title,
            rule_href=href,
            rule_words=words,
            would_be=finding.get("would_be"),
            also=tuple(self.named_rule(str(also)) for also in finding.get("also") or ()),
            meant=_meant_words(finding) or self._settled_words(ident),
            rows=rows,
            working=tuple(working(self.told(f), self.kind) for f in finding.get("figures") or ()),
            fields=self.extra(finding.get("game_fields") or {}),
            passage=self.around(seq, [(title, row) for row in rows], evidence.get("marks") or ()) if deep else None,
            pictures=self.pictures(finding) if deep else (),
            contacts=kind_of(scene.board).contacts(scene) if deep else (),
            answers=kind_of(scene.board).answers(scene),
            scope=self.scope(finding),
            under=tuple(self.under(u) for u in finding.get("under") or ()),
            effect=_effect_words(effect),
            changed=tuple(self.changed(c) for c in effect.get("changed") or ()),
            odds=tuple(chances.odds(one) for one in effect.get("odds") or ()),
            gain=self.gain(finding),
            remedy=str((finding.get("remedy") or {}).get("text") or ""),
            follows_from=tuple(
                (f"event {f.get('seq')}, {shorten(str(f.get('text') or f.get('rule')), 120)}", self.place_of(f["id"]))
                for f in above
            ),
            consequences=tuple(self.case(f, deep=deep) for f in self.consequences(ident)) if root is None else (),
            links=tuple((words, href) for words, href in links if href),
        )

    def around(self, seq: Any, rows: Iterable[tuple[str, Row]], marks: Sequence[Json]) -> Passage | None:
        """The events round a finding; without a line where the page has no room for more of them."""
        found = self.passages.around(seq, rows, marks)
        if found is None or self.sheet.told > 0:
            self.sheet.told -= found.letters if found is not None else 0
            return found
        return replace(found, parts=())

    def changed(self, one: Json) -> Changed:
        """A thing that differs, in words; a column that says nothing is None."""
        what = str(one.get("what"))
        logged, right, undone = (one.get(key) for key in ("as_logged", "as_it_should_be", "as_if_not_done"))
        said = [None if value is None else value_words(value, what, self.kind) for value in (right, undone)]
        return Changed(what.replace("_", " "), value_words(logged, what, self.kind), said[0], said[1])

    def gain(self, finding: Json) -> str:
        """To whose advantage a finding was, in words; empty where it was not followed."""
        gained = (finding.get("effect") or {}).get("gain")
        if gained is None:
            return ""
        if gained == UNKNOWN:
            return "To whose advantage it was nobody can tell."
        if gained == NOBODY:
            return "To nobody's advantage."
        who, slipped = self.side(gained), self.side(finding.get("player"))
        if who is None:
            return ""
        if slipped is not None and slipped != who:
            return f"To the advantage of {who.name}; {slipped.name} harmed their own side."
        return f"To the advantage of {who.name}."

    # -- pictures

    def pictures(self, finding: Json) -> tuple[Picture, ...]:
        evidence = finding.get("evidence") or {}
        before, after, right = (self.shown_board(evidence.get(key) or {}) for key in ("before", "after", "right"))
        # The board is that of the event at which it is seen, which may come after the one that it belongs to.
        seq, seen_at = finding.get("seq"), finding.get("seen_at")
        seen_at = seq if seen_at is None else seen_at
        at = f"event {seen_at}" if isinstance(seen_at, int) else "the event"
        whose = "in the header" if seq == 0 else f"at event {seq}"
        act_of = "and the act" if seen_at == seq else f"where the slip {whose} is seen"
        marks = self.shown_marks(evidence.get("marks") or ())
        act = scene_of({**evidence, "before": before, "after": after, "marks": marks})
        kind = kind_of(act.board)
        focus = list(kind.interest(act))
        if before and after:
            focus += [p for p in kind_of(after).interest(Scene(after)) if p not in focus]
        said, rings = _told_apart(before, after)
        focus = focus or list(kind.interest(Scene(after, rings)))
        goes_on = bool(after) and after != before
        out = []
        if before:
            stamp = "before" if goes_on else "as logged" if right else ""
            out.append(self.picture(f"Before {at}, {act_of}", act, focus, stamp=stamp))
        if goes_on and right:
            shown = Scene(after, _told_apart(right, after)[1])
            out.append(self.picture(f"As logged, after {at}", shown, focus, said, stamp="as logged"))
        elif goes_on:
            title, stamp = f"After {at}, as the replay goes on", "after" if before else ""
            out.append(self.picture(title, Scene(after, rings), focus, said, stamp=stamp))
        if right:
            said, rings = _told_apart(after or before, right)
            said = f"Beside what is logged: {said}" if said else ""
            title = f"As it should be, after {at}"
            out.append(self.picture(title, Scene(right, rings), focus, said, stamp="as it should be"))
        return (*out, *self.further(act, _ruled(finding)))

    def picture(
        self,
        title: str,
        scene: Scene,
        focus: Sequence[Any] = (),
        said: str = "",
        size: Size = "near",
        stamp: str = "",
    ) -> Picture:
        kind = speech_of(scene.board)
        view = View(size=size, sides=self._sides_on(scene.board), focus=focus, sheet=self.sheet, title=title)
        named = zip(letters(scene.marks), scene.marks, strict=True)
        words = tuple((letter, kind.mark_words(m)) for letter, m in named if m.get("label"))
        return Picture(partial(draw, scene, view), title, said or kind.state(scene.board), words, stamp)

    def _sides_on(self, board: Json) -> list[str]:
        """The players as a board bears them: by their names where it was made to."""
        return [self.called.get(one, one) for one in self.side_ids] if board.get("by_name") else self.side_ids

    def further(self, scene: Scene, ruled: str = "") -> tuple[Picture, ...]:
        """What the kind of board draws of a scene beside the board. `ruled`: what the rules give for the act."""
        found = kind_of(scene.board).further(scene, View(sides=self._sides_on(scene.board), sheet=self.sheet), ruled)
        return tuple(Picture(partial(self.sheet.drawn, one.drawn), one.title, one.caption) for one in found)

    # -- the strip

    def flags(self, *, to_replay: bool) -> list[Flag]:
        out = []
        for f in self.findings:
            if not bears_on_the_verdict(f) or not isinstance(f.get("seq"), int):
                continue
            root = self.roots.get(str(f["id"]))
            href = self.links.replay(f["seq"]) if to_replay else self.place_of(f["id"])
            out.append(
                Flag(
                    f["seq"],
                    str(f["kind"]),
                    shorten(str(f.get("text") or f.get("rule")), 140),
                    href,
                    self.by_id[root].get("seq") if root else None,
                )
            )
        return out


def _told_apart(before: Json, after: Json) -> tuple[str, Sequence[Json]]:
    """What differs between two boards, in words and as rings on the second."""
    kind = kind_of(after)
    if not before or not after or kind_of(before) is not kind:
        return "", ()
    return kind.changes(before, after), kind.differing(before, after)


def scene_of(evidence: Json) -> Scene:
    """The act of a finding on the board before it, or where there is none on the one after it."""
    board = evidence.get("before") or evidence.get("after") or {}
    return Scene(board, evidence.get("marks") or (), evidence.get("sight"), evidence.get("path") or ())


def _ruled(finding: Json) -> str:
    """The numbers that the rules give where the log says others: 'dice 4'."""
    claimed, ruled = finding.get("claimed"), finding.get("recomputed")
    if not isinstance(ruled, dict) or not isinstance(claimed, dict):
        claimed, ruled = {"": claimed}, {"": ruled}
    numbers = {key: value for key, value in ruled.items() if isinstance(value, int) and not isinstance(value, bool)}
    return ", ".join(
        f"{label(str(key))} {value}".strip() for key, value in numbers.items() if claimed.get(key) != value
    )


TABLED = re.compile(r"^.*(?:as it should be|if it had not been done)(?:; and \d+ more)?\. ?", re.DOTALL)
"""The part of an effect's sentences that its table says too."""


def _meant_words(finding: Json) -> str:
    """What a line may have meant, where that says more than what is recomputed: another line, or several findings."""
    meant = finding.get("meant") or {}
    alone = len(meant.get("explains") or ()) < 2 and meant.get("seq") == finding.get("seq")
    return "" if alone and not meant.get("or") else str(meant.get("text") or "")


def _effect_words(effect: Json) -> str:
    """The effect in words; where a table gives the changes, what is said beside them."""
    text = str(effect.get("text") or "")
    if not effect.get("changed"):
        return text
    beside = TABLED.sub("", text)
    return f"So it stands at the end of the record. {beside}".strip() if text.startswith("At the end") else beside
