"""Numbers of this process and of the queue, in the text form that Prometheus reads: /metrics.

Each process counts what it answered and what it audited; the queue and the audits are those of the database, the same from
any web process. A worker, which answers nobody else, may have a port for them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Flask, Response, current_app, g, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from auditor.jobs.worker import WAYS
from auditor.service import Service

pages = Blueprint("metrics", __name__)

_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_OF_PROCESS = "auditor_metrics"


class _Queue(Collector):
    """Asked anew each time."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[GaugeMetricFamily]:
        numbers = self._service.health.numbers()
        jobs = GaugeMetricFamily("auditor_jobs", "Audits by the state of their work.", labels=["state"])
        for state, number in numbers.jobs.items():
            jobs.add_metric([state], number)
        yield jobs
        audits = GaugeMetricFamily("auditor_audits", "Audits by their verdict.", labels=["verdict"])
        for verdict, number in numbers.audits.items():
            audits.add_metric([verdict], number)
        yield audits
        yield GaugeMetricFamily(
            "auditor_queue_oldest_seconds", "How long the oldest audit in the queue has waited.", numbers.oldest_seconds
        )
        yield GaugeMetricFamily("auditor_tries", "Children that died over a log, in all.", numbers.tries)


class _Work(Collector):
    """What this process audited itself."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[GaugeMetricFamily | SummaryMetricFamily]:
        running, ended = self._service.work_done.told()
        yield GaugeMetricFamily("auditor_work_running", "Audits that this process is doing.", running)
        work = SummaryMetricFamily(
            "auditor_work_seconds", "Audits that this process did, by how that ended.", labels=["how"]
        )
        for how in WAYS:
            times, seconds = ended.get(how, (0, 0.0))
            work.add_metric([how], times, seconds)
        yield work


def _registry(service: Service) -> CollectorRegistry:
    """A registry with the numbers that every process has."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Work(service))
    return registry


@contextmanager
def metrics_served(service: Service, host: str, port: int) -> Iterator[str]:
    """The numbers of a worker at an address of their own, which is given back. Raises OSError.

    They name nobody, so another machine may ask for them.
    """
    server, thread = start_http_server(port, host, _registry(service))
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def count_requests(app: Flask, service: Service) -> None:
    """Count every answer of an app, and how long it took."""
    registry = _registry(service)
    answers = Counter("auditor_http_answers", "Answers, by their status.", ["status"], registry=registry)
    seconds = Histogram("auditor_http_seconds", "How long answers took.", registry=registry, buckets=_SECONDS)
    registry.register(_Queue(service))
    app.extensions[_OF_PROCESS] = registry

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        if request.endpoint not in ("metrics.metrics", "static"):
            answers.labels(str(response.status_code)).inc()
            if "began" in g:
                seconds.observe(time.perf_counter() - g.began)
        return response


@pages.get("/metrics")
def metrics() -> Response:
    """The numbers, as text."""
    return Response(generate_latest(current_app.extensions[_OF_PROCESS]), mimetype=CONTENT_TYPE_LATEST)
