"""Requests that are half sent, and bodies that nobody may send, cost next to nothing and keep nobody waiting."""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from collections.abc import Iterator

import pytest

from auditor.web import server as web_server
from auditor.web import taking
from tests.web.conftest import CLEAN

BODY = b'--x\r\nContent-Disposition: form-data; name="logs"; filename="a"\r\n\r\n%s\r\n--x--\r\n'


@pytest.fixture
def port(app, settings, monkeypatch) -> Iterator[int]:
    monkeypatch.setattr(web_server, "LOOK_SECONDS", 1)
    server = web_server.make_server(app, settings, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield int(server.effective_port)
    server.close()
    thread.join(30)


def send(port: int, head: str, body: bytes = b"", seconds: float = 30.0) -> bytes:
    """What is answered to the beginning of a request, whose sender then waits."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        line.sendall(head.replace("\n", "\r\n").encode() + body)
        answer = b""
        while part := line.recv(65536):
            answer += part
        return answer


def healthy(port: int) -> float:
    begun = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
        assert answer.read() == b"ok\n"
    return time.monotonic() - begun


def test_healthz_is_answered_while_every_thread_is_held(app, port):
    held, let_go = threading.Semaphore(0), threading.Event()

    def hold() -> str:
        held.release()
        let_go.wait(60)
        return ""

    app.add_url_rule("/hold", view_func=hold)
    lines = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(web_server.THREADS)]
    try:
        for line in lines:
            line.sendall(b"GET /hold HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert all(held.acquire(timeout=60) for _ in lines)
        healthy(port)
        assert not let_go.is_set()
    finally:
        let_go.set()
        for line in lines:
            line.close()


def test_many_requests_that_are_half_sent_keep_nobody_waiting_and_are_cut_off(port, monkeypatch):
    monkeypatch.setattr(taking, "HEAD_SECONDS", 6.0)
    lines = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(150)]
    try:
        for line in lines:
            line.sendall(b"POST /upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-")
        assert healthy(port) < 5.0
        for line in lines:
            assert line.recv(1) == b""
    finally:
        for line in lines:
            line.close()


def test_a_body_that_comes_drop_by_drop_is_cut_off(port, monkeypatch):
    monkeypatch.setattr(taking, "BODY_SECONDS", 2.0)
    head = "POST /upload HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 5000\nContent-Type: text/plain\n\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(head.replace("\n", "\r\n").encode())
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begun < 60:
                line.sendall(b"x")
                time.sleep(0.2)
        assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("Host: example.org\nContent-Length: 250000000", b"names of this machine"),
        ("Host: example.org\nContent-Length: 10", b"names of this machine"),
        ("Host: 127.0.0.1\nContent-Length: 250000000", b"send that again"),
        ("Host: 127.0.0.1\nCookie: auditor=forged\nContent-Length: 250000000", b"send that again"),
        ("Host: 127.0.0.1\nTransfer-Encoding: chunked", b"send that again"),
    ],
)
def test_a_body_that_nobody_may_send_is_refused_before_it_is_taken_in(port, head, said):
    answer = send(port, f"POST /upload HTTP/1.1\n{head}\nContent-Type: multipart/form-data; boundary=x\n\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert said in answer


def test_a_long_upload_of_somebody_with_a_session_is_taken_in(port, service):
    import json

    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    address = f"http://127.0.0.1:{port}/api/v1"
    token = json.load(browser.open(f"{address}/token", timeout=60))["token"]
    headers = {"X-CSRFToken": token, "Content-Type": "multipart/form-data; boundary=x"}
    long = BODY % (CLEAN + b" \n" * 2 * taking.LONG)
    with browser.open(urllib.request.Request(f"{address}/uploads", long, headers), timeout=60) as answer:
        assert answer.status == 201
