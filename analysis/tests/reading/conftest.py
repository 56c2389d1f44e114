"""Fixtures for tests of remote files: a clean environment and an HTTP server."""

import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@pytest.fixture
def only_here(monkeypatch, tmp_path):
    """Removes proxy settings, and checks that the test leaves nothing in the temporary folder."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield
    assert list(scratch.iterdir()) == []


class Server(ThreadingHTTPServer):
    """A server that finishes its responses before the test ends, so that none of their output appears in the next
    test."""

    #: Makes `server_close` wait for the threads of the responses.
    daemon_threads = False

    def handle_error(self, request, client_address):
        """Ignores that a client closes the connection early. Any other error fails the test."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            self.failures.append(error)


@pytest.fixture
def server():
    """A server with its responses in `answers`: by path, the status, the headers and the body. `asked` has the path and
    the headers of each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked.append((self.path, dict(self.headers)))
            status, headers, body = server.answers.get(self.path, (404, {}, b""))
            if callable(body):
                status, headers, body = body(self.headers)
            self.send_response(status)
            for name, value in {"Content-Length": len(body), **headers}.items():
                self.send_header(name, str(value))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    server.answers, server.asked, server.failures = {}, [], []
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
    assert server.failures == []
