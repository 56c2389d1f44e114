"""The summary of the whole experiment in one sentence."""

import numpy as np

from .numbers import Amount, percent
from .verdict import Verdict

#: The number of metrics to name; two or more others are only counted.
MOST_NAMED = 3


def headline(verdicts: list[Verdict], treatment: str = "treatment") -> str:
    """Summarizes all verdicts in one sentence. The sentence names the treatment's arm if it is not called `treatment`."""
    what = "the treatment" if treatment == "treatment" else f"the treatment ({treatment})"
    by_outcome: dict[str, list[Verdict]] = {}
    for each in verdicts:
        by_outcome.setdefault(each.outcome, []).append(each)
    if by_outcome.get("withheld"):
        return "No verdict: the arms do not have the sizes that they were given, so nothing can be believed."
    does = [
        f"{verb} {_named(by_outcome[outcome])}"
        for outcome, verb in (("better", "improves"), ("worse", "worsens"), ("changed", "changes"))
        if outcome in by_outcome
    ]
    assumed, unclear = by_outcome.get("assumed", []), by_outcome.get("unclear", [])
    parts = []
    if does:
        parts.append(f"Deployed to all, {what} {', and '.join(does)}.")
    if assumed:
        conditions = _listed(list(dict.fromkeys(each.assumed for each in assumed)))
        nothing = "" if does else "Nothing is shown yet: "
        parts.append(
            f"{nothing}{_capital(_named(assumed), not nothing)} {'differs' if len(assumed) == 1 else 'differ'}, but by the "
            f"treatment only if {conditions}."
        )
    if unclear and not parts:
        parts.append(f"No change could be shown in {_named(unclear, sizes=False)}.")
    elif unclear:
        parts.append(f"No clear change in {_named(unclear, sizes=False)}.")
    if parts and by_outcome.get("unknown"):
        parts.append(f"There is no verdict on {_named(by_outcome['unknown'], sizes=False)}.")
    return " ".join(parts) or "These sessions do not show the effect of a deployment."


def _named(verdicts: list[Verdict], sizes: bool = True) -> str:
    """Lists the metrics, with the size of the change if its interval is bounded."""
    names = [
        f"{_small(each.title)} ({_rounded(each)})"
        if sizes and each.interval and np.isfinite([each.interval.low, each.interval.high]).all()
        else _small(each.title)
        for each in (verdicts if len(verdicts) == MOST_NAMED + 1 else verdicts[:MOST_NAMED])
    ]
    more = len(verdicts) - len(names)
    return _listed([*names, f"{more} more"] if more else names)


def _rounded(each: Verdict) -> str:
    size = each.interval.estimate
    if isinstance(each.interval, Amount):
        return each.interval.format(size)
    return f"{100 * size:+.0f}%".replace("-", "−") if abs(size) >= 0.095 else percent(size)


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _small(title: str) -> str:
    """Lowercases the first letter of a title for use within a sentence, except in an abbreviation such as SSIM."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _capital(text: str, begins: bool) -> str:
    return text[:1].upper() + text[1:] if begins else text
