"""How Calth's rules are written: each check typed by its event and its view, each rule's id written once."""

from __future__ import annotations

import re
import typing
from collections import Counter
from pathlib import Path
from types import UnionType
from typing import Any

import pytest

from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.packs import rule_ids
from auditor.systems.calth.reckoning.resolve import VIEWS
from auditor.systems.calth.rules import acts
from auditor.systems.calth.ruleset import RULESET
from auditor.systems.calth.state import Position

FOLDER = Path(records.__file__).parent
ID = re.compile(r'"(CAL-[A-Z]{3}-\d\d)"')
CHECKED = [rule for rule in RULESET.rules if rule.check is not None]


def kinds_of(hint: Any) -> tuple[type, ...]:
    return typing.get_args(hint) if isinstance(hint, UnionType) else (hint,)


def looked_at(rule: Rule, name: str) -> list[type]:
    """The classes of events that come to the check of one of a rule's event types."""
    if name != "*":
        return [records.EVENTS[name]]
    return [kind for kind in VIEWS if RULESET.events[kind] not in rule.events]


def test_cards_and_special_rules_may_name_every_rule_and_nothing_else():
    assert rule_ids() == {rule.id for rule in RULESET.rules}


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.id)
def test_a_check_is_typed_by_its_event_and_its_view(rule):
    for name in rule.events:
        check = rule.checks.get(name, rule.check)
        hints = typing.get_type_hints(check)
        for kind in looked_at(rule, name):
            assert issubclass(kind, kinds_of(hints["event"])), (rule.id, name)
            assert issubclass(VIEWS[kind], kinds_of(hints["view"])), (rule.id, name)
        assert (hints["position"], hints["hearing"]) == (Position, Hearing), rule.id


def test_a_rules_id_is_written_once_and_in_the_order_of_rules():
    files = [file for file in FOLDER.rglob("*.py") if file != Path(acts.__file__)]
    written = Counter(found for file in files for found in ID.findall(file.read_text(encoding="utf-8")))
    assert {found: n for found, n in written.items() if n > 1} == {}
    ids = {rule.id for rule in RULESET.rules}
    assert set(written) == ids
    assert ids.issuperset([one for rule, others in acts.GIVES_WAY.items() for one in (rule, *others)])


def test_no_event_is_told_by_the_name_of_its_class():
    assert [
        file.name for file in (FOLDER / "rules").glob("*.py") if "__name__" in file.read_text(encoding="utf-8")
    ] == []


def test_a_check_for_a_type_that_its_rule_does_not_name_is_refused():
    with pytest.raises(ValueError, match="looks at no event of type remark"):
        CHECKED[0].at("remark")(lambda event, view, position, hearing: None)
