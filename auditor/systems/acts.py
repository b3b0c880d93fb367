"""The fields of the acts that every game has: `position`, `undo`, `judge`, `remark`, `end`, and of every event.

A game's own classes of these acts take their fields from here, so that what they are is said once.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from auditor.systems.fields import fact, label

LARGEST = 2**53 - 1
LONGEST_TEXT = 2_000

Seq: TypeAlias = Annotated[
    int, Meta(ge=1, le=LARGEST), label("event", "the number of the event: 1, 2, 3 and so on in the order of play")
]
BackTo: TypeAlias = Annotated[
    Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | None,
    fact("event", "after which event play goes on", needed=True),
]
Said: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Settled: TypeAlias = Annotated[Said | None, label("text", "what the judge settled, in words")]
Remarked: TypeAlias = Annotated[Said | None, label("text", "what the players noted")]
Ended: TypeAlias = Annotated[
    Literal["finished", "time", "concession", "judge"] | None, fact("choice", "why the record ends")
]
AS_SETTLED = fact("part", "the position as the judge settled it; the fields are those of a position")

# -- what every header and every data pack may carry ------------------------------------------------------------------

GAME = fact("choice", "of which game it is")
FORMAT = fact("number", "in which version of the format the log is written")
PLAYER_ID = fact("player", "the id by which events name the player")
PLAYER_NAME = label("text", "the name of the player")
RULINGS = label("anything", "the rulings that the players say they played by: answers to open readings, and settings")
MATCH = label("anything", "which match it was: event, round and table")
RECORDED_BY = label("text", "who wrote the log")
CONFIRMED_BY = label("player", "which players agreed to the log")
TITLE = label("text", "a name for the game")

PACK_ID = fact("pack", "the id of the pack, by which headers name it")
PACK_TITLE = label("text", "a name for the pack")
PACK_SOURCE = label("text", "who entered the pack, and from what")
NAME = label("text", "a name for readers")
