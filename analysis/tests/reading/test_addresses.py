"""Sessions read from addresses: over HTTP from a server on loopback, and from a DuckDB file."""

import base64
import socket
import threading
from pathlib import Path

import duckdb
import pytest
from remote_files import FOUND, make_csv, make_parquet
from session_files import HEADER, refusal, run, sessions, write

from sammy_analysis.experiment.reading import fetch
from sammy_analysis.experiment.reading.read import read

pytestmark = pytest.mark.usefixtures("only_here")


def test_csv_and_parquet_over_http(tmp_path, capsys, server):
    server.answers = {
        "/data/s.csv": (200, {}, make_csv(tmp_path)),
        "/s.parquet": (200, {}, make_parquet(tmp_path)),
        # If the path has no file extension, the Content-Type determines the format.
        "/export?month=3": (200, {"Content-Type": "text/csv; charset=utf-8"}, make_csv(tmp_path)),
        "/latest": (302, {"Location": "/data/s.csv"}, b""),
        "/two%20links.csv": (200, {}, make_csv(tmp_path)),
    }
    assert FOUND in run(tmp_path, capsys, f"{server.url}/data/s.csv")[0]
    # These files have the same sessions, so they are only read and not analyzed again.
    for path in ("/s.parquet", "/export?month=3", "/latest", "/two links.csv"):
        found = read(server.url + path)
        assert found.table.count().execute() == len(list(sessions()))
        assert found.metrics == HEADER[-1:]
        found.close()


def test_messages_name_the_address_instead_of_the_local_copy(tmp_path, capsys, server):
    bad = [*list(sessions())[:-1], ["x", "", "one", "control", 0.75, "2026-03-02", 1]]
    server.answers = {
        "/s.csv": (200, {}, make_csv(tmp_path, bad)),
        "/s.parquet": (200, {}, b"PAR1 and no more"),
        "/twice.csv": (200, {}, b"a,a\n1,2\n"),
        "/other.csv": (200, {}, b"a,b\n1,2\n"),
    }
    _, page = run(tmp_path, capsys, f"{server.url}/s.csv")
    assert f"<td>{server.url}/s.csv</td><td>unit</td><td>empty</td><td class=n>1</td>" in page
    assert refusal(capsys, f"{server.url}/s.parquet").startswith(f"{server.url}/s.parquet: cannot be read: ")
    assert (
        refusal(capsys, f"{server.url}/twice.csv")
        == f"{server.url}/twice.csv, row 0: the header names a column twice: a"
    )
    assert refusal(capsys, f"{server.url}/other.csv").startswith(
        f"{server.url}/other.csv: no column session_id"
    )


def test_passwords_and_signatures_are_sent_but_never_shown(tmp_path, capsys, server):
    def guarded(headers):
        wanted = "Basic " + base64.b64encode(b"ann:pass word").decode()
        return (200, {}, make_csv(tmp_path)) if headers.get("Authorization") == wanted else (401, {}, b"")

    server.answers = {"/s.csv?signature=secret": (0, {}, guarded)}
    address = f"{server.url}/s.csv?signature=secret".replace("//", "//ann:pass%20word@")
    printed, page = run(tmp_path, capsys, address)
    assert FOUND in printed
    assert f"Input: {server.url}/s.csv." in page
    refused = refusal(capsys, address.replace("word", "wrong"))
    assert refused.startswith(f"{server.url}/s.csv: the server wants credentials, or others (401)")
    for text in (printed, page, refused):
        assert "secret" not in text
        assert "pass%20" not in text


def test_a_password_is_not_sent_to_another_server(tmp_path, capsys, server):
    server.answers = {
        "/s.csv": (302, {"Location": f"http://localhost:{server.server_address[1]}/there.csv"}, b""),
        "/there.csv": (200, {}, make_csv(tmp_path)),
    }
    run(tmp_path, capsys, f"{server.url}/s.csv".replace("//", "//ann:secret@"))
    assert ["Authorization" in headers for _, headers in server.asked] == [True, False]


@pytest.mark.parametrize(
    ("status", "headers", "body", "says"),
    [
        (403, {}, b"", "the server wants credentials, or others (403)"),
        (404, {}, b"", "there is nothing at this address (404)"),
        (503, {}, b"", "the server answers 503"),
        (204, {}, b"", "the server answers 204"),
        (
            200,
            {"Content-Type": "text/html"},
            b"<html>",
            "not a table but a page (text/html); is a login needed?",
        ),
        (
            200,
            {"Content-Encoding": "gzip"},
            b"\x1f\x8b",
            "comes compressed (gzip), though that was not asked for",
        ),
        (200, {"Content-Length": "100"}, b"half", "broke off after 4 of 100 bytes; try again"),
        (
            200,
            {"Content-Length": str(10**15)},
            b"",
            "more than 10,000,000,000 bytes, the most that is fetched",
        ),
        (302, {"Location": "file:///etc/passwd"}, b"", "the server answers 302"),
        (302, {"Location": "/s.csv"}, b"", "the server answers 302"),
        (200, {}, b"", "is empty"),
    ],
)
def test_error_responses_of_a_server(capsys, server, status, headers, body, says):
    server.answers = {"/s.csv": (status, headers, body)}
    assert refusal(capsys, f"{server.url}/s.csv").startswith(f"{server.url}/s.csv: {says}")


def test_files_that_are_not_tables(capsys, server):
    server.answers = {"/s.png": (200, {"Content-Type": "image/png"}, b"\x89PNG")}
    assert refusal(capsys, f"{server.url}/s.png").startswith(
        f"{server.url}/s.png: not a table: the server says image/png, and the address ends in none of .csv, "
    )


def test_a_body_without_length_ends_at_the_limit(capsys, server, monkeypatch):
    monkeypatch.setattr(fetch, "MOST_BYTES", 1000)
    server.answers = {"/s.csv": (200, {"Content-Length": ""}, b"x" * 2000)}
    assert "more than 1,000 bytes, the most that is fetched" in refusal(capsys, f"{server.url}/s.csv")


def test_a_silent_server_times_out(capsys, server, monkeypatch):
    monkeypatch.setattr(fetch, "PATIENCE_S", 0.2)
    ended = threading.Event()
    server.answers = {"/s.csv": (0, {}, lambda _: ended.wait(20) and (200, {}, b""))}
    try:
        said = refusal(capsys, f"{server.url}/s.csv")
    finally:
        ended.set()
    assert "timed out" in said


def test_unreachable_addresses(capsys):
    # Bind a port, but do not listen. A port that was released may already be in use by another program.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        said = refusal(capsys, f"http://127.0.0.1:{port}/s.csv")
    assert said.startswith(f"http://127.0.0.1:{port}/s.csv: cannot be reached: ")
    assert "refused" in said


@pytest.mark.parametrize(
    "address", ["http:///s.csv", "https://a b/s.csv", "http://host:port/s.csv", "http://[::1/s.csv"]
)
def test_invalid_addresses(capsys, address):
    assert refusal(capsys, address) == f"{address}: is no address; expected https://HOST/PATH"


def test_other_kinds_of_addresses_are_refused_by_name(tmp_path, capsys):
    assert refusal(capsys, "gs://bucket/s.csv").startswith(
        "gs://bucket/s.csv: gs:// is not read; known: https, "
    )
    printed, _ = run(tmp_path, capsys, Path(write(tmp_path / "a b.csv", sessions())).as_uri())
    assert FOUND in printed


def stored(file, *queries):
    with duckdb.connect(str(file)) as connection:
        for query in queries:
            connection.execute(query)


def test_a_table_and_a_view_of_duckdb(tmp_path, capsys):
    write(tmp_path / "s.csv", sessions())
    file = tmp_path / "my sessions.duckdb"
    stored(
        file,
        f"CREATE TABLE sessions AS SELECT * FROM read_csv('{tmp_path / 's.csv'}')",
        'CREATE VIEW "of north" AS SELECT * FROM sessions',
    )
    before = file.read_bytes()
    for table in ("sessions", "of north"):
        printed, page = run(tmp_path, capsys, f"duckdb://{file}/{table}")
        assert FOUND in printed
        assert f"Input: duckdb://{file}/{table}." in page
    assert file.read_bytes() == before


def test_missing_tables(tmp_path, capsys):
    file = tmp_path / "s.duckdb"
    stored(file, "CREATE TABLE one (a INTEGER)", "CREATE TABLE two (a INTEGER)")
    assert refusal(capsys, f"duckdb://{file}/three").endswith("/three: no table three; there is one, two")
    assert refusal(capsys, f"duckdb://{file}/one").endswith(
        "/one: no column session_id, unit, cluster, arm, allocation, started_at; a session has session_id, unit, "
        "cluster, arm, allocation, started_at and its metrics"
    )
    assert "no such file" in refusal(capsys, f"duckdb://{tmp_path}/none.duckdb/one")
    assert refusal(capsys, "duckdb://one") == "duckdb://one: expected duckdb://FILE/TABLE"
    (tmp_path / "text.duckdb").write_text("not a database" * 1000)
    assert "is no file that DuckDB opens" in refusal(capsys, f"duckdb://{tmp_path}/text.duckdb/one")
