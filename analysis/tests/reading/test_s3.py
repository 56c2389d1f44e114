"""Sessions in S3. The store is moto, a server on loopback that checks signatures and policies if a test needs that."""

import json
import os
import socket
import subprocess
import sys
import urllib.request

import pytest
from remote_files import FOUND, make_csv, make_parquet
from session_files import HEADER, refusal, run, sessions

from sammy_analysis.experiment.reading import fetch, fetch_s3

boto3 = pytest.importorskip("boto3", reason="boto3 and moto are in the extra `test`")
threaded = pytest.importorskip("moto.server", reason="boto3 and moto are in the extra `test`")
pytestmark = pytest.mark.usefixtures("only_here")


@pytest.fixture(scope="module")
def url():
    running = threaded.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture(autouse=True)
def aws(monkeypatch, tmp_path):
    """Removes the machine's own AWS settings, and disables the metadata service."""
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any-key-of-a-test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-a-test")


def ask(url, path, body=b""):
    asked = urllib.request.Request(f"{url}/moto-api/{path}", body, {"Content-Type": "text/plain"})
    with urllib.request.urlopen(asked) as answer:
        answer.read()


@pytest.fixture
def client(url, monkeypatch):
    """A client of a store whose only bucket, `bucket`, is empty."""
    ask(url, "reset")
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1")
    client.create_bucket(Bucket="bucket")
    return client


def put(client, **objects):
    for key, body in objects.items():
        client.put_object(Bucket="bucket", Key=key, Body=body)


def make_ndjson():
    return "".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in sessions()).encode()


def test_each_kind_of_file(tmp_path, capsys, client):
    put(
        client,
        **{
            "s.csv": make_csv(tmp_path),
            "a/s.parquet": make_parquet(tmp_path),
            "a b/s+1.NDJSON": make_ndjson(),
        },
    )
    for key in ("s.csv", "a/s.parquet", "a b/s+1.NDJSON"):
        printed, page = run(tmp_path, capsys, f"s3://bucket/{key}")
        assert FOUND in printed
        assert f"Input: s3://bucket/{key}." in page


#: The keys of six objects.
PARTS = ("march/1.csv", "march/2.csv", "march/late/3.csv", "april/1.csv", "april/late/[2].csv", "s.csv")


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("bucket", PARTS),
        ("bucket/", PARTS),
        ("bucket/march", ("march/1.csv", "march/2.csv", "march/late/3.csv")),
        ("bucket/march/", ("march/1.csv", "march/2.csv", "march/late/3.csv")),
        ("bucket/march/*.csv", ("march/1.csv", "march/2.csv")),
        ("bucket/*.csv", ("s.csv",)),
        ("bucket/*/*.csv", ("march/1.csv", "march/2.csv", "april/1.csv")),
        ("bucket/*/1.csv", ("march/1.csv", "april/1.csv")),
        ("bucket/**/[13].csv", ("march/1.csv", "march/late/3.csv", "april/1.csv")),
        ("bucket/**", PARTS),
        ("bucket/?pril/**/*.csv", ("april/1.csv", "april/late/[2].csv")),
        ("bucket/april/late/[2].csv", ("april/late/[2].csv",)),
        ("bucket/ma*/", ("march/1.csv", "march/2.csv", "march/late/3.csv")),
    ],
)
def test_folders_and_patterns(tmp_path, client, address, parts):
    put(
        client,
        **{key: f"in {key}".encode() for key in PARTS},
        **{"march/notes.txt": b"", "march/empty/": b""},
    )
    copies = fetch_s3.fetch_s3(f"s3://{address}", str(tmp_path), (".csv", ".parquet"))
    assert [copy.shown for copy in copies] == sorted(f"s3://bucket/{key}" for key in parts)
    for copy in copies:
        with open(copy.file) as file:
            assert copy.shown == file.read().replace("in ", "s3://bucket/")


def test_files_of_a_folder_are_one_table(tmp_path, capsys, client):
    rows = list(sessions())
    for number in range(3):
        put(client, **{f"day/{number}.csv": make_csv(tmp_path, rows[number::3])})
    printed, _ = run(tmp_path, capsys, "s3://bucket/day/*.csv")
    assert "576 sessions" in printed
    assert FOUND in printed


def test_messages_name_the_object(tmp_path, capsys, client):
    bad = [*list(sessions())[:-1], ["x", "", "one", "control", 0.75, "2026-03-02", 1]]
    put(client, **{"s.csv": make_csv(tmp_path, bad), "s.parquet": b"PAR1 and no more", "empty.csv": b""})
    _, page = run(tmp_path, capsys, "s3://bucket/s.csv")
    assert "<td>s3://bucket/s.csv</td><td>unit</td><td>empty</td><td class=n>1</td>" in page
    assert refusal(capsys, "s3://bucket/s.parquet").startswith("s3://bucket/s.parquet: cannot be read: ")
    assert refusal(capsys, "s3://bucket/empty.csv") == "s3://bucket/empty.csv: is empty"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("s3://bucket/none.csv", "there is no such object, and no .csv, .parquet, .ndjson, .jsonl below it"),
        ("s3://bucket/none/*.csv", "there is no such object, and no .csv, "),
        ("s3://bucket/notes/", "there is no such object, and no .csv, "),
        ("s3://bucket/notes/1.txt", "not a known kind of file; known: .csv, .parquet, .ndjson, .jsonl"),
        ("s3://none/s.csv", "there is no bucket none"),
        ("s3://none/*.csv", "there is no bucket none"),
        ("s3://", "expected s3://BUCKET/KEY; a pattern may be in the key only"),
        ("s3:///s.csv", "expected s3://BUCKET/KEY"),
        ("s3://b*/s.csv", "expected s3://BUCKET/KEY"),
    ],
)
def test_missing_objects(capsys, client, address, says):
    put(client, **{"notes/1.txt": b"-"})
    assert refusal(capsys, address).startswith(f"{address}: {says}")


def test_credentials_in_an_address_are_refused(capsys):
    said = refusal(capsys, "s3://key:secret@bucket/s.csv")
    assert said.startswith("s3://bucket/s.csv: credentials are not for an address; set AWS_PROFILE")
    assert "secret@" not in said


@pytest.fixture
def reader(url, client, tmp_path):
    """Credentials that may read only `bucket`. During the test, the store checks the credentials of all requests."""
    iam = boto3.client("iam", endpoint_url=url, region_name="us-east-1")
    iam.create_user(UserName="reader")
    allowed = {
        "Effect": "Allow",
        "Action": ["s3:GetObject", "s3:ListBucket"],
        "Resource": ["arn:aws:s3:::bucket", "arn:aws:s3:::bucket/*"],
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
    iam.put_user_policy(UserName="reader", PolicyName="read", PolicyDocument=policy)
    key = iam.create_access_key(UserName="reader")["AccessKey"]
    put(client, **{"s.csv": make_csv(tmp_path)})
    client.create_bucket(Bucket="secret")
    client.put_object(Bucket="secret", Key="s.csv", Body=b"-")
    ask(url, "reset-auth", b"0")
    yield key["AccessKeyId"], key["SecretAccessKey"]
    ask(url, "reset-auth", b"inf")


def test_credentials_of_the_environment(tmp_path, capsys, monkeypatch, reader):
    for address in ("s3://bucket/s.csv", "s3://bucket/*.csv", "s3://bucket"):
        # Unknown credentials are refused.
        said = refusal(capsys, address)
        assert said.startswith(f"{address}: access denied (")
        assert "secret-of-a-test" not in said
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", reader[0])
    assert refusal(capsys, "s3://bucket/s.csv").startswith("s3://bucket/s.csv: access denied (")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", reader[1])
    for address in ("s3://bucket/s.csv", "s3://bucket/*.csv", "s3://bucket"):
        printed, _ = run(tmp_path, capsys, address)
        assert FOUND in printed
    assert refusal(capsys, "s3://secret/s.csv").startswith("s3://secret/s.csv: access denied (")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert refusal(capsys, "s3://bucket/s.csv").startswith("s3://bucket/s.csv: access denied (")


def test_credentials_of_a_profile(tmp_path, monkeypatch, reader):
    profile = tmp_path / "credentials"
    profile.write_text(f"[sessions]\naws_access_key_id = {reader[0]}\naws_secret_access_key = {reader[1]}\n")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(profile))
    monkeypatch.setenv("AWS_PROFILE", "sessions")
    # Use a separate process, because AWS's library reads the file only once.
    program = (
        "import sys; from sammy_analysis.experiment.reading.fetch_s3 import fetch_s3; "
        "print(fetch_s3('s3://bucket/s.csv', sys.argv[1], ['.csv'])[0].shown)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("s3://bucket/s.csv\n", "")


def test_the_variable_for_s3_takes_precedence(tmp_path, capsys, client, monkeypatch, url):
    put(client, **{"s.csv": make_csv(tmp_path)})
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"{url}/")
    assert FOUND in run(tmp_path, capsys, "s3://bucket/s.csv")[0]


@pytest.mark.parametrize("endpoint", ["127.0.0.1:9000", "ftp://host", "https://", "http://:80"])
def test_an_invalid_endpoint(capsys, monkeypatch, endpoint):
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    said = refusal(capsys, "s3://bucket/s.csv")
    assert said == f"AWS_ENDPOINT_URL is '{endpoint}'; expected https://HOST or http://HOST:PORT"


def test_an_unreachable_store(capsys, monkeypatch):
    # Bind a port, but do not listen.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{taken.getsockname()[1]}")
        said = refusal(capsys, "s3://bucket/s.csv")
    assert said.startswith("s3://bucket/s.csv: cannot be reached, or does not answer: ")


def test_a_silent_store(capsys, monkeypatch):
    monkeypatch.setattr(fetch_s3, "PATIENCE_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        said = refusal(capsys, "s3://bucket/s.csv")
    assert said.startswith("s3://bucket/s.csv: cannot be reached, or does not answer: ")


def test_a_server_that_is_not_a_store(capsys, monkeypatch, server):
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
    said = refusal(capsys, "s3://bucket/s.csv")
    assert said.startswith("s3://bucket/s.csv: ")
    assert "\n" not in said


def test_the_bucket_reports_its_region_without_a_custom_endpoint(monkeypatch):
    from pyarrow import fs

    def unknown(bucket):
        raise FileNotFoundError(bucket)

    monkeypatch.setattr(fs, "resolve_s3_region", {"far": "ap-southeast-2"}.get)
    assert fetch_s3._open_store("far").region == "ap-southeast-2"
    monkeypatch.setattr(fs, "resolve_s3_region", unknown)
    monkeypatch.setenv("AWS_REGION", "cn-north-1")
    assert fetch_s3._open_store("far").region == "cn-north-1"


def test_at_most_the_limit_of_bytes_is_requested(capsys, client, monkeypatch):
    put(client, **{"1.csv": b"x" * 600, "2.csv": b"x" * 600})
    monkeypatch.setattr(fetch, "MOST_BYTES", 1000)
    assert refusal(capsys, "s3://bucket/*.csv").startswith(
        "s3://bucket/*.csv: more than 1,000 bytes, the most that is fetched"
    )


def test_an_object_that_changes_meanwhile_is_not_mixed(tmp_path, capsys, client, monkeypatch):
    put(client, **{"s.csv": make_csv(tmp_path)})

    def save_and_change(*args):
        fetch.save(*args)
        put(client, **{"s.csv": b"another"})

    monkeypatch.setattr(fetch_s3, "save", save_and_change)
    said = refusal(capsys, "s3://bucket/s.csv")
    assert said == "s3://bucket/s.csv: has changed while it was fetched; try again"


def test_an_object_that_is_deleted_meanwhile(capsys, client, monkeypatch):
    put(client, **{"1.csv": b"a", "2.csv": b"a"})
    found = fetch_s3._objects

    def find_and_remove(*args):
        objects = found(*args)
        client.delete_object(Bucket="bucket", Key="2.csv")
        return objects

    monkeypatch.setattr(fetch_s3, "_objects", find_and_remove)
    assert refusal(capsys, "s3://bucket/*.csv") == "s3://bucket/2.csv: there is nothing at this address"


def test_a_configured_proxy_is_used(tmp_path, capsys, monkeypatch, server):
    headers = {"ETag": '"1"', "Last-Modified": "Sun, 22 Nov 2026 12:00:00 GMT"}
    server.answers = {"http://store.test/bucket/s.csv": (200, headers, make_csv(tmp_path))}
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://store.test")
    monkeypatch.setenv("http_proxy", server.url)
    assert FOUND in run(tmp_path, capsys, "s3://bucket/s.csv")[0]
