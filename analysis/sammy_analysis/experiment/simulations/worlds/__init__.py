"""The worlds of `coverage`: links that wander, effects that spill over, accounts that come back, and what else misleads.

Days are simulated by the arms' daily means where the estimators take days, so that thousands are quick; worlds "in words" go
from cells of hours, or from sessions, to the words of a verdict. A file has the worlds of a design, and the groups in which
they are held to a target; a new file's groups are added here.
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
