"""The power of designs: simulated experiments, analyzed as by `analyze`, show the effects that `design` promises."""

import numpy as np
import pandas as pd
import pytest

from sammy_analysis.experiment.designs import size
from sammy_analysis.experiment.designs.size import curves
from sammy_analysis.experiment.estimators.estimands import Options, estimates, interference
from sammy_analysis.experiment.estimators.links import check_links
from sammy_analysis.experiment.sentences.verdict import verdict
from sammy_analysis.experiment.simulations.worlds.days import MONDAY, noise

METRIC = "min_rtt_ms"
#: Sessions per link and hour.
SESSIONS = 100
#: The standard deviations of a link's days (2%) and hours (1%), and the difference between the levels of successive
#: links (5%).
DAY_SD, HOUR_SD, LEVELS = 0.02, 0.01, 0.05
EXPERIMENTS = 200


def draw_hours(kind, links, days, random):
    """Returns the hourly means of untreated links, by link, day and hour."""
    level = 100 * (1 + LEVELS * np.arange(links))[:, None, None]
    by_day = DAY_SD * noise(kind, random, links, days)[:, :, None]
    return level * (1 + by_day + HOUR_SD * random.normal(size=(links, days, 24)))


def make_cells(hours, allocations, effect, first_day):
    """Returns the cells of both arms, in which treated sessions have `effect`. The allocations are by link and day."""
    link, day, hour = (each.ravel() for each in np.indices(hours.shape))
    share = np.broadcast_to(allocations[:, :, None], hours.shape).ravel()
    of_arms = []
    for arm, part in (("treatment", share), ("control", 1 - share)):
        n = np.round(SESSIONS * part).astype(int)
        value = hours.ravel() * (1 + effect * (arm == "treatment"))
        cells = pd.DataFrame(
            {
                "cluster": link.astype(str),
                "allocation": share,
                "arm": arm,
                "hour": 24 * (first_day + day) + hour,
                "offset": 0,
                "sessions": n,
                f"n_{METRIC}": n,
                f"sum_{METRIC}": n * value,
                f"squares_{METRIC}": n * value**2,
            }
        )
        of_arms.append(cells[n > 0])
    return pd.concat(of_arms, ignore_index=True)


def shows(design, kind, links, seen, days, random):
    """Whether an experiment shows the effect that `design` promises, given the untreated days before the experiment."""
    hours = draw_hours(kind, links, seen + days, random)
    before = make_cells(hours[:, :seen], np.zeros((links, seen)), 0.0, MONDAY)
    planned = [each for each in curves(before, METRIC, "control", 0.0) if each.design == design]
    (effect,) = (each.shown[days] for each in planned if each.links == links)
    treated = {
        "paired": np.repeat(np.arange(links)[:, None] % 2, days, axis=1),
        "switchback": np.ravel([(first, 1 - first) for first in random.integers(2, size=days // 2)])[None],
        "event": (np.arange(days) >= days // 2).astype(int)[None],
    }[design]
    cells = make_cells(hours[:, seen:], np.where(treated == 1, 0.95, 0.05), effect, MONDAY + seen)
    options = Options(design=design, window_hours=24)
    found, _ = estimates(cells, METRIC, options)
    links_alike = check_links(before, cells, METRIC, found, options) if design == "paired" else None
    said = verdict(METRIC, found, interference(found), design, links_alike)
    # An event study reports a change only with an "if", so here its interval decides.
    return said.outcome == "worse" or (design == "event" and said.interval.low > 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("design", "kind", "links", "seen", "days"),
    [
        ("paired", "independent", 2, 14, 14),
        ("paired", "independent", 4, 14, 14),
        ("paired", "AR 0.5", 2, 28, 28),
        ("switchback", "independent", 1, 28, 28),
        ("event", "independent", 1, 28, 28),
    ],
)
def test_four_of_five_experiments_show_the_promised_effect(monkeypatch, design, kind, links, seen, days):
    monkeypatch.setattr(size, "LENGTHS", (days,))
    random = np.random.default_rng([links, days, *map(ord, design)])
    power = np.mean([shows(design, kind, links, seen, days, random) for _ in range(EXPERIMENTS)])
    # 80% plus or minus a tenth of it, and two binomial standard errors.
    error = 2 * np.sqrt(0.8 * 0.2 / EXPERIMENTS)
    assert 0.72 - error <= power <= 0.88 + error, power
