"""`analyze`: writes the report of an experiment, and prints its verdicts.

command.py calls this module, which must not depend on how sessions are read or how the page looks.
"""

import argparse
import os
from pathlib import Path

from ..analyze import Analysis, analyze
from ..estimators.appendix_b import Interval
from ..estimators.estimands import Arms, Options
from ..estimators.links import Corrected
from ..estimators.refusal import summary
from ..problem import Problem
from ..reading.read import Sessions
from ..reading.sources import KINDS
from ..reports.report import report
from ..sentences.headline import headline
from ..sentences.numbers import bounded_interval, describe_change
from ..sentences.overview import DESIGN_WORDS, chance_note, design_caveat, make_verdicts
from .sessions import MOST_NAMED, left_out_lines, read_sessions, sample_alarms, set_aside_lines

#: The explanation of the lines below each verdict.
LEGEND = (
    "Below each verdict, in % of the mean without the treatment, or in the metric's unit if that mean is too close to 0: "
    "every comparison with its 95% interval, robust to days as in the verdict, and with the interval of the paper's Appendix B, "
    "which assumes that hours are independent. The line that decides the verdict says so."
)
#: Marks the line that determines the verdict; other lines are context.
DECIDES = "  (decides the verdict)"
#: The name of the line that decides the verdict if the baseline difference of paired links is known.
LESS_LINKS = "deployed to all, without that difference"


def run_analyze(options: argparse.Namespace) -> None:
    if options.window == 0:
        raise Problem("--window: 0 hours are no window")
    _check_out(options.out)
    sessions, offset = read_sessions(options)
    try:
        arms = Arms(options.treatment, options.control)
        less, more = options.less_is_better, options.more_is_better
        for option, names in (("--less-is-better", less), ("--more-is-better", more)):
            if unknown := [name for name in names if name not in sessions.metrics]:
                there = ", ".join(sessions.metrics[:MOST_NAMED])
                raise Problem(f"{option}: there is no metric '{unknown[0]}'; there is {there}")
        if both := set(less) & set(more):
            raise Problem(f"--less-is-better and --more-is-better both name '{min(both)}'")
        wanted = Options(arms, options.design, options.window, options.washout, options.rows, less, more)
        result = analyze(sessions, wanted, offset)
        options.out.write_text(report(result, sessions), encoding="utf8")
        print_result(result, sessions)
        print(f"\nThe report with all pictures: {options.out}")
    finally:
        sessions.close()


def _check_out(out: Path) -> None:
    """Checks that the report can be written, before the analysis starts. Rejects a path that would overwrite the
    sessions."""
    if out.is_dir():
        raise Problem(f"--out: {out} is a folder; name a file in it")
    if out.suffix.lower() in KINDS:
        raise Problem(f"--out: {out} is a file of sessions by its name, and the report is a page: FILE.html")
    out.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise Problem(f"--out: {out} cannot be written")


def print_result(result: Analysis, sessions: Sessions) -> None:
    count = int(result.cells.sessions.sum())
    verdicts = make_verdicts(result)
    print(f"{headline(verdicts, result.options.arms.treatment)}\n")
    print(f"{count:,} sessions, read as {DESIGN_WORDS[result.options.design]}")
    rows = set_aside_lines(sessions) + left_out_lines(sessions)
    for line in rows + sessions.notes + result.notes + sample_alarms(result.sample):
        print(line)
    if caveat := design_caveat(result):
        print(caveat)
    if verdicts:
        print(LEGEND)
    for each_verdict in verdicts:
        print(f"\n{each_verdict.decided}")
        for name, part in (
            ("how sure", each_verdict.sure),
            ("what could overturn it", each_verdict.doubt),
            ("what to do next", each_verdict.todo.removeprefix("Next: ")),
        ):
            if part:
                print(f"  {name}: {part}")
        links = result.links.get(each_verdict.metric)
        corrected = links is not None and links.tte is not None
        for each in result.found[each_verdict.metric]:
            paper, robust = each.relative(each.paper), bounded_interval(each.share, each.robust, each.metric)
            decides = each.kind == "tte" and each_verdict.interval is not None and not corrected
            mark = DECIDES if decides else ""
            print(
                f"  {each.symbol:24} {interval_text(robust, each.refused):30} Appendix B: {interval_text(paper)}{mark}"
            )
        if links:
            for name, interval in (
                (
                    "difference of the links at the same allocation",
                    bounded_interval(links.relative_difference, links.difference, each_verdict.metric),
                ),
                (LESS_LINKS, _corrected_interval(links.tte, each_verdict.metric)),
                (
                    "untreated beside the most treated, without that difference",
                    _corrected_interval(links.spillover, each_verdict.metric),
                ),
            ):
                mark = DECIDES if interval is not None and name == LESS_LINKS else ""
                print(f"  {name}: {interval_text(interval, links.refused)}{mark}")
    for line in summary(result.refused, sessions.metrics):
        print(f"not estimated: {line}")
    if chance := chance_note(verdicts):
        print(f"\n{chance.strip()}")


def _corrected_interval(effect: Corrected | None, metric: str) -> Interval | None:
    return effect and bounded_interval(effect.share, effect.step.interval, metric)


def interval_text(interval: Interval | None, refused: str = "") -> str:
    if interval is None:
        return f"- ({refused})" if refused else "-"
    return describe_change(interval)
