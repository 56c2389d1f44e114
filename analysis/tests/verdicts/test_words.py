"""Verdicts on a change, by design and by the available checks. They claim no more than these identify."""

from dataclasses import replace

import numpy as np
import pytest
from verdict_inputs import FEWER, LATER, OPEN, checked, estimate

from sammy_analysis.experiment.estimators.appendix_b import Interval
from sammy_analysis.experiment.estimators.estimands import InterferenceTest
from sammy_analysis.experiment.estimators.links import Growth, LinkCheck
from sammy_analysis.experiment.reports.verdicts import draw_verdicts
from sammy_analysis.experiment.sentences.certainty import least_shown
from sammy_analysis.experiment.sentences.headline import headline
from sammy_analysis.experiment.sentences.verdict import verdict

TOO_FEW = LinkCheck(Interval(5.0, 4.0, 6.0), None, None, 100.0, "4 days are too few")
LESS = "−20.0% (−25.0% to −15.0%)"
NOT_SHOWN = "no change could be shown; it lies between −50.0% and +10.0%"
SURE = " The first range holds the true change with 95% confidence. It rests on 5 days."
TOOK_OFF = f"{SURE} The baseline difference between the links, +5.0% (+4.0% to +6.0%), is subtracted."

#: Half of the interval is 5% or 30%. Four of five such experiments show (1.96 + 0.84) / 1.96 times as much.
SHOWS = " Such data show changes from about 7.1% on, in four of five cases."
SHOWS_LITTLE = " Such data show changes from about 43% on, in four of five cases."
IF_SO = TOOK_OFF.replace("confidence.", "confidence only under this condition.")
IF_ALIKE = SURE.replace("confidence.", "confidence only if the links are alike.")
UNLIKE = " Anything else that the links differ by, such as their viewers or their load, would look the same."
WEEK = " Next: a week or more of both links at the same allocation, before or after, would tell."

#: The design, the check of the links, the interval, the outcome, and the sentence.
SENTENCES = {
    "a switchback": ("switchback", None, FEWER, "better", f"deployed to all, {LESS}."),
    "a switchback without a clear change": (
        "switchback",
        None,
        OPEN,
        "unclear",
        f"deployed to all, {NOT_SHOWN}.",
    ),
    "links that nobody compared": (
        "paired",
        None,
        FEWER,
        "assumed",
        f"{LESS} on the mostly treated link. That is the effect of the treatment, deployed to all, only if the links are alike, "
        f"which was not checked.{IF_ALIKE}{SHOWS}{UNLIKE}{WEEK}",
    ),
    "links that nobody compared, without a clear change": (
        "paired",
        None,
        OPEN,
        "unclear",
        f"deployed to all, {NOT_SHOWN}, if the links are alike.{IF_ALIKE}{SHOWS_LITTLE}{WEEK}",
    ),
    "links compared on too few days": (
        "paired",
        TOO_FEW,
        FEWER,
        "assumed",
        f"{LESS} on the mostly treated link. That is the effect of the treatment, deployed to all, only if the links are alike, "
        f"which was not checked: 4 days are too few.{IF_ALIKE}{SHOWS}{UNLIKE} Next: more days of both links at "
        "the same allocation would tell.",
    ),
    "links whose difference is known": (
        "paired",
        checked(FEWER),
        FEWER,
        "better",
        f"deployed to all, {LESS}.{TOOK_OFF}{SHOWS}",
    ),
    "links that changed on another day": (
        "paired",
        checked(FEWER, LATER),
        FEWER,
        "assumed",
        f"deployed to all, {LESS}, but only if the change came with the experiment on 3 March, although these days date it to "
        f"5 March.{IF_SO}{SHOWS} If that does not hold, this is not what the treatment changes.",
    ),
    "links whose difference wanders as far": (
        "paired",
        checked(OPEN),
        FEWER,
        "unclear",
        f"deployed to all, {NOT_SHOWN}.{TOOK_OFF}{SHOWS_LITTLE} Next: 28 days of both links",
    ),
    "an event study": (
        "event",
        None,
        FEWER,
        "assumed",
        f"{LESS} after the change. That is the effect of the treatment, deployed to all, only if nothing else changed at "
        "that time, which these data cannot show. The first range holds the true change with 95% confidence only if "
        f"nothing else changed at that time. It rests on 5 days.{SHOWS} Anything else that changed then, such as a weekend, "
        "a holiday or a release, would look the same.",
    ),
    "an event study without a clear change": (
        "event",
        None,
        OPEN,
        "unclear",
        f"deployed to all, {NOT_SHOWN}, if nothing else changed at that time.",
    ),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_the_sentences_follow_the_designs_estimands(case):
    design, links, seen, outcome, sentence = SENTENCES[case]
    found = [estimate("tte", seen)]
    said = verdict("min_rtt_ms", found, [], design, links)
    assert said.outcome == outcome
    assert said.sentence.startswith(f"Minimum round-trip time: {sentence}")
    # The sentence has an "if" exactly when the verdict has an assumption. The headline has an "if" exactly when the
    # change depends on that assumption.
    assert ("if " in said.sentence) == bool(said.assumed)
    assert ("if " in headline([said])) == (outcome == "assumed")


def test_an_opposite_change_in_busy_hours_allows_no_verdict():
    # Half of the interval is 5%. The change is -20% if hours count equally, and +4% or +6% if sessions count equally.
    for busier, outcome in ((24, "better"), (26, "assumed")):
        found = [replace(estimate("tte", FEWER), busier=busier)]
        assert verdict("min_rtt_ms", found, [], "switchback").outcome == outcome
    said = verdict("min_rtt_ms", found, [], "switchback")
    assert (
        "only if quiet hours are to count as much as busy ones (weighted by their sessions, the change is +6.0%)."
        in said.decided
    )
    assert "decide by the hours that matter" in said.todo


@pytest.mark.parametrize(("design", "links"), [("switchback", None), ("paired", checked(OPEN))])
def test_an_interval_that_contains_0_keeps_the_condition_that_could_hide_a_change(design, links):
    missing = "sessions without a value are like the others: 9 of 90"
    said = verdict("min_rtt_ms", [replace(estimate("tte", OPEN), rests_on=(missing,))], [], design, links)
    assert said.outcome == "unclear"
    assert f"{NOT_SHOWN}, if {missing}." in said.decided
    assert said.deployed.endswith(f", if {missing}")
    assert "find out why" in said.todo
    # By session, the change is +10% or +11%; the interval ends at +10%.
    for busier, condition in ((30, False), (31, True)):
        found = [replace(estimate("tte", OPEN), busier=busier)]
        known = links and replace(links, tte=replace(links.tte, busier=busier))
        said = verdict("min_rtt_ms", found, [], design, known)
        assert (", if quiet hours are to count as much as busy ones" in said.decided) == condition


@pytest.mark.parametrize(
    ("design", "first"), [("paired", "the links are alike"), ("event", "nothing else changed at that time")]
)
def test_a_verdict_names_every_assumption(design, first):
    missing = "sessions without a value are like the others: 9 of 90"
    tte = replace(estimate("tte", FEWER), rests_on=(missing,), busier=26)
    said = verdict("min_rtt_ms", [tte], [], design)
    quiet = "quiet hours are to count as much as busy ones (weighted by their sessions, the change is +6.0%)"
    assert said.assumed == f"{first}, and if {missing}, and if {quiet}"
    assert f"only if {first}, which" in said.decided
    assert f", and if {missing}, and if {quiet}." in said.decided
    assert "95% confidence only under these conditions." in said.sure
    assert "Where busy hours matter more" in said.doubt


def test_the_links_difference_is_no_percentage_of_a_mean_that_may_be_0():
    links = checked(FEWER)
    unbounded = replace(links.tte, share=Interval(-0.2, -np.inf, np.inf))
    links = replace(links, tte=unbounded, mean=0.001)
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", links)
    assert "The baseline difference between the links, +5 ms (+4 ms to +6 ms), is subtracted." in said.sure


def test_an_error_under_a_condition_implies_interference_only_under_it():
    tau = estimate("tau", Interval(0.0, -0.01, 0.01))
    test = InterferenceTest("tau", "tau", Interval(0.0, -1.0, 1.0, p=0.5), 100.0)
    for links, said in ((checked(FEWER), "implies"), (checked(FEWER, LATER), "would imply")):
        links = replace(links, spillover=checked(OPEN).spillover)
        decided = verdict("min_rtt_ms", [estimate("tte", FEWER), tau], [test], "paired", links).decided
        assert f"An error this large {said} interference" in decided


@pytest.mark.parametrize(
    ("growth", "words"),
    [
        (Growth(-40, -52), "changed by 30%"),
        (Growth(60, 45), "fell by 25%"),
        (Growth(0, 60), "was 0 in one of the periods"),
        (Growth(-5, 5), "changed its sign"),
    ],
)
def test_a_level_whose_growth_explains_a_change_is_a_condition(growth, words):
    links = checked(FEWER)
    links = replace(links, tte=replace(links.tte, growth=growth, if_proportional=None))
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", links)
    assert said.assumed == f"the links' difference stayed the same although their level {words}"


def test_a_rounding_error_is_no_change_in_busy_hours():
    none = replace(estimate("tte", Interval(0.0, 0.0, 0.0)), busier=1e-14)
    said = verdict("min_rtt_ms", [none], [], "switchback")
    assert said.outcome == "unclear"
    assert "quiet hours" not in said.decided


#: A mean that may be 0 allows any percentage, but the change is known in the metric's unit.
NO_SHARE = Interval(900.0, -np.inf, np.inf)


@pytest.mark.parametrize("share", [None, NO_SHARE, Interval(900.0, 3.0, np.inf)])
def test_a_change_without_a_percentage_is_stated_in_the_metrics_unit(share):
    seconds = Interval(0.94, 0.87, 1.02, basis="5 days")
    tte, tau = (
        replace(estimate(kind, FEWER), metric="rebuffer_s", robust=seconds, share=share)
        for kind in ("tte", "tau")
    )
    said = verdict("rebuffer_s", [tte, tau], [], "switchback", less_is_better=True)
    assert said.outcome == "worse"
    assert (
        "deployed to all, +0.94 s (+0.87 s to +1.02 s). Its mean without the treatment is too close to 0"
        in said.decided
    )
    assert "An A/B test with 95% treated says +0.94 s (+0.87 s to +1.02 s)." in said.decided
    assert "Such data show changes from about 0.11 s on" in said.sure
    assert headline([said]).endswith("worsens rebuffer s (+0.94 s).")
    drawn = draw_verdicts([said, verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "switchback")])
    assert (drawn.count("worse: +0.94 s"), drawn.count("<svg")) == (1, 1)
    # Paired links and an A/B test, and an effect that is not clear.
    step = replace(checked(FEWER).tte.step, interval=seconds)
    corrected = replace(checked(FEWER).tte, step=step, share=share, if_proportional=seconds)
    links = replace(checked(FEWER), tte=corrected, mean=0.0)
    said = verdict("rebuffer_s", [tte], [], "paired", links, less_is_better=True)
    assert said.outcome == "worse"
    assert "The baseline difference between the links, +5 s (+4 s to +6 s), is subtracted." in said.sure
    assert "treated ones have +0.94 s (+0.87 s to +1.02 s)." in verdict("rebuffer_s", [tau], [], "ab").decided
    small = replace(tte, robust=Interval(0.02, -0.01, 0.05, basis="5 days"))
    said = verdict("rebuffer_s", [small], [], "switchback", less_is_better=True)
    assert "no change could be shown; it lies between −0.01 s and +0.05 s." in said.decided


def test_percentages_as_a_metrics_unit_are_percentage_points():
    tte = replace(estimate("tte", FEWER), share=None, robust=Interval(0.3, 0.2, 0.4))
    assert "+0.3 percentage points (" in verdict("retransmit_pct", [tte], [], "switchback").decided


def test_one_allocation_allows_no_statement_on_a_deployment():
    said = verdict("min_rtt_ms", [estimate("tau", FEWER)], [], "ab")
    assert said.outcome == "unknown"
    assert "One allocation cannot tell what happens when all are treated" in said.sentence
    # Half of the interval is 5%, and this is 2.8 / 1.96 times as much.
    assert (
        said.sure == "Such data show differences between the arms from about 7.1% on, in four of five cases."
    )
    assert headline([said]) == "These sessions do not show the effect of a deployment."


def test_metrics_that_cannot_be_extrapolated_are_named():
    said = verdict("min_rtt_ms", [estimate("tte", FEWER, between=(0.0, 0.95))], [], "switchback")
    assert said.decided == f"Minimum round-trip time: with 95% treated instead of 0%, {LESS}."


@pytest.mark.parametrize("links", [None, checked(FEWER)])
def test_an_alarm_suppresses_the_verdict(links):
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", links, alarm=True)
    assert (said.outcome, said.deployed) == ("withheld", "")
    assert said.sentence.endswith("no verdict, since the arms do not have the sizes that they were given.")
    assert headline([said]).startswith("No verdict")


def test_the_headline_names_what_is_better_worse_and_open():
    less, more = Interval(-0.2, -0.25, -0.15), Interval(0.034, 0.02, 0.05)
    metrics = {"min_rtt_ms": less, "play_delay_ms": more, "mean_ssim_db": less, "switches": OPEN}
    said = [verdict(metric, [estimate("tte", share)], [], "switchback") for metric, share in metrics.items()]
    assert headline(said) == (
        "Deployed to all, the treatment improves minimum round-trip time (−20%), and worsens start-up delay (+3.4%) and video "
        "quality (SSIM) (−20%). No clear change in quality switches."
    )
    assert headline(said[3:]) == "No change could be shown in quality switches."


def test_the_headline_lists_metrics_without_a_verdict_and_gives_no_arbitrary_size():
    endless = Interval(-11.0, -np.inf, -3.5)
    shares = {"min_rtt_ms": FEWER, "score": endless, "rebuffer_count": Interval(-0.6, -np.inf, np.inf)}
    said = [verdict(metric, [estimate("tte", share)], [], "switchback") for metric, share in shares.items()]
    assert headline(said) == (
        "Deployed to all, the treatment improves minimum round-trip time (−20%), and changes score. There is no verdict "
        "on rebuffers."
    )
    open_ones = [verdict("switches", [estimate("tte", OPEN)], [], "switchback"), said[2]]
    assert headline(open_ones) == (
        "No change could be shown in quality switches. There is no verdict on rebuffers."
    )


NOT_FOUND = [InterferenceTest("s(95%) = 0", "spillover", OPEN, 100.0)]


@pytest.mark.parametrize(("of_test", "contradicts"), [(Interval(-0.1, -0.12, -0.08), True), (FEWER, False)])
def test_sentences_that_require_interference_are_omitted_if_none_was_found(of_test, contradicts):
    found = [estimate("tte", FEWER), estimate("tau", of_test)]
    said = verdict("min_rtt_ms", found, NOT_FOUND, "switchback").sentence
    assert (
        "It gets the size wrong. An error this large implies interference between the arms" in said
    ) == contradicts
    assert ("No interference between the arms was found." in said) == (not contradicts)


def test_a_change_beyond_the_charts_edge_is_an_arrow():
    sizes = {
        "min_rtt_ms": -0.2,
        "rtt_median_ms": 0.1,
        "mean_bitrate_kbps": -0.1,
        "chunk_throughput_kbps": 2.0,
    }
    said = [
        verdict(metric, [estimate("tte", Interval(size, size - 0.02, size + 0.02))], [], "switchback")
        for metric, size in sizes.items()
    ]
    drawn = draw_verdicts(said)
    assert drawn.count("class=beyond") == 1
    assert 'class=beyond d="M100 4' in drawn
    assert "an arrow goes on beyond" in drawn
    assert "beyond" not in draw_verdicts(said[:3])


def test_changes_of_exactly_0_neither_determine_nor_need_the_charts_axis():
    none = replace(estimate("tte", Interval(0.0, 0.0, 0.0)), metric="rtt_median_ms")
    constant = verdict("rtt_median_ms", [none], [], "switchback")
    seconds = Interval(0.94, 0.87, 1.02, basis="5 days")
    added = replace(estimate("tte", FEWER), metric="rebuffer_s", robust=seconds, share=None)
    drawn = draw_verdicts([constant, verdict("rebuffer_s", [added], [], "switchback")])
    assert (drawn.count("class=size"), drawn.count("<svg"), "the edges" in drawn) == (2, 0, False)
    drawn = draw_verdicts(
        [constant, constant, verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "switchback")]
    )
    assert (drawn.count("<svg"), drawn.count("the edges are ±25%")) == (3, 1)


def test_a_report_states_the_decision_its_certainty_its_risks_and_the_next_step():
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", checked(FEWER))
    assert said.decided == f"Minimum round-trip time: deployed to all, {LESS}."
    assert said.sure.startswith(f"{SURE.strip()} The baseline difference between the links")
    assert (
        said.doubt
        == "If one link also changed on 3 March, for example by another route or a holiday, that would look the same."
    )
    assert said.todo.startswith("Next: this metric speaks for a deployment")
    assert said.sentence == " ".join((said.decided, said.sure, said.doubt, said.todo))


def test_a_change_between_two_baselines_is_doubted_if_other_changes_occurred():
    said = verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "paired", checked(FEWER, dates=None))
    assert said.outcome == "better"
    assert said.doubt == (
        "If one link also changed when the experiment began, and back when it ended, that would look the same."
    )


def test_the_treatment_is_named_and_the_direction_of_an_unknown_metric_can_be_given():
    found = [estimate("tte", FEWER)]
    unknown = verdict("queue_length", found, [], "switchback")
    assert (unknown.outcome, unknown.todo[:9]) == ("changed", "Next: say")
    better = verdict("queue_length", found, [], "switchback", less_is_better=True)
    assert headline([better], "smooth") == (
        "Deployed to all, the treatment (smooth) improves queue length (−20%)."
    )
    assert verdict("queue_length", found, [], "switchback", less_is_better=False).outcome == "worse"


def test_lower_chunk_throughput_is_a_change_by_design_and_decides_nothing():
    found = [estimate("tte", FEWER)]
    chunks = verdict("chunk_throughput_kbps", found, [], "switchback")
    assert chunks.outcome == "changed"
    assert "against a deployment" not in chunks.todo
    assert headline([chunks], "sammy") == (
        "Deployed to all, the treatment (sammy) changes chunk throughput (−20%)."
    )
    # For a file's own metric of throughput, more is better, unless the experimenter says otherwise.
    assert verdict("throughput_kbps", found, [], "switchback").outcome == "worse"


def test_an_extrapolated_verdict_is_marked_beside_the_measured_figures():
    measured = Interval(-0.19, -0.24, -0.14)
    found = [
        replace(estimate("tte", FEWER), tried=(0.05, 0.95)),
        estimate("partial", measured),
    ]
    for links, design in (
        (None, "switchback"),
        (replace(checked(FEWER), partial=checked(measured).tte), "paired"),
    ):
        said = verdict("min_rtt_ms", found, [], design, links)
        assert said.doubt.startswith(
            "This extrapolates linearly from 5% and 95% treated to none and all; a step between them would overturn it. Not "
            "extrapolated: the treated beside 95% differ from the untreated beside 5% by −19.0% (−24.0% to −14.0%)."
        )
    # The same if no change could be shown, but not if none and all were tried.
    open_one = [replace(found[0], share=OPEN), found[1]]
    assert "extrapolates linearly" in verdict("min_rtt_ms", open_one, [], "switchback").doubt
    assert "extrapolates" not in verdict("min_rtt_ms", [estimate("tte", FEWER)], [], "switchback").doubt


def test_omitted_days_are_counted():
    found = [replace(estimate("tte", FEWER), days_left_out=3)]
    said = verdict("min_rtt_ms", found, [], "paired").sure
    assert (
        "It rests on 5 days. 3 more days are left out: one of the groups has less than half of the usual hours"
        in said
    )


def test_the_smallest_effect_does_not_grow_with_the_uncertainty_of_a_large_percentage():
    # The effect is 900 to 1,100 of a mean of 100; that mean is uncertain, which widens only the percentage.
    tte = replace(estimate("tte", Interval(10.0, 6.0, 30.0)), robust=Interval(1000.0, 900.0, 1100.0))
    said = verdict("min_rtt_ms", [tte], [], "switchback").sure
    assert "Such data show changes from about 140% on" in said
    only_test = verdict("min_rtt_ms", [replace(tte, kind="tau")], [], "ab").sure
    assert only_test.startswith("Such data show differences between the arms from about 140% on")


def test_equal_changes_are_not_apart_because_of_rounding_errors():
    one = Interval(0.1, 0.1, 0.1)
    other = Interval(0.1 + 1e-15, 0.1 + 1e-15, 0.1 + 1e-15)
    found = [estimate("tte", one), estimate("tau", other)]
    said = verdict("min_rtt_ms", found, NOT_FOUND, "switchback")
    assert "gets the size wrong" not in said.decided
    assert "in four of five cases" not in verdict("min_rtt_ms", found[:1], [], "switchback").sure


def test_no_smallest_effect_is_named_without_an_interval_end():
    assert least_shown(Interval(-0.2, -np.inf, 0.1)) is None
    # The width is a rounding error.
    assert least_shown(Interval(0.1, 0.1, 0.1 + 1e-15)) is None
    assert least_shown(FEWER) == pytest.approx(0.05 * 2.8 / 1.96)
