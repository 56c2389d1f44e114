"""The worlds of `coverage`: links that wander, effects that spill over, accounts that return, and other misleading data.

For estimators whose input is days, the arms' daily means are simulated, so that thousands of experiments are fast. The
worlds "in words" instead simulate hourly cells or sessions, and test the text of the verdict. Each file has the worlds
of one design and their groups with a target; list the groups of a new file here.
"""

from . import ab_test, accounts, event_study, intervals, paired_in_words, paired_links, plans, switchback

WORLDS = (
    *paired_links.GROUPS,
    *switchback.GROUPS,
    *ab_test.GROUPS,
    *accounts.GROUPS,
    *paired_in_words.GROUPS,
    *event_study.GROUPS,
    *intervals.GROUPS,
    *plans.GROUPS,
)
