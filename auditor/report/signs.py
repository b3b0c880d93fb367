"""The fixed drawings of every page: a blank die, one that was not rolled, and the signs of the four kinds of finding.

Shape before colour: each can be told from the others without any colour and on paper.
"""

from __future__ import annotations

from markupsafe import Markup

from auditor.report.boards import KINDS

_HEAD = '<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
_SIGNS = (
    '<symbol id="d-B" viewBox="0 0 24 24"><rect class="die" x="1" y="1" width="22" height="22" rx="4"/></symbol>'
    '<symbol id="d-x" viewBox="0 0 24 24"><rect class="die none" x="1.5" y="1.5" width="21" height="21" rx="4"/>'
    '<text class="dq" x="12" y="17">?</text></symbol>'
    '<symbol id="k-ill" viewBox="0 0 16 16"><rect class="kf" width="16" height="16" rx="2.5"/>'
    '<path class="kw" d="M4.5 4.5l7 7M11.5 4.5l-7 7"/></symbol>'
    '<symbol id="k-mis" viewBox="0 0 16 16"><path class="kf" d="M8 0l8 8-8 8-8-8z"/>'
    '<path class="kw" d="M5 6.7h6M5 9.5h6M9.3 4.8l-2.6 6.6"/></symbol>'
    '<symbol id="k-omi" viewBox="0 0 16 16"><circle class="ko" cx="8" cy="8" r="6.7"/>'
    '<path class="ks" d="M4.8 8h6.4"/></symbol>'
    '<symbol id="k-amb" viewBox="0 0 16 16"><path class="ko" d="M8 1.2L15 14.5H1z"/>'
    '<path class="ks" d="M8 6v4M8 11.5v1.4"/></symbol>'
    "</defs></svg>"
)


def page_defs() -> Markup:
    """Patterns, dice and the signs of the four kinds of finding: once on every page that shows any of them."""
    return Markup(_HEAD + "".join(kind.defs for kind in KINDS.values()) + _SIGNS)
