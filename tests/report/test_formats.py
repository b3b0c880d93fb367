"""A report as text, CSV and SARIF: kept whole, and harmless whatever a log says."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from auditor.core.canonical import json_text
from auditor.report.compare import comparison
from auditor.report.counting import tally
from auditor.report.hostile import cell, message, one_line
from auditor.report.pages import report_page
from auditor.report.sarif import sarif_log, sarif_part
from auditor.report.spreadsheet import COLUMNS, csv_head, csv_rows
from auditor.report.terminal import brief_text, report_text
from tests.report.golden import FOLDER
from tests.report.golden_formats import KEPT, formats
from tests.report.pages_of import one_file, taken_apart
from tests.report.samples import NAMES, sample

NASTY = [
    "\x1b[2J\x1b[31mred\x1b]0;title\x07",
    "line\r\nCLEAN  nothing to see\x85\u2028here",
    "abc\u202eevil\u2066x\u200bz\u061c",
    "\u0000\u009b31m\ud800half",
    "[bold red]markup[/] :smile:",
    "e" + "\u0301" * 200,
]
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@pytest.mark.parametrize("name", sorted(KEPT))
def test_a_report_is_what_was_accepted(name: str) -> None:
    assert set(KEPT) == formats().keys()
    assert formats()[name] == (FOLDER / name).read_bytes().decode(), (
        "`python -m tests.report.golden_formats` accepts it anew"
    )


def spoil(value: Any, text: str) -> Any:
    """A value with every text in it, but those that the program itself chose, replaced by another."""
    if isinstance(value, dict):
        fixed = ("kind", "verdict", "would_be")
        return {
            key: part if key in fixed and isinstance(part, str) else spoil(part, text) for key, part in value.items()
        }
    if isinstance(value, list):
        return [spoil(part, text) for part in value]
    return text if isinstance(value, str) else value


def spoiled(text: str) -> tuple[Any, ...]:
    """The full sample as a log full of such texts would make it."""
    audit, _, rules, readings, header = sample("full").parts
    audit = copy.deepcopy(audit)
    for finding in audit["findings"]:
        for key in ("text", "claimed", "recomputed", "subject", "figures", "player", "also", "under", "effect"):
            finding[key] = spoil(finding[key], text)
    for part in ("notes", "errors"):
        audit[part] = spoil(audit[part], text)
    audit["rulings"]["name"] = text
    return audit, rules, readings, {**spoil(header, text), "match": header["match"]}


# -- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("write", [report_text, brief_text])
def test_nothing_that_a_log_says_can_move_a_terminal(write: Any, text: str) -> None:
    page = write(*spoiled(text), name=text)
    unseen = {c for c in page if c != "\n" and unicodedata.category(c) in UNSEEN}
    assert unseen <= {"\u200c", "\u200d"}
    assert page.encode(), "and it can be written"


def test_a_log_cannot_forge_a_line_of_the_report() -> None:
    page = report_text(*spoiled("x\nCLEAN       No fault"), name="a\nCLEAN")
    assert not [line for line in page.splitlines() if line.startswith("CLEAN")]


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    audit, _, rules, readings, header = sample(name).parts
    for width in (40, 80, 100):
        for line in report_text(audit, rules, readings, header, name="x.jsonl", width=width).splitlines():
            assert len(line) <= width, line


def test_colours_change_no_word() -> None:
    audit, _, rules, readings, header = sample("full").parts
    plain = report_text(audit, rules, readings, header)
    coloured = report_text(audit, rules, readings, header, color=True)
    assert "\x1b[" in coloured
    assert [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()] == plain.splitlines()


def test_what_differs_stands_first_and_what_was_not_claimed_has_no_sign() -> None:
    rows = comparison({"distance": 6, "class": "clear"}, {"distance": 6, "class": "obscured", "stop": 3})
    said = [(r.name, r.claimed and r.claimed.words, r.recomputed and r.recomputed.words, r.sign) for r in rows]
    assert said == [("class", "clear", "obscured", "≠"), ("distance", "6", "6", "="), ("stop", None, "3", "")]
    assert comparison(None, None) == ()
    assert [row.claimed for row in comparison(None, 3)] == [None]


@pytest.mark.parametrize("name", NAMES)
def test_text_and_page_print_the_same_report(name: str) -> None:
    """Whatever the model decides is on both: sentences, findings, scopes, notes, coverage."""
    audit, _, rules, readings, header = sample(name).parts
    page = report_page(audit, (), rules, readings, header)
    printed = report_text(audit, rules, readings, header, width=4000)
    shown = " ".join(taken_apart(one_file(sample(name))).text.split())
    cases = [*page.cases, *(f for c in page.cases for f in c.consequences), *page.ambiguous, *page.set_aside]
    cases += [case for _, found, _ in page.only_under for case in found]
    said = [page.heading, *page.sentences, *page.asides, *page.header_notes, *(ruled.words for ruled in page.rulings)]
    said += [words for case in cases for words in (case.text, case.rule)]
    said += [words for case in page.cases for words in (case.effect, case.scope.note, *case.under)]
    said += [note[4] for group in page.notes for note in group.notes] + [group.title for group in page.notes]
    said += [*page.coverage.words, *(why for _, _, why, _ in page.coverage.unchecked), *(v for _, v in page.footer)]
    if name == "unreadable":
        said = [
            words for words in said if words not in page.coverage.words and words not in (r.words for r in page.rulings)
        ]
    text = " ".join(printed.replace(" (UM)", "").replace(" (WB)", "").split())
    for words in filter(None, said):
        plain = " ".join(one_line(words).split())
        assert plain in text, plain
        assert " ".join(words.split()) in shown, words


def test_a_finding_without_evidence_is_still_shown() -> None:
    audit, _, rules, readings, header = sample("full").parts
    bare = {key: audit["findings"][0][key] for key in ("id", "rule", "kind", "seq", "stands", "text")}
    page = report_text({**audit, "findings": [bare]}, rules, readings, header)
    assert audit["findings"][0]["text"] in page


def test_the_tally_counts_what_could_not_be_audited_too() -> None:
    assert tally({"clean": 1, "findings": 2}, faults=1) == (
        "4 logs: 1 clean, 2 with findings and 1 not audited because of a fault of the auditor."
    )


@given(st.text())
def test_one_line_is_one_line_that_can_be_seen(text: str) -> None:
    said = one_line(text)
    assert len((said + "x").splitlines()) == 1
    assert not {unicodedata.category(c) for c in said if c not in "\u200c\u200d"} & UNSEEN
    assert one_line(said) == said


# -- CSV ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        " =1+1",
        "\t=1+1",
        "\r=1",
        "\n=cmd|' /C calc'!A0",
        "|calc",
        "%0A=1",
        "＝1+1",
        "＠x",
    ],
)
def test_no_cell_begins_a_formula(text: str) -> None:
    for value in csv.reader(io.StringIO(csv_rows(spoiled(text)[0], spoiled(text)[1], name=text))):
        assert not [one for one in value if re.match(r"\s*[=+\-@|%＝＋－＠]", one)]


@given(st.text())
def test_a_cell_is_never_a_formula(text: str) -> None:
    assert cell(text)[:1] not in tuple("=+-@|%＝＋－＠\t\r\n")


def test_numbers_stay_numbers() -> None:
    assert cell(7) == "7"
    assert cell(None) == ""


def without_mark(text: str) -> str:
    assert text.startswith("\ufeff") and text.count("\ufeff") == 1
    return text.removeprefix("\ufeff")


def test_every_row_names_the_match_and_its_players() -> None:
    full = sample("full")
    heading = {
        "players": [{"id": "UM", "name": "Zoë"}, {"id": "WB"}],
        "match": {"event": "Øst Open", "round": 3, "table": "=7"},
    }
    text = csv_head() + csv_rows(full.audit, full.rules, name="Zo\udceb.jsonl", heading=heading)
    rows = list(csv.DictReader(io.StringIO(text.encode().decode("utf-8-sig"))))
    assert {(row["event"], row["round"], row["table"], row["players"], row["log"]) for row in rows} == {
        ("Øst Open", "3", "'=7", "Zoë / WB", "Zo\\xeb.jsonl")
    }


def test_no_sign_that_turns_a_line_is_raw_in_json_or_sarif() -> None:
    turned = "Ann \u202egnp.exe \u2066\u200b\ufeff"
    assert json.loads(json_text(json.dumps(turned, ensure_ascii=False))) == turned
    assert json_text(json.dumps(turned, ensure_ascii=False)).isascii()
    audit = {**sample("full").audit, "rulings": {"name": turned, "not_audited": {"X": turned}}}
    audit["findings"] = [{**one, "claimed": turned, "player": turned} for one in audit["findings"]]
    said = json.dumps(sarif_log([sarif_part(audit, name=turned)], [], "tabletop-auditor 1"), ensure_ascii=False)
    assert not set(said) & set("\u202e\u2066\u200b\ufeff")


def test_every_log_has_a_row_also_where_nothing_was_found() -> None:
    clean = sample("clean")
    rows = list(
        csv.DictReader(io.StringIO(without_mark(csv_head() + csv_rows(clean.audit, clean.rules, name="a.jsonl"))))
    )
    assert [(row["log"], row["verdict"], row["finding"]) for row in rows] == [("a.jsonl", "clean", "")]
    assert tuple(rows[0]) == COLUMNS


def test_every_finding_has_a_row() -> None:
    full = sample("full")
    rows = list(csv.DictReader(io.StringIO(without_mark(csv_head() + csv_rows(full.audit, full.rules)))))
    findings = full.audit["findings"]
    order = [f["id"] for f in findings if f["stands"]] + [f["id"] for f in findings if not f["stands"]]
    assert [row["finding"] for row in rows] == order


# -- SARIF ----------------------------------------------------------------------------------------------------------

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri", "index"],
                    "properties": {
                        "uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~/%-]+$"},
                        "index": {"type": "integer", "minimum": 0},
                    },
                },
                "region": {
                    "type": "object",
                    "required": ["startLine"],
                    "properties": {"startLine": {"type": "integer", "minimum": 1}},
                },
            },
            "additionalProperties": False,
        },
        "logicalLocations": {"type": "array", "items": {"type": "object", "required": ["name"]}},
    },
    "additionalProperties": False,
}
# What the standard asks of the parts that we write, in our words.
SARIF = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "pattern": "^https://"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help", "defaultConfiguration"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "name": {"type": "string", "pattern": "^[A-Za-z0-9]+$"},
                                                "shortDescription": MESSAGE,
                                                "fullDescription": MESSAGE,
                                                "help": MESSAGE,
                                                "defaultConfiguration": {"properties": {"level": LEVEL}},
                                                "properties": {"type": "object"},
                                            },
                                            "additionalProperties": False,
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["unicodeCodePoints", "utf16CodeUnits"]},
                    "invocations": {
                        "items": {
                            "required": ["executionSuccessful"],
                            "properties": {
                                "toolExecutionNotifications": {
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "properties": {
                                            "level": LEVEL,
                                            "message": MESSAGE,
                                            "locations": {"items": LOCATION},
                                            "descriptor": {"required": ["id"]},
                                            "associatedRule": {"required": ["id"]},
                                        },
                                        "additionalProperties": False,
                                    }
                                }
                            },
                        }
                    },
                    "artifacts": {
                        "items": {
                            "required": ["location"],
                            "properties": {
                                "location": {"required": ["uri"]},
                                "hashes": {"properties": {"sha-256": {"pattern": "^[0-9a-f]{64}$"}}},
                            },
                        }
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "level", "message", "locations", "partialFingerprints"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {"type": "array", "minItems": 1, "items": LOCATION},
                                "partialFingerprints": {"additionalProperties": {"type": "string"}},
                                "properties": {"type": "object"},
                                "suppressions": {"items": {"required": ["kind"]}},
                            },
                            "additionalProperties": False,
                        },
                    },
                },
                "additionalProperties": False,
            },
        },
    },
}


def as_sarif(*names: str) -> dict[str, Any]:
    """The SARIF of some samples together."""
    parts = [sarif_part(sample(name).audit, name=f"{name}.jsonl") for name in names]
    return sarif_log(parts, sample(names[0]).rules, "tabletop-auditor 1.2")


@pytest.mark.parametrize("names", [("full",), ("clean",), ("unreadable",), ("empty",), ("full", "incomplete", "clean")])
def test_sarif_has_the_shape_that_the_standard_asks_for(names: tuple[str, ...]) -> None:
    Draft202012Validator(SARIF).validate(as_sarif(*names))


def test_sarif_points_at_the_rule_the_log_and_its_line() -> None:
    run = as_sarif("clean", "full")["runs"][0]
    findings = sample("full").audit["findings"]
    assert [result["ruleId"] for result in run["results"]] == [finding["rule"] for finding in findings]
    for result, finding in zip(run["results"], findings, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert run["artifacts"][place["artifactLocation"]["index"]]["location"]["uri"] == "full.jsonl"
        assert place["region"]["startLine"] == finding["line"]


def test_only_what_stands_counts_for_a_gate() -> None:
    findings = sample("full").audit["findings"]
    for result, finding in zip(as_sarif("full")["runs"][0]["results"], findings, strict=True):
        assert (result["level"] in ("error", "warning")) is finding["stands"]


def test_what_was_not_looked_at_is_a_notification() -> None:
    notifications = as_sarif("incomplete")["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    audit = sample("incomplete").audit
    assert len(notifications) == len(audit["errors"]) + len(audit["coverage"]["unchecked"])


def test_a_message_makes_no_link_and_no_placeholder() -> None:
    assert "](" not in message("[click](https://evil.example)")
    assert message("{0} and {name}") == "{{0}} and {name}"


@pytest.mark.parametrize("name", ["a b/ü#?.jsonl", "Zo\udceb.jsonl", "x/../y", "\x1b[2J", "stdin", ""])
def test_the_name_of_a_log_is_a_uri_whatever_it_is(name: str) -> None:
    log = sarif_log([sarif_part(sample("full").audit, name=name)], [], "tabletop-auditor 1")
    Draft202012Validator(SARIF).validate(log)
