"""One part of a printed text (a clause, the costs, a trigger …), read by the grammar and made into its shape.

The only place that knows lark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from sys import intern
from typing import Any, cast

from lark import Lark, Token, Tree, UnexpectedToken
from lark.lexer import Lexer

from auditor.systems.hcg.abilities.shapes import (
    Amount,
    Change,
    Compare,
    Condition,
    Cost,
    Effect,
    Selector,
    Span,
    Trigger,
    XValue,
    Zone,
)
from auditor.systems.hcg.abilities.words import place

STARTS = ("costs", "static", "trigger", "clause", "condition", "xdef")


class NotRead(ValueError):
    """The grammar has no reading; `at` is the place where it stopped, None at the end of the part."""

    def __init__(self, at: Span | None) -> None:
        self.at = at
        super().__init__("not read")


class Given(Lexer):
    """Hands lark the tokens that `words.tokens` made."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        yield from lexer_state


@cache
def language() -> tuple[Lark, Mapping[str, str]]:
    """The parser, and each word of the grammar with the name of its token. Built once, in about a tenth of a second."""
    grammar = resources.files(__package__).joinpath("grammar.lark").read_text("utf-8")
    parser = Lark(grammar, start=list(STARTS), parser="lalr", lexer=Given, propagate_positions=True)
    return parser, {one.pattern.value: one.name for one in parser.terminals}


def read(part: Sequence[Token], start: str) -> Any:
    """A part as its shape: a tuple of costs or of effects, a Trigger, a Condition, an XValue. Raises NotRead."""
    return _MADE[start](tree_of(part, start))


def tree_of(part: Sequence[Token], start: str) -> Tree[Token]:
    """A part as the grammar has it. Raises NotRead."""
    try:
        return language()[0].parse(cast(Any, list(part)), start=start)
    except UnexpectedToken as stopped:
        raise NotRead(None if stopped.token.type == "$END" else place([stopped.token])) from None


# -- from trees to shapes -----------------------------------------------------------------------------------------
# Anonymous words are no part of a tree; those that carry a meaning stand in rules that keep theirs ("!" in the grammar).


def _at(tree: Tree[Token]) -> Span:
    return (tree.meta.start_pos, tree.meta.end_pos)


def _rules(tree: Tree[Token]) -> list[Tree[Token]]:
    """The children that are rules."""
    return [child for child in tree.children if isinstance(child, Tree)]


def _trees(tree: Tree[Token]) -> dict[str, Tree[Token]]:
    """The children that are rules, by name; the last where several bear one."""
    return {str(child.data): child for child in _rules(tree)}


def _words(tree: Tree[Token]) -> list[str]:
    # Interned, because msgspec leaves out a default only where it is the very same object.
    return [intern(str(child)) for child in tree.children if isinstance(child, Token)]


def _amount(tree: Tree[Token]) -> Amount:
    return _number(_words(tree)[0])


def _number(word: str) -> Amount:
    return int(word) if word.isdecimal() else "X" if word == "x" else word


def _signed(tree: Tree[Token]) -> Amount:
    parts = _trees(tree)
    amount = _amount(parts["amount"])
    if _words(parts["sign"])[0] == "+":
        return amount
    return -amount if isinstance(amount, int) else f"-{amount}"


def _stat(tree: Tree[Token]) -> str:
    word = _words(tree)[0]
    return "flags" if word == "flag" else word


def _singular(word: str) -> str:
    return intern(word.removesuffix("s"))


def _counted(words: Sequence[str]) -> tuple[str, Amount | None]:
    """(q, n) of a quantifier or quantity."""
    first = words[0]
    if first in ("all", "each"):
        return "all", None
    if first == "up":
        return "upto", _number(words[2])
    if first == "the":
        return "same", None
    if first in ("any", "a", "an"):
        return "exact", 1
    return "exact", _number(first)


def _self(tree: Tree[Token]) -> Selector:
    kind = _words(tree)[-1]
    return Selector(q="self", n=1, side="own", kind=cast(Any, "card" if kind == "itself" else kind), at=_at(tree))


def _selector(tree: Tree[Token]) -> Selector:
    """A selector, or anything built like one (picked, what stands after "vs." or "the number of")."""
    built = [child for child in _rules(tree) if str(child.data) in _CARDS]
    at = (built[0].meta.start_pos, built[-1].meta.end_pos)
    found: dict[str, Any] = {"q": "all", "n": None, "at": at}
    keywords: list[str] = []
    for child in built:
        name = str(child.data)
        if name in ("quantifier", "qty"):
            found["q"], found["n"] = _counted(_words(child))
        elif name in ("noun", "counted"):
            found["kind"] = _singular(_words(child)[0])
        elif name == "adjective":
            _adjective(child, found, keywords)
        elif name in _WHERE:
            _WHERE[name](child, found)
    return Selector(keywords=tuple(keywords), **found)


def _adjective(tree: Tree[Token], found: dict[str, Any], keywords: list[str]) -> None:
    child = tree.children[0]
    if isinstance(child, Token):
        if child.type == "OTHER":
            found["other"] = True
        else:
            keywords.append(str(child))
        return
    word = _words(child)[-1]
    if child.data == "side":
        found["side"] = "enemy" if word == "enemy" else "own"
    elif child.data == "flagness":
        found["flag"] = word == "flag"
    else:
        found[str(child.data)] = word


def _with_stat(tree: Tree[Token], found: dict[str, Any]) -> None:
    parts = _trees(tree)
    n = int(_words(tree)[0])
    side = "least" if _words(parts["more_or_less"])[0] == "more" else "most"
    found["has"] = Compare(stat=_stat(parts["stat"]), at=_at(tree), **{side: n})


_WHERE: Mapping[str, Callable[[Tree[Token], dict[str, Any]], None]] = {
    "here": lambda tree, found: None,
    "any_sector": lambda tree, found: found.update(where="any"),
    "another_sector": lambda tree, found: found.update(where="another"),
    "in_fleet": lambda tree, found: found.update(where="fleet", side="own"),
    "you_control": lambda tree, found: found.update(side="own"),
    "with_stat": _with_stat,
}

_CARDS = frozenset({"quantifier", "qty", "adjective", "noun", "counted", *_WHERE})

_PLAYERS: Mapping[str, Any] = {"you": "you", "enemy": "enemy", "each_player": "each"}
_OWNERS: Mapping[str, Any] = {"your": "you", "enemys": "enemy", "its_owners": "owner", "each_players": "each"}
_UNTIL: Mapping[str, Any] = {"until_battle": "battle", "until_turn": "turn"}


def _one_of(tree: Tree[Token], names: Mapping[str, Any]) -> Any:
    """The meaning of the one child whose rule is among `names`; None where there is none."""
    return next((names[str(child.data)] for child in _rules(tree) if str(child.data) in names), None)


def _target(tree: Tree[Token]) -> Selector:
    """The cards that a clause names first."""
    named = next(child for child in _rules(tree) if child.data in ("selector", "self", "picked"))
    return _self(named) if named.data == "self" else _selector(named)


def _changes(tree: Tree[Token]) -> tuple[Change, ...]:
    made: list[Change] = []
    for mod in _rules(_trees(tree)["mods"]):
        parts = _trees(mod)
        made.append(Change(stat=_stat(parts["stat"]), amount=_signed(parts["signed"]), at=_at(mod)))
    return tuple(made)


def _how_many(tree: Tree[Token]) -> dict[str, Any]:
    """`n` and `upto` of a quantity; all is n None."""
    parts = _trees(tree)
    if "qty" not in parts:
        return {"n": 1}
    q, n = _counted(_words(parts["qty"]))
    return {"n": n, "upto": True} if q == "upto" else {"n": n}


def _zone(tree: Tree[Token]) -> Zone:
    return Zone(whose=_one_of(tree, _OWNERS), place=cast(Any, _words(_trees(tree)["place"])[0]), at=_at(tree))


def _roll(tree: Tree[Token]) -> str:
    parts = _trees(tree)
    words = _words(parts["roll_ref"]) if "roll_ref" in parts else ["any"]
    return "enemy" if "enemy's" in words else words[0]


def _clause(tree: Tree[Token]) -> Effect:
    return _CLAUSES[str(tree.data)](tree)


def _draw(tree: Tree[Token]) -> Effect:
    return Effect(op="draw", player=_one_of(tree, _PLAYERS), at=_at(tree), **_how_many(tree))


def _discard(tree: Tree[Token]) -> Effect:
    zone = _trees(tree).get("zone")
    source = _zone(zone) if zone else None
    return Effect(op="discard", player=_one_of(tree, _PLAYERS), source=source, at=_at(tree), **_how_many(tree))


def _mill(tree: Tree[Token]) -> Effect:
    whose = _one_of(tree, _OWNERS)
    player = _one_of(tree, _PLAYERS)
    source = Zone(whose=whose, place="deck", at=_at(tree))
    return Effect(op="mill", player=player, source=source, at=_at(tree), **_how_many(tree))


def _infiltrate(tree: Tree[Token]) -> Effect:
    zone = _trees(tree).get("zone")
    source = _zone(zone) if zone else None
    target = _target(tree)
    if source is not None and source.whose == "you" and target.side == "any":
        target = _on_side(target, "own")
    return Effect(op="infiltrate", target=target, source=source, at=_at(tree))


def _on_side(target: Selector, side: Any) -> Selector:
    fields = {name: getattr(target, name) for name in target.__struct_fields__}
    return Selector(**{**fields, "side": side})


def _giveback(tree: Tree[Token]) -> Effect:
    place: Any = _words(_trees(tree)["store"])[0]
    to = Zone(whose=_one_of(tree, _OWNERS), place=place, at=_at(tree))
    return Effect(op="return", target=_target(tree), to=to, at=_at(tree))


def _modify(tree: Tree[Token]) -> Effect:
    until: Any = _one_of(tree, _UNTIL) or "ba"
    return Effect(op="modify", target=_target(tree), changes=_changes(tree), until=until, at=_at(tree))


def _grant(tree: Tree[Token]) -> Effect:
    # A quoted ability is kept as it stands; `reading` reads it.
    until: Any = _one_of(tree, _UNTIL) or "ba"
    given = next(child for child in tree.children if isinstance(child, Token))
    what = str(given)
    text = what[1:-1] if given.type == "QUOTED" else None
    return Effect(op="grant", target=_target(tree), what=None if text else what, text=text, until=until, at=_at(tree))


def _flags(tree: Tree[Token]) -> Effect:
    amount = _signed(_trees(tree)["signed"])
    return Effect(op="flags", player=_one_of(tree, _PLAYERS), amount=amount, at=_at(tree))


def _roll_change(tree: Tree[Token]) -> Effect:
    parts = _trees(tree)
    amount = _signed(parts["signed"]) if "signed" in parts else _amount(parts["amount"])
    if tree.data == "subtract_from_roll":
        amount = -amount if isinstance(amount, int) else f"-{amount}"
    return Effect(op="roll_add", amount=amount, roll=_roll(tree), at=_at(tree))


_CLAUSES: Mapping[str, Callable[[Tree[Token]], Effect]] = {
    "draw": _draw,
    "discard": _discard,
    "mill": _mill,
    "destroy": lambda tree: Effect(op="destroy", target=_target(tree), at=_at(tree)),
    "lock": lambda tree: Effect(op="lock", target=_target(tree), at=_at(tree)),
    "rally": lambda tree: Effect(op="rally", target=_target(tree), at=_at(tree)),
    "infiltrate": _infiltrate,
    "damage": lambda tree: Effect(
        op="damage", target=_target(tree), amount=_amount(_trees(tree)["amount"]), at=_at(tree)
    ),
    "giveback": _giveback,
    "modify": _modify,
    "grant": _grant,
    "flags": _flags,
    "add_to_roll": _roll_change,
    "change_roll": _roll_change,
    "subtract_from_roll": _roll_change,
    "reroll": lambda tree: Effect(op="reroll", roll=_roll(tree), at=_at(tree)),
    "set_roll": lambda tree: Effect(op="roll_set", amount=_number(_words(tree)[-1]), roll=_roll(tree), at=_at(tree)),
}


def _costs(tree: Tree[Token]) -> tuple[Cost, ...]:
    return tuple(_cost(child) for child in _rules(tree))


def _cost(tree: Tree[Token]) -> Cost:
    name = str(tree.data)
    if name == "test":
        return Cost(op="test", n=_number(_words(tree)[0]), at=_at(tree))
    if name in ("discard_cost", "mill_cost"):
        return Cost(op=cast(Any, name.removesuffix("_cost")), at=_at(tree), **_how_many(tree))
    target = _own(_target(tree))
    upto: dict[str, Any] = {"upto": True} if target.q == "upto" else {}
    return Cost(op=cast(Any, name.removesuffix("_cost")), target=target, at=_at(tree), **upto)


def _own(target: Selector) -> Selector:
    """Cards that pay a cost are the player's own (HCG-OPT-08), whatever the text leaves unsaid."""
    return _on_side(target, "own") if target.side == "any" else target


def _static(tree: Tree[Token]) -> tuple[Effect, ...]:
    parts = _trees(tree)
    if tree.data == "trait":
        bearer = Selector(q="self", n=1, side="own", at=_at(tree))
        return tuple(
            Effect(op="grant", target=bearer, what=str(word), until="static", at=place([word]))
            for word in tree.children
            if isinstance(word, Token)
        )
    if tree.data == "versus":
        bearer = Selector(q="self", n=1, side="own", at=_at(tree))
        against = _selector(tree)
        made = Effect(op="modify", target=bearer, changes=_changes(tree), versus=against, until="static", at=_at(tree))
        return (made,)
    if tree.data == "standing":
        cond = parts.get("cond")
        condition = _condition(_rules(cond)[0]) if cond else None
        changes = _changes(tree)
        target = _target(tree)
        if target.q != "all" and (target.q != "self" or condition is None):
            raise NotRead(target.at)  # Without a type only "all", "each" and a bonus of its own "while …" stand.
        return (Effect(op="modify", target=target, changes=changes, condition=condition, until="static", at=_at(tree)),)
    _, act, *others = _rules(tree)
    by = _selector(others[0]) if others else None
    what = " ".join(_words(act))
    return (Effect(op="forbid", target=_target(tree), what=what, by=by, until="static", at=_at(tree)),)


def _condition(tree: Tree[Token]) -> Condition:
    parts = _trees(tree)
    if tree.data == "there_is":
        return Condition(what="there_is", cards=_selector(parts["selector"]), at=_at(tree))
    if tree.data == "self_is":
        negated = "not" in _words(tree)
        state = _words(parts["state"])[0] if "state" in parts else None
        role = _words(parts["role"])[0] if "role" in parts else None
        return Condition(what="is", state=state, role=role, negated=negated, at=_at(tree))
    words = _words(parts["how_many"])
    count, n = (words[0], None) if words[0] in ("no", "more", "fewer") else _counted(words)
    player, *others = [_PLAYERS[str(child.data)] for child in _rules(tree) if str(child.data) in _PLAYERS]
    flags = _words(parts["counted"])[0] == "flags"
    return Condition(
        what="has",
        player=player,
        count=count,
        n=n,
        cards=None if flags else _selector(tree),
        than=others[0] if others else None,
        at=_at(tree),
    )


def _trigger(tree: Tree[Token]) -> Trigger:
    word = _words(_trees(tree)["begins"])[0]
    happening = _rules(tree)[1]
    parts = _trees(happening)
    if happening.data == "happens_to":
        what = _words(parts["befalls"])[-1]
        return Trigger(word=word, what=what, cards=_target(happening), at=_at(tree))
    verb = _words(parts["plays"])[0]
    n = _how_many(happening)["n"] if "qty" in parts else None
    what = verb if verb.endswith("s") else verb + "s"
    return Trigger(word=word, what=what, player=_one_of(happening, _PLAYERS), n=n, at=_at(tree))


def _xdef(tree: Tree[Token]) -> XValue:
    value = _rules(tree)[0]
    parts = _trees(value)
    if value.data == "x_int":
        return XValue(what="int", n=int(_words(value)[0]), at=_at(tree))
    if value.data == "x_number_of":
        return XValue(what="number_of", cards=_selector(value), at=_at(tree))
    kind: Any = _words(parts["belongs"])[0].removesuffix("'s")
    return XValue(what="stat", of=_words(parts["which"])[0], kind=kind, stat=_stat(parts["stat"]), at=_at(tree))


_MADE: Mapping[str, Callable[[Tree[Token]], Any]] = {
    "costs": _costs,
    "static": _static,
    "trigger": _trigger,
    "clause": _clause,
    "condition": _condition,
    "xdef": _xdef,
}
