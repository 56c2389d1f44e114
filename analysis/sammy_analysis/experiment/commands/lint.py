"""`lint`: prints the problems of sessions.

command.py calls this module, which must not compute effects.
"""

import argparse

from ..analyze import cell_notes, read_cells, read_sample
from ..estimators.estimands import Arms, Options
from .sessions import left_out_lines, read_sessions, sample_alarms, set_aside_lines


def run_lint(options: argparse.Namespace) -> int:
    """Prints the problems of the sessions. The exit status is 1 if there are any."""
    sessions, offset = read_sessions(options)
    try:
        arms = Options(Arms(options.treatment, options.control))
        cells = read_cells(sessions, arms, offset)
        notes = [*left_out_lines(sessions), *sessions.notes, *cell_notes(cells, arms)]
        notes += sample_alarms(read_sample(sessions, arms, offset))
        fine = f"{int(cells.sessions.sum()):,} sessions, and nothing to say against them"
        print("\n".join([*set_aside_lines(sessions), *(notes or [fine])]))
        return 1 if notes else 0
    finally:
        sessions.close()
