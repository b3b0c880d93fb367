from __future__ import annotations

import gzip
import hashlib
import json
from typing import Any

import pytest

from auditor.core.record import Unknown, Unread, UnreadableLog
from auditor.ingest import Limits, read, reader
from auditor.systems.calth.records import EVENTS
from tests.ingest.example import BOARD, HEADER, ROSTER, events, line, log

ADVANCE = {
    "seq": 2,
    "type": "activate",
    "player": "UM",
    "unit": "u1",
    "tp_before": 2,
    "tp_after": 1,
    "action": "advance",
}


def with_second_line(text: bytes) -> bytes:
    """Three events, the middle one as given."""
    return log({"seq": 1, "type": "remark"}, text, {"seq": 3, "type": "remark"})


def places(data: bytes, **more: Any) -> list[tuple[int | None, str]]:
    return [(error.line, error.path) for error in read(data, **more).errors]


def refusals(data: bytes, **more: Any) -> list[tuple[int | None, str]]:
    with pytest.raises(UnreadableLog) as refused:
        read(data, **more)
    return [(error.line, error.path) for error in refused.value.errors]


def test_every_event_type_is_read_with_all_its_fields():
    record = read(log(*events()))
    assert [type(event) for event in record.events] == list(EVENTS.values())
    assert record.errors == [] and record.doubtful == {}
    for written, event in zip(events(), record.events, strict=True):
        for name, value in written.items():
            if name == "type":
                continue
            assert getattr(event, name) is not None, (written["type"], name)
            if isinstance(value, (int, str, bool)):
                assert getattr(event, name) == value


def test_what_was_not_written_is_none():
    (event,) = read(log({"seq": 1, "type": "attack"})).events
    assert {getattr(event, name) for name in event.__struct_fields__ if name != "seq"} == {None}


def test_hexes_and_edges_are_pairs_that_can_be_looked_up():
    record = read(log(*events()))
    moves = {type(event).__name__: event for event in record.events}
    assert moves["MoveUnit"].path == [(0, 0), (-1, 1)]
    assert moves["Door"].edge == ((0, 0), (1, 0))


def test_by_is_accepted_for_player():
    one, two = read(
        log({"seq": 1, "type": "pass", "by": "WB"}, {"seq": 2, "type": "pass", "player": "UM", "by": "WB"})
    ).events
    assert (one.player, two.player) == ("WB", "UM")


@pytest.mark.parametrize(
    "changed",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: data.replace(b"\n", b"\n\n"),
        lambda data: b"\n\r\n" + data + b"\r\n\n  \n",
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: gzip.compress(data),
        lambda data: gzip.compress(data[:500]) + gzip.compress(data[500:]),
        lambda data: data.replace(b'":', b'" : '),
    ],
    ids=["CRLF", "no last line end", "blank lines", "blank lines around", "BOM", "gzip", "gzip in two", "spaces"],
)
def test_the_same_log_is_read_however_it_is_written(changed):
    plain = read(log(*events()))
    other = read(changed(log(*events())))
    assert other.events == plain.events
    assert other.header == plain.header
    assert other.errors == [] and other.doubtful == {}


@pytest.mark.parametrize("indent", [None, 1])
def test_one_object_is_read_as_lines_are(indent):
    whole = json.dumps({"header": HEADER, "events": events()}, indent=indent).encode()
    record = read(whole)
    assert record.events == read(log(*events())).events
    assert record.errors == []
    text = whole.decode().split("\n")
    for number, event in zip(record.lines, record.events, strict=True):
        assert '"seq"' in "".join(text[number - 1 : number + 1]) and event.seq


def test_a_header_in_one_object_may_leave_out_its_type_and_may_come_last():
    header = {key: value for key, value in HEADER.items() if key != "type"}
    record = read(json.dumps({"title": "x", "events": events(), "header": header}).encode())
    assert len(record.events) == len(EVENTS) and record.errors == []


def test_lines_are_those_of_the_file_although_blank_ones_are_passed_over():
    record = read(b"\n" + log(b"", {"seq": 1, "type": "remark"}, b"", b"", {"seq": 2, "type": "remark"}))
    assert record.lines == [4, 7]


def test_the_log_is_known_by_its_own_bytes_and_its_container_by_its():
    data = log(*events())
    packed = gzip.compress(data)
    record = read(packed)
    assert record.log_sha256 == hashlib.sha256(data).hexdigest() == read(data).log_sha256
    assert record.container_sha256 == hashlib.sha256(packed).hexdigest()
    assert read(data).container_sha256 is None


@pytest.mark.parametrize("number", ["2.0", "2e0", "20e-1"])
def test_a_whole_number_may_be_written_as_a_decimal(number):
    record = read(with_second_line(line(ADVANCE).replace(b'"tp_before":2', b'"tp_before":' + number.encode())))
    assert record.errors == []
    assert record.events[1].tp_before == 2 and type(record.events[1].tp_before) is int


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b'"tp_before":true', "tp_before"),
        (b'"tp_before":2.5', "tp_before"),
        (b'"tp_before":1e999', "tp_before"),
        (b'"tp_before":-1e999', "tp_before"),
        (b'"tp_before":9007199254740992', "tp_before"),
        (b'"tp_before":' + b"9" * 6000, "tp_before"),
        (b'"tp_before":NaN', ""),
        (b'"tp_before":-Infinity', ""),
        (b'"tp_before":[[1]]', "tp_before"),
        (b'"tp":{"u1":"x"}', "tp.u1"),
        (b'"tp":{"' + b"u" * 65 + b'":1}', "tp"),
        (b'"reason":"\\ud800"', ""),
        (b'"reason":"\x00"', ""),
        (b'"reason":"\xe9"', ""),
        (b'"reason":"\\x"', ""),
        (b'"reason":' + b"[" * 65 + b"]" * 65, ""),
        (b'"reason":' + b"[" * 90_000 + b"]" * 90_000, ""),
        (b'"reason":' + b'{"a":' * 90_000, ""),
        (b'"round":}', ""),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_bad_line_is_one_error_and_one_hole_and_the_rest_is_read(text, place):
    record = read(with_second_line(line(ADVANCE).replace(b'"tp_before":2', text)))
    assert [(error.line, error.path) for error in record.errors] == [(3, place)]
    before, hole, after = record.events
    assert isinstance(hole, Unread)
    assert (hole.seq, hole.line) == (2, 3)
    assert "line 3" in hole.why
    assert (before.seq, after.seq) == (1, 3)


def test_a_number_written_as_a_text_is_read_and_a_word_that_is_none_is_left_out():
    record = read(with_second_line(line(ADVANCE).replace(b'"tp_before":2', b'"tp_before":"2"')))
    assert record.errors == [] and record.events[1].tp_before == 2
    record = read(with_second_line(line(ADVANCE).replace(b'"tp_before":2', b'"phase":"acting"')))
    assert [(error.line, error.path) for error in record.errors] == [(3, "phase")]
    assert record.events[1].phase is None and record.events[1].action == "advance"


@pytest.mark.parametrize(
    "text", [b"[1]", b"3", b'"x"', b"null", b"{}", b"{", b"}", b"x", b"\x00", b'{"seq":2}', b'{"type":7}']
)
def test_a_line_that_is_no_event_is_a_hole(text):
    record = read(with_second_line(text))
    assert len(record.errors) >= 1 and {error.line for error in record.errors} == {3}
    assert isinstance(record.events[1], Unread)
    assert record.events[1].seq == 2


def test_all_errors_of_a_line_and_of_a_file_are_listed_at_once():
    bad = {
        "seq": 2,
        "type": "attack",
        "mode": "malee",
        "weapons": [["a"], ["a", 3]],
        "los": {"class": "cleer", "aim": [1, True]},
        "steps": [{"faces": "S"}, {"casualty": 1, "shields": "x"}],
    }
    data = log({"seq": 1, "type": "remark"}, bad, {"seq": 3, "type": "remark"}, b"{", {"seq": 5, "type": "remrak"})
    assert set(places(data)) == {
        (3, "mode"),
        (3, "weapons[0]"),
        (3, "weapons[1][1]"),
        (3, "los.class"),
        (3, "los.aim[1]"),
        (3, "steps[1].casualty"),
        (3, "steps[1].shields"),
        (5, ""),
        (6, "type"),
    }


@pytest.mark.parametrize(
    ("event", "path", "nearest"),
    [
        ({"seq": 1, "type": "actvate"}, "type", "activate"),
        ({"seq": 1, "type": "activate", "action": "asault"}, "action", "assault"),
        ({"seq": 1, "type": "attack", "crit": "decline"}, "crit", "declined"),
        ({"seq": 1, "type": "move_unit", "cause": "move_inn"}, "cause", "move_in"),
    ],
)
def test_the_nearest_known_word_is_named(event, path, nearest):
    (error,) = read(log(event)).errors
    assert (error.path, error.nearest) == (path, nearest)


def test_an_unknown_type_is_kept_as_written():
    record = read(log({"seq": 1, "type": "dance", "player": "UM", "steps": 2.0}))
    (event,) = record.events
    assert event == Unknown(1, "dance", {"seq": 1, "type": "dance", "player": "UM", "steps": 2}, "UM")
    assert [(error.line, error.path) for error in record.errors] == [(2, "type")]


def test_unknown_fields_are_passed_over():
    record = read(log({**ADVANCE, "seq": 1, "mood": {"grim": [1e300, None]}, "clock": "12:01"}))
    assert record.errors == [] and record.doubtful == {}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (b'"tp_before":2,"tp_before":3', "tp_before"),
        (b'"tp_before":2,"tp_before":2', "tp_before"),
        (b'"tp_before":2,"tp_before":null', "tp_before"),
        (b'"tp_before":null,"tp_before":2', "tp_before"),
        (b'"tp_before":2,"tp_before" :3', "tp_before"),
        (b'"tp_before":2,"tp_before"\t:3', "tp_before"),
        (b'"tp_before":2,"tp_befor\\u0065":3', "tp_before"),
        (b'"mood":2,"mood":3', "mood"),
        (b'"tp":{"u1":1,"u1":2}', "tp.u1"),
        (b'"override":{"text":"a","text":"b"}', "override.text"),
        (b'"mood":[{"a":1,"a":2}]', "mood[0].a"),
        (b'"type":"activate"', "type"),
    ],
    ids=lambda value: repr(value),
)
def test_a_key_given_twice_makes_its_event_doubtful(text, path):
    record = read(with_second_line(line(ADVANCE).replace(b'"tp_before":2', text)))
    assert [(error.line, error.path) for error in record.errors] == [(3, path)]
    assert list(record.doubtful) == [1]
    assert path in record.doubtful[1]


@pytest.mark.parametrize("helper", ['":', ":null", 'x":null,', "\\u0022:", '\\":', "a:b", "\\u003a", "\\u003A:"])
def test_no_text_hides_a_key_given_twice(helper):
    """The quick count of keys must not be led astray by what a text holds."""
    text = helper.replace('"', '\\"') if not helper.startswith("\\") else helper
    twice = (
        b'{"seq":1,"type":"pass","reason":"' + text.encode() + b'","player":"UM","player":"WB"}',
        b'{"seq":1,"type":"pass","player":"UM","reason":":' + text.encode() + b'","round":null,"player":"WB"}',
        b'{"seq":1,"type":"pass","player":"UM","player":"WB","reason":":null,"}',
    )
    for one in twice:
        assert list(read(log(one)).doubtful) == [0], one
        once = one.replace(b',"player":"WB"', b"")
        assert read(log(once)).doubtful == {}, once


@pytest.mark.parametrize("hides", ["a\\u003ab", "a\\u003Ab"])
def test_no_text_hides_a_key_given_twice_in_the_header(hides):
    twice = line({**HEADER, "title": "T"}).replace(b'"title":"T"', b'"title":"T","title":"' + hides.encode() + b'"')
    assert [(error.line, error.path) for error in read(log(header=twice)).errors] == [(1, "title")]


def test_escapes_in_texts_send_no_line_the_slow_way(monkeypatch):
    """Many programs write every letter beyond ASCII as an escape."""

    def slow(*_):
        raise AssertionError("read the slow way")

    monkeypatch.setattr(reader, "has_keys_twice", slow)
    said = b'{"seq":1,"type":"remark","text":"\\u00e9 said no: a \\\\ b: c"}'
    header = line({**HEADER, "title": "T"}).replace(b'"T"', b'"\\u00c9 \\\\ \\"x\\":"')
    record = read(log(said, header=header))
    assert record.errors == [] and record.events[0].text == "é said no: a \\ b: c"
    assert record.header["title"] == 'É \\ "x":'


def test_the_same_key_in_different_objects_is_no_fault():
    assert read(log(*events())).doubtful == {}


@pytest.mark.parametrize(
    ("numbers", "wrong"), [((1, 1, 2), [3]), ((2, 1, 3), [3]), ((1, 4, 9), []), ((5, 4, 3), [3, 4])]
)
def test_numbers_that_repeat_or_fall_are_errors_of_the_file(numbers, wrong):
    record = read(log(*({"seq": seq, "type": "remark"} for seq in numbers)))
    assert [(error.line, error.path) for error in record.errors] == [(number, "seq") for number in wrong]
    assert [event.seq for event in record.events] == list(numbers)


@pytest.mark.parametrize(
    ("header", "place"),
    [
        (b"", (2, "type")),
        (b"[]", (1, "")),
        (b"{", (1, "")),
        (b'{"type":"header"}', (1, "game")),
        (line({**HEADER, "game": "calht"}), (1, "game")),
        (line({**HEADER, "game": ["calth"]}), (1, "game")),
        (line({**HEADER, "format": 2}), (1, "format")),
        (line({**HEADER, "board": "ossuary-gaet"}), (1, "board")),
        (line({**HEADER, "board": 7}), (1, "board")),
        (line({**HEADER, "rosters": {"UM": "example-um"}}), (1, "rosters.WB")),
        (line({**HEADER, "rosters": None}), (1, "rosters")),
        (line(HEADER).replace(b'"board":', b'"board":"x","board":'), (1, "board")),
        (line({**HEADER, "x": 1}).replace(b'"x":1', b'"x":NaN'), (1, "")),
        (line({**HEADER, "x": 1}).replace(b'"x":1', b'"x":"\\udfff"'), (1, "")),
        (line({**HEADER, "x": 1}).replace(b'"x":1', b'"x":' + b"[" * 90_000), (1, "")),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_without_a_usable_header_the_log_is_unreadable(header, place):
    assert place in refusals(log({"seq": 1, "type": "remark"}, header=header))


def test_an_unreadable_log_still_lists_the_errors_of_its_lines():
    data = log({"seq": 1, "type": "remark"}, b"{", header={**HEADER, "board": "nowhere"})
    assert refusals(data) == [(1, "board"), (3, "")]


def test_small_faults_of_a_header_do_not_stop_the_reading():
    header = {**HEADER, "players": [{"id": "XX"}], "campaign": {"scenario": 9}, "scenario": "gate-skirmsh"}
    record = read(log({"seq": 1, "type": "remark"}, header=header))
    assert {error.path for error in record.errors} == {
        "players[0].id",
        "players[0].name",
        "campaign.scenario",
        "scenario",
    }
    assert {error.nearest for error in record.errors if error.path == "scenario"} == {"gate-skirmish"}
    assert record.setup.scenario is None and len(record.events) == 1


def test_errors_inside_an_inline_pack_have_their_place_in_the_header():
    board = json.loads(json.dumps(BOARD))
    board["hexes"] += [{"q": 0, "r": 0}, {"q": 2, "r": 0, "kind": "water"}]
    board["barricades"].append({"hex": [1, 1], "dir": 9})
    roster = json.loads(json.dumps(ROSTER))
    roster["models"][0]["weapons"] = ["boltgnu"]
    roster["profiles"][0]["bulk"] = 4
    header = {
        **HEADER,
        "board": board,
        "rosters": {"UM": roster, "WB": "example-wb"},
        "scenario": {"special_rules": []},
    }
    assert set(refusals(log(header=header))) == {
        (1, "board.hexes[4]"),
        (1, "board.hexes[5].kind"),
        (1, "board.barricades[1].dir"),
        (1, "board.barricades[1].hex"),
        (1, "rosters.UM.models[0].weapons[0]"),
        (1, "rosters.UM.profiles[0].bulk"),
    }


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", gzip.compress(b"", mtime=0), b"\xef\xbb\xbf"])
def test_an_empty_file_is_unreadable(data):
    assert refusals(data) == [(None, "")]


def test_a_log_cut_off_anywhere_is_read_up_to_there():
    data = log(*events())
    whole = read(data)
    first = data.index(b"\n")
    for stop in range(first, len(data), 97):
        record = read(data[:stop])
        readable = [event for event in record.events if not isinstance(event, Unread)]
        assert readable == whole.events[: len(readable)]
        assert len(record.events) - len(readable) == len(record.errors) <= 1


@pytest.mark.parametrize("indent", [None, 1])
def test_one_object_cut_off_anywhere_is_read_up_to_there(indent):
    data = json.dumps({"header": HEADER, "events": events()}, indent=indent).encode()
    whole = read(data)
    first = data.index(b'"events"')
    for stop in range(first, len(data), 301):
        record = read(data[:stop])
        assert record.events == whole.events[: len(record.events)]
        assert record.errors
    assert len(read(data[:-2]).events) == len(EVENTS)


def test_gzip_cut_off_or_damaged_is_read_as_far_as_it_goes():
    lines = [{"seq": n, "type": "remark", "text": hashlib.sha256(str(n).encode()).hexdigest()} for n in range(1, 3000)]
    packed = gzip.compress(log(*lines))
    for bad in (packed[:-4], packed[: len(packed) // 2], packed[:-8] + b"\0" * 8, packed + b"more"):
        record = read(bad)
        assert record.errors[0].line is None and "gzip" in record.errors[0].found
        assert len(record.events) > 1000
    with pytest.raises(UnreadableLog):
        read(packed[:15])


def test_a_gzip_that_grows_beyond_the_limit_is_refused_before_it_is_unpacked():
    bomb = gzip.compress(b" " * 2**26, 9)
    assert refusals(bomb, limits=Limits(decoded=2**20)) == [(None, "")]


def test_a_log_beyond_its_limits_is_refused_with_all_reasons():
    data = log(*events())
    assert refusals(data, limits=Limits(decoded=1000)) == [(None, "")]
    places = refusals(data, limits=Limits(events=3, line=450))
    assert places[0] == (None, "") and {number for number, _ in places[1:]} == {13}


def test_the_limits_themselves_are_allowed():
    most = "x" * 2000
    record = read(log({"seq": 2**53 - 1, "type": "remark", "text": most}, {"seq": 2**53 - 1, "type": "remark"}))
    assert record.events[0].text == most
    deep: Any = 1
    for _ in range(63):
        deep = [deep]
    assert places(log({"seq": 1, "type": "remark", "x": deep})) == []
    assert places(log({"seq": 1, "type": "remark", "x": [deep]})) == [(2, "")]
    assert places(log({"seq": 1, "type": "remark", "x": "[" * 500 + '"'})) == []


@pytest.mark.parametrize("within", [lambda deep: [deep], lambda deep: {"x": deep}])
def test_a_header_is_as_deep_as_any_line_may_be(within):
    deep: Any = 1
    for number in range(63):
        deep = [deep] if number % 2 else {"x": deep}
    assert places(log(header={**HEADER, "x": deep})) == []
    assert refusals(log(header={**HEADER, "x": within(deep)})) == [(1, "")]
    assert places(log(header={**HEADER, "x": "{" * 70, "y": "][" * 70})) == []


def test_reading_is_the_same_each_time():
    data = with_second_line(b'{"seq":2,"type":"attack","mode":"x","roll":{},"crit":[{"model":3}]}')
    assert read(data) == read(data)


def test_a_long_file_is_read_whole():
    body = events()
    lines = [line({**body[n % len(body)], "seq": n + 1}) for n in range(20_000)]
    data = log(*lines)
    record = read(data)
    assert len(record.events) == 20_000 and record.errors == [] and record.doubtful == {}


def test_a_file_of_nothing_but_bad_lines_is_refused_line_by_line():
    data = log(*([b'{"seq":1,"type":"attack","mode":"x","los":{"class":3}}'] * 20_000))
    record = read(data)
    assert len({error.line for error in record.errors}) == 20_000
