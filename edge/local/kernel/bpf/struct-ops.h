/*
 * Declarations that all BPF congestion controls share. ALGORITHM is the name in the kernel. It contains the process id
 * (-DALGORITHM=<name><process id>), so that two processes do not conflict. vmlinux.h contains the running kernel's own
 * types (bpftool btf dump).
 */
#include "vmlinux.h"

#define SECTION(name) __attribute__((section(name), used))
#define KERNEL_FUNCTION extern __attribute__((section(".ksyms")))
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

char declared_license[] SECTION("license") = "GPL";

/**
 * Increases the window by one for each acknowledged packet, up to ssthresh. Returns the number of acknowledged packets
 * that are left.
 */
KERNEL_FUNCTION __u32 tcp_slow_start(struct tcp_sock *tp, __u32 acked);
/** Increases the window by one for every `w` acknowledged packets. */
KERNEL_FUNCTION void tcp_cong_avoid_ai(struct tcp_sock *tp, __u32 w, __u32 acked);
KERNEL_FUNCTION __u32 tcp_reno_ssthresh(struct sock *sk);
KERNEL_FUNCTION __u32 tcp_reno_undo_cwnd(struct sock *sk);

static inline __attribute__((always_inline)) int in_slow_start(const struct tcp_sock *tp)
{
	return tp->snd_cwnd < tp->snd_ssthresh;
}

/** Whether the window limited sending. A window that is not fully used must not grow. */
static inline __attribute__((always_inline)) int is_window_limited(const struct tcp_sock *tp)
{
	if (tp->is_cwnd_limited)
		return 1;
	return in_slow_start(tp) && tp->snd_cwnd < 2 * tp->max_packets_out;
}
