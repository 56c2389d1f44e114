import { existsSync } from 'node:fs';
import { release } from 'node:os';

/**
 * Since 5.18, the kernel increases the burst size on short round trips: it adds 64 kB / 2^(RTT in µs / 2^this setting).
 * With `ANY_RTT_LOG`, every round trip counts as short. The scaled-down links here need that, because they stand for
 * links with shorter round trips.
 */
export const BURST_SETTING = 'net/ipv4/tcp_tso_rtt_log';
export const ANY_RTT_LOG = 31;

/** The reason why this machine's kernel cannot send bursts of this size over any round trip; undefined if possible. */
export const burstProblem = (burst_packets: number, settings = '/proc/sys'): string | undefined =>
  burst_packets === 1 || existsSync(`${settings}/${BURST_SETTING}`)
    ? undefined
    : `bursts of ${burst_packets} packets need Linux 5.18 or later, and this is ${release()}`;
