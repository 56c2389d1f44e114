"""Sessions as an edge stores them: several records per session, wash-outs, sessions of several experiments and of none."""

import json

import pytest
from edge_records import GOOD, switchback

from sammy_analysis.experiment.command import main
from sammy_analysis.experiment.reading.read import read


def write(folder, *rows, name="sessions-2026-03-02T00-w0.ndjson"):
    path = folder / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


def like(**changes):
    return {**GOOD[0], "session_id": "new", **changes}


def values(path, session_id, experiment=""):
    """Returns the values of a session that count, and the reasons why other rows do not."""
    found = read(path, experiment)
    try:
        rows = found.table.filter(found.table.session_id == session_id).execute()
        return rows.min_rtt_ms.tolist(), found.set_aside, found.left_out.reason.tolist()
    finally:
        found.close()


def test_the_record_with_the_highest_sequence_counts_in_any_order(tmp_path):
    later = [like(sequence=2, min_rtt_ms=32), like(sequence=0, min_rtt_ms=30)]
    write(tmp_path, *GOOD, *later, name="sessions-2026-03-02T00-w0.ndjson")
    write(tmp_path, like(sequence=1, min_rtt_ms=31), name="sessions-2026-03-02T01-w0.ndjson")
    reasons = {"an earlier record of a session; the last one counts": 2}
    assert values(str(tmp_path), "new") == ([32], reasons, [])


def test_a_session_keeps_its_first_unit(tmp_path):
    path = write(
        tmp_path, *GOOD, like(min_rtt_ms=30), like(sequence=9, unit="somebody else's", min_rtt_ms=99)
    )
    counted, _, left_out = values(path, "new")
    assert (counted, left_out) == ([30], ["another unit than that of the session's first record"])


def test_washouts_and_sessions_without_experiment_are_set_aside_without_an_error(tmp_path, capsys):
    path = write(
        tmp_path,
        *GOOD,
        like(session_id="w", washout=True),
        like(session_id="n", experiment=None, allocation=0),
    )
    assert main(["lint", path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "set aside: began in the wash-out of its window: 1 rows",
        "set aside: in no experiment: 1 rows",
        "960 sessions, and nothing to say against them",
    ]


def test_one_of_several_experiments_must_be_chosen(tmp_path, capsys):
    path = write(tmp_path, *GOOD, like(experiment="ceiling"))
    assert main(["lint", path]) == 1
    assert "several experiments: ceiling, pacing; --experiment NAME chooses one" in capsys.readouterr().err
    assert main(["lint", path, "--experiment", "nothing"]) == 1
    assert "no session of nothing; there is ceiling, pacing" in capsys.readouterr().err
    assert main(["lint", path, "--experiment", "pacing,ceiling"]) == 0
    assert "set aside" not in capsys.readouterr().out
    assert main(["lint", path, "--experiment", "pacing"]) == 0
    assert "set aside: of another experiment: 1 rows" in capsys.readouterr().out


def test_sessions_without_experiment_count_only_in_its_clusters(tmp_path, capsys):
    """An edge writes an allocation of 0 for clusters that take no part. They are not the untreated link of the
    experiment."""
    none = {"experiment": None, "allocation": 0, "arm": "control"}
    before = [{**row, **none, "session_id": f"before-{row['session_id']}"} for row in GOOD]
    other = [{**row, "session_id": f"other-{row['session_id']}", "cluster": "three"} for row in before]
    path = write(tmp_path, *GOOD, *before, *other)
    main(["lint", path, "--experiment", "none,pacing"])
    printed = capsys.readouterr().out
    assert f"set aside: in no experiment, of a cluster without one: {len(other):,} rows" in printed


@pytest.mark.parametrize("version", [2, None])
def test_rows_of_another_version_are_refused(tmp_path, capsys, version):
    path = write(tmp_path, *GOOD, like(schema_version=version))
    assert main(["lint", path]) == 1
    assert "row 961, schema_version: " in capsys.readouterr().err


def test_a_switchback_of_an_edge_is_analyzed_by_its_pairs(tmp_path, capsys):
    path = write(tmp_path, *switchback())
    assert main(["analyze", path, "--out", str(tmp_path / "report.html")]) == 0
    said = capsys.readouterr().out
    # The same as in test_windows_drawn_in_pairs_are_swapped_in_pairs: six pairs whose differences are 1 to 6.
    assert "treated beside 90%       +3.5% (+1.0% to +6.0%)" in said
    # From 0.1 to 0.9 is 0.8 of the way from none to all, so the effect is 1.25 times as large, relative to 100 minus an
    # eighth of 3.5.
    assert "deployed to all          +4.4% (+1.3% to +7.5%)" in said


def test_a_session_belongs_to_the_arm_and_window_of_its_first_record(tmp_path):
    # The session was also reported in the next window, and once while the edge had no configuration.
    path = write(
        tmp_path,
        *GOOD,
        like(arm="treatment", allocation=0.75, sequence=0, min_rtt_ms=30),
        like(arm="control", allocation=0.25, sequence=1, min_rtt_ms=31),
        like(arm="control", allocation=0, experiment=None, sequence=2, min_rtt_ms=32),
    )
    found = read(path)
    try:
        row = found.table.filter(found.table.session_id == "new").execute().iloc[0]
        assert (row.arm, row.allocation, row.experiment, row.min_rtt_ms) == ("treatment", 0.75, "pacing", 32)
        assert found.set_aside == {"an earlier record of a session; the last one counts": 2}
        assert len(found.left_out) == 0
    finally:
        found.close()


def test_metrics_of_any_name_do_not_stop_the_analysis(tmp_path, capsys):
    # Metrics that any client can send to an edge: names of the analysis's own columns, another unit, and very many names.
    hostile = [like(row=1, file=2, problem=3, field=4, started_s=5, min_rtt_s=6)]
    hostile += [
        like(**{f"m{number}": 1 for number in range(first, first + 60)}) for first in range(0, 300, 60)
    ]
    path = write(tmp_path, *GOOD, *hostile)
    assert main(["analyze", path, "--out", str(tmp_path / "report.html")]) == 0
    said = capsys.readouterr().out
    for taken in ("row", "file", "problem", "field", "started_s"):
        assert f"The column {taken} is not used: its name has another meaning here." in said
    assert "columns are not used: fewer than 1% of an edge's records have them" in said
    assert said.count("  deployed to all ") == 1


def test_sessions_that_played_another_arm_are_named(tmp_path, capsys):
    rows = [{**row, "told_arm": row["arm"]} for row in GOOD]
    assert main(["lint", write(tmp_path, *rows)]) == 0
    capsys.readouterr()
    assert main(["lint", write(tmp_path, *rows, like(arm="control", told_arm="treatment"))]) == 1
    said = capsys.readouterr().out
    assert "1 of 961 sessions played another arm than the one that they are counted in, as new" in said
