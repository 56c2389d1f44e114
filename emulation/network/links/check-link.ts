import type { Link } from './link.ts';
import { checkRate } from './traces.ts';

/** The lowest rate. Below it the calibration would take half a minute, and loading the page three minutes. */
const LEAST_MBPS = 0.3;

/**
 * Checks a link before anything is started. Throws an Error that tells what is wrong, or why no calibration could pass.
 */
export async function checkLink({ rate, rtt_ms, queue_bytes }: Link): Promise<void> {
  await checkRate(rate);
  if (rate.kind !== 'constant') return;
  if (rate.mbps < LEAST_MBPS)
    throw new Error(
      `a link of ${rate.mbps} Mbit/s is too slow to be calibrated; from ${LEAST_MBPS} Mbit/s on`,
    );
  const bdp_bytes = (rate.mbps * 1000 * rtt_ms) / 8;
  if (queue_bytes < bdp_bytes)
    throw new Error(
      `a queue of ${queue_bytes} bytes is less than the ${bdp_bytes} bytes of one bandwidth-delay product, and the ` +
        `Reno flow that calibrates the link cannot fill it; --queue ${Math.ceil(bdp_bytes)} or more`,
    );
}
