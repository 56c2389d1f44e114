import type { Link } from './link.ts';
import { POISSON_UNSUPPORTED } from './traces.ts';

/** An Ethernet frame around a packet of 1500 bytes. */
const FRAME_BYTES = 1514;

/**
 * Throws an Error of one line for a link that its emulator does not support, and for values that exclude each other.
 */
export function checkEmulator(link: Link, emulator: 'mahimahi' | 'p4'): void {
  if (emulator === 'mahimahi') checkMahimahi(link);
  checkJitter(link);
  checkThreshold(link);
}

function checkMahimahi({ rate, jitter_ms, threshold, weights }: Link): void {
  if (rate.kind === 'poisson') throw new Error(POISSON_UNSUPPORTED);
  const asked = [
    jitter_ms !== undefined && '--jitter',
    threshold && `--${threshold.action}-above`,
    weights && '--weights',
  ].find((option) => option);
  if (asked)
    throw new Error(`${asked} needs the P4 switch, because mahimahi does not support it: run ... --link p4`);
}

/** Jitter above half the RTT would deliver frames before they are sent. */
function checkJitter({ jitter_ms = 0, rtt_ms }: Link): void {
  if (jitter_ms <= rtt_ms / 2) return;
  throw new Error(
    `--jitter is ${jitter_ms} ms, more than the delay of ${rtt_ms / 2} ms each way, half the round trip`,
  );
}

/**
 * The Reno flow that calibrates the link must fill it below the threshold, and the queue must be able to reach the
 * threshold.
 */
function checkThreshold({ threshold, rate, rtt_ms, queue_bytes }: Link): void {
  if (!threshold) return;
  const { action, packets } = threshold;
  const least = rate.kind === 'constant' ? Math.ceil((rate.mbps * 1000 * rtt_ms) / 8 / FRAME_BYTES) : 1;
  const most = Math.floor(queue_bytes / FRAME_BYTES) - 1;
  if (packets >= least && packets <= most) return;
  throw new Error(
    least > most
      ? `--${action}-above needs a queue of ${(least + 1) * FRAME_BYTES} bytes or more: --queue`
      : `--${action}-above is ${packets} packets, but must be at least ${least}, one bandwidth-delay product, and at ` +
          `most ${most}, which the queue of ${queue_bytes} bytes reaches`,
  );
}
