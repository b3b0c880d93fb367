"""`auditor serve`: the web service on this machine. `auditor worker`: one that does the audits of several machines. `auditor
reaudit`: games audited anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.calls import CLEAN, FINDINGS, INCOMPLETE, WrongCall, command, interruptible
from auditor.cli.output import progress_bar, to_stdout

if TYPE_CHECKING:
    from auditor.service import Service
    from auditor.settings import Settings


@command
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine's own.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where uploads are kept; AUDITOR_DATA, else ./auditor-data.")
    ] = None,
) -> int:
    """Start the web service on this machine."""
    from auditor.web import CannotServe
    from auditor.web import serve as start

    try:
        with interruptible():
            start(host, port, data)
    except CannotServe as why:
        raise WrongCall(str(why)) from None
    return CLEAN


@command
def worker(
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="How many audits at once.")] = 1,
    metrics_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Serve /metrics on this port; 0: any that is free. Else it serves none."),
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="The address for /metrics.")] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where logs are kept for a while; as for `serve`.")
    ] = None,
) -> int:
    """Do the audits of an installation of several machines; ends when those that were begun are done (SIGTERM).

    AUDITOR_DATABASE, AUDITOR_BROKER and AUDITOR_ARCHIVE say where it is, the same as for every other part of it.
    """
    settings = _settings(data)
    if not settings.broker_url:
        raise WrongCall("AUDITOR_BROKER is not set; without it the web process does the audits itself")
    service = opened(data)
    try:
        with _metrics(service, metrics_host, metrics_port) as address:
            said = f"Auditor takes work from {settings.broker_host} and keeps its data in {settings.data_dir}."
            print(f"{said} Its numbers are at {address}" if address else said, flush=True)
            return service.work(concurrency, "auditor.batch.faraway", "audited")
    finally:
        service.close()


@contextmanager
def _metrics(service: Service, host: str, port: int | None) -> Iterator[str]:
    """The address of a worker's numbers; "" without a port. Raises WrongCall where it cannot be had."""
    if port is None:
        yield ""
        return
    from auditor.web.metrics import metrics_served

    with ExitStack() as stack:
        try:
            address = stack.enter_context(metrics_served(service, host, port))
        except OSError as error:
            raise WrongCall(f"port {port} of {host} cannot be used for /metrics: {error.strerror or error}") from None
        yield address


@command
def reaudit(
    event: Annotated[str | None, typer.Option(help="All games whose header names this event.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All games there are.")] = False,
    ruleset: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME=VERSION", help="Stop unless the rules of a game have this version."),
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The data folder, as for `serve`.")] = None,
) -> int:
    """Audit games anew under today's rules, each under the rulings that it had; the audits before stay beside.

    Over the workers of an installation of several machines, or, for one that is stopped, by this command itself. Called
    once more it goes on where it was. Exit status: 0 nothing differs, 1 something does, 3 an audit failed.
    """
    if every == (event is not None):
        raise WrongCall("say either --event EVENT or --all")
    service = opened(data)
    try:
        _check_versions(service, ruleset or [])
        with interruptible():
            service.start_work()
            asked = service.reaudits.ask(event)
            with progress_bar(len(asked)) as advance:
                service.reaudits.wait(asked, advance)
        differ = failed = 0
        for one in service.reaudits.compared(asked):
            differ, failed = differ + one.differs, failed + (one.state == "failed")
            if one.differs:
                before = f"{one.verdict_before} ({one.standing_before} to decide)"
                to_stdout(f"{one.title}: {before} before, {one.verdict} ({one.standing}) now  {one.before} {one.key}\n")
        to_stdout(f"{len(asked)} audits, {differ} of them with another verdict or number, {failed} failed\n")
        return INCOMPLETE if failed else FINDINGS if differ else CLEAN
    finally:
        service.close()


def _check_versions(service: Service, wanted: list[str]) -> None:
    wrong = []
    for one in wanted:
        game, _, version = one.partition("=")
        if game not in service.games.rulesets():
            wrong.append(f"{game} is no game; one of {', '.join(service.games.rulesets())}")
        elif service.games.version(game) != version:
            wrong.append(f"the rules of {game} that are installed have the version {service.games.version(game)}")
    if wrong:
        raise WrongCall(*wrong)


def opened(data: Path | None) -> Service:
    """The installation that the environment names. Raises WrongCall."""
    from auditor.service import CannotOpen, Service, keep_private

    keep_private()
    try:
        return Service(_settings(data))
    except CannotOpen as why:
        raise WrongCall(str(why)) from None
    except OSError as error:
        raise WrongCall(f"{error.filename or 'the data folder'}: {error.strerror or error}") from None


def _settings(data: Path | None) -> Settings:
    """What the environment says. Raises WrongCall."""
    from auditor.settings import BadSettings, Settings

    try:
        settings = Settings.of_environment()
    except BadSettings as why:
        raise WrongCall(str(why)) from None
    return settings if data is None else replace(settings, data_dir=data)
