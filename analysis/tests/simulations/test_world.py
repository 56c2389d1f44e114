"""The table of results in the lab's world, from findings and true effects that are given by hand."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.commands.analyze import interval_text
from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.reading import schema
from sammy_analysis.experiment.simulations.world import (
    COLUMNS,
    Finding,
    World,
    findings,
    read_patience,
    share_by_seed,
    share_interval,
    table,
)

METRIC = "min_rtt_ms"


def world(*intervals, truth=-0.2):
    """Returns a world in which paired links found these intervals, one per seed, and the A/B test at 50% found
    nothing."""
    paired, test = COLUMNS[0], COLUMNS[2]
    findings = [Finding(seed, "cap", METRIC, paired, each, each) for seed, each in enumerate(intervals)]
    findings.append(Finding(0, "cap", METRIC, test, None, None))
    truths = {("cap", "tte", METRIC): [truth] * len(intervals)}
    return World(findings, truths, {METRIC: (1, 0, len(intervals))}, list(range(len(intervals))))


def row(found):
    return next(line for line in table(found) if METRIC in line)


def test_one_seed_shows_its_interval_and_whether_it_contains_the_truth():
    holds, misses = Interval(-0.18, -0.25, -0.11), Interval(-0.1, -0.15, -0.05)
    assert "| -20.0% | -18.0% (-25.0 to -11.0) holds |" in row(world(holds))
    assert "| -20.0% | -10.0% (-15.0 to -5.0) misses |" in row(world(misses))


def test_many_seeds_show_how_many_intervals_contain_the_mean_truth():
    found = row(world(Interval(-0.18, -0.25, -0.11), Interval(-0.1, -0.15, -0.05)))
    # One of two intervals: the 2.5% quantile of beta(1, 2) is 1 - sqrt(0.975), and the 97.5% quantile of beta(2, 1) is
    # sqrt(0.975).
    assert "-14.0%: 1/2 (1%-99%); B 1/2" in found


def test_the_metrics_of_a_seed_are_clustered_in_the_standard_error():
    # By hand: 8 of 12 is 2/3, so the first seed has 4 - 4 * 2/3 = 4/3 more than expected, and the others -2/3. The
    # error is sqrt(3/2 * (16 + 4 + 4) / 9) / 12 = 1/6.
    share, error = share_by_seed(np.array([4, 2, 2]), np.array([4, 4, 4]))
    assert (share, error) == pytest.approx((2 / 3, 1 / 6))
    # A binomial error of twelve would be sqrt(2/3 * 1/3 / 12) = 0.136.
    found = list(table(world(Interval(-0.18, -0.25, -0.11), Interval(-0.1, -0.15, -0.05))))
    # One of two seeds has an error of sqrt(2 * (1/4 + 1/4)) / 2.
    assert "- paired links: 1/2, 50.0% ± 50.0%" in found


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Clopper and Pearson by hand: 0.025 ** (1 / n) if all intervals hold the truth, and the mirror image of that if
    # none holds the truth.
    [(10, 10, 0.025 ** (1 / 10), 1), (0, 10, 0, 1 - 0.025 ** (1 / 10))],
)
def test_the_interval_of_a_share(hits, of, low, high):
    assert share_interval(hits, of) == pytest.approx((low, high), abs=1e-12)


def test_the_table_states_the_viewers_patience(tmp_path):
    assert next(table(world(Interval(-0.18, -0.25, -0.11)))) == "the viewers' patience: endless"
    # Older worlds have no patience.
    assert read_patience(tmp_path) == "endless"
    (tmp_path / "world.json").write_text('{"world": {"patience": "krishnan-sitaraman"}}')
    assert read_patience(tmp_path) == "krishnan-sitaraman"


def test_the_baseline_difference_between_links_is_subtracted():
    file = Path(__file__).parents[2] / "data/cap-paired.parquet"
    found = findings(file, 1, "cap", "paired")
    one = next(each for each in found if each.metric == METRIC and each.column.kind == "tte")
    # The same as on the documentation's page about a verdict.
    assert interval_text(one.robust) == "−15.9% (−21.1% to −11.2%)"


def test_another_folder_is_refused_in_one_line(tmp_path, capsys):
    assert main(["world", str(tmp_path)]) == 1
    assert "no seed's folder with a truth.json" in capsys.readouterr().err


@pytest.mark.long
def test_the_bundled_sessions_reproduce_the_pages_verdict(tmp_path, capsys):
    data = Path(__file__).parents[2] / "data"
    assert main(["analyze", str(data / "cap-paired.parquet"), "--out", str(tmp_path / "verdict.html")]) == 0
    said = capsys.readouterr().out
    page = (data.parents[1] / "docs/experiments/verdict.md").read_text()
    quoted = re.search(r"Median round-trip time: deployed to all.*?\n```", page, re.DOTALL).group()[:-3]
    assert " ".join(quoted.split()) in " ".join(said.split())
    sessions = re.search(r"The data are ([\d,]+) sessions", page).group(1)
    counts = re.search(r"\n([\d,]+) sessions, .*\n([\d,]+) sessions of 14 days began", said).groups()
    assert sum(number(count) for count in counts) == number(sessions)
    deciding = [line for line in said.splitlines() if line.endswith("(decides the verdict)")]
    # Only lines that subtract the difference between the links decide.
    assert [line.startswith("  deployed to all, without that difference: ") for line in deciding] == [
        True
    ] * len(BUNDLED)
    truth = json.loads((data / "cap-paired.truth.json").read_text())
    missed = []
    for metric, named in BUNDLED.items():
        verdict = next(
            line for line in said.splitlines() if line.startswith(f"{schema.metric(metric).title}: ")
        )
        shown = re.search(rf"deployed to all, {SIZE} \({SIZE} to {SIZE}\)", verdict)
        open_ = re.search(rf"(no) change could be shown; it lies between {SIZE} and {SIZE}", verdict)
        low, high = (number(end) for end in (shown or open_).groups()[1:])
        true = truth[metric]["tte_pct"]
        # A change that is shown has the true direction.
        assert low * true > 0 if shown else low < 0 < high
        if not low <= true <= high:
            missed.append(metric)
        test = re.search(rf"An A/B test with 5% treated says .*?\({SIZE} to {SIZE}\)", verdict)
        interferes = "The arms interfere: sessions share the link" in verdict
        # An A/B test shows the effect of the cap itself, but not how the cap changes the link.
        assert (test is None) == ("A/B test with 5% treated cannot be judged" in verdict)
        assert ("It misses the change." in verdict) == (metric in MISSED)
        assert find_row(page, named) == [
            f"{test[1]}% to {test[2]}%" if test else "cannot be judged",
            f"{text(low)}% to {text(high)}%{'' if low <= true <= high else ' (miss)'}",
            f"{text(true)}%",
            "yes" if interferes else "not found",
        ]
    # The page also says that no interval misses the truth. With six intervals of 95%, that is likely.
    assert missed == []


#: Metrics for which the A/B test misses the change.
MISSED = ("rtt_median_ms", "play_delay_ms")

#: The bundled metrics, with their names in the page's table.
BUNDLED = {
    "chunk_throughput_kbps": "chunk throughput",
    "min_rtt_ms": "minimum RTT",
    "rtt_median_ms": "median RTT",
    "retransmit_pct": "retransmitted",
    "play_delay_ms": "start-up delay",
    "mean_bitrate_kbps": "bitrate",
}
SIZE = r"([+−][\d.]+)%"


def number(said):
    return float(said.replace("−", "-").replace(",", ""))


def text(value):
    return f"{value:+.1f}".replace("-", "−")


def find_row(page, named):
    """Returns the cells of the row that begins with a name."""
    line = re.search(rf"^\| {named} +\|.*$", page, re.MULTILINE).group()
    return [cell.strip() for cell in line.split("|")[2:-1]]
