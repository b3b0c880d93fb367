"""What a child does in the tests of children: answers, and everything that may go wrong around an answer."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import threading
import time
from multiprocessing.connection import Connection
from typing import Any


def _pipe() -> Connection:
    """The pipe to the parent, found as something gone astray would find it."""
    return next(each for each in gc.get_objects() if isinstance(each, Connection) and each.writable)


def echo(value: Any) -> Any:
    return value


def slow(value: Any, seconds: float) -> Any:
    time.sleep(seconds)
    return value


def fail() -> None:
    raise KeyError("a secret of the log")


def eat() -> None:
    bytearray(64 * 1024**3)


def not_to_be_sent() -> Any:
    return threading.Lock()


def spin() -> None:
    while True:
        pass


def leave() -> None:
    raise SystemExit(7)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def answer_then_die(value: Any) -> Any:
    threading.Timer(0.05, die).start()
    return value


def another_answer_first(number: int) -> str:
    """Sends the answer of a call of another number before its own."""
    _pipe().send_bytes(pickle.dumps((number, "done", "somebody else's")))
    return "mine"


def answer_twice(value: Any) -> Any:
    """Its own answer, and then, when nobody asked, one more."""
    threading.Timer(0.05, lambda: _pipe().send_bytes(pickle.dumps((1, "done", "somebody else's")))).start()
    return value


def send(garbage: bytes) -> str:
    """Bytes that are no message at all."""
    os.write(_pipe().fileno(), garbage)
    return "mine"


def send_message(content: bytes) -> str:
    """A message whose content is no answer."""
    _pipe().send_bytes(content)
    return "mine"


def half_an_answer(then: str) -> None:
    os.write(_pipe().fileno(), struct.pack("!i", 1000) + b"half")
    {"die": die, "stop": stop}[then]()


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def process() -> int:
    return os.getpid()
