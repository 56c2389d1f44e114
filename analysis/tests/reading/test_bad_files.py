"""Files of all formats, and files that cannot be read or have other columns."""

import json

import pytest
from good_sessions import GOOD, like
from session_files import HEADER, lint, refusal, run, write

from sammy_analysis.experiment.command import main


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
    # About -5000, relative to 10024.5, the mean of the control's 10001..10048.
    assert "A/B test at 50%          −49.9%" in printed


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


def test_spaces_after_the_commas(tmp_path, capsys):
    path = tmp_path / "s.csv"
    path.write_text("".join(", ".join(map(str, row)) + "\n" for row in [HEADER, *GOOD]))
    printed, _ = run(tmp_path, capsys, str(path))
    assert "384 sessions, read as paired links" in printed
    assert "deployed to all          −26.7%" in printed


def test_lines_without_any_object(tmp_path, capsys):
    path = tmp_path / "s.ndjson"
    path.write_text("[1]\n{half\n")
    assert refusal(capsys, path) == f"{path}: no session: each row is not an object of JSON"
