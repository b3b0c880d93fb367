"""No answer of a child is ever taken for that of another call, whatever happens at any step of a call."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy.exc import TimeoutError as NoConnection

from auditor.jobs.child import Child, ChildFailed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are a matter of POSIX")

CLOCK = {"seconds": 2.0, "patience": 60.0}


@pytest.fixture(scope="module")
def shared() -> Iterator[Child]:
    child = Child("tests.jobs.steps", memory_bytes=2**30)
    yield child
    child.stop()


@pytest.fixture
def child(shared: Child) -> Child:
    """A child that answers."""
    assert shared.call("echo", "there", **CLOCK) == "there"
    return shared


def answers(child: Child) -> None:
    """The child answers each of the next calls with what belongs to it."""
    for n in range(3):
        value = ("a value", n, time.monotonic())
        assert child.call("echo", value, **CLOCK) == value


class Odd(BaseException):
    """Derived from nothing that anybody catches."""


@pytest.mark.parametrize(
    "raised",
    [NoConnection("no connection came free"), OSError("full"), EOFError(), KeyboardInterrupt(), SystemExit(1), Odd()],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_heartbeat_raises_the_late_answer_goes_to_nobody(child: Child, raised: BaseException) -> None:
    def beat() -> bool:
        raise raised

    with pytest.raises(type(raised)):
        child.call("slow", "late", 0.5, beat=beat, every=0.1, **CLOCK)
    time.sleep(0.6)
    answers(child)


def test_work_that_is_given_up_answers_nobody(child: Child) -> None:
    with pytest.raises(ChildFailed, match="given up") as failure:
        child.call("slow", "late", 0.5, beat=lambda: False, every=0.1, **CLOCK)
    assert failure.value.again
    answers(child)


def test_a_call_that_lasts_too_long_answers_nobody(child: Child) -> None:
    with pytest.raises(ChildFailed, match=r"took longer than 0\.2 seconds"):
        child.call("slow", "late", 0.5, seconds=0.2, patience=1.0)
    answers(child)


@pytest.mark.parametrize(
    ("function", "args", "said", "again"),
    [
        ("fail", (), "A fault of ours: KeyError", False),
        ("not_to_be_sent", (), "A fault of ours: TypeError", False),
        ("no_such_function", (), "A fault of ours: AttributeError", False),
        ("eat", (), "more than 1024 MiB", False),
        ("leave", (), "exit status 7", True),
        ("die", (), "exit status -9", True),
        ("half_an_answer", ("die",), "exit status -9", True),
        ("another_answer_first", (1,), "the answer of another call", True),
        ("another_answer_first", (10**9,), "the answer of another call", True),
        ("send", (b"\xff" * 64,), "no answer that can be read", True),
        ("send", (struct.pack("!iQ", -1, 2**40),), "no answer that can be read", True),
        ("send_message", (b"",), "no answer that can be read", True),
        ("send_message", (b"no pickle",), "no answer that can be read", True),
        ("send_message", (pickle.dumps("mine"),), "no answer that can be read", True),
        ("send_message", (pickle.dumps((1, 2)),), "no answer that can be read", True),
        ("send_message", (pickle.dumps((None, "done", 1)),), "the answer of another call", True),
    ],
)
def test_every_end_of_a_call_is_said_and_the_next_gets_its_own_answer(
    child: Child, function: str, args: tuple[Any, ...], said: str, again: bool
) -> None:
    with pytest.raises(ChildFailed, match=said) as failure:
        child.call(function, *args, **CLOCK)
    assert failure.value.again is again
    assert "secret" not in f"{failure.value} {failure.value.detail}"
    answers(child)


def test_a_call_that_needs_too_much_processor_time_answers_nobody(child: Child) -> None:
    with pytest.raises(ChildFailed, match="processor time"):
        child.call("spin", seconds=0.5, patience=100.0)
    answers(child)


def test_a_child_that_dies_after_its_answer_is_replaced(child: Child) -> None:
    assert child.call("answer_then_die", "mine", **CLOCK) == "mine"
    time.sleep(0.3)
    answers(child)


def test_an_answer_that_nobody_asked_for_is_not_taken_for_the_next(child: Child) -> None:
    assert child.call("answer_twice", "mine", **CLOCK) == "mine"
    assert child._pipe is not None and child._pipe.poll(60)  # the second one is there
    with pytest.raises(ChildFailed, match="the answer of another call"):
        child.call("echo", "next", **CLOCK)
    answers(child)


def test_a_child_that_stops_in_the_middle_of_its_answer_is_ended_in_time(child: Child) -> None:
    with pytest.raises(ChildFailed, match="took longer than 1 seconds"):
        child.call("half_an_answer", "stop", seconds=1.0, patience=1.0)
    answers(child)


def test_a_child_that_takes_no_call_is_ended_in_time(child: Child) -> None:
    os.kill(child.call("process", **CLOCK), signal.SIGSTOP)
    with pytest.raises(ChildFailed, match="took longer than 1 seconds"):
        child.call("echo", bytes(10 * 2**20), seconds=1.0, patience=1.0)
    answers(child)


def test_over_many_calls_that_go_wrong_in_turn_every_answer_is_its_own(child: Child) -> None:
    chance = random.Random(43)

    def killed() -> Callable[[], bool]:
        pid = child.call("process", **CLOCK)
        moment = chance.random() * 0.1

        def beat() -> bool:
            time.sleep(moment)
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                os.kill(pid, signal.SIGKILL)
            return True

        return beat

    ways: list[Callable[[Any], Any]] = [
        lambda value: child.call("echo", value, **CLOCK),
        lambda value: child.call("slow", value, 0.05, seconds=chance.choice((0.02, 2.0)), patience=3.0),
        lambda value: child.call("slow", value, 0.1, beat=killed(), every=0.02, **CLOCK),
        lambda value: child.call("slow", value, 0.1, beat=lambda: 1 / 0 > 0, every=chance.random() * 0.2, **CLOCK),
        lambda value: child.call("answer_then_die", value, **CLOCK),
        lambda value: child.call("answer_twice", value, **CLOCK),
    ]
    answered = 0
    for n in range(int(os.environ.get("AUDITOR_KILLS", "3")) * 8):
        value = ("value", n)
        try:
            assert chance.choice(ways)(value) == value
            answered += 1
        except (ChildFailed, ZeroDivisionError):
            pass
    child.stop()  # one that may be about to die is nobody else's
    assert answered
