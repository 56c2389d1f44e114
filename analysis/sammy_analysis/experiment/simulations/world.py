"""`world`: the estimates of each design in the lab's world, compared with the known truth.

A folder of `npm run lab -- world --table` has a folder for each seed: `TREATMENT-DESIGN.csv`, untreated sessions
(`none-aa.csv`), and `truth.json`. For paired links with days before the experiment, the baseline difference is
subtracted as in a verdict, except from Appendix B's interval.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

from ..analyze import read_cells
from ..designs.calibrate import calibrate_pair
from ..designs.design import at_same_allocation
from ..estimators.appendix_b import Interval
from ..estimators.estimands import Arms, Estimate, Options, estimates
from ..estimators.links import LinkCheck, check_links
from ..problem import Problem
from ..reading.read import read

ARMS = Arms()


@dataclass(frozen=True)
class Column:
    """A column of the table: the estimates of a design and the corresponding truth."""

    title: str
    design: str
    kind: str
    #: The allocation; None for any.
    allocation: float | None
    truth: str


#: The columns of the table: the designs that estimate TTE, the A/B tests that are mistaken for it, and the spillovers.
COLUMNS = (
    Column("paired links", "paired", "tte", None, "tte"),
    Column("switchback", "switchback-hours", "tte", None, "tte"),
    Column("A/B, 50%", "ab", "tau", 0.5, "tte"),
    Column("A/B, 5%", "paired", "tau", 0.05, "tte"),
    Column("A/B, 95%", "paired", "tau", 0.95, "tte"),
    Column("spillover, paired", "paired", "spillover", None, "spillover"),
)


@dataclass(frozen=True)
class Finding:
    """The interval of one column and one seed, as a share of the global control's mean."""

    seed: int
    treatment: str
    metric: str
    column: Column
    robust: Interval | None
    paper: Interval | None


@dataclass(frozen=True)
class World:
    findings: list[Finding]
    #: The truth of each seed as a share, by treatment, kind ('tte' or 'spillover') and metric.
    truths: dict[tuple[str, str, str], list[float]]
    #: For each metric, three numbers: the A/A comparisons of both links in which Appendix B's interval excludes zero,
    #: those in which the robust interval does, and all.
    false_positives: dict[str, tuple[int, int, int]]
    seeds: list[int]
    #: The viewers' patience, by the lab's name of the setting.
    patience: str = "endless"


def read_world(folder: Path) -> World:
    """Reads and analyzes every seed. Raises a Problem if the folder is not from `lab world --table`."""
    seeds = sorted(
        int(each.parent.name) for each in folder.glob("*/truth.json") if each.parent.name.isdigit()
    )
    if not seeds:
        raise Problem(
            f"{folder}: no seed's folder with a truth.json; npm run lab -- world --table makes them"
        )
    found, truths, false_positives = [], {}, {}
    for seed in seeds:
        here = folder / str(seed)
        for treatment, kinds in json.loads((here / "truth.json").read_text()).items():
            for kind, metrics in kinds.items():
                for metric, truth in metrics.items():
                    if truth["tte_pct"] is not None:
                        truths.setdefault((treatment, kind, metric), []).append(truth["tte_pct"] / 100)
            for design in dict.fromkeys(column.design for column in COLUMNS):
                file = here / f"{treatment}-{design}.csv"
                # The lab's worlds over TCP have no switchback, so this column is empty.
                if file.exists():
                    found += findings(file, seed, treatment, design)
        for metric, excluded in _compared_with_itself(here / "none-aa.csv"):
            before = false_positives.get(metric, (0, 0, 0))
            false_positives[metric] = tuple(np.add(before, (*excluded, 1)).tolist())
    return World(found, truths, false_positives, seeds, read_patience(folder))


def read_patience(folder: Path) -> str:
    """Returns the viewers' patience, `endless` for worlds without this setting."""
    settings = folder / "world.json"
    world = json.loads(settings.read_text())["world"] if settings.exists() else {}
    return world.get("patience", "endless")


def findings(file: Path, seed: int, treatment: str, design: str) -> Iterator[Finding]:
    """Yields the findings of one experiment for each column of the design."""
    sessions = read(str(file))
    try:
        options = Options(ARMS, "switchback" if design.startswith("switchback") else design)
        cells = read_cells(sessions, options, 0)
        before = cells[at_same_allocation(cells) & (design == "paired")]
        cells = cells.drop(before.index).reset_index(drop=True)
        for metric in sessions.metrics:
            try:
                every, _ = estimates(cells, metric, options)
                links = check_links(before, cells, metric, every, options) if len(before) else None
            except Problem:
                # Skip the metric: its mean is 0 without treatment, so an effect cannot be a share of this mean.
                continue
            for column in COLUMNS:
                each = _matching(column, design, every)
                if each is not None:
                    intervals = _share(each, links), each.relative(each.paper)
                    yield Finding(seed, treatment, metric, column, *intervals)
    finally:
        sessions.close()


def _share(each: Estimate, links: LinkCheck | None) -> Interval | None:
    """Returns the share that a verdict uses. If days before the experiment determine the links' difference, the
    difference is subtracted."""
    if links is None or each.kind not in ("tte", "spillover"):
        return each.share
    corrected = links.tte if each.kind == "tte" else links.spillover
    return corrected and corrected.share


def _matching(column: Column, design: str, every: list[Estimate]) -> Estimate | None:
    if column.design != design:
        return None
    fitting = (e for e in every if e.kind == column.kind and column.allocation in (None, e.allocation))
    return next(fitting, None)


def _compared_with_itself(file: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields, by metric, whether Appendix B's and the robust interval find a difference of the links without treatment."""
    sessions = read(str(file))
    try:
        cells = read_cells(sessions, Options(Arms("", ARMS.control)), 0)
        links = [cells[cells.cluster == link] for link in sorted(cells.cluster.unique())]
        for metric in sessions.metrics:
            paired = calibrate_pair(*links, metric)
            if paired.robust is not None:
                yield metric, (round(paired.paper), round(paired.robust))
    finally:
        sessions.close()


def share_interval(hits: int, of: int) -> tuple[float, float]:
    """Returns Clopper and Pearson's 95% interval of a share."""
    low = 0.0 if hits == 0 else float(stats.beta.ppf(0.025, hits, of - hits + 1))
    high = 1.0 if hits == of else float(stats.beta.ppf(0.975, hits + 1, of - hits))
    return low, high


def table(world: World) -> Iterator[str]:
    """Formats the viewers, and a Markdown table for each treatment: the intervals of one seed, or the coverage of several."""
    yield f"the viewers' patience: {world.patience}"
    many = len(world.seeds) > 1
    for treatment in dict.fromkeys(treatment for treatment, _, _ in world.truths):
        metrics = [m for t, kind, m in world.truths if t == treatment and kind == "tte"]
        header = ["", "truth (TTE)", *(column.title for column in COLUMNS), "its truth"]
        yield f"\n{treatment}\n"
        yield _line(header)
        yield _line(["---", *["---:"] * (len(header) - 1)])
        for metric in metrics:
            truths = {kind: world.truths.get((treatment, kind, metric), []) for kind in ("tte", "spillover")}
            cells = [_truth(truths["tte"])]
            for column in COLUMNS:
                found = [
                    f
                    for f in world.findings
                    if (f.treatment, f.metric, f.column) == (treatment, metric, column)
                ]
                cells.append(
                    _covered(found, truths[column.truth]) if many else _one(found, truths[column.truth])
                )
            yield _line([f"`{metric}`", *cells, _truth(truths["spillover"])])
        if many:
            yield from _overall(world, treatment)
    yield "\nA/A, the untreated of both links beside each other: intervals that exclude zero\n"
    yield _line(["", "Appendix B", "robust to days", "of"])
    yield _line(["---", "---:", "---:", "---:"])
    for metric, (paper, robust, of) in world.false_positives.items():
        yield _line([f"`{metric}`", str(paper), str(robust), str(of)])


def _overall(world: World, treatment: str) -> Iterator[str]:
    """Formats, for each column, the share of all metrics' intervals that contain the mean truth. The metrics of a seed
    come from the same sessions, so for the standard error a seed is one observation."""
    yield "\nall metrics: robust intervals that hold the truth, and the standard error by seed\n"
    for column in COLUMNS:
        held: dict[int, list[bool]] = {seed: [] for seed in world.seeds}
        for each in world.findings:
            truths = world.truths.get((treatment, column.truth, each.metric))
            if (each.treatment, each.column) != (treatment, column) or not truths or each.robust is None:
                continue
            held[each.seed].append(each.robust.low <= float(np.mean(truths)) <= each.robust.high)
        holds, of = (np.array([count(each) for each in held.values()]) for count in (sum, len))
        if of.any():
            share, error = share_by_seed(holds, of)
            yield f"- {column.title}: {holds.sum()}/{of.sum()}, {share:.1%} ± {error:.1%}"


def share_by_seed(holds: np.ndarray, of: np.ndarray) -> tuple[float, float]:
    """Returns a share, and its standard error with each seed as a cluster of counts (Cochran, "Sampling Techniques", 3rd
    edition 1977, section 3.12)."""
    share = holds.sum() / of.sum()
    seeds = len(of)
    apart = float(((holds - share * of) ** 2).sum())
    return float(share), float(np.sqrt(seeds / (seeds - 1) * apart) / of.sum())


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _truth(shares: list[float]) -> str:
    if not shares:
        return ""
    mean = f"{100 * float(np.mean(shares)):+.1f}%"
    if len(shares) < 2:
        return mean
    return f"{mean} ± {196 * float(np.std(shares, ddof=1) / np.sqrt(len(shares))):.1f}"


def _one(found: list[Finding], truths: list[float]) -> str:
    """Formats the interval, and whether it contains the truth."""
    if not found or found[0].robust is None:
        return ""
    each = found[0].robust
    text = f"{100 * each.estimate:+.1f}% ({100 * each.low:+.1f} to {100 * each.high:+.1f})"
    return text if not truths else f"{text} {'holds' if each.low <= truths[0] <= each.high else 'misses'}"


def _covered(found: list[Finding], truths: list[float]) -> str:
    """Formats the mean estimate, and how many robust intervals and how many of Appendix B's intervals contain the mean
    truth."""
    robust = [f.robust for f in found if f.robust is not None]
    if not robust or not truths:
        return ""
    truth = float(np.mean(truths))
    holds, paper = (
        [i.low <= truth <= i.high for i in intervals]
        for intervals in (robust, [f.paper for f in found if f.paper is not None])
    )
    low, high = share_interval(sum(holds), len(holds))
    mean = 100 * float(np.mean([i.estimate for i in robust]))
    return f"{mean:+.1f}%: {sum(holds)}/{len(holds)} ({low:.0%}-{high:.0%}); B {sum(paper)}/{len(paper)}"
