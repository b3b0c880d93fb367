"""The second referee of Calixtus' Edition: it judges a log that it did not play, by the rules catalogue alone.

It reads header and events (catalogue, section 5), keeps its own table, and names for each event the rules that are
broken. It judges `JUDGED` and keeps quiet about everything else. What it cannot follow ends its judgement there.
"""

from auditor.conformance.clx.referee.check import check
from auditor.conformance.clx.referee.found import JUDGED, Found

__all__ = ["JUDGED", "Found", "check"]
