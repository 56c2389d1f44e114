"""The reference for the page's choices: plans compared with hand arithmetic, and the lowest pace."""

import numpy as np

from sammy_analysis.ttp.inputs import BINS, TCP_INPUTS
from sammy_analysis.ttp.plan import Question, answer, worth

TIMES_S = (np.arange(BINS) / 2).tolist()
#: A reserve that is small enough for a final buffer of 2 s to have no penalty.
RESERVE_S = 0.001


class Always:
    """A predictor that returns the same shares for all inputs, by rung and then by bin."""

    times_s = TIMES_S

    def __init__(self, shares):
        self.shares = np.array(shares, float)

    def probabilities(self, inputs, step):
        return self.shares


def make_shares(**by_time):
    """Returns the share of each bin. `t_3=0.05` means that a twentieth of the times are three half seconds."""
    shares = np.zeros(BINS)
    for name, share in by_time.items():
        shares[int(name[2:])] = share
    return shares


def question(sizes, quality_db, buffer_s, previous=0, rtt_us=50_000):
    before = np.full(TCP_INPUTS - 1, np.nan)
    before[0] = max(sizes[0])
    before[-5:] = [20, 0, 40_000, rtt_us, 625_000]
    return Question(
        before=before,
        sizes=np.array(sizes, float),
        quality_db=np.array(quality_db, float),
        previous=previous,
        buffer_s=buffer_s,
        duration_s=2,
        reserve_s=RESERVE_S,
        top_kbps=3300,
    )


def test_a_stall_is_weighted_by_its_probability():
    asked = question([[100_000, 200_000]], [[10, 16]], buffer_s=2)
    shares = np.array([[make_shares(t_1=1), make_shares(t_2=0.95, t_6=0.05)]])
    times = np.tile(TIMES_S, (1, 2, 1))
    low, high = worth(asked, shares, times, np.zeros((1, 2)))
    assert np.isclose(low, 10)
    # The quality minus its change and the expected stall: 16 - |16 - 10| - 0.05 x 100 dB/s x 1 s = 5 dB.
    assert np.isclose(high, 5)


def test_a_plan_continues_with_the_best_choice_from_its_rung_and_buffer():
    # The first segment takes all 3 s of the buffer and adds 2 s. Then a second segment that takes 3 s stalls for 1 s,
    # and one that takes 2 s does not stall.
    asked = question([[1000, 1000]] * 2, [[10, 16]] * 2, buffer_s=3)
    shares = np.array([[make_shares(t_6=1)] * 2, [make_shares(t_4=1), make_shares(t_6=1)]])
    times = np.tile(TIMES_S, (2, 2, 1))
    low, high = worth(asked, shares, times, np.zeros((2, 2)))
    # The qualities minus their changes, without a stall: 10 + 10, and (16 - 6) + (10 - 6).
    assert np.isclose(low, 20)
    assert np.isclose(high, 14)


def test_the_lowest_pace_is_the_first_that_costs_less_than_a_twentieth_of_a_db():
    # 825 kB are 6600 kbit. A stall of 0.05 dB / (100 dB/s) = 0.5 ms is tolerated. So the RTT of 0.05 s + 6600 kbit / pace
    # may be 1.0005 s, and the pace must be 6944 kbit/s or more.
    asked = question([[825_000]], [[10]], buffer_s=1)
    said = answer(Always([make_shares(t_1=1)]), asked)
    assert (said.rung, said.pace_kbps) == (0, 7000)
    # With an empty buffer, every ms counts, and 3.2 times the top bitrate is not enough.
    assert answer(Always([make_shares(t_1=1)]), question([[825_000]], [[10]], buffer_s=0)).pace_kbps is None
