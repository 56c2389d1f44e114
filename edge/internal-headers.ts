import { kbps, type Kbps } from '../src/units.ts';
import type { ConnectionReason, PaceReason, Verdict } from './policy.ts';

/**
 * The headers in which the handler passes its verdict to the layer that owns the client's socket (edge/local, or VCL at
 * Fastly). That layer applies the verdict, removes these headers and writes the receipt. Headers with these names from
 * a client or an origin are removed.
 */
export const INTERNAL_HEADERS = {
  pace: 'X-Sammy-Pace-Kbps',
  reason: 'X-Sammy-Pace-Reason',
  asked: 'X-Sammy-Rtp-Kbps',
  connectionPace: 'X-Sammy-Connection-Pace-Kbps',
  connectionReason: 'X-Sammy-Connection-Reason',
  congestionControl: 'X-Sammy-Congestion-Control',
  floor: 'X-Sammy-Floor-Kbps',
} as const satisfies Record<keyof Verdict, string>;

const rate = (text: string): Kbps => kbps(Number(text));

/** For each property, a function that reads it from the text of its header. A null property has no header. */
const READERS: { readonly [Property in keyof Verdict]: (text: string) => Verdict[Property] } = {
  pace: rate,
  reason: (text) => text as PaceReason,
  asked: rate,
  connectionPace: rate,
  connectionReason: (text) => text as ConnectionReason,
  congestionControl: (text) => text,
  floor: rate,
};

const PROPERTIES = Object.keys(INTERNAL_HEADERS) as (keyof Verdict)[];

/** Writes the verdict, and removes any other headers of these names. */
export function writeVerdict(headers: Headers, verdict: Verdict): void {
  stripInternal(headers);
  for (const property of PROPERTIES) {
    const value = verdict[property];
    if (value !== null) headers.set(INTERNAL_HEADERS[property], String(value));
  }
}

/** Reads the verdict and removes its headers; null if the response did not come from the handler. */
export function takeVerdict(headers: Headers): Verdict | null {
  const read = PROPERTIES.map((property) => {
    const text = headers.get(INTERNAL_HEADERS[property]);
    return [property, text === null ? null : READERS[property](text)] as const;
  });
  stripInternal(headers);
  const verdict = Object.fromEntries(read) as unknown as Verdict;
  // Every verdict has a reason, so a response without a reason did not come from the handler.
  return (verdict.reason as PaceReason | null) === null ? null : verdict;
}

function stripInternal(headers: Headers): void {
  for (const name of Object.values(INTERNAL_HEADERS)) headers.delete(name);
}
