"""Decides which rows are used, for sessions in the form that an edge stores: several records per session, and possibly
several experiments.

A row that is not used has a reason in `problem`. A reason that begins with EXPECTED is not an error, because an edge's
files contain such rows by design.
"""

from ..problem import Problem
from .sources import Run, quoted

EXPECTED = "set aside: "

#: Columns with properties of a session that do not change after its start.
BEGINNING = ("cluster", "arm", "allocation", "started_s", "experiment", '"window"', "washout")


#: The name in --experiment for sessions in no experiment, such as sessions before the experiment.
NO_EXPERIMENT = "none"


def choose_experiment(run: Run, experiment: str) -> None:
    """Sets aside the sessions of other experiments and of no experiment. If no session is in any experiment, all sessions
    are used.

    `experiment` is a name, or several names separated by commas. They may include `none`: sessions without an
    experiment in the clusters of the named experiments.
    """
    found = run(
        "SELECT DISTINCT experiment FROM rows WHERE problem IS NULL AND experiment <> '' ORDER BY ALL"
    )
    names = found.experiment.tolist()
    chosen = [experiment] if experiment in names else [name for name in experiment.split(",") if name]
    unknown = [name for name in chosen if name not in (*names, NO_EXPERIMENT)]
    if unknown:
        there = ", ".join(names) or NO_EXPERIMENT
        raise Problem(f"--experiment: no session of {', '.join(unknown)}; there is {there}")
    if len(names) > 1 and not chosen:
        raise Problem(f"sessions of several experiments: {', '.join(names)}; --experiment NAME chooses one")
    if names:
        wanted = ["" if name == NO_EXPERIMENT and name not in names else name for name in chosen or names]
        run(
            "UPDATE rows SET problem = CASE WHEN coalesce(experiment, '') = '' "
            f"THEN '{EXPECTED}in no experiment' ELSE '{EXPECTED}of another experiment' END "
            f"WHERE problem IS NULL AND coalesce(experiment, '') NOT IN ({', '.join(map(quoted, wanted))})"
        )
        if "" in wanted and len(wanted) > 1:
            # Sessions in clusters without the experiment are not part of its control, although their allocation is 0.
            run(
                f"UPDATE rows SET problem = '{EXPECTED}in no experiment, of a cluster without one' WHERE problem IS NULL "
                "AND coalesce(experiment, '') = '' AND cluster NOT IN "
                "(SELECT cluster FROM rows WHERE problem IS NULL AND experiment <> '')"
            )


def mark_other_units(run: Run) -> None:
    """Leaves out records whose unit differs from that of the session's first record, so that nobody who learns a
    session's id can add records to the session."""
    run(
        "UPDATE rows SET problem = 'unit: another unit than that of the session''s first record' FROM ("
        "SELECT file, row, unit <> first(unit) OVER (PARTITION BY session_id ORDER BY file, row) AS other "
        "FROM rows WHERE problem IS NULL AND sequence IS NOT NULL) AS found "
        "WHERE found.other AND rows.file = found.file AND rows.row = found.row"
    )


def mark_repeated(run: Run) -> None:
    """Marks all records of a session except the last as repeated, and leaves out sessions in two arms.

    Records with a `sequence` come from an edge, which assigns each record by its own clock and configuration. Records
    of one session can differ if a page reports near the border of a window, or if the configuration has changed; the
    first record then determines the arm. For records without a `sequence`, the right arm or unit is unknown.
    """
    run(
        "CREATE TABLE repeated AS SELECT session_id, count(sequence) = count(*) AS numbered, min(arm) <> max(arm) AS mixed, "
        "min(unit) <> max(unit) AS shared "
        "FROM rows WHERE problem IS NULL GROUP BY session_id HAVING count(*) > 1"
    )
    if int(run("SELECT count(*) AS n FROM repeated").n[0]) == 0:
        return
    begun = ", ".join(f"{column} = begun.{column}" for column in BEGINNING)
    run(
        "UPDATE rows SET problem = 'session_id: of several units, and so of several sessions' WHERE problem IS NULL "
        "AND session_id IN (SELECT session_id FROM repeated WHERE shared AND NOT numbered)"
    )
    run(
        "UPDATE rows SET problem = 'arm: a session in two arms' WHERE problem IS NULL "
        "AND session_id IN (SELECT session_id FROM repeated WHERE mixed AND NOT numbered)"
    )
    run(
        f"UPDATE rows SET {begun} FROM (SELECT DISTINCT ON (session_id) session_id, {', '.join(BEGINNING)} FROM rows "
        "JOIN (SELECT session_id FROM repeated WHERE numbered) USING (session_id) WHERE problem IS NULL "
        "ORDER BY session_id, sequence, file, row) AS begun "
        "WHERE problem IS NULL AND rows.session_id = begun.session_id"
    )
    run(
        "CREATE TABLE earlier AS SELECT file, row FROM rows JOIN repeated USING (session_id) "
        "WHERE problem IS NULL QUALIFY row_number() OVER "
        "(PARTITION BY session_id ORDER BY sequence DESC NULLS LAST, file DESC, row DESC) > 1"
    )
    run(
        f"UPDATE rows SET problem = CASE WHEN sequence IS NULL THEN 'session_id: ' ELSE '{EXPECTED}' END "
        "|| 'an earlier record of a session; the last one counts' "
        "FROM earlier WHERE rows.file = earlier.file AND rows.row = earlier.row"
    )


def mark_washout(run: Run) -> None:
    """Sets aside sessions that began in the wash-out of a switchback's window, according to the edge."""
    run(
        f"UPDATE rows SET problem = '{EXPECTED}began in the wash-out of its window' WHERE problem IS NULL AND washout"
    )


def set_aside(run: Run) -> dict[str, int]:
    """Returns the number of rows by the reason why they were set aside."""
    found = run(
        f"SELECT substr(problem, {len(EXPECTED) + 1}) AS reason, count(*) AS n FROM rows "
        f"WHERE starts_with(problem, '{EXPECTED}') GROUP BY reason ORDER BY reason"
    )
    return dict(zip(found.reason, found.n.astype(int), strict=True))
