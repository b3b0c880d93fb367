"""Cards made ready for use: every printed text read, everything that is wrong with a set listed.

Source: HCG catalogue 4.1 (HCG-CARD-02, HCG-CARD-03) and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from auditor.core.nearest import nearest_id
from auditor.systems.hcg import abilities
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.packs.shapes import CARD, CardEntry, Kind
from auditor.systems.shapes import REFUSALS, Misfit, shown

STATS = ("firepower", "assault", "speed", "armor")
COLOURS: Mapping[str, str] = {"BA": "blue", "T": "gold", "R": "red", "M": "purple", "E": "white"}
"""The colour of the die tells the type of the command line (HCG-CARD-03)."""

_ALLOWED: Mapping[str, frozenset[str]] = {
    "unit": frozenset({"alignment", "flags", *STATS, "die", "line", "line_colour", "unique"}),
    "asset": frozenset({"alignment", "flags", "armor", "die", "line", "line_colour", "unique"}),
    "ship": frozenset({"alignment", "die", "line", "line_colour", "unique"}),
    "sector": frozenset({"requirement", "planet", "reverse"}),
}
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "unit": ("alignment", "flags", *STATS, "die", "line"),
    "asset": ("alignment", "flags", "armor", "die", "line"),
    "ship": ("alignment", "die", "line"),
    "sector": ("requirement", "planet"),
}
_OF_SOME_KINDS = frozenset().union(*_ALLOWED.values())


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a set, or one side of a sector card.

    stats      the four printed numbers by name; one that is missing or None cannot be used
    keywords   in lower case; bold ones and the named traits of the ability box among them
    abilities  the ability box as read, one for each string; `line` is the command line as read; `standing` those of
               the box that hold as long as the card lies there
    warnings   what is odd about it and does not keep it from being used
    """

    id: str
    title: str
    kind: Kind
    group: str
    alignment: str | None = None
    flags: int = 0
    stats: Mapping[str, int | None] = field(default_factory=dict)
    keywords: frozenset[str] = frozenset()
    unique: bool = False
    abilities: tuple[Ability, ...] = ()
    die: int | None = None
    line: Ability | None = None
    requirement: int | None = None
    planet: str | None = None
    reverse: str | None = None
    grouped: bool = False
    standing: tuple[Ability, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "standing", tuple(one for one in self.abilities if one.type == "static"))

    @property
    def counterattacks(self) -> bool:
        return "counterattack" in self.keywords

    @property
    def texts(self) -> tuple[Ability, ...]:
        """All printed texts: the ability box, then the command line."""
        return self.abilities if self.line is None else (*self.abilities, self.line)


@dataclass(frozen=True)
class CardSet:
    """A set of cards by id. `warnings`: what is odd and does not keep the set from being used."""

    id: str
    title: str
    cards: Mapping[str, Card]
    keywords: frozenset[str] = frozenset()
    warnings: tuple[Misfit, ...] = ()

    def __contains__(self, card: str) -> bool:
        return card in self.cards

    def get(self, card: str | None) -> Card | None:
        return None if card is None else self.cards.get(card)


NO_CARDS = CardSet("", "", MappingProxyType({}))


def card_set(
    set_id: str, title: str, entries: Sequence[Any], place: Callable[[int], str]
) -> tuple[CardSet, list[Misfit]]:
    """The set that some entries (parsed JSON) describe, and everything that is wrong with them.

    `place(i)` names the place of entry i in its file. What fits is in the set even where something else does not.
    """
    wrong: list[Misfit] = []
    written: list[tuple[str, CardEntry]] = []
    ids: set[str] = set()
    for i, entry in enumerate(entries):
        try:
            written.append((place(i), CARD.of(entry)))
        except REFUSALS as refusal:
            found = CARD.misfits(entry) or [Misfit("", shown(entry)[:80], str(refusal))]
            wrong += [_at(place(i), misfit) for misfit in found]
            if isinstance(entry, Mapping) and isinstance(entry.get("id"), str):
                ids.add(entry["id"])  # Another card may not have it, whatever else is wrong with this one.
    keywords = frozenset(word.name.lower() for _, entry in written for word in entry.keywords)
    cards: dict[str, Card] = {}
    warnings: list[Misfit] = []
    for where, entry in written:
        misfits = list(_misfits(entry))
        card, texts = _card(entry, keywords)
        wrong += [_at(where, misfit) for misfit in (*misfits, *texts)]
        warnings += [_at(where, misfit) for misfit in _odd(entry, card)]
        if entry.id in ids:
            wrong.append(Misfit(f"{where}.id", shown(entry.id), "an id of its own: another card has it"))
        elif not misfits and not texts:
            cards[entry.id] = card
        ids.add(entry.id)
    for where, entry in written:
        if entry.reverse is not None and entry.kind == "sector":
            other = next((one for _, one in written if one.id == entry.reverse), None)
            if other is None or other.kind != "sector" or other is entry:
                near = nearest_id(entry.reverse, [one.id for _, one in written if one.kind == "sector"])
                wrong.append(Misfit(f"{where}.reverse", shown(entry.reverse), "the id of another sector card", near))
    return CardSet(set_id, title, MappingProxyType(cards), keywords, tuple(warnings)), wrong


def _at(where: str, misfit: Misfit) -> Misfit:
    path = f"{where}.{misfit.path}" if misfit.path and not misfit.path.startswith("[") else where + misfit.path
    return Misfit(path, misfit.found, misfit.expected, misfit.nearest)


def _misfits(entry: CardEntry) -> Iterable[Misfit]:
    """What a card of its kind must print and must not (HCG-CARD-02, HCG-CARD-03)."""
    allowed = _ALLOWED[entry.kind]
    article = "an" if entry.kind == "asset" else "a"
    for name in sorted(_OF_SOME_KINDS - allowed):
        value = getattr(entry, name)
        if value is not None and value is not UNSET and value is not False:
            yield Misfit(name, shown(value), f"nothing: {article} {entry.kind} has none")
    for name in _NEEDED[entry.kind]:
        value = getattr(entry, name)
        if value is UNSET or (value is None and name not in STATS):
            yield Misfit(name, "nothing", f"a value: every {entry.kind} has one")
    if entry.kind == "asset" and entry.armor is None:
        yield Misfit("armor", "null", "a whole number: every asset has one")
    if entry.line is not None and entry.kind != "sector":
        kind = _line_type(entry.line)
        if kind is None:
            yield Misfit("line", shown(entry.line)[:80], "a command line: it begins with BA, T, R, M or E")
        elif entry.line_colour is not None and COLOURS[kind] != entry.line_colour:
            yield Misfit("line_colour", shown(entry.line_colour), f'"{COLOURS[kind]}", the colour of {kind}')


def _line_type(line: str) -> str | None:
    try:
        kind = abilities.type_of(line)
    except abilities.TextRefused:
        return None
    return kind if kind in COLOURS else None


def _odd(entry: CardEntry, card: Card) -> Iterable[Misfit]:
    if entry.die is not None and not 1 <= entry.die <= 6:
        yield Misfit("die", shown(entry.die), "a die number of 1 to 6")
    for i, ability in enumerate(card.abilities):
        if ability.several:
            yield Misfit(f"abilities[{i}]", shown(ability.text)[:80], "one ability; each has a string of its own")


def _card(entry: CardEntry, keywords: frozenset[str]) -> tuple[Card, list[Misfit]]:
    """The card, and the texts that are refused."""
    refused: list[Misfit] = []

    def read(text: str, path: str) -> Ability | None:
        try:
            return abilities.read(text, keywords)
        except abilities.TextRefused as why:
            refused.append(Misfit(path, str(why), "a text as it is printed on a card"))
            return None

    box = [read(text, f"abilities[{i}]") for i, text in enumerate(entry.abilities)]
    texts = tuple(ability for ability in box if ability is not None)
    line = read(entry.line, "line") if entry.line is not None else None
    words = {word.name.lower() for word in entry.keywords} | set(traits(texts))
    if entry.unique:
        words.add("unique")
    stats = {name: value for name in STATS if (value := getattr(entry, name)) is not UNSET}
    card = Card(
        id=entry.id,
        title=entry.title,
        kind=entry.kind,
        group=entry.group or entry.title,
        grouped=entry.group is not None,
        alignment=entry.alignment,
        flags=entry.flags or 0,
        stats=MappingProxyType(stats),
        keywords=frozenset(words),
        unique="unique" in words,
        abilities=texts,
        die=entry.die,
        line=line,
        requirement=entry.requirement,
        planet=entry.planet,
        reverse=entry.reverse,
    )
    return card, refused


def traits(texts: Iterable[Ability]) -> Iterable[str]:
    """The named traits that an ability box prints ("Counterattack."); they are keywords too (HCG-KEY-01)."""
    for ability in texts:
        if ability.type == "static":
            for effect in ability.effects:
                if effect.op == "grant" and effect.what and effect.target and effect.target.q == "self":
                    yield effect.what
