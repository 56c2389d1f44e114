"""Times Sabre (github.com/UMass-LIDS/sabre), given by path, as a program would that compiles it once and plays many sessions.

usage: sabre.py SABRE SESSIONS ARGUMENT...    prints the processor time of one session, ms, as a JSON list
"""

import contextlib
import io
import json
import sys
import time

path, sessions, *arguments = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    program = compile(file.read(), path, "exec")
taken = []
for _ in range(int(sessions)):
    sys.argv = [path, *arguments]
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, {"__name__": "__main__"})
    taken.append(1000 * (time.process_time() - start))
print(json.dumps(taken))
