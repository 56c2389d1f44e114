import { kbps, type Kbps } from '../src/units.ts';
import type { ConnectionReason, PaceReason, Verdict } from './policy.ts';

/**
 * How the handler tells its verdict to the layer that owns the client's socket (edge/local here, VCL at
 * Fastly). That layer applies it, takes these headers off and writes the receipt. They mean
 * something in a response of the handler only: what a client or an origin sends under these names is dropped.
 */
export const INTERNAL_HEADERS = {
  pace: 'X-Sammy-Pace-Kbps',
  reason: 'X-Sammy-Pace-Reason',
  asked: 'X-Sammy-Rtp-Kbps',
  connectionPace: 'X-Sammy-Connection-Pace-Kbps',
  connectionReason: 'X-Sammy-Connection-Reason',
  congestionControl: 'X-Sammy-Congestion-Control',
} as const satisfies Record<keyof Verdict, string>;

const rate = (text: string): Kbps => kbps(Number(text));

/** How each property is read from its header. One that is null has no header. */
const READERS: { readonly [Property in keyof Verdict]: (text: string) => Verdict[Property] } = {
  pace: rate,
  reason: (text) => text as PaceReason,
  asked: rate,
  connectionPace: rate,
  connectionReason: (text) => text as ConnectionReason,
  congestionControl: (text) => text,
};

const PROPERTIES = Object.keys(INTERNAL_HEADERS) as (keyof Verdict)[];

/** Replaces whatever stood under these names. */
export function writeVerdict(headers: Headers, verdict: Verdict): void {
  stripInternal(headers);
  for (const property of PROPERTIES) {
    const value = verdict[property];
    if (value !== null) headers.set(INTERNAL_HEADERS[property], String(value));
  }
}

/** Reads the verdict and takes its headers off; null when the response did not come from the handler. */
export function takeVerdict(headers: Headers): Verdict | null {
  const read = PROPERTIES.map((property) => {
    const text = headers.get(INTERNAL_HEADERS[property]);
    return [property, text === null ? null : READERS[property](text)] as const;
  });
  stripInternal(headers);
  const verdict = Object.fromEntries(read) as unknown as Verdict;
  // Every verdict has a reason.
  return (verdict.reason as PaceReason | null) === null ? null : verdict;
}

function stripInternal(headers: Headers): void {
  for (const name of Object.values(INTERNAL_HEADERS)) headers.delete(name);
}
