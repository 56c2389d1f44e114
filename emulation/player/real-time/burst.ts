import { readFile, writeFile } from 'node:fs/promises';

/**
 * The burst of a paced connection: TCP hands the interface segments of as many packets as it sends in a millisecond
 * at its pace, but at least `tcp_min_tso_segs` at once (net/ipv4/tcp_output.c, tcp_tso_autosize; 2 by default), and
 * no more than 1/`tcp_tso_win_divisor` of its window. The first is the kernel's only say in it short of a queueing
 * discipline, and is the whole machine's: it is put back after the run.
 */
const MIN_SEGMENTS = '/proc/sys/net/ipv4/tcp_min_tso_segs';
const WINDOW_DIVISOR = '/proc/sys/net/ipv4/tcp_tso_win_divisor';

/** Returns what puts the kernel back as it was. */
export async function setBurst(packets: number): Promise<() => Promise<void>> {
  const before = await Promise.all([readFile(MIN_SEGMENTS, 'utf8'), readFile(WINDOW_DIVISOR, 'utf8')]);
  await writeFile(MIN_SEGMENTS, String(packets));
  await writeFile(WINDOW_DIVISOR, '1');
  return async () => {
    await writeFile(MIN_SEGMENTS, before[0]);
    await writeFile(WINDOW_DIVISOR, before[1]);
  };
}
