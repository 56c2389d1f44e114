"""Copies sessions from other hosts: fetches each file once into a temporary folder, from which it is read like a local
file.

The analysis reads the rows several times, and they must not change in between, so it needs a copy. DuckDB could read
over the network with its extension httpfs, but the Python package does not include it: DuckDB would download it at the
first use, from outside any package registry.
"""

import shutil
from base64 import b64encode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..problem import Problem

#: The limit of the total size in bytes, enough for some hundred million sessions as Parquet.
MOST_BYTES = 10 * 10**9
#: Seconds after which a server that sends nothing has failed.
PATIENCE_S = 30
PIECE = 1 << 20

#: File suffixes by Content-Type, for addresses without a known suffix.
TYPES = {
    "text/csv": ".csv",
    "application/vnd.apache.parquet": ".parquet",
    "application/x-parquet": ".parquet",
    "application/x-ndjson": ".ndjson",
    "application/ndjson": ".ndjson",
    "application/jsonl": ".jsonl",
}


@dataclass(frozen=True)
class Copy:
    """A fetched file, and its name in messages: its address without password and signature."""

    file: str
    shown: str


def shown_as(uri: str) -> str:
    """Returns an address without secrets: without user and password before the host, and without a signature in the
    query."""
    scheme, _, rest = uri.partition("://")
    rest = rest.partition("#")[0].partition("?")[0]
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def fetch_http(uri: str, folder: str, kinds: Collection[str]) -> list[Copy]:
    """Fetches an http or https address. `kinds` are the suffixes of files that can be read."""
    shown = shown_as(uri)
    try:
        with build_opener(_Redirects()).open(_request(uri, shown), timeout=PATIENCE_S) as answer:
            if answer.status != 200:
                raise Problem(f"{shown}: the server answers {answer.status}")
            suffix = _suffix(answer, shown, kinds)
            length = answer.headers.get("Content-Length", "")
            file = str(Path(folder) / f"fetched{suffix}")
            save(answer.read, file, shown, int(length) if length.isdigit() else None)
            return [Copy(file, shown)]
    except HTTPError as error:
        raise Problem(f"{shown}: {_refusal(error.code)}") from error
    except URLError as error:
        raise Problem(f"{shown}: cannot be reached: {error.reason}") from error
    except (OSError, HTTPException) as error:
        raise Problem(f"{shown}: broke off: {str(error) or type(error).__name__}; try again") from error


def save(read: Callable[[int], bytes], file: str, shown: str, length: int | None) -> None:
    """Writes the output of `read` into a file. If `length` is known, raises a Problem if bytes are missing."""
    check_room(length or 0, str(Path(file).parent), shown)
    arrived = 0
    with open(file, "wb") as copy:
        while piece := read(PIECE):
            arrived += len(piece)
            if arrived > MOST_BYTES:
                raise _too_large(shown)
            copy.write(piece)
    if length is not None and arrived < length:
        raise Problem(f"{shown}: broke off after {arrived:,} of {length:,} bytes; try again")


def check_room(length: int, folder: str, shown: str) -> None:
    """Raises a Problem if `length` exceeds the limit, or the free space of the folder."""
    if length > MOST_BYTES:
        raise _too_large(shown)
    free = shutil.disk_usage(folder).free
    if length > free:
        raise Problem(
            f"{shown}: {length:,} bytes, and the temporary folder has room for {free:,}; TMPDIR names another one"
        )


def _too_large(shown: str) -> Problem:
    return Problem(
        f"{shown}: more than {MOST_BYTES:,} bytes, the most that is fetched; fetch it yourself and name the file"
    )


def _request(uri: str, shown: str) -> Request:
    """Creates the request for an address. Escapes invalid characters, and moves a password to a header."""
    try:
        parts = urlsplit(uri)
        user, _, host = parts.netloc.rpartition("@")
        if not parts.hostname or not host.isascii() or any(c.isspace() for c in host) or parts.port == 0:
            raise ValueError("no host")
        path, query = quote(parts.path, safe="/%:@!$&'()*+,;=~"), quote(parts.query, safe="/%:@!$&'()*+,;=~?")
    except ValueError as error:
        raise Problem(f"{shown}: is no address; expected https://HOST/PATH") from error
    request = Request(
        f"{parts.scheme.lower()}://{host}{path or '/'}{'?' if query else ''}{query}",
        headers={"Accept-Encoding": "identity", "User-Agent": "dashjs-sammy"},
    )
    if user:
        token = b64encode(unquote(user).encode()).decode()
        # The header must not be sent to the target of a redirect.
        request.add_unredirected_header("Authorization", f"Basic {token}")
    return request


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to http and https, but not from https to http."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str):
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise Problem(
                f"{shown_as(req.full_url)}: redirects to an address that is not https, {shown_as(newurl)}"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refusal(status: int) -> str:
    if status in (401, 403, 407):
        return (
            f"the server wants credentials, or others ({status}); https://USER:PASSWORD@HOST/... gives them, "
            "or an address that is signed"
        )
    if status in (404, 410):
        return f"there is nothing at this address ({status})"
    return f"the server answers {status}"


def _suffix(answer: Any, shown: str, kinds: Collection[str]) -> str:
    """Returns the suffix of the fetched file, from its address or otherwise from its content type."""
    kind = answer.headers.get_content_type() if "Content-Type" in answer.headers else "unknown"
    coding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise Problem(f"{shown}: comes compressed ({coding}), though that was not asked for")
    if kind == "text/html":
        raise Problem(f"{shown}: not a table but a page (text/html); is a login needed?")
    for path in (unquote(urlsplit(answer.url).path), unquote(PurePosixPath(shown).name)):
        if (suffix := PurePosixPath(path).suffix.lower()) in kinds:
            return suffix
    if kind not in TYPES:
        raise Problem(
            f"{shown}: not a table: the server says {kind}, and the address ends in none of {', '.join(kinds)}"
        )
    return TYPES[kind]
