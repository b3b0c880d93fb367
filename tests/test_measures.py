"""The measures of docs/measures.md count what they say."""

from __future__ import annotations

from tests.measures import FUTURE, reached


def test_a_check_reaches_the_files_of_the_functions_that_it_calls() -> None:
    found = {path.stem for path in reached("auditor.systems.calth.rules.assault", "_assault_was_made")}
    assert found == {"assault", "common", "lacking", "retreats"}


def test_words_at_the_end_of_a_sentence_are_no_reads_of_the_future() -> None:
    assert FUTURE.findall("It is told later. See position.table.later.recorded.") == ["later.recorded"]
