/*
 * Scalable TCP (Kelly, "Scalable TCP: Improving Performance in Highspeed Wide Area Networks", 2003): each
 * acknowledged packet adds 1/100 to the window, and a loss subtracts an eighth of the window. Below 100 packets it
 * grows like Reno.
 */
#include "struct-ops.h"

#define PACKETS_TO_GROW 100
#define LOSS_SHIFT 3

SECTION("struct_ops/ssthresh")
__u32 scalable_ssthresh(unsigned long long *context)
{
	const struct tcp_sock *tp = (const struct tcp_sock *)context[0];
	__u32 left = tp->snd_cwnd - (tp->snd_cwnd >> LOSS_SHIFT);

	return left > 2 ? left : 2;
}

SECTION("struct_ops/cong_avoid")
void scalable_cong_avoid(unsigned long long *context)
{
	struct tcp_sock *tp = (struct tcp_sock *)context[0];
	__u32 acked = (__u32)context[2];

	if (!is_window_limited(tp))
		return;
	if (in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		if (!acked)
			return;
	}
	tcp_cong_avoid_ai(tp, tp->snd_cwnd < PACKETS_TO_GROW ? tp->snd_cwnd : PACKETS_TO_GROW, acked);
}

SECTION("struct_ops/undo_cwnd")
__u32 scalable_undo_cwnd(unsigned long long *context)
{
	return tcp_reno_undo_cwnd((struct sock *)context[0]);
}

SECTION(".struct_ops")
struct tcp_congestion_ops ALGORITHM = {
	.ssthresh = (void *)scalable_ssthresh,
	.cong_avoid = (void *)scalable_cong_avoid,
	.undo_cwnd = (void *)scalable_undo_cwnd,
	.name = TEXT(ALGORITHM),
};
