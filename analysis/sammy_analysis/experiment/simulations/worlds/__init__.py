"""The worlds of `coverage`: links that wander, effects that spill over, accounts that return, and other misleading data.

If the estimators take days, the arms' daily means are simulated, so that thousands of experiments are fast. Worlds "in words"
start from hourly cells, or from sessions, and end with the text of a verdict. Each file has the worlds of one design and their
groups with a target; list the groups of a new file here.
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
