"""The report: one self-contained HTML page, with its heading and its parts in order.

The `analyze` command calls this module, which must not depend on how results are computed.
"""

from datetime import UTC, datetime
from html import escape

from ...page import page
from ..analyze import Analysis
from ..estimators.refusal import summary
from ..reading.read import Sessions
from ..sentences.headline import headline
from ..sentences.overview import DESIGN_WORDS, make_verdicts
from .effects import effects_section
from .method import method_section
from .metric import metric_section
from .sample import left_out_section, sample_section
from .verdicts import draw_verdicts, verdicts_section


def report(result: Analysis, sessions: Sessions) -> str:
    verdicts = make_verdicts(result)
    sections = [
        f"<p class=headline>{escape(headline(verdicts, result.options.arms.treatment))}</p>",
        draw_verdicts(verdicts),
        _heading(result, sessions),
        sample_section(result),
        left_out_section(sessions, result),
        verdicts_section(verdicts, result),
        effects_section(result),
        _not_estimated(result, sessions),
        "<h2>What was seen of each metric</h2>",
        *(metric_section(result, metric) for metric in result.found),
        method_section(result),
    ]
    return page("What the experiment shows", "\n".join(sections))


def _heading(result: Analysis, sessions: Sessions) -> str:
    hours = result.cells.hour + result.cells.offset
    first, last = (datetime.fromtimestamp(int(h) * 3600, UTC) for h in (hours.min(), hours.max()))
    count = int(result.cells.sessions.sum())
    names = ", ".join(escape(str(name)) for name in sorted(result.cells.cluster.unique()))
    source = escape(sessions.files[0]) + (
        f" and {len(sessions.files) - 1} more" if len(sessions.files) > 1 else ""
    )
    return (
        f"<p>{count:,} sessions from {first:%d %B %Y} to {last:%d %B %Y} on {names}. "
        f"It is read as {DESIGN_WORDS[result.options.design]}.</p><p class=note>Input: {source}.</p>"
    )


def _not_estimated(result: Analysis, sessions: Sessions) -> str:
    lines = summary(result.refused, sessions.metrics)
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h3>What the data do not tell</h3><ul class=note>{items}</ul>"
