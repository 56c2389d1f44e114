/*
 * TCP Vegas (Brakmo and Peterson, "TCP Vegas: End to End Congestion Avoidance on a Global Internet", 1995). Once per
 * round trip it compares its sending rate with the rate that an empty queue would allow. The difference, in packets,
 * is its share of the queue; it is kept between ALPHA and BETA. It responds to losses like Reno.
 */
#include "struct-ops.h"

#define ALPHA 2
#define BETA 4
/** A larger difference ends slow start. */
#define GAMMA 1
#define NO_SAMPLE 0x7fffffff

/** A flow's state, stored in the memory that the kernel reserves for a congestion control. */
struct vegas {
	/** The lowest round-trip time of the connection, µs. */
	__u32 base_rtt;
	/** The lowest round-trip time of the present round, µs. */
	__u32 round_rtt;
	/** The present round ends when this byte is acknowledged. */
	__u32 round_end;
	/**
	 * Whether the window is constant in this round. In slow start, rounds alternate: one round doubles the window, and the
	 * next keeps it constant to compare rates.
	 */
	__u32 still;
};

static inline __attribute__((always_inline)) struct vegas *state_of(struct sock *sk)
{
	return (struct vegas *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

SECTION("struct_ops/init")
void vegas_init(unsigned long long *context)
{
	struct vegas *state = state_of((struct sock *)context[0]);

	state->base_rtt = NO_SAMPLE;
	state->round_rtt = NO_SAMPLE;
	state->round_end = ((struct tcp_sock *)context[0])->snd_nxt;
	state->still = 0;
}

SECTION("struct_ops/pkts_acked")
void vegas_pkts_acked(unsigned long long *context)
{
	struct vegas *state = state_of((struct sock *)context[0]);
	const struct ack_sample *sample = (const struct ack_sample *)context[1];
	__s32 rtt = sample->rtt_us;

	if (rtt <= 0)
		return;
	if ((__u32)rtt < state->base_rtt)
		state->base_rtt = rtt;
	if ((__u32)rtt < state->round_rtt)
		state->round_rtt = rtt;
}

SECTION("struct_ops/ssthresh")
__u32 vegas_ssthresh(unsigned long long *context)
{
	return tcp_reno_ssthresh((struct sock *)context[0]);
}

SECTION("struct_ops/cong_avoid")
void vegas_cong_avoid(unsigned long long *context)
{
	struct tcp_sock *tp = (struct tcp_sock *)context[0];
	struct vegas *state = state_of((struct sock *)context[0]);
	__u32 acknowledged = (__u32)context[1];
	__u32 acked = (__u32)context[2];
	__u32 window = tp->snd_cwnd;
	__u32 rtt = state->round_rtt;
	__u32 waiting;

	if ((__s32)(acknowledged - state->round_end) < 0) {
		/* Within a round, only slow start changes the window. */
		if (in_slow_start(tp) && !state->still && is_window_limited(tp))
			tcp_slow_start(tp, acked);
		return;
	}
	state->round_end = tp->snd_nxt;
	state->round_rtt = NO_SAMPLE;
	state->still = !state->still;
	if (rtt == NO_SAMPLE || rtt == 0)
		return;
	/* window x (rtt - base) / rtt: the packets in flight beyond the capacity of the empty path. */
	waiting = (__u32)((__u64)window * (rtt - state->base_rtt) / rtt);
	if (in_slow_start(tp)) {
		/* `still` has just changed: the window was constant in the round that ended. */
		if (!state->still && waiting > GAMMA) {
			window = window > waiting + 2 ? window - waiting : 2;
			tp->snd_ssthresh = window;
			tp->snd_cwnd = window;
		}
		return;
	}
	if (waiting > BETA) {
		window = window > 2 ? window - 1 : 2;
		tp->snd_cwnd = window;
		/* A window below ssthresh would put the connection back into slow start. */
		if (tp->snd_ssthresh > window)
			tp->snd_ssthresh = window;
	} else if (waiting < ALPHA && is_window_limited(tp)) {
		tp->snd_cwnd = window + 1;
	}
}

SECTION("struct_ops/undo_cwnd")
__u32 vegas_undo_cwnd(unsigned long long *context)
{
	return tcp_reno_undo_cwnd((struct sock *)context[0]);
}

SECTION(".struct_ops")
struct tcp_congestion_ops ALGORITHM = {
	.init = (void *)vegas_init,
	.pkts_acked = (void *)vegas_pkts_acked,
	.ssthresh = (void *)vegas_ssthresh,
	.cong_avoid = (void *)vegas_cong_avoid,
	.undo_cwnd = (void *)vegas_undo_cwnd,
	.name = TEXT(ALGORITHM),
};
