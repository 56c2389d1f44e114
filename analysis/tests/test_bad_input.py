"""Bad input is reported with its file, row and field, and counted. Nothing is left out silently."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from test_command import HEADER, run, sessions, write

from sammy_analysis.experiment import command
from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.commands import sessions as sessions_of_command
from sammy_analysis.experiment.reading.schema import metric

GOOD = list(sessions(days=2))


def like(**changes):
    """Returns a copy of the first good session with some fields changed."""
    return [changes.get(field, value) for field, value in zip(HEADER, ["new", *GOOD[0][1:]], strict=True)]


def lint(capsys, path):
    """Returns lint's output about a file with problems."""
    assert main(["lint", path]) == 1
    return capsys.readouterr().out


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


def test_a_missing_metric_is_not_an_error(tmp_path, capsys):
    printed = lint(capsys, write(tmp_path / "s.csv", [*GOOD, like(min_rtt_ms="")]))
    assert "left out" not in printed


def test_units_that_differ_between_groups(tmp_path, capsys):
    mixed = [[*row[:6], row[6] / 1000] if row[2] == "two" and row[3] == "control" else row for row in GOOD]
    rows = [[*row, 5] for row in mixed]
    printed = lint(capsys, write(tmp_path / "s.csv", rows, [*HEADER, "switches"]))
    assert "min_rtt_ms is not analysed: two units? Its median is 0.0" in printed
    assert "in two, control on 2 March (" in printed


def test_units_that_differ_between_periods(tmp_path, capsys):
    later = [[*row[:6], row[6] / 1000] if row[5] >= "2026-03-03" else row for row in GOOD]
    printed = lint(capsys, write(tmp_path / "s.csv", [[*row, 5] for row in later], [*HEADER, "switches"]))
    assert "min_rtt_ms is not analysed: two units? Its median is 0.0" in printed
    assert " on 3 March (" in printed


def test_units_that_differ_are_the_only_message_without_another_metric(tmp_path, capsys):
    later = [[*row[:6], row[6] / 1000] if row[5] >= "2026-03-03" else row for row in GOOD]
    path = write(tmp_path / "s.csv", later)
    for name in ("analyze", "aa", "design"):
        assert main([name, path]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"dashjs-sammy experiment: {path}: no metric can be analysed: min_rtt_ms")
        assert said.count("\n") == 1


def test_units_that_differ_between_rows(tmp_path, capsys):
    mixed = [[*row[:6], row[6] * 1000] if number % 30 == 7 else row for number, row in enumerate(GOOD)]
    printed = lint(capsys, write(tmp_path / "s.csv", mixed))
    assert "min_rtt_ms: 13 of 384 values are more than 300 times off the median" in printed
    assert "two units? The first is row 8 of" in printed


def test_a_metric_in_two_units(tmp_path, capsys):
    rows = [[*row, row[6] / 1000] for row in GOOD]
    assert main(["analyze", write(tmp_path / "s.csv", rows, [*HEADER, "min_rtt_s"])]) == 1
    assert "the metric min_rtt is there in two units, min_rtt_ms and min_rtt_s" in capsys.readouterr().err


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


@pytest.mark.parametrize("name", ["nothing.csv", "here.txt", "empty"])
def test_invalid_inputs(tmp_path, capsys, name):
    (tmp_path / "here.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    assert main(["analyze", str(tmp_path / name)]) == 1
    assert capsys.readouterr().err.startswith(f"dashjs-sammy experiment: {tmp_path / name}: ")


def test_json_lines(tmp_path, capsys):
    lines = [
        json.dumps(
            {
                **dict(zip(HEADER[:6], row, strict=False)),
                "schema_version": 1,
                "metrics": {"min_rtt_ms": row[6]},
            }
        )
        for row in GOOD
    ]
    path = tmp_path / "beacons.ndjson"
    path.write_text("\n".join([*lines, "{broken", "[1]", ""]))
    printed, _ = run(tmp_path, capsys, str(path))
    decides = [line for line in printed.splitlines() if line.endswith("(decides the verdict)")]
    assert [line[:33] for line in decides] == ["  deployed to all          −26.7%"]
    assert f"left out: {path}, row: not an object of JSON: 2 rows, the first is row 385" in printed
    path.write_text("\n".join([*lines, lines[0].replace('"schema_version": 1', '"schema_version": 2')]))
    assert main(["analyze", str(path)]) == 1
    assert f"{path}, row 385, schema_version: 2 is not 1" in capsys.readouterr().err


def test_parquet_and_a_folder_of_files(tmp_path, capsys):
    import pandas as pd

    table = pd.DataFrame(GOOD, columns=HEADER).assign(started_at=lambda t: pd.to_datetime(t.started_at))
    (tmp_path / "parts").mkdir()
    table[:100].to_parquet(tmp_path / "parts" / "a.parquet")
    table[100:].to_csv(tmp_path / "parts" / "b.csv", index=False)
    printed, _ = run(tmp_path, capsys, str(tmp_path / "parts"))
    assert "384 sessions" in printed
    assert "deployed to all          −26.7%" in printed


def test_a_folder_of_the_lab(tmp_path, capsys):
    (tmp_path / "manifest.json").write_text("{}")
    for k in range(1, 49):
        for arm, rate in (("sammy", 5000 + k), ("dashjs", 10000 + k)):
            folder = tmp_path / "runs" / arm / str(k)
            folder.mkdir(parents=True)
            session = {"arm": arm, "k": k, "started": "1970-01-01T00:00:00Z", "simulated": True}
            (folder / "session.json").write_text(
                json.dumps({**session, "metrics": {"chunk_throughput_kbps": rate}})
            )
    (tmp_path / "runs" / "sammy" / "7" / "session.json").write_text("{")
    printed, _ = run(tmp_path, capsys, str(tmp_path), "--treatment", "sammy", "--control", "dashjs")
    assert "95 sessions, read as an A/B test with one allocation" in printed
    assert "session.json cannot be read (JSONDecodeError" in printed
    # -5000, relative to the mean of 10001..10048.
    assert "A/B test at 50%          −49.9%" in printed


def test_a_single_value_that_dominates_all_others(tmp_path, capsys):
    path = write(tmp_path / "s.csv", [*GOOD, like(min_rtt_ms=1e9)])
    assert f"min_rtt_ms: a single value, 1e+09 in row 385 of {path}, is 100% of the sum of 385" in lint(
        capsys, path
    )


def test_values_whose_sums_overflow_are_omitted(tmp_path, capsys):
    huge = [["a", *like(min_rtt_ms=1e308)[1:]], ["b", *like(min_rtt_ms=1e308)[1:]]]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", [*GOOD, *huge]))
    assert "min_rtt_ms: not a finite number, or beyond 1e+100; the session counts for its other" in printed
    assert "deployed to all          −26.7%" in printed


def test_a_metric_that_only_one_arm_has(tmp_path, capsys):
    rows = [[*row, 5 if row[3] == "control" else ""] for row in sessions(days=2)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER, "queue"]))
    assert (
        "not estimated: no session of treatment has a value where 75% are to be treated: A/B test at 75%, "
        "deployed to all, for queue" in printed
    )
    assert "deployed to all          −26.7%" in printed


@pytest.mark.pictures
def test_names_are_text_and_neither_formulas_nor_html(tmp_path, capsys):
    name = 'cost_$x$_"<blink>'
    rows = [[*row[:2], f"{row[2]}_$^$", *row[3:]] for row in GOOD]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], name]))
    assert "<blink>" not in page.lower()
    assert "cost $x$ &quot;&lt;blink&gt;" in page


def test_a_negative_metric_that_increases_is_reported_as_an_increase(tmp_path, capsys):
    rows = [[*row[:6], -row[6]] for row in GOOD]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows, [*HEADER[:6], "signal"]))
    # An increase from -67.5 by 18.
    assert "deployed to all          +26.7%" in printed


def test_a_line_break_in_quotes(tmp_path, capsys):
    rows = [["a\nb", *row[1:]] if number == 7 else row for number, row in enumerate(GOOD)]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", [*rows, like()[:4]]))
    assert "allocation: not a number: 1 rows, the first is row 385" in printed
    assert "deployed to all          −26.7%" in printed


def test_invalid_utf_8_is_refused_in_one_line(tmp_path, capsys):
    path = tmp_path / "s.csv"
    write(path, GOOD)
    text = path.read_bytes()
    path.write_bytes(text[:10_000] + b"\xff\xfe\xc0" + text[10_000:])
    assert main(["lint", str(path)]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"dashjs-sammy experiment: {path}: cannot be read: ")
    assert complaint.count("\n") == 1


def test_a_stray_allocation_does_not_count_as_all_or_none(tmp_path, capsys):
    stray = [like(cluster="two", allocation=0.2), ["other", *like(cluster="one", allocation=1)[1:]]]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", [*GOOD, *stray]))
    assert "384 sessions, read as paired links" in printed
    assert "allocation: fewer than 1% of the sessions have it: 2 rows, the first is row 385" in printed
    assert "deployed to all          −26.7%" in printed


def test_the_report_states_that_paired_links_are_assumed_alike(tmp_path, capsys):
    for text in run(tmp_path, capsys, write(tmp_path / "s.csv", GOOD)):
        assert "Paired links are assumed to be alike without the treatment" in text


def refusal(capsys, path, *options):
    """Runs `analyze`, which must refuse its input, and returns its one-line error."""
    assert main(["analyze", str(path), *options]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix("dashjs-sammy experiment: ").strip()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_column_called_malformed(tmp_path, capsys, kind):
    import pandas as pd

    table = pd.DataFrame([[*row, 5] for row in GOOD], columns=[*HEADER, "malformed"])
    path = tmp_path / f"s.{kind}"
    table.to_csv(path, index=False) if kind == "csv" else table.to_parquet(path)
    says = f"{path}: the column malformed has a name that this program uses itself; rename it"
    assert refusal(capsys, path) == says


def test_columns_that_differ_in_capitals(tmp_path, capsys):
    path = write(tmp_path / "s.csv", [[*row, 5] for row in GOOD], [*HEADER, "Min_RTT_ms"])
    assert refusal(capsys, path) == f"{path}, row 0: the header names a column twice: min_rtt_ms"


def test_types_of_parquet(tmp_path, capsys):
    import pandas as pd

    table = pd.DataFrame(GOOD, columns=HEADER)
    started = pd.to_datetime(table.started_at)
    table = table.assign(ended_at=started, parts=[[1, 2]] * len(table), schema_version=1.0)
    for kind in ("us", "ns"):
        table.assign(started_at=started.dt.as_unit(kind)).to_parquet(tmp_path / "s.parquet")
        printed, _ = run(tmp_path, capsys, str(tmp_path / "s.parquet"))
        assert "deployed to all          −26.7%" in printed
        assert "The column parts is BIGINT[], no number, and is not used." in printed
        assert "The column ended_at is TIMESTAMP" in printed


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
    assert f"{path}, allocation: 50 different ones; it is the share that was to be treated" in refusal(
        capsys, path
    )


def test_an_incomplete_day_is_reported(tmp_path, capsys):
    rows = [row for row in sessions(days=6) if row[5] < "2026-03-07T03"]
    printed = lint(capsys, write(tmp_path / "s.csv", rows))
    assert "less than half of the usual hours: 07 March (3 hours)." in printed


def test_a_folder_without_write_permission(tmp_path, capsys):
    path = write(tmp_path / "s.csv", GOOD)
    assert main(["analyze", path, "--out", f"{path}/report.html"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


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


def test_ignored_files_of_a_folder_are_listed(tmp_path, capsys):
    folder = tmp_path / "parts"
    (folder / ".cache").mkdir(parents=True)
    write(folder / "S.CSV", GOOD)
    for name in ("rest.csv.gz", "._S.csv", ".cache/s.csv", "notes.txt"):
        (folder / name).write_bytes(b"\0\1")
    printed = lint(capsys, str(folder))
    assert f"Not read, since only .csv, .parquet, .ndjson, .jsonl are: {folder / 'rest.csv.gz'}." in printed
    (folder / "rest.csv.gz").unlink()
    assert "Not read" not in lint(capsys, str(folder))


@pytest.mark.parametrize("text", ["", "\n\n", '{"session_id": "a", "un'])
def test_an_incomplete_file_of_an_edge_does_not_stop_the_others(tmp_path, capsys, text):
    rows = [dict(zip(HEADER, row, strict=True)) for row in GOOD]
    (tmp_path / "a.ndjson").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "b.ndjson").write_text(text)
    printed, _ = run(tmp_path, capsys, str(tmp_path))
    assert "deployed to all          −26.7%" in printed
    left_out = f"left out: {tmp_path / 'b.ndjson'}, row: not an object of JSON: 1 rows, the first is row 1"
    assert (left_out in printed) == (text.strip() != "")


def test_a_name_that_ends_with_another_name(tmp_path, capsys):
    rows = [[*row, 5] for row in GOOD]
    path = write(tmp_path / "s.csv", rows, [*HEADER, "bad min_rtt_ms"])
    assert "deployed to all          −26.7%" in run(tmp_path, capsys, path)[0]


def test_columns_of_two_files_that_differ_in_capitals(tmp_path, capsys):
    one = write(tmp_path / "a.csv", GOOD[:200])
    two = write(tmp_path / "b.csv", GOOD[200:], [*HEADER[:6], "Min_RTT_ms"])
    says = f"{two}: the column Min_RTT_ms is min_rtt_ms in {one}; give them one name"
    assert refusal(capsys, tmp_path) == says


def test_allocations_of_different_precision_are_equal(tmp_path, capsys):
    import pandas as pd

    table = pd.DataFrame(
        [[*row[:4], 0.95 if row[4] == 0.75 else 0.05, *row[5:]] for row in GOOD], columns=HEADER
    )
    half = table[:200].astype({"allocation": "float32"})
    half.to_parquet(tmp_path / "a.parquet")
    table[200:].to_csv(tmp_path / "b.csv", index=False)
    printed, _ = run(tmp_path, capsys, str(tmp_path))
    assert "384 sessions, read as paired links" in printed
    assert "deployed to all          −14.4%" in printed


@pytest.mark.parametrize(("mark", "says"), [(";", "';'"), ("\t", "tabs")])
def test_columns_that_are_not_separated_by_commas(tmp_path, capsys, mark, says):
    path = tmp_path / "s.csv"
    path.write_text(f"{mark.join(HEADER)}\n")
    assert refusal(capsys, path) == f"{path}, row 0: {says} between the columns; expected commas"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_without_a_session(tmp_path, capsys, kind):
    import pandas as pd

    path = tmp_path / f"s.{kind}"
    table = pd.DataFrame(GOOD[:0], columns=HEADER)
    table.to_csv(path, index=False) if kind == "csv" else table.to_parquet(path)
    assert refusal(capsys, path) == f"{path}: no session, only names of columns"


def test_a_report_does_not_overwrite_sessions(tmp_path, capsys):
    path = write(tmp_path / "s.csv", GOOD)
    before = (tmp_path / "s.csv").read_bytes()
    says = f"--out: {path} is a file of sessions by its name, and the report is a page: FILE.html"
    assert refusal(capsys, path, "--out", path) == says
    assert (tmp_path / "s.csv").read_bytes() == before
    says = f"--out: {tmp_path} is a folder; name a file in it"
    assert refusal(capsys, path, "--out", str(tmp_path)) == says


def test_a_terminal_without_greek_letters(tmp_path):
    path = write(tmp_path / "s.csv", GOOD)
    program = [sys.executable, "-m", "sammy_analysis", "analyze", path, "--out", str(tmp_path / "r.html")]
    ascii_only = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(program, env=ascii_only, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "26.7%" in done.stdout


def test_a_metric_in_another_unit_is_the_same_metric():
    for name in ("throughput_bps", "throughput_mbps", "throughput_gbps"):
        assert metric(name) == metric("throughput_kbps")
    assert metric("min_rtt_s").less_is_better
    # A name without a unit is another metric, and so is one whose ending only looks like a unit.
    assert metric("throughput").less_is_better is None
    assert metric("switches_s").less_is_better is None


def test_spaces_after_the_commas(tmp_path, capsys):
    path = tmp_path / "s.csv"
    path.write_text("".join(", ".join(map(str, row)) + "\n" for row in [HEADER, *GOOD]))
    printed, _ = run(tmp_path, capsys, str(path))
    assert "384 sessions, read as paired links" in printed
    assert "deployed to all          −26.7%" in printed


def test_ctrl_c_stops_a_query_silently_and_a_second_one_does_not_interrupt_the_cleanup(
    tmp_path, capsys, monkeypatch
):
    def interrupted(*_):
        with pytest.raises(KeyboardInterrupt):
            command._stop()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        # DuckDB raises this when it is interrupted.
        raise RuntimeError("Query interrupted")

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sessions_of_command, "read", interrupted)
    monkeypatch.setattr(command, "STOPPED", Event())
    try:
        assert main(["lint", write(tmp_path / "s.csv", GOOD)]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == ""


def test_the_reason_is_reported_without_usable_sessions(tmp_path, capsys):
    rows = [[*row[:5], 1_772_409_600_000 + number, row[6]] for number, row in enumerate(GOOD)]
    path = write(tmp_path / "s.csv", rows)
    says = "started_at: before 2000-01-01 or in the future: a clock that was not set, or not in seconds: 384 rows"
    assert refusal(capsys, path) == f"{path}: no usable session of 384: {says}"


def test_a_mean_of_zero_is_reported(tmp_path, capsys):
    # The mean of the control on link two is 62.5, which the treated quarter beside it lowers by 5. Without treatment it
    # is 67.5.
    rows = [[*row[:6], row[6] - 67.5] for row in GOOD]
    printed, _ = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert (
        "0 on average without the treatment, so that there is no percentage; with it -18 on average"
        in printed
    )


@pytest.mark.pictures
def test_letters_of_any_alphabet(tmp_path, capsys, recwarn):
    rows = [[*row[:2], "リンク" if row[2] == "one" else row[2], *row[3:]] for row in GOOD]
    _, page = run(tmp_path, capsys, write(tmp_path / "s.csv", rows))
    assert "リンク" in page
    assert not [each for each in recwarn if "Glyph" in str(each.message)]


def test_lines_without_any_object(tmp_path, capsys):
    path = tmp_path / "s.ndjson"
    path.write_text("[1]\n{half\n")
    assert refusal(capsys, path) == f"{path}: no session: each row is not an object of JSON"


def test_control_characters_in_names_are_escaped(tmp_path):
    bad = like(session_id="x\x1b[31m\x9b2J", min_rtt_ms="35 ms")
    header = [*HEADER, "\x1b]0;title\x07_kbps"]
    path = write(tmp_path / "s.csv", [[*row, 5] for row in [*GOOD, bad]], header)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    program = [sys.executable, "-m", "sammy_analysis", "analyze", path, "--out", str(tmp_path / "r.html")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert "u{1b}" in done.stdout + done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x9b" not in done.stdout + done.stderr
    absent = [sys.executable, "-m", "sammy_analysis", "analyze", "none\x1b[31m.csv"]
    assert (
        "none\\u{1b}[31m.csv"
        in subprocess.run(absent, env=environment, capture_output=True, text=True).stderr
    )
