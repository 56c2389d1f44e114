"""Copies sessions from Amazon S3, or from a store with the same protocol, with Arrow's client.

Arrow is a dependency of ibis. Its client is the AWS SDK, which takes the region and the credentials from the usual
sources of AWS programs, in their usual order (environment variables, the files of AWS_PROFILE, web identity, the
machine's metadata). Without credentials, requests are unsigned, which public buckets allow.
"""

import os
import re
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ..problem import Problem
from .fetch import PATIENCE_S, Copy, check_room, save, shown_as

#: AWS's environment variables for the address of another store. The first variable that is set applies.
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
CONNECTING_S = 10
#: The size of one request, bytes. Each concurrent copy holds one part in memory.
PART = 8 << 20
#: The number of concurrent copies. Concurrency helps because an edge has a file for each hour, and each request waits
#: for a round trip.
AT_ONCE = 8

#: The format in which Arrow reports an error from the store or the network.
ANSWER = re.compile(r"AWS Error (?P<code>\S+)(?P<status> \(.*?\))? during \w+ operation: ?(?P<said>.*)", re.S)
DENIED = (
    "ACCESS_DENIED",
    "INVALID_ACCESS_KEY_ID",
    "SIGNATURE_DOES_NOT_MATCH",
    "INVALID_SIGNATURE",
    "INVALID_CLIENT_TOKEN_ID",
    "MISSING_AUTHENTICATION_TOKEN",
    "UNRECOGNIZED_CLIENT",
    "REQUEST_EXPIRED",
)
SILENT = ("NETWORK_CONNECTION", "REQUEST_TIMEOUT")


def fetch_s3(uri: str, folder: str, kinds: Collection[str]) -> list[Copy]:
    """Fetches s3://BUCKET/KEY, all files of known kinds below s3://BUCKET/FOLDER, or the files that match a pattern in
    KEY.

    In a pattern, `*` and `?` match anything except a slash, [abc] matches one of these characters, and ** matches any
    folders.
    """
    bucket, _, key = uri[len("s3://") :].partition("/")
    if not bucket or _is_pattern(bucket):
        raise Problem(f"{uri}: expected s3://BUCKET/KEY; a pattern may be in the key only")
    if "@" in bucket:
        raise Problem(
            f"{shown_as(uri)}: credentials are not for an address; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY"
        )
    try:
        store = _open_store(bucket)
        objects = _objects(store, bucket, key, uri, kinds)
        check_room(sum(each.size for each in objects), folder, uri)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda each: _copy(store, each[1], each[0], folder), enumerate(objects)))
    except (OSError, ValueError) as error:
        raise Problem(f"{uri}: {_refusal(error)}") from error


def _open_store(bucket: str) -> Any:
    """Creates Arrow's client. It looks up the region of Amazon's buckets; for other stores, the environment may name a region."""
    try:
        from pyarrow import fs
        from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem
    except ImportError as error:
        raise Problem(f"s3://: {error}; pip install --force-reinstall pyarrow") from error
    name = next((name for name in ENDPOINTS if os.environ.get(name)), None)
    if name:
        scheme, _, address = os.environ[name].rstrip("/").partition("://")
        if scheme not in ("http", "https") or not urlsplit(f"//{address}").hostname:
            raise Problem(f"{name} is '{os.environ[name]}'; expected https://HOST or http://HOST:PORT")
        options = {"scheme": scheme, "endpoint_override": address}
        host = urlsplit(f"//{address}").hostname or ""
    else:
        scheme, host, options = "https", "s3.amazonaws.com", {}
        # Ignore errors: the lookup fails for AWS partitions with other endpoints, and without a connection.
        with suppress(OSError):
            options = {"region": fs.resolve_s3_region(bucket)}
    proxy = getproxies().get(scheme)
    if proxy and not proxy_bypass(host):
        options["proxy_options"] = proxy
    return S3FileSystem(
        **options,
        connect_timeout=CONNECTING_S,
        request_timeout=PATIENCE_S,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=2),
    )


def _is_pattern(part: str) -> bool:
    return any(character in part for character in "*?[")


def _objects(store: Any, bucket: str, key: str, uri: str, kinds: Collection[str]) -> list[Any]:
    """Lists the objects that an address names, in the order of the keys, with path and size."""
    from pyarrow.fs import FileType

    parts = [part for part in key.split("/") if part]
    is_pattern, is_folder = any(map(_is_pattern, parts)), key.endswith("/") or not parts
    pattern = parts if is_pattern and not is_folder else [*parts, "**"]
    if not is_pattern and not is_folder:
        info = store.get_file_info("/".join([bucket, *parts]))
        if info.type == FileType.File:
            if PurePosixPath(key).suffix.lower() not in kinds:
                raise Problem(f"{uri}: not a known kind of file; known: {', '.join(kinds)}")
            return [info]
    found = _matching(store, bucket, pattern, kinds)
    if found:
        return found
    if store.get_file_info(bucket).type == FileType.NotFound:
        raise Problem(f"{uri}: there is no bucket {bucket}")
    raise Problem(f"{uri}: there is no such object, and no {', '.join(kinds)} below it")


def _matching(store: Any, bucket: str, pattern: list[str], kinds: Collection[str]) -> list[Any]:
    """Lists the files of known kinds whose keys match a pattern, which is given as its parts between slashes."""
    from pyarrow.fs import FileSelector, FileType

    base = list(takewhile(lambda part: not _is_pattern(part), pattern[:-1]))
    rest = pattern[len(base) :]
    deep = len(rest) > 1 or "**" in rest
    selector = FileSelector("/".join([bucket, *base]), recursive=deep, allow_not_found=True)
    found = [
        each
        for each in store.get_file_info(selector)
        if each.type == FileType.File and PurePosixPath(each.path).suffix.lower() in kinds
    ]
    named = [each for each in found if _matches(each.path.split("/")[1 + len(base) :], rest)]
    return sorted(named, key=lambda each: each.path)


def _matches(parts: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    # A key may itself contain characters of a pattern.
    fits = parts and (parts[0] == pattern[0] or fnmatchcase(parts[0], pattern[0]))
    return bool(fits) and _matches(parts[1:], pattern[1:])


def _copy(store: Any, info: Any, number: int, folder: str) -> Copy:
    shown = f"s3://{info.path}"
    file = str(Path(folder) / f"fetched-{number}{PurePosixPath(info.path).suffix.lower()}")
    try:
        with store.open_input_stream(info.path, compression=None, buffer_size=PART) as stream:
            version = stream.metadata().get("ETag")
            save(stream.read, file, shown, info.size)
        # Compare the version afterwards, because an object arrives in several responses and may change in between.
        with store.open_input_stream(info.path, compression=None) as stream:
            if stream.metadata().get("ETag") != version:
                raise Problem(f"{shown}: has changed while it was fetched; try again")
    except (OSError, ValueError) as error:
        raise Problem(f"{shown}: {_refusal(error)}") from error
    return Copy(file, shown)


def _refusal(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, FileNotFoundError):
        return "there is nothing at this address"
    answer = ANSWER.search(text)
    if answer is None:
        return f"cannot be fetched: {text}"
    code, said = answer["code"], answer["said"]
    if code in DENIED:
        return (
            f"access denied ({code}): AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, have to be of somebody "
            "who may read and list it"
        )
    if code in SILENT:
        return f"cannot be reached, or does not answer: {said or code}"
    return f"the store answers {code}{answer['status'] or ''}: {said}".removesuffix(": ")
