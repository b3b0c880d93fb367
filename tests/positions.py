"""The position after each event of each example, as a digest that is kept.

An event may be followed wrongly, and no later event of a short example need ask for what it left behind. So all that a
position knows is compared: a file for each game, with a line for each example and a digest for each of its events.
`make golden` writes them anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from auditor.core.record import Record
from auditor.core.replay import Replay
from auditor.core.ruleset import Ruleset
from auditor.core.rulings import Rulings

Replayed = tuple[Record, Ruleset, Rulings]
SAME_THROUGHOUT = frozenset({"setup", "table"})
"""Parts of a position that no event changes."""


def file_of(game: str) -> Path:
    return Path(__file__).parent / game / "positions.json"


def digests(record: Record, ruleset: Ruleset, rulings: Rulings) -> list[str]:
    """A digest of the position after each event, under the rulings in force; eight hexadecimal digits."""
    found: list[str] = []
    decided = {reading: (option,) for reading, option in rulings.selected.items()}
    replay = Replay(replace(ruleset, rules=()), record, replace(rulings, domains=decided), strict=True)
    replay.run(lambda index, event, position: found.append(digest(position)) if index else None)
    return [*found, digest(replay.lanes.selected().position)]


def digest(position: Any) -> str:
    return hashlib.sha256(repr(known(position)).encode()).hexdigest()[:8]


def known(value: Any) -> Any:
    """All that a value holds, in an order that does not change; what only spares working it out again is left out."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        return sorted(((known(key), known(one)) for key, one in value.items()), key=repr)
    if isinstance(value, (set, frozenset)):
        return sorted((known(one) for one in value), key=repr)
    if isinstance(value, (tuple, list)):
        return [known(one) for one in value]
    if is_dataclass(value):
        parts = [part.name for part in fields(value) if part.compare and part.name not in SAME_THROUGHOUT]
        return [(name, known(getattr(value, name))) for name in parts]
    if hasattr(value, "__slots__"):
        return [(name, known(getattr(value, name))) for name in value.__slots__ if hasattr(value, name)]
    return str(value)


@cache
def kept(game: str) -> dict[str, str]:
    return json.loads(file_of(game).read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def differences(game: str, name: str, log: Mapping[str, Any], now: list[str]) -> list[str]:
    """After which event of an example the position is no longer the one that is kept."""
    there = kept(game).get(name, "").split()
    if len(there) != len(now):
        return ["its positions are not kept: make golden"]
    other = [event for event, old, new in zip(log["events"], there, now, strict=True) if old != new]
    return [f"another position after event {other[0]['seq']}, {other[0]['type']}"] if other else []


def write(game: str, paths: Iterable[Path], replayed: Callable[[Path], Replayed]) -> None:
    """Keep the positions of these examples."""
    named = sorted((f"{path.parent.name}/{path.stem}", path) for path in paths)
    with ProcessPoolExecutor() as pool:
        lines = list(pool.map(partial(_line, replayed), *zip(*named, strict=True), chunksize=16))
    file_of(game).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _line(replayed: Callable[[Path], Replayed], name: str, path: Path) -> str:
    return f"{json.dumps(name)}: {json.dumps(' '.join(digests(*replayed(path))))}"


def main() -> None:
    from tests.clx import test_examples as clx
    from tests.hcg import test_examples as hcg

    write("clx", clx.TOLD, clx.replayed_of)
    write("hcg", hcg.TOLD, hcg.replayed_of)


if __name__ == "__main__":
    main()
