/*
 * Yields to other traffic like LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus-01), between two rates that the edge sets on
 * the socket for each response:
 *
 * - Never faster than the requested pace: the kernel limits the rate to SO_MAX_PACING_RATE.
 * - Never slower than the player's floor, which is the socket's mark (SO_MARK) in kbit/s, unless Reno would be slower
 *   on this path. In that case, the window is Reno's, so that a floor never takes more than Reno's share from other
 *   traffic.
 *
 * Without a mark, there is no floor. The response to losses is that of Reno, and the kernel retransmits the lost
 * packets.
 */
#include "struct-ops.h"

/**
 * The tolerated queueing delay, µs: CoDel's target (RFC 8289). LEDBAT's target of 60 to 100 ms would fill most
 * queues.
 */
#define TARGET_US 5000
/** The tolerated queue on a slow link, packets, if these take longer than TARGET_US: BETA of TCP Vegas, 4, minus 1. */
#define TARGET_PACKETS 3
#define LEAST_WINDOW 2
#define NO_SAMPLE 0x7fffffff
#define BYTES_PER_S_OF_KBIT_S 125
#define US_PER_S 1000000

/** The state of a flow, in the space that the kernel reserves for a congestion control. */
struct yield {
	/** The minimum round-trip time of the current round, µs. */
	__u32 round_rtt;
	/** The present round ends when this byte is acknowledged. */
	__u32 round_end;
	/** Whether the queueing delay exceeded the target in the last round. */
	__u32 is_delayed;
	/** The window that Reno would have, packets. */
	__u32 reno;
	/** The packets that were acknowledged since this window last grew. */
	__u32 reno_acked;
	/** The slow start threshold of this window. */
	__u32 reno_ssthresh;
};

static inline __attribute__((always_inline)) struct yield *state_of(struct sock *sk)
{
	return (struct yield *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

/** Returns the window, in packets, that corresponds to the floor at the current round-trip time; 0 without a floor. */
static inline __attribute__((always_inline)) __u32 floor_window(const struct sock *sk, const struct tcp_sock *tp)
{
	__u64 floor = (__u64)sk->sk_mark * BYTES_PER_S_OF_KBIT_S;
	__u64 packets;

	if (!floor || !tp->mss_cache)
		return 0;
	/* srtt_us is eight times the smoothed round-trip time. Round up, because only complete packets can be in flight. */
	packets = floor * (tp->srtt_us >> 3) / US_PER_S / tp->mss_cache + 1;
	return packets < NO_SAMPLE ? packets : NO_SAMPLE;
}

SECTION("struct_ops/init")
void yield_init(unsigned long long *context)
{
	const struct tcp_sock *tp = (const struct tcp_sock *)context[0];
	struct yield *state = state_of((struct sock *)context[0]);

	state->round_rtt = NO_SAMPLE;
	state->round_end = tp->snd_nxt;
	state->is_delayed = 0;
	state->reno = tp->snd_cwnd;
	state->reno_acked = 0;
	state->reno_ssthresh = tp->snd_ssthresh;
}

SECTION("struct_ops/pkts_acked")
void yield_pkts_acked(unsigned long long *context)
{
	struct yield *state = state_of((struct sock *)context[0]);
	const struct ack_sample *sample = (const struct ack_sample *)context[1];

	if (sample->rtt_us > 0 && (__u32)sample->rtt_us < state->round_rtt)
		state->round_rtt = sample->rtt_us;
}

/**
 * Increases Reno's window: it doubles per round trip below its threshold, and then grows by one packet per round trip.
 */
static inline __attribute__((always_inline)) void grow_reno(struct yield *state, __u32 acked)
{
	if (state->reno < state->reno_ssthresh) {
		state->reno += acked;
		return;
	}
	state->reno_acked += acked;
	if (state->reno_acked >= state->reno) {
		state->reno_acked = 0;
		state->reno += 1;
	}
}

/**
 * At the end of a round: checks whether the queueing delay exceeds the target. If so, reduces the window by the fraction
 * excess / target, at most by half.
 */
static inline __attribute__((always_inline)) void end_round(struct tcp_sock *tp, struct yield *state)
{
	__u32 rtt = state->round_rtt;
	__u32 base = tp->rtt_min.s[0].v;
	__u32 window = tp->snd_cwnd;
	__u32 target = TARGET_US;
	__u32 waiting, packets_us;
	__u64 less;

	state->round_end = tp->snd_nxt;
	state->round_rtt = NO_SAMPLE;
	if (rtt == NO_SAMPLE || window == 0)
		return;
	waiting = rtt > base ? rtt - base : 0;
	packets_us = rtt / window * TARGET_PACKETS;
	if (packets_us > target)
		target = packets_us;
	state->is_delayed = waiting > target;
	if (!state->is_delayed)
		return;
	less = (__u64)window * (waiting - target) / target;
	window -= less < window / 2 ? less : window / 2;
	tp->snd_cwnd = window > LEAST_WINDOW ? window : LEAST_WINDOW;
	/* Keep ssthresh at most at the window, because a window below ssthresh would be in slow start. */
	if (tp->snd_ssthresh > tp->snd_cwnd)
		tp->snd_ssthresh = tp->snd_cwnd;
}

SECTION("struct_ops/cong_avoid")
void yield_cong_avoid(unsigned long long *context)
{
	struct sock *sk = (struct sock *)context[0];
	struct tcp_sock *tp = (struct tcp_sock *)context[0];
	struct yield *state = state_of(sk);
	__u32 acknowledged = (__u32)context[1];
	__u32 acked = (__u32)context[2];
	int is_limited = is_window_limited(tp);
	__u32 least = floor_window(sk, tp);

	/* Limit Reno's window: after a timeout or at a low pace, a much larger window was not in use, so it is no evidence of
	 * capacity. */
	if (state->reno > 2 * tp->snd_cwnd)
		state->reno = 2 * tp->snd_cwnd;
	if (is_limited)
		grow_reno(state, acked);
	if (least > state->reno)
		least = state->reno;

	if ((__s32)(acknowledged - state->round_end) >= 0)
		end_round(tp, state);
	else if (is_limited && !state->is_delayed) {
		if (in_slow_start(tp))
			acked = tcp_slow_start(tp, acked);
		if (acked)
			tcp_cong_avoid_ai(tp, tp->snd_cwnd, acked);
	}
	if (tp->snd_cwnd < least)
		tp->snd_cwnd = least;
}

SECTION("struct_ops/ssthresh")
__u32 yield_ssthresh(unsigned long long *context)
{
	struct sock *sk = (struct sock *)context[0];
	struct yield *state = state_of(sk);
	__u32 half = tcp_reno_ssthresh(sk);

	state->reno = half;
	state->reno_acked = 0;
	state->reno_ssthresh = half;
	return half;
}

/** Called when a loss turns out to be spurious. */
SECTION("struct_ops/undo_cwnd")
__u32 yield_undo_cwnd(unsigned long long *context)
{
	struct sock *sk = (struct sock *)context[0];
	__u32 window = tcp_reno_undo_cwnd(sk);

	state_of(sk)->reno = window;
	return window;
}

SECTION(".struct_ops")
struct tcp_congestion_ops ALGORITHM = {
	.init = (void *)yield_init,
	.pkts_acked = (void *)yield_pkts_acked,
	.cong_avoid = (void *)yield_cong_avoid,
	.ssthresh = (void *)yield_ssthresh,
	.undo_cwnd = (void *)yield_undo_cwnd,
	.name = TEXT(ALGORITHM),
};
