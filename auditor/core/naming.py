"""Ids turned into the names that the table knows, where a finding is told: in one place for all rules.

A rule writes ids where it has no name at hand. An id in brackets stands beside a name already and is left alone, and so
is one that is a word of the language, since nobody could tell the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

MOST_NAMES = 2_000
"""Ids that are looked for in a sentence; a record with more keeps its ids."""
LONGEST = 80
"""Characters of a name in a sentence: a log may give one of any length."""


class Named(NamedTuple):
    """The name of an id. `beside`: whether the id follows in brackets where it is first named in a text; `of`: the player
    whose it is."""

    name: str
    beside: bool = False
    of: str = ""


def players_in(header: Mapping[str, Any]) -> dict[str, str]:
    """The names of the players by their ids, of whatever stands in a header in their place."""
    players = header.get("players")
    listed = [one for one in players if isinstance(one, dict)] if isinstance(players, list) else []
    return {str(one.get("id")): str(one.get("name") or "") for one in listed}


NOBODY: Mapping[str, str] = MappingProxyType({})


class Names:
    """Turns the ids of a record into names: `names("p1 passed")` is "Renske passed"."""

    def __init__(self, names: Mapping[str, Named], players: Mapping[str, str] = NOBODY) -> None:
        self.players = players
        self._names = {
            key: one._replace(name=one.name[:LONGEST])
            for key, one in names.items()
            if one.name and (one.name != key or one.of) and _is_no_word(key)
        }
        self._pattern: re.Pattern[str] | None = None
        if 0 < len(self._names) <= MOST_NAMES:
            longest_first = sorted(self._names, key=lambda key: (-len(key), key))
            ids = "|".join(map(re.escape, longest_first))
            self._pattern = re.compile(rf"(?<![\w.\-#])(?:{ids})(?![\w\-]|\.\w)")

        self._owned = self._owners()
        owned = "|".join(map(re.escape, sorted(self._owned, key=lambda one: (-len(one), one))))
        self._owned_pattern = re.compile(rf"(?<![\w.\-#])(?:{owned})(?!\w)") if owned and self._pattern else None

    def _owners(self) -> dict[str, str]:
        """What is somebody's, as sentences name it, and the names of the players; without what both have."""
        found: dict[str, set[str]] = {}
        for key, one in self._names.items():
            if owner := self.players.get(one.of):
                found.setdefault(f"{one.name} ({key})" if one.beside else one.name, set()).add(owner[:LONGEST])
        return {said: owners.pop() for said, owners in found.items() if len(owners) == 1}

    def heading(self, text: str) -> str:
        """The same of a heading, which says whose a thing is where it first names it and does not name the player
        otherwise."""
        told = self(text)
        if self._owned_pattern is None:
            return told
        owners = set(self._owned.values())
        said = {owner for owner in owners if re.search(rf"(?<!\w){re.escape(owner)}(?!\w)", told)}

        def whose(found: re.Match[str]) -> str:
            owner = self._owned[found.group()]
            if owner in said:
                return found.group()
            said.add(owner)
            return f"{owner}'s {found.group()}"

        return self._owned_pattern.sub(whose, told)

    def __call__(self, text: str) -> str:
        text = _NOT_STATED.sub(_somebody, text)
        if self._pattern is None:
            return text
        said: set[str] = set()

        def name(found: re.Match[str]) -> str:
            key = found.group()
            one = self._names[key]
            if text[found.start() - 1 : found.start()] == "(" and text[found.end() : found.end() + 1] == ")":
                return key  # It stands beside a name.
            beside = one.beside and key not in said and f"({key})" not in text
            said.add(key)
            called = one.name
            if called.startswith("the ") and text[max(0, found.start() - 2) : found.start()] in ("", ". "):
                called = f"T{called[1:]}"
            return f"{called} ({key})" if beside else called

        return self._pattern.sub(name, text)

    def of(self, value: Any) -> Any:
        """The same of a value that stands in a table: a text is told, anything else is left as it is. A player's id may
        be a letter, which in a sentence nobody could tell from a word."""
        if not isinstance(value, str):
            return value
        return self.players.get(value) or self(value)


_NOT_STATED = re.compile(r"(?<![\w“\"(.\-])None(?![\w”\")\-]| of )")
"""What a sentence has where a line does not state who; "None of the dice" is English."""


def _somebody(found: re.Match[str]) -> str:
    begins = found.start() == 0 or found.string[: found.start()].endswith((". ", ": "))
    return "Somebody" if begins else "somebody"


NO_NAMES = Names({})


def named_marks(marks: Any, names: Names) -> Any:
    """Marks on a board with what they say told by names."""
    if not isinstance(marks, list):
        return marks
    return [
        {**mark, "label": names.of(mark["label"])} if isinstance(mark, dict) and "label" in mark else mark
        for mark in marks
    ]


def _is_no_word(key: str) -> bool:
    """Whether an id cannot be taken for a word: it has a digit or a sign in it, or is two letters that are no word."""
    return key not in ABBREVIATIONS and (not key.isalpha() or (len(key) == 2 and key.lower() not in WORDS))


ABBREVIATIONS = frozenset({"AP", "AS", "BS", "D3", "D6", "Ld", "TP", "WS"})
"""What rulebooks call numbers and dice."""
WORDS = frozenset(
    [
        "ah",
        "am",
        "an",
        "as",
        "at",
        "be",
        "by",
        "do",
        "go",
        "ha",
        "he",
        "hi",
        "ho",
        "if",
        "in",
        "is",
        "it",
        "me",
        "my",
        "no",
        "of",
        "oh",
        "ok",
        "on",
        "or",
        "ox",
        "so",
        "to",
        "uh",
        "up",
        "us",
        "we",
    ]
)


SAID: Mapping[str, tuple[str, str]] = {
    "success": ("it failed", "it succeeded"),
    "passed": ("it failed", "it passed"),
    "pinned": ("not pinned", "pinned"),
    "saved": ("not saved", "saved"),
    "removed": ("not removed", "removed"),
    "casualty": ("not removed", "removed"),
    "revealed": ("not revealed", "revealed"),
    "half": ("not within half range", "within half range"),
    "in_range": ("out of range", "in range"),
    "hit": ("not hit", "hit"),
}
"""Values of a log that are yes or no, as they are said: no first."""
CALLED: Mapping[str, str] = {
    "atk": "flags of the attacker",
    "dfd": "flags of the defender",
    "S": "Strength",
    "T": "Toughness",
    "Ld": "Leadership",
    "crit": "critical effect",
    "to": "where it goes",
    "to_act": "who acts next",
    "need": "what the test needs",
    "ba": "battle action",
    "facing": "the side that is hit",
    "half": "within half range",
    "initiative_one": "struck at Initiative 1",
    "reroll": "needed when rolled again",
    "range_bonus": "inches added to the range",
    "op": "what was done",
    "by": "who did it",
    "level": "level of cover",
    "automatic": "hits without a die",
    "stat": "which number",
    "until": "how long it lasts",
    "final": "the roll",
}
"""Names of values that are abbreviations in logs, as they are said."""
FORMS: Mapping[str, str | tuple[str, str]] = {
    "needed": "{} or more",
    "modifier": "a modifier of {}",
    "total": "a total of {}",
    "bonus": "a bonus of {}",
    "wounds": ("{} wound", "{} wounds"),
    "dice": ("{} die", "{} dice"),
    "pool": "a pool of {}",
    "S": "Strength {}",
    "shields": ("{} shield", "{} shields"),
    "winner": "{} won",
    "loser": "{} lost",
    "deploys_first": "{} deploys first",
    "first_turn": "{} has the first turn",
    "result": "the result is {}",
    "hits": ("{} hit", "{} hits"),
    "attacks": ("{} attack", "{} attacks"),
    "initiative": "Initiative {}",
    "shots": ("{} shot", "{} shots"),
    "level": "a cover save of level {}",
    "reroll": "{} or more when rolled again",
    "tp_after": ("{} TP left", "{} TPs left"),
    "dice.models": ("{} die for the models", "{} dice for the models"),
    "cause": "",
    "crit.effect": "",
    "reason": "the reason is {}",
    "to": "it goes to the {}",
    "choice": "",
    "stage": "",
    "to_act": "",
    "stat": "the {} is used",
    "atk": "{} flags for the attacker",
    "dfd": "{} flags for the defender",
}
"""How a number is said by its name in the log, of one and of more where that differs; any other stands after its name.
One that its rule's sentence always bears is empty."""
_JOINED = """
acute_senses after_crit against_orders assault_pre before_crit command_hand deck_loss deploy_hand double_pass extra_turn
fear_charged fear_charging first_wave flamer_follow_up flat_out in_battle last_turn major_defeat major_victory minor_defeat
minor_victory move_in no_cards no_sector not_possible set_aside tank_shock two_sectors
"""
VALUES: Mapping[str, str] = {
    **{"pen": "a penetrating hit", "glance": "a glancing hit"},
    **{word: word.replace("_", " ") for word in _JOINED.split()},
    **{"after_atk": "after the attacker's events", "after_dfd": "after the defender's events"},
    **{"turn4_total": "total of turn 4", "roll_add": "a number added to the roll", "roll_set": "the roll set"},
}
"""Values of a log that are short for what is said, or words joined by a sign."""
UNTIL: Mapping[str, str] = {
    "ba": "the end of the battle action",
    "battle": "the end of the battle",
    "turn": "the end of the turn",
    "static": "while the card lies there",
}
"""The same of how long something lasts."""


def in_plain_words(value: str, key: str = "") -> str:
    """A value of a log as it is said; one that is no word of its format as it is."""
    words = UNTIL if key == "until" else VALUES
    return words.get(value, value)


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: `a, b and c`."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def with_what_the_log_has(text: str, claimed: Any, right: Any, players: Mapping[str, str] = NOBODY) -> str:
    """The sentence of a wrong number, with the number that the log has where it does not stand in it; players, by their
    names."""
    if not isinstance(claimed, Mapping) or not isinstance(right, Mapping):
        if isinstance(claimed, int) and not isinstance(claimed, bool) and not _stands_in(str(claimed), text):
            return f"{text} The log says {_signed(claimed)}."
        return text
    missing: list[str] = []
    for key, value in claimed.items():
        if key not in right or right[key] == value:
            continue
        if isinstance(value, bool):
            no, yes = SAID.get(str(key), ("", ""))
            if yes:
                missing.append(yes if value else no)
        elif isinstance(value, int) or (isinstance(value, str) and not isinstance(right[key], int)):
            # Faces of dice beside a number of dice are left out: the sentence has counted them.
            said = players.get(str(value)) or VALUES.get(str(value)) or _signed(value)
            if _stands_in(str(value), text) or (_stands_in(said, text) and str(value) in players):
                continue
            name = str(key).rsplit(".", 1)[-1]
            what, by, who = name.partition("_by_")
            if by:
                missing.append(f"{_form(what, value).format(said)} by {players.get(who) or who}")
            elif form := _form(str(key) if str(key) in FORMS else name, value):
                missing.append(form.format(said))
    return f"{text} The log says {' and '.join(missing)}." if missing else text


def _form(name: str, value: int | str) -> str:
    """How a value is said by its name; by an id, as what is said of it."""
    form = FORMS.get(name, f"{{}} for {name}" if re.search(r"\d", name) else f"{name.replace('_', ' ')} {{}}")
    return form if isinstance(form, str) else form[value not in (1, "1")]


def _stands_in(value: str, text: str) -> bool:
    words = value.replace("_", " ")
    return re.search(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\w)", text.replace("_", " ")) is not None


def _signed(value: int | str) -> str:
    return f"\u2212{-value}" if isinstance(value, int) and value < 0 else str(value).replace("_", " ")
