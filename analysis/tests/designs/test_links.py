"""Arms that interfere, and paired links that are not alike: effects computed by hand, and data that cannot distinguish
the two."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from control_cells import cells, read_quantiles
from session_files import HEADER, run, sessions, write

from sammy_analysis.experiment.designs.design import at_same_allocation, detect
from sammy_analysis.experiment.estimators.estimands import estimates
from sammy_analysis.experiment.estimators.links import Growth, check_links
from sammy_analysis.experiment.reports import figures
from sammy_analysis.experiment.reports.effects import LESS_LINKS
from sammy_analysis.experiment.sentences.interference import assess_interference, contradicted
from sammy_analysis.experiment.simulations.worlds.paired_in_words import PAIRED as PAIRED_DESIGN
from sammy_analysis.experiment.simulations.worlds.paired_in_words import _cells

#: Matches a verdict that claims no change by a deployment, or names the assumption that its claim needs.
NO_CLAIM = re.compile(
    r"deployed to all, (no change could be shown|[^.;]*\([^)]*\), but only if what the links differ by has no)"
)
START = datetime(2026, 3, 2, tzinfo=UTC)
INTERFERE = "The arms interfere: sessions share the link"
CANNOT_TELL = (
    "The links' results differ: the arms interfere, or the links are not alike. These data cannot tell which;"
)


def links(days, allocations, value, first_day=0):
    """Yields eight sessions per hour and link. `value(link, treated, p, day, hour)` is their round-trip time."""
    for day in range(first_day, first_day + days):
        for hour in range(24):
            for link, p in allocations.items():
                for number in range(8):
                    treated = number < 8 * p
                    name = f"{link}-{day}-{hour}-{number}"
                    at = (START + timedelta(days=day, hours=hour, minutes=number)).isoformat()
                    rtt = value(link, treated, p, day, hour)
                    yield [name, name, link, "treatment" if treated else "control", p, at, rtt]


PAIRED = {"one": 0.75, "two": 0.25}
BOTH = {"one": 0.0, "two": 0.0}


def noise(link, day):
    """Returns the noise of a link's day, the same in every run."""
    return float(np.random.default_rng([day, len(link), ord(link[0])]).normal(0, 0.05))


def level(link, treated, p, day, hour):
    """All sessions of link one have 10 ms less, and treated sessions of both links have 2 ms more."""
    return 60 + hour % 5 + noise(link, day) + (2 if treated else 0) - (10 if link == "one" else 0)


def share(link, treated, p, day, hour):
    """All sessions of link one have a tenth less, and treated sessions of both links have a fifth less."""
    return (60 + hour % 5 + noise(link, day)) * (0.8 if treated else 1) * (0.9 if link == "one" else 1)


def shared_queue(link, treated, p, day, hour):
    """The links have the same level without treatment, and each treated session shortens the queue for all sessions of
    its link."""
    return 60 + hour % 5 + noise(link, day) + (2 if treated else 0) - 20 * p


def competition(link, treated, p, day, hour):
    """Untreated sessions have longer round-trip times the more sessions are treated, as in the paper's Figure 3."""
    return 60 + hour % 5 + noise(link, day) + (0 if treated else 30 * p)


def test_links_that_differ_by_a_level_do_not_count_as_interference(tmp_path, capsys):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", links(5, PAIRED, level)))
    for text in (printed, page.replace("&#x27;", "'")):
        assert INTERFERE not in text
    assert f"{CANNOT_TELL} a week or more of both links at the same allocation could." in printed
    assert "If the links are alike, it gets the direction wrong." in printed
    assert "gets the direction wrong, if the links are alike" in page
    assert "It may be why allocations differ in Minimum round-trip time, or the links are not alike." in page


def test_links_with_the_same_relative_effect_do_not_count_as_interference(tmp_path, capsys):
    """τ is -12.4 on link two and -11.2 on link one, a fifth of each link's level."""
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", links(5, PAIRED, share)))
    assert CANNOT_TELL in printed
    assert INTERFERE not in printed
    assert "contradicted, but the effect is the same share of the level" in page


def test_effects_that_differ_otherwise_show_interference_without_a_baseline(tmp_path, capsys):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", links(5, PAIRED, competition)))
    assert INTERFERE in printed
    assert "Here that shows in Minimum round-trip time." in page


def test_a_baseline_shows_links_that_are_not_alike(tmp_path, capsys):
    rows = [*links(5, BOTH, level), *links(5, PAIRED, level, first_day=5)]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "1,920 sessions, read as paired links" in printed
    assert (
        "1,920 sessions of 5 days began while all clusters had the same allocation (0% treated)." in printed
    )
    # The treatment adds 2 ms to 62. The difference between the links, -10 ms, is not its effect. Days have a noise of
    # 0.05 ms.
    assert "No interference between the arms was found." in printed
    effect = float(printed.split("deployed to all, ")[1].split("%")[0].replace("−", "-"))
    assert effect == pytest.approx(100 * 2 / 62, abs=1)
    assert "The baseline difference between the links, −16." in printed
    assert "It gets the direction wrong" not in printed
    assert "Paired links are assumed to be alike" not in printed
    assert "Are the links alike?" in page


def test_relative_effects_on_links_that_differ_agree(tmp_path, capsys):
    """The treatment takes a fifth, of 62 on link two and of 56 on link one."""
    rows = [*links(5, BOTH, share), *links(5, PAIRED, share, first_day=5)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    effect = float(printed.split("deployed to all, ")[1].split("%")[0].replace("−", "-"))
    assert effect == pytest.approx(-20, abs=0.5)
    assert "An A/B test with 25% treated says −20.0%" in printed
    assert "It gets" not in printed
    assert "No interference between the arms was found." in printed


def by_share(link, treated, p, day, hour):
    """Link one has a half more, and both links have 30% more from day 5 on. The treatment has no effect."""
    return usual_level(link, day, hour) * (1.5 if link == "one" else 1) * (1.3 if day >= 5 else 1)


def by_amount(link, treated, p, day, hour):
    """Link one has 30 ms more, and both links have 20 ms more from day 5 on. The treatment has no effect."""
    return usual_level(link, day, hour) + (30 if link == "one" else 0) + (20 if day >= 5 else 0)


def alike(link, treated, p, day, hour):
    return usual_level(link, day, hour) * (1.3 if day >= 5 else 1)


def usual_level(link, day, hour):
    return 60 + hour % 5 + noise(link, day)


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        (by_share, "but only if the links' difference stayed the same although their level rose by 30%"),
        # 60 + 2 ms without the treatment, later 20 ms more.
        (by_amount, "if the links' difference stayed the same although their level rose by 32%"),
        (alike, ""),
    ],
)
def test_a_change_of_level_is_no_effect_on_links_that_differ(tmp_path, capsys, value, condition):
    rows = [*links(5, BOTH, value), *links(5, PAIRED, value, first_day=5)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert condition in printed
    assert ("stayed the same" in printed) == (condition != "")
    assert "interference between the arms, although" not in printed
    assert INTERFERE not in printed


def only_hours(rows, hours):
    return (row for row in rows if datetime.fromisoformat(row[5]).hour in hours)


def in_the_evening(link, treated, p, day, hour):
    """Link one has 6 ms more from 12:00 on. The treatment has no effect."""
    return usual_level(link, day, hour) + (6 if link == "one" and hour >= 12 else 0)


def test_an_experiment_in_the_evening_is_compared_with_the_evenings_before(tmp_path, capsys):
    evenings = only_hours(links(7, PAIRED, in_the_evening, first_day=7), range(18, 24))
    rows = [*links(7, BOTH, in_the_evening), *evenings]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "deployed to all, no change could be shown" in printed
    assert "No interference between the arms was found." in printed
    # 6 of 60 + 13 / 6 ms. On whole days, it would be half of that.
    assert "difference of the links at the same allocation: +9.6%" in printed
    assert "left out" not in printed.split("how sure")[1].split("what could")[0]


def test_links_without_a_common_hour_are_not_compared(tmp_path, capsys):
    """Link one has sessions only before 12:00, and link two only after."""
    every = [*links(7, BOTH, in_the_evening), *links(7, PAIRED, in_the_evening, first_day=7)]
    rows = [row for row in every if (row[2] == "one") == (datetime.fromisoformat(row[5]).hour < 12)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "deployed to all" not in printed.split("says so.")[0]
    assert "this program failed" not in printed


def a_tenth_less(link, treated, p, day, hour):
    """The treatment takes a tenth at every hour. Link one has three tenths more from 12:00 on."""
    busy = 1.3 if link == "one" and hour >= 12 else 1
    return usual_level(link, day, hour) * busy * (0.9 if treated else 1)


def rare_in_quiet_hours(rows):
    """Moves the untreated of link one to 12 hours later if they are before 12:00, except on each third day."""
    for name, unit, link, arm, p, at, rtt in rows:
        began = datetime.fromisoformat(at)
        if (link, arm) == ("one", "control") and began.hour < 12 and began.day % 3 > 0:
            day = (began - START).days
            rtt = a_tenth_less(link, False, p, day, began.hour + 12)
            at = (began + timedelta(hours=12, seconds=1)).isoformat()
        yield [name, unit, link, arm, p, at, rtt]


def test_a_small_arm_that_is_rare_in_quiet_hours_is_compared_in_its_hours(tmp_path, capsys):
    experiment = rare_in_quiet_hours(links(9, PAIRED, a_tenth_less, first_day=9))
    rows = [*links(9, BOTH, a_tenth_less), *experiment]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    effect = float(printed.split("deployed to all, ")[1].split("%")[0].replace("−", "-"))
    assert effect == pytest.approx(-10, abs=1)
    assert "No interference between the arms was found." in printed
    # In quiet hours, the change is the same.
    assert "if quiet hours" not in printed


def test_a_refused_spillover_is_not_corrected():
    every = _cells(np.random.default_rng(1).normal(size=28), 14, 0)
    same, paired = (every[(every.allocation == 0) == equal].reset_index(drop=True) for equal in (True, False))
    found, _ = estimates(paired, "min_rtt_ms", PAIRED_DESIGN)
    few = [replace(each, robust=None) if each.kind == "spillover" else each for each in found]
    checks = [check_links(same, paired, "min_rtt_ms", each, PAIRED_DESIGN) for each in (found, few)]
    assert [each.spillover is None for each in checks] == [False, True]
    assert [each.tte is None for each in checks] == [False, False]
    assert assess_interference([], "paired", checks[1], drawn=True) == ""


@pytest.mark.parametrize(
    ("before", "during", "factor"), [(60, 78, 1.3), (-40, -52, 1.3), (0, 0, 1), (0, 60, None), (-5, 5, None)]
)
def test_the_growth_of_a_level(before, during, factor):
    assert Growth(before, during).factor == (factor if factor is None else pytest.approx(factor))


def test_the_chart_of_the_effects_matches_the_verdict(tmp_path, capsys, monkeypatch):
    drawn = {}

    def keep(series, label):
        drawn[label] = {name: points for name, _, points in series}
        return "<svg></svg>"

    monkeypatch.setattr(figures, "effects", keep)
    rows = [*links(5, BOTH, level), *links(5, PAIRED, level, first_day=5)]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    points = drawn["Treatment effects by metric"]
    ((_, tte),) = points["deployed to all"]
    ((_, spilt),) = points["the untreated (spillover)"]
    # The treatment adds 2 ms to 62, and nothing spills over. Uncorrected, the effects would be 2 - 10 = -8 and -10 of
    # 62 ms.
    assert tte.estimate == pytest.approx(2 / 62, abs=0.01)
    assert spilt.estimate == pytest.approx(0, abs=0.01)
    assert LESS_LINKS in page
    _, page = run(tmp_path, capsys, write(tmp_path / "alone.csv", links(5, PAIRED, level, first_day=5)))
    ((_, tte),) = drawn["Treatment effects by metric"]["deployed to all"]
    # Without a baseline, link one's -10 ms looks like a spillover from 25% to 75% treated. From none to all, it would
    # be -20, and the mean without treatment 62 + 5.
    assert tte.estimate == pytest.approx((2 - 20) / 67, abs=0.01)
    assert LESS_LINKS not in page


def test_a_baseline_confirms_a_spillover(tmp_path, capsys):
    rows = [*links(5, BOTH, shared_queue), *links(5, PAIRED, shared_queue, first_day=5)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert INTERFERE in printed
    assert "It gets the direction wrong." in printed
    # Deployed to all, the treatment changes 62 by 2 - 20.
    effect = float(printed.split("deployed to all, ")[1].split("%")[0].replace("−", "-"))
    assert effect == pytest.approx(100 * (2 - 20) / 62, abs=1)
    # Without the baseline, the data cannot distinguish interference from different links.
    later = write(tmp_path / "later.csv", links(5, PAIRED, shared_queue, first_day=5))
    assert CANNOT_TELL in run(tmp_path, capsys, later)[0]


def trend(link, treated, p, day, hour):
    """The difference between the links grows by 2 ms per day, both before and in the experiment, and nothing spills
    over."""
    return 60 + hour % 5 + noise(link, day) - (2 * day if link == "one" else 0)


def test_a_growing_difference_allows_no_verdict(tmp_path, capsys):
    rows = [*links(5, BOTH, trend), *links(5, PAIRED, trend, first_day=5)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert INTERFERE not in printed
    assert NO_CLAIM.search(printed)


def test_three_days_cannot_show_that_a_difference_does_not_change(tmp_path, capsys):
    rows = [*links(3, BOTH, trend), *links(5, PAIRED, trend, first_day=3)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert INTERFERE not in printed
    assert NO_CLAIM.search(printed)


def test_a_metric_without_a_baseline_keeps_the_caveat(tmp_path, capsys):
    header = [*HEADER, "play_delay_ms"]
    rows = [[*row, ""] for row in links(5, BOTH, level)]
    rows += [[*row, 500 + row[6]] for row in links(5, PAIRED, level, first_day=5)]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, header))
    assert "The baseline difference between the links" in printed
    assert "Paired links are assumed to be alike" in printed
    assert "Paired links are assumed to be alike" in page


def test_a_baseline_of_a_single_day_is_refused_by_name(tmp_path, capsys):
    rows = [*links(1, BOTH, level), *links(5, PAIRED, level, first_day=1)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "a single day says nothing about how days differ" in printed
    assert "what the links differ by, for Minimum round-trip time" in printed
    assert CANNOT_TELL in printed


def test_an_event_study_reports_no_interference(tmp_path, capsys):
    low, high = {"one": 0.25}, {"one": 0.75}

    def weekend(link, treated, p, day, hour):
        return 60 + hour % 5 + noise(link, day) + (2 if treated else 0) - (10 if day >= 4 else 0)

    rows = [*links(4, low, weekend), *links(4, high, weekend, first_day=4)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert INTERFERE not in printed
    assert (
        "the arms interfere, or something else changed at that time. These data cannot tell which." in printed
    )
    assert "If nothing else changed at that time, it gets the direction wrong." in printed


def test_a_switchback_reports_interference_by_its_spillover(tmp_path, capsys):
    rows = []
    for day, high in enumerate("0110100110010110"):
        rows += links(1, {"one": 0.75 if high == "1" else 0.25}, shared_queue, first_day=day)
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "read as a switchback" in printed
    assert INTERFERE in printed


def test_the_old_example_has_no_baseline(tmp_path, capsys):
    """The untreated sessions of its links differ by 10 ms, and τ is 2 ms on both links."""
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", sessions()))
    assert CANNOT_TELL in printed


def test_hours_of_the_same_allocation_are_distinguished():
    table = cells((0, "a", 0), (0, "b", 0), (1, "a", 0), (2, "a", 0.9), (2, "b", 0.1), (3, "b", 0.1))
    # In hours 1 and 3, one link has no sessions. These hours belong to the same period as the previous hours.
    assert at_same_allocation(table).tolist() == [True, True, True, False, False, False]
    assert detect(table) == "paired"


def test_an_experiment_that_begins_within_an_hour_has_its_baseline():
    change = [(1, "a", 0.5), (1, "a", 0.9), (1, "b", 0.1), (1, "b", 0.5)]
    table = cells((0, "a", 0.5), (0, "b", 0.5), *change, (2, "a", 0.9), (2, "b", 0.1))
    assert at_same_allocation(table).tolist() == [True, True, True, False, False, True, False, False]
    assert detect(table) == "paired"


@pytest.mark.parametrize(
    ("hours", "design"),
    [
        # For an hour, a mostly treated link has no sessions and the two others have the same allocation, which is no
        # baseline.
        ([(0, "a", 0.9), (0, "b", 0.1), (0, "c", 0.1), (1, "b", 0.1), (1, "c", 0.1)], "paired"),
        # All clusters change their allocation at the same time.
        ([(0, "a", 0.1), (0, "b", 0.1), (1, "a", 0.9), (1, "b", 0.9)], "event"),
        # The clusters change one after the other. At two times their allocations are equal, but these are two different
        # allocations.
        ([(h, c, 0.9 if h >= s else 0.1) for h in range(3) for c, s in (("a", 1), ("b", 2))], "event"),
        # A deployment in steps (the paper's section 5.1), and a cluster that takes no part.
        (
            [(h, c, p) for h, p in enumerate((0.05, 0.25, 0.5, 1)) for c, p in (("a", p), ("b", 0.05))],
            "event",
        ),
        # A switchback in which two clusters are randomized independently.
        (
            [
                (h, c, p)
                for c, ps in (("a", (0.1, 0.9, 0.1)), ("b", (0.9, 0.1, 0.1)))
                for h, p in enumerate(ps)
            ],
            "switchback",
        ),
    ],
)
def test_other_designs_have_no_baseline(hours, design):
    table = cells(*hours)
    assert not at_same_allocation(table).any()
    assert detect(table) == design


def test_quantiles_use_only_the_experiment(tmp_path, capsys):
    """No quantile of the experiment contains the values before it, which are a hundred times as large."""

    def before(link, treated, p, day, hour):
        return 100 * level(link, treated, p, day, hour)

    rows = [*links(3, BOTH, before), *links(3, PAIRED, level, first_day=3)]
    _, with_baseline = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    _, without = run(tmp_path, capsys, write(tmp_path / "t.csv", rows[len(rows) // 2 :]))
    assert read_quantiles(with_baseline) == read_quantiles(without)


def test_an_experiment_with_an_a_a_test_before_it_at_an_edge(tmp_path, capsys):
    header = [*HEADER, "experiment"]
    rows = [[*row, "aa"] for row in links(3, BOTH, level)]
    rows += [[*row, "pacing"] for row in links(5, PAIRED, level, first_day=3)]
    path = write(tmp_path / "s.csv", rows, header)
    printed, _ = run(tmp_path, capsys, path, "--experiment", "aa,pacing")
    assert "The baseline difference between the links" in printed
    rows = [[*row[:-1], ""] if row[-1] == "aa" else row for row in rows]
    path = write(tmp_path / "s.csv", rows, header)
    printed, _ = run(tmp_path, capsys, path, "--experiment", "none,pacing")
    assert "The baseline difference between the links" in printed
    assert "The baseline difference" not in run(tmp_path, capsys, path, "--experiment", "pacing")[0]


@pytest.mark.parametrize(
    ("taus", "spillovers", "shown"),
    [
        # A single test has the whole 5%, which several tests of a kind share.
        ([0.05], [], True),
        ([], [0.05], True),
        ([0.03, 0.9], [], False),
        ([0.025, 0.9], [], True),
        # If both kinds are tested, they have 1% and 4%, so that six pairs of windows can show a spillover (2/64 = 3.1%).
        ([0.011], [0.041], False),
        ([0.01], [0.9], True),
        ([0.9], [2 / 64], True),
    ],
)
def test_all_tests_of_a_metric_have_a_joint_error_rate_of_five_percent(taus, spillovers, shown):
    assert contradicted(taus, spillovers) == shown


def test_interference_is_falsely_reported_in_at_most_five_percent():
    """Without an effect, p-values are uniform. Without sharing the 5%, one in ten metrics would be significant."""
    random = np.random.default_rng(8)
    said = np.mean([contradicted([a], [b]) for a, b in random.random((4000, 2))])
    # Three standard errors of a share of 5%.
    assert said <= 0.05 + 3 * (0.05 * 0.95 / 4000) ** 0.5
