import { readFile, writeFile } from 'node:fs/promises';

/**
 * The kernel's limits for the burst of a paced connection. A burst holds the packets of one millisecond at the
 * connection's pace, but at least `tcp_min_tso_segs` packets (net/ipv4/tcp_output.c, tcp_tso_autosize; 2 by default),
 * and at most 1/`tcp_tso_win_divisor` of the congestion window. Without a queueing discipline, `tcp_min_tso_segs` is the
 * only control. These settings apply to the whole machine, so they are restored after the run.
 */
const MIN_SEGMENTS = '/proc/sys/net/ipv4/tcp_min_tso_segs';
const WINDOW_DIVISOR = '/proc/sys/net/ipv4/tcp_tso_win_divisor';

/** Sets the burst of all connections, in packets. Returns a function that restores the kernel's settings. */
export async function setBurst(packets: number): Promise<() => Promise<void>> {
  const before = await Promise.all([readFile(MIN_SEGMENTS, 'utf8'), readFile(WINDOW_DIVISOR, 'utf8')]);
  await writeFile(MIN_SEGMENTS, String(packets));
  await writeFile(WINDOW_DIVISOR, '1');
  return async () => {
    await writeFile(MIN_SEGMENTS, before[0]);
    await writeFile(WINDOW_DIVISOR, before[1]);
  };
}
