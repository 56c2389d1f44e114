"""Appendix B of Unbiased Experiments in Congested Networks, compared with hand arithmetic, statsmodels and pyfixest."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from sammy_analysis.experiment.estimators.appendix_b import long_run_sum, regress
from sammy_analysis.experiment.estimators.estimands import Arms, Options, estimates
from sammy_analysis.experiment.problem import Problem


def pairs(differences, base=10.0):
    """Returns values, arms and hours, with a row for each arm of each hour. The arms differ by `differences`."""
    count = len(differences)
    hour = np.repeat(np.arange(count), 2)
    treated = np.tile([0, 1], count)
    return base + hour + treated * np.repeat(differences, 2), treated, hour


def random_panel(seed, days=5, missing=0.0):
    random = np.random.default_rng(seed)
    hour = np.repeat(np.arange(days * 24), 2)
    treated = np.tile([0, 1], days * 24)
    z = 50 + 10 * np.sin(hour / 24 * 2 * np.pi) + 3 * treated + random.normal(size=len(hour))
    kept = random.random(len(hour)) >= missing
    return z[kept], treated[kept], hour[kept]


def test_four_hours_in_pairs():
    # The scores of the hours, (d - 4) / 2, are -1, 0, -1/2 and 3/2. Their squares sum to 7/2. Products of hours one
    # apart sum to -3/4 and have weight 2/3; those of hours two apart sum to 1/2 and have weight 1/3. Each product
    # counts twice, so S = 7/2 - 1 + 1/3 = 17/6. The squares of the centered arm sum to 2, so the variance is 17/6 / 4 =
    # 17/24.
    z, treated, hour = pairs([2, 4, 3, 7])
    found = regress(z, treated, hour, hour)
    assert found.estimate == pytest.approx(4, abs=1e-12)
    assert found.se == pytest.approx(sqrt(17 / 24), abs=1e-12)
    assert found.low == pytest.approx(4 - 1.96 * sqrt(17 / 24), abs=1e-12)
    assert found.high == pytest.approx(4 + 1.96 * sqrt(17 / 24), abs=1e-12)


def test_a_missing_hour_keeps_its_place():
    # Without the third hour, the differences are 2, 4 and 7 at hours 0, 1 and 3, with mean 13/3. The scores (d - 13/3)
    # / 2 are -7/6, -1/6, 0 for the missing hour 2, and 8/6. Their squares sum to 114/36; products of hours one apart
    # sum to 7/36 with weight 2/3, and those of hours two apart to -8/36 with weight 1/3.
    z, treated, hour = pairs([2, 4, 0, 7])
    kept = hour != 2
    found = regress(z[kept], treated[kept], hour[kept], hour[kept])
    assert found.estimate == pytest.approx(13 / 3, abs=1e-12)
    variance = (114 / 36 + 2 * (2 / 3) * 7 / 36 + 2 * (1 / 3) * (-8 / 36)) / 1.5**2
    assert found.se == pytest.approx(sqrt(variance), abs=1e-12)


def test_data_without_an_hour_of_both_arms_is_refused_by_name():
    with pytest.raises(Problem, match="no hour of day has sessions of both arms"):
        regress(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1]), np.array([0, 1]))


def test_lags_beyond_the_data_are_omitted():
    assert long_run_sum(np.array([3.0]), 2) == 9


@pytest.mark.parametrize("missing", [0, 0.2, 0.5])
@pytest.mark.parametrize("seed", range(5))
def test_equals_statsmodels(seed, missing):
    z, treated, hour = random_panel(seed, missing=missing)
    rows = pd.DataFrame({"z": z, "treated": treated, "h": hour % 24, "time": hour})
    fitted = smf.ols("z ~ treated + C(h)", rows).fit(
        cov_type="hac-groupsum",
        cov_kwds={"time": rows.time.to_numpy(), "maxlags": 2, "use_correction": False},
    )
    found = regress(z, treated, hour % 24, hour)
    assert found.estimate == pytest.approx(fitted.params["treated"], rel=1e-9)
    assert found.se == pytest.approx(fitted.bse["treated"], rel=1e-9)


@pytest.mark.parametrize("unbalanced", [False, True])
def test_equals_pyfixest(unbalanced):
    # pyfixest's estimator for panels (Driscoll and Kraay, 1998) also sums the scores of each hour. It counts lags in
    # hours that exist, so each hour keeps a row here.
    pyfixest = pytest.importorskip("pyfixest", reason="pyfixest is in the extra `test`")
    z, treated, hour = random_panel(11)
    kept = ~((hour % 7 == 3) & (treated == 1)) if unbalanced else hour >= 0
    z, treated, hour = z[kept], treated[kept], hour[kept]
    rows = pd.DataFrame({"z": z, "treated": treated, "h": hour % 24, "time": hour, "arm": treated})
    fitted = pyfixest.feols(
        "z ~ treated + C(h)",
        rows,
        vcov="DK",
        vcov_kwargs={"time_id": "time", "panel_id": "arm", "lag": 2},
        ssc=pyfixest.ssc(k_adj=False, G_adj=False),
    )
    found = regress(z, treated, hour % 24, hour)
    assert found.estimate == pytest.approx(fitted.coef()["treated"], rel=1e-9)
    assert found.se == pytest.approx(fitted.se()["treated"], rel=1e-9)


def test_the_extrapolated_total_effect_has_the_noise_of_all_four_arms():
    """With links 95% and 5% treated, mu_T(1) = mu_T(.95) + (mu_T(.95) - mu_T(.05)) / 18 in each hour, and likewise for
    mu_C(0)."""
    random = np.random.default_rng(4)
    time = np.arange(120)
    course = 10 * np.sin(time / 24 * 2 * np.pi)
    usual = {("t", 0.95): 520.0, ("c", 0.95): 110.0, ("t", 0.05): 500.0, ("c", 0.05): 100.0}
    # The smaller arm of a link, with a nineteenth of the sessions of the larger one, has more noise.
    z = {
        (arm, p): mean + course + (80 if (arm == "t") == (p == 0.05) else 20) * random.normal(size=120)
        for (arm, p), mean in usual.items()
    }
    cells = pd.concat(
        pd.DataFrame({"cluster": f"link {p}", "allocation": p, "arm": arm, "hour": time, "sum_x": means})
        for (arm, p), means in z.items()
    ).assign(n_x=1, offset=0, sessions=1)
    found, _ = estimates(cells.reset_index(drop=True), "x", Options(Arms("t", "c"), "paired"))
    tte = next(each for each in found if each.kind == "tte")
    treated = z["t", 0.95] + (z["t", 0.95] - z["t", 0.05]) / 18
    control = z["c", 0.05] + (z["c", 0.05] - z["c", 0.95]) / 18
    by_hand = regress(
        np.concatenate([treated, control]), np.repeat([1, 0], 120), np.tile(time % 24, 2), np.tile(time, 2)
    )
    assert tte.paper.estimate == pytest.approx(by_hand.estimate, rel=1e-9)
    assert tte.paper.se == pytest.approx(by_hand.se, rel=1e-9)
    partial = next(each for each in found if each.kind == "partial")
    assert tte.paper.se > 1.03 * partial.paper.se
    # The interval by day uses the same hours, and each day's mean is one observation.
    days = (treated - control).reshape(5, 24).mean(axis=1)
    assert tte.robust.se == pytest.approx(days.std(ddof=1) / sqrt(5), rel=1e-9)
