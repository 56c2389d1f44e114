"""The content of files that tests put on a server, and the effect in them.

Tests of HTTP and S3 call this module, which must not depend on how files are fetched.
"""

from pathlib import Path

import pandas as pd
from session_files import HEADER, sessions, write

#: The effect in `sessions`, as `analyze` prints it. Untreated sessions have 62.5 ms on the link with 25% treated, and
#: treated ones 54.5 ms on the link with 75%. The level falls by 20 ms from none to all treated, so the extrapolated
#: means are 67.5 ms and 49.5 ms.
FOUND = "deployed to all          −26.7%"


def make_csv(tmp_path, rows=None):
    return Path(write(tmp_path / "s.csv", rows or sessions())).read_bytes()


def make_parquet(tmp_path):
    file = tmp_path / "s.parquet"
    pd.DataFrame(sessions(), columns=HEADER).to_parquet(file)
    return file.read_bytes()
