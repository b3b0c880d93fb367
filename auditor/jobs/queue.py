"""What those who have work and those who do it know of each other.

Threads of this process fill these protocols today (`jobs.worker.Workers`); a task engine of its own could.
"""

from __future__ import annotations

from typing import Any, Protocol


class Task(Protocol):
    """A job that was claimed."""

    @property
    def function(self) -> str: ...
    @property
    def args(self) -> tuple[Any, ...]: ...


class Queue(Protocol):
    """Where work comes from and results go; kept in the database, so that nothing is lost with the process."""

    def claim(self, owner: str, slow: bool | None = None) -> Task | None:
        """The task whose turn it is: of the slow ones, of the others, or (None) of all."""
        ...

    def later(self, task: Any) -> None:
        """Put a task among the slow ones: it was not done in the time that every task gets first."""
        ...

    def extend(self, task: Any) -> bool: ...
    def finish(self, task: Any, result: Any) -> None:
        """Keep a result. Raises identity.NotOfThis where it is not of this task; nothing is kept then."""
        ...

    def fail(self, task: Any, text: str, again: bool) -> None: ...


class Runner(Protocol):
    """Whoever takes tasks from a queue and has them done. `wake` says that there is work."""

    def start(self) -> None: ...
    def wake(self) -> None: ...
    def stop(self) -> None: ...
