"""Bad rows and samples are reported with file, row and field, and counted. Nothing is left out silently."""

import pytest
from good_sessions import GOOD, like
from session_files import lint, refusal, run, sessions, write

from sammy_analysis.experiment.command import main


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ([like(session_id="")], "session_id: empty: 1 rows, the first is row 385"),
        ([like(cluster="")], "cluster: empty: 1 rows"),
        ([like(allocation="")], "allocation: not a number: 1 rows"),
        ([like(allocation=95)], "allocation: above 1: a share from 0 to 1, not percent: 1 rows"),
        ([like(allocation=-0.1)], "allocation: not between 0 and 1: 1 rows"),
        ([like(started_at="yesterday")], "started_at: not a time: 1 rows"),
        ([like(started_at="1970-01-01T00:00:07Z")], "started_at: before 2000-01-01 or in the future"),
        ([like(started_at="2999-01-01")], "started_at: before 2000-01-01 or in the future"),
        (
            [like(started_at="2026-01-09")],
            "started_at: days away from all other sessions: a clock that jumps: 1 rows",
        ),
        (
            [like(min_rtt_ms="NaN")],
            "min_rtt_ms: not a finite number, or beyond 1e+100; the session counts for its other metrics: 1 rows",
        ),
        (
            [like(min_rtt_ms="-inf")],
            "min_rtt_ms: not a finite number, or beyond 1e+100; the session counts for its other metrics: 1 rows",
        ),
        (
            [like(min_rtt_ms="35 ms")],
            "min_rtt_ms: not a finite number, or beyond 1e+100; the session counts for its other metrics: 1 rows",
        ),
        (
            [like(), like(arm="treatment"), like(arm="control")],
            "arm: a session in two arms: 3 rows, the first is row 385",
        ),
        (
            [like(unit="x"), like(unit="y")],
            "session_id: of several units, and so of several sessions: 2 rows, the first is row 385",
        ),
        ([like(), like(), like()], "session_id: an earlier record of a session; the last one counts: 2 rows"),
        ([[*like(), "8"]], "row: more values than the header has names: 1 rows, the first is row 385"),
        ([like()[:4]], "allocation: not a number: 1 rows, the first is row 385"),
    ],
)
def test_invalid_rows_are_omitted_and_counted(tmp_path, capsys, bad, says):
    path = write(tmp_path / "s.csv", [*GOOD, *bad])
    assert f"left out: {path}, {says}" in lint(capsys, path)


def test_the_report_counts_omitted_rows(tmp_path, capsys):
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", [*GOOD, like(unit="")]))
    assert "unit: empty: 1 rows" in printed
    row = "<td>unit</td><td>empty</td><td class=n>1</td><td class=n>385</td>"
    assert page.index("What was left out") < page.index(row) < page.index("What it says")


def test_lint_of_good_sessions(tmp_path, capsys):
    assert main(["lint", write(tmp_path / "s.csv", sessions(days=5))]) == 0
    assert capsys.readouterr().out == "960 sessions, and nothing to say against them\n"


def test_an_account_in_two_arms(tmp_path, capsys):
    rows = [[row[0], "same", *row[2:]] if number < 4 else row for number, row in enumerate(GOOD)]
    printed = lint(capsys, write(tmp_path / "s.csv", rows))
    assert "1 accounts have sessions in several arms of a cluster at the same allocation, as same" in printed


def test_a_cluster_without_control(tmp_path, capsys):
    rows = [row for row in GOOD if row[2:4] != ["one", "control"]]
    printed, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    for text in (printed, page):
        assert (
            "no session of control has a value where 75% are to be treated: A/B test at 75%, "
            "untreated beside 75%, for Minimum round-trip time" in text
        )
        assert "The cluster one has no sessions of control, where 75% should be treated." in text
    assert "deployed to all          −12.8%" in printed
    # An alarm as well: the control of that link has no accounts, although a quarter of the accounts should be in the
    # control.
    assert "ALARM: in 2 windows" in printed


def test_a_missing_arm(tmp_path, capsys):
    path = write(tmp_path / "s.csv", GOOD)
    assert main(["analyze", path, "--treatment", "sammy"]) == 1
    assert (
        f"{path}, arm: no session of the arm 'sammy'; there is control, treatment" in capsys.readouterr().err
    )


def test_other_arms_are_counted(tmp_path, capsys):
    printed = lint(capsys, write(tmp_path / "s.csv", [*GOOD, like(arm="third")]))
    assert "Sessions of other arms are not used: third (1)." in printed


def test_a_single_day(tmp_path, capsys):
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", sessions(days=1)))
    assert "what a deployment does cannot be told: a single day says nothing about how days differ" in printed


def test_few_days(tmp_path, capsys):
    printed = lint(capsys, write(tmp_path / "s.csv", GOOD))
    assert "2 days are few" in printed


def test_a_stray_allocation_does_not_count_as_all_or_none(tmp_path, capsys):
    stray = [like(cluster="two", allocation=0.2), ["other", *like(cluster="one", allocation=1)[1:]]]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", [*GOOD, *stray]))
    assert "384 sessions, read as paired links" in printed
    assert "allocation: fewer than 1% of the sessions have it: 2 rows, the first is row 385" in printed
    assert "deployed to all          −26.7%" in printed


def test_the_report_states_that_paired_links_are_assumed_alike(tmp_path, capsys):
    for text in run(tmp_path, capsys, write(tmp_path / "s.csv", GOOD)):
        assert "Paired links are assumed to be alike without the treatment" in text


def test_times_of_another_zone(tmp_path, capsys):
    """Two hours later in a time zone two hours ahead is the same time."""
    from datetime import datetime, timedelta, timezone

    zone = timezone(timedelta(hours=2))
    rows = [[*row[:5], datetime.fromisoformat(row[5]).astimezone(zone).isoformat(), row[6]] for row in GOOD]
    _, ahead = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    _, utc = run(tmp_path, capsys, write(tmp_path / "s.csv", GOOD))
    assert ahead == utc


def test_shares_that_were_measured(tmp_path, capsys):
    rows = [[*row[:4], row[4] + number % 25 / 10000, *row[5:]] for number, row in enumerate(GOOD)]
    path = write(tmp_path / "s.csv", rows)
    assert f"{path}, allocation: 50 different ones; give the share that was planned to be treated" in refusal(
        capsys, path
    )


def test_an_incomplete_day_is_reported(tmp_path, capsys):
    rows = [row for row in sessions(days=6) if row[5] < "2026-03-07T03"]
    printed = lint(capsys, write(tmp_path / "s.csv", rows))
    assert "less than half of the usual hours: 07 March (3 hours)." in printed


def test_untreated_sessions_have_to_be_untreated(tmp_path, capsys):
    assert main(["aa", write(tmp_path / "s.csv", [*GOOD, like(unit="")])]) == 0
    printed = capsys.readouterr().out
    assert "192 sessions are of other arms than control, and are not used" in printed
    assert "unit: empty: 1 rows" in printed


def test_invisible_characters_do_not_create_another_arm_or_cluster(tmp_path, capsys):
    odd = {"control": "control ", "one": " one\u00a0"}
    rows = [[odd.get(x, x) if number % 2 else x for x in row] for number, row in enumerate(GOOD)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows), "--control", " control")
    assert "384 sessions, read as paired links" in printed
    assert "deployed to all          −26.7%" in printed
    assert "not used" not in printed


def test_the_reason_is_reported_without_usable_sessions(tmp_path, capsys):
    rows = [[*row[:5], 1_772_409_600_000 + number, row[6]] for number, row in enumerate(GOOD)]
    path = write(tmp_path / "s.csv", rows)
    says = "started_at: before 2000-01-01 or in the future: a clock that was not set, or not in seconds: 384 rows"
    assert refusal(capsys, path) == f"{path}: no usable session of 384: {says}"
