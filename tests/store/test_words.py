"""A log is found by its words however their letters are composed, marked or capital, on both sides."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from sqlmodel import select

from auditor.store import migrate
from auditor.store.database import Sqlite
from auditor.store.tables import Log, LogWord
from auditor.store.words import folded, parts, words_of


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize(
    ("written", "sought"),
    [
        ("Zoë Müller", "zoe muller"),
        ("ŁÓDŹ", "łódź"),
        ("Łódź", "lodz"),
        ("Ｚｏë", "zoe"),
        ("STRASSE", "straße"),
        ("İstanbul", "istanbul"),
        ("Bjørn Þór", "bjorn thor"),
        ("Ærø", "aero"),
        ("한국", "한국"),
        ("Ἀθῆναι", "αθηναι"),
        ("ﬁre", "fire"),
    ],
)
def test_marks_and_forms_of_letters_are_folded_on_both_sides(form: str, written: str, sought: str) -> None:
    for other in ("NFC", "NFD"):
        assert parts(unicodedata.normalize(form, written)) == parts(unicodedata.normalize(other, sought))


def test_plain_words_stay_as_they_are() -> None:
    assert parts("Round_3 table-7, UM") == ["round_3", "table", "7", "um"]
    assert folded("player=zoë") == "player=zoe"
    assert "player=zoe" in words_of("t.jsonl", {"players": [{"name": "Zoe\u0308"}]})


def test_words_that_were_stored_with_marks_are_found_after_an_upgrade(tmp_path: Path) -> None:
    database = Sqlite(tmp_path / "a.sqlite3")
    try:
        migrate.upgrade(database.writer)
        with database.write() as session:
            log = Log(sha256="0" * 64, size=1, name="n")
            session.add(log)
            session.flush()
            session.add_all(LogWord(word=word, log_id=log.id) for word in ("zoë", "player=zoë", "zoe", "plain"))
        migrate.downgrade(database.writer, "0008")
        migrate.upgrade(database.writer)
        with database.read() as session:
            assert sorted(word.word for word in session.exec(select(LogWord))) == ["plain", "player=zoe", "zoe"]
    finally:
        database.close()
