import { existsSync } from 'node:fs';
import { release } from 'node:os';

/**
 * The kernel (from 5.18 on) adds 64 kB / 2^(RTT in µs / 2^this) to the size of a burst. With `ANY_RTT_LOG` every round trip
 * counts as a short one, as those of the links are that are scaled down here.
 */
export const BURST_SETTING = 'net/ipv4/tcp_tso_rtt_log';
export const ANY_RTT_LOG = 31;

/** The reason why this machine's kernel cannot send bursts of this size over any round trip; undefined if possible. */
export const burstProblem = (burst_packets: number, settings = '/proc/sys'): string | undefined =>
  burst_packets === 1 || existsSync(`${settings}/${BURST_SETTING}`)
    ? undefined
    : `bursts of ${burst_packets} packets need Linux 5.18 or later, and this is ${release()}`;
