import { kbps, type Kbps } from '../src/units.ts';
import type { PaceReason, PaceVerdict } from './policy.ts';

/**
 * How the handler tells its verdict to the layer that owns the client's socket (edge/local here, VCL at
 * Fastly). That layer applies the pace, takes these headers off and writes the receipt. They mean
 * something in a response of the handler only: what a client or an origin sends under these names is dropped.
 */
export const INTERNAL_HEADERS = {
  pace: 'X-Sammy-Pace-Kbps',
  reason: 'X-Sammy-Pace-Reason',
  asked: 'X-Sammy-Rtp-Kbps',
  /** Written by Compute only, when its operator wants another than the kernel's default. */
  congestionControl: 'X-Sammy-Congestion-Control',
} as const;

/** Replaces whatever stood under these names. */
export function writeVerdict(headers: Headers, verdict: PaceVerdict): void {
  stripInternal(headers);
  if (verdict.pace !== null) headers.set(INTERNAL_HEADERS.pace, String(verdict.pace));
  if (verdict.asked !== null) headers.set(INTERNAL_HEADERS.asked, String(verdict.asked));
  headers.set(INTERNAL_HEADERS.reason, verdict.reason);
}

/** Reads the verdict and takes its headers off; null when the response did not come from the handler. */
export function takeVerdict(headers: Headers): PaceVerdict | null {
  const reason = headers.get(INTERNAL_HEADERS.reason) as PaceReason | null;
  const rate = (name: string): Kbps | null => {
    const text = headers.get(name);
    return text === null ? null : kbps(Number(text));
  };
  const verdict = reason && {
    pace: rate(INTERNAL_HEADERS.pace),
    asked: rate(INTERNAL_HEADERS.asked),
    reason,
  };
  stripInternal(headers);
  return verdict;
}

function stripInternal(headers: Headers): void {
  for (const name of Object.values(INTERNAL_HEADERS)) headers.delete(name);
}
