"""Where a finding is said to have changed nothing, the whole rest of the record is the same: both are replayed to the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from auditor.core.effects import NOTHING
from auditor.core.following import follow
from auditor.core.replay import Replay
from auditor.core.rulings import Hearing
from auditor.core.scopes import faults_of
from auditor.engine.games import GAMES
from auditor.engine.rulings import in_force_of
from auditor.ingest import read

GAMES_WITH_FAULTS = sorted((Path(__file__).parents[2] / "fixtures").glob("*/games/faulty-*.jsonl"))
OUTCOMES = ("success", "passed", "pinned", "saved", "removed", "destroyed", "winner", "casualty", "result", "loser")
"""Values of a log that say what came of an event: where one is wrong, something was changed."""


def replayed(path: Path) -> Replay:
    record = read(path.read_bytes())
    ruleset = GAMES[record.game]
    replay = Replay(ruleset, record, in_force_of(record.header, ruleset, None)[0], strict=True)
    replay.run()
    follow(replay)
    return replay


def step(replay: Replay, index: int, position: Any) -> tuple[Any, Any]:
    """What is wrong with an event on a position, which goes on by it; and the facts after it."""
    event, ruleset = replay.record.events[index], replay.ruleset
    for after in (False, True):
        if after and ruleset.events.get(type(event)) not in (None, "remark", "undo"):
            hearing = Hearing(replay.rulings.selected, replay.rulings.settings)
            resolved = ruleset.resolve(event, position, hearing)
            wrong = set(faults_of(replay.looks.elsewhere(event, resolved, position, hearing)))
            ruleset.adopt(event, resolved, position, hearing)
        elif after:
            wrong = set()
        for is_after, hole in replay.holes_at.get(index, ()):
            if is_after is after:
                position.holes.open(hole)
    return wrong, dict(ruleset.facts(position))


def put_right(replay: Replay, seen: Any) -> Any:
    event, ruleset = replay.record.events[seen.index], replay.ruleset
    position, hearing = seen.before.copy(), Hearing(replay.rulings.selected, replay.rulings.settings)
    if seen.fault.kind != "miscalculated" and ruleset.rightly is not None:
        if ruleset.rightly(event, position, hearing, seen.fault):
            return position
    ruleset.correct(event, position, hearing, seen.fault)
    return position


@pytest.mark.parametrize("path", GAMES_WITH_FAULTS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_finding_is_said_to_have_changed_nothing_only_where_the_whole_rest_of_the_record_is_the_same(
    path: Path,
) -> None:
    replay = replayed(path)
    is_said_how_far(replay)
    told = [one for one in replay.outcome.seen if one.stands and one.effect and one.effect["text"].startswith(NOTHING)]
    for seen in told:
        claimed, due = seen.fault.claimed, seen.fault.recomputed
        if isinstance(claimed, dict) and isinstance(due, dict):
            assert not [key for key in OUTCOMES if key in claimed and claimed[key] != due.get(key, claimed[key])]
        right, logged = put_right(replay, seen), seen.before.copy()
        step(replay, seen.index, logged)
        assert replay.ruleset.facts(logged) == replay.ruleset.facts(right), seen.fault.text
        for index in range(seen.index + 1, len(replay.record.events)):
            if replay.was_played(index):
                assert step(replay, index, logged) == step(replay, index, right), (seen.fault.text, index)


def is_said_how_far(replay: Replay) -> None:
    """Every finding that stands says what it changed, and how far that was followed."""
    last = replay.record.events[-1].seq
    for seen in replay.outcome.seen:
        if not seen.stands:
            continue
        effect = seen.effect
        assert effect is not None and effect["text"] and effect["gain"]
        assert effect["followed_to"] == last or effect["unknown_from"] is not None, seen.fault.text
        if effect["text"].startswith(NOTHING):
            assert effect["gain"] == "nobody" and effect["changed"] == []
