"""The measure of what a lost line costs counts what it says."""

from __future__ import annotations

import pytest

from auditor.conformance.inventor import Planted
from auditor.trials import lost_lines
from auditor.trials.lost_lines import Lost, report


def audit_says(said: dict[bool, dict[str, object] | None], monkeypatch: pytest.MonkeyPatch) -> Lost:
    """What one try comes to where the audits of the whole log and of that without a line say this."""
    lines = [{"type": "header"}, *({"seq": n, "type": "x"} for n in range(1, 11))]

    game = Planted(1, lines, {"seq": 9, "rule": "R-1", "kind": "miscalculated"})

    class Inventor:
        plantable = ("R-1", "R-2 illegal")
        number_rules = ("R-1",)
        planted = staticmethod(lambda name, number: game if name == "R-1" else None)

    monkeypatch.setattr(lost_lines, "_said", lambda some, fault: said[len(some) == len(lines)])
    done = Lost()
    lost_lines._try(Inventor, 1, 1, done)  # type: ignore[arg-type]
    return done


WRONG = {"kind": "miscalculated", "text": "told"}
IN_DOUBT = {"kind": "ambiguous", "text": "in doubt"}


@pytest.mark.parametrize(
    ("without_a_line", "expected"),
    [(WRONG, (1, 1, 0, 0)), (IN_DOUBT, (1, 0, 1, 0)), (None, (1, 0, 0, 1))],
)
def test_a_wrong_number_is_told_in_doubt_or_not_mentioned(
    without_a_line: dict[str, object] | None, expected: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = audit_says({True: WRONG, False: without_a_line}, monkeypatch)
    assert (done.tries, done.accused, done.in_doubt, done.unsaid) == expected


def test_what_is_not_told_of_the_whole_record_is_no_try(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audit_says({True: None, False: WRONG}, monkeypatch).tries == 0


def test_two_counts_add_up() -> None:
    one = Lost(3, 1, 2, 0)
    one.add(Lost(2, 2, 0, 0))
    assert report("hcg", 1, one) | {"ruleset_version": ""} == {
        "game": "hcg", "ruleset_version": "", "seed": 1, "tries": 5, "accused": 3, "in_doubt": 2, "unsaid": 0,
        "rules": {}, "not_told": [],
    }  # fmt: skip
