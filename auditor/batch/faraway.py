"""Many logs audited by the workers of an installation of several machines (`auditor audit --broker`).

What is sent is all that an audit depends on: the order and the bytes. So it needs no database, any worker of the same
version gives what this process would have given, and a part that was done twice is the same twice. What is no log is
told here, where it is read.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from auditor import engine
from auditor.batch import MOST_IN_A_CHUNK, Clerk, Done, Order, chunks
from auditor.ingest import Member, NotRead, check_packs
from auditor.jobs.broker import Errands

Json = dict[str, Any]


class OtherProgram(Exception):
    """The workers are of another version than this program."""


def audit_all(files: Iterable[Member], order: Order, errands: Errands) -> Iterator[Done]:
    """Every file done with, in order, by those who do the errands. Raises OtherProgram."""
    clerk, said, ours = Clerk(order), _written(order), program()
    parts = ((chunk, _part(chunk, said)) for chunk in chunks(files, MOST_IN_A_CHUNK))
    for chunk, answers in errands.done(parts):
        given = iter(answers)
        for name, content, container in chunk:
            yield (
                clerk.audit(name, content, container)
                if isinstance(content, NotRead)
                else _read(name, next(given), ours)
            )


def audited(order: str, name: str, content: str, container: str | None) -> Json:
    """What a worker's child does: one log of a part, by the order that the part came with."""
    done = _clerk(order).audit(name, base64.b64decode(content), container)
    return {"program": program(), **asdict(done)}


def program() -> str:
    """The version of the program and of each game's rules: where these are equal, so are the audits."""
    return ", ".join([engine.ENGINE, *(f"{key} {ruleset.version}" for key, ruleset in engine.GAMES.items())])


def _part(chunk: list[Member], order: str) -> Json | None:
    """A message of some logs; None where there is none among the files."""
    logs = [
        (name, base64.b64encode(content).decode(), container)
        for name, content, container in chunk
        if isinstance(content, bytes)
    ]
    return {"order": order, "logs": logs} if logs else None


def _read(name: str, answer: Json, ours: str) -> Done:
    """One log done with, as a worker said. Raises OtherProgram."""
    if "failed" in answer:
        return Done(name, fault=answer["failed"])
    theirs = answer.pop("program", "another version")
    if theirs != ours:
        raise OtherProgram(f"a worker runs {theirs}, and this is {ours}")
    return Done(**answer)


def _written(order: Order) -> str:
    """An order as JSON; of the packs, what was written."""
    packs = [pack.written for pack in order.packs]
    return json.dumps({**{name: getattr(order, name) for name in _PLAIN}, "packs": packs})


@lru_cache(maxsize=1)
def _clerk(order: str) -> Clerk:
    """Who carries out an order, kept for the next log."""
    said = json.loads(order)
    packs = check_packs([("--pack", json.dumps(said.pop("packs")).encode())]) if said["packs"] else said.pop("packs")
    return Clerk(Order(**said, packs=tuple(packs)))


_PLAIN = ("rulings", "format", "everything", "many", "read_as", "width", "color")
