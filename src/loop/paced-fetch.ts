import { demand } from '../demand.ts';
import { addKeys, urlWithRtp } from '../host/cmcd.ts';
import { GOODPUT_OF_PACE } from '../pace/pace.ts';
import { kbps, type Kbps } from '../units.ts';
import { FLOOR_KEY, PLUGIN_KEY, roundUpToRtp } from '../wire/rtp.ts';
import { parseReceipt } from '../wire/receipt.ts';

export interface PacedFetchOptions extends Pick<RequestInit, 'signal' | 'credentials'> {
  /** When the whole download has to be there, s from now; above 0. */
  readonly deadline_s: number;
}

/** The first part, which tells how large the whole is, and its pace: it is there in two seconds. */
const FIRST_PART_BYTES = 256 * 1024;
const FIRST_PACE = kbps(1000);
/** A part of a download takes about so long: edges pace no response for longer than 120 s. */
const PART_S = 20;
/** Where the edge yields, it may be so much faster than it has to: others have what they want first. */
const AHEAD = 2;
/** Below this, a deadline is over. */
const LEAST_LEFT_S = 0.1;

/** What a part of a download has to reach. */
export interface PartRates {
  readonly pace: Kbps;
  readonly floor: Kbps;
  readonly bytes: number;
}

/** The rates of the next part, and its size, with so much left to download in so long. */
export function ratesOf(left_bytes: number, left_s: number, yields: boolean): PartRates {
  const needed = (left_bytes * 8) / 1000 / Math.max(LEAST_LEFT_S, left_s) / GOODPUT_OF_PACE;
  const floor = roundUpToRtp(kbps(needed));
  const pace = yields ? kbps(floor * AHEAD) : floor;
  return { pace, floor, bytes: Math.max(FIRST_PART_BYTES, Math.ceil((floor * 1000 * PART_S) / 8)) };
}

/**
 * Fetches what need not be there before a deadline, as slowly as that allows: a paced edge sends it at the rate that just
 * suffices, in parts (`Range`), and an edge that yields gives way to others besides. A server that sends no parts sends the
 * whole as it likes. The response is that of the whole. Throws as `fetch` does, and an Error that names an invalid option;
 * its body fails where the content changes under way.
 */
export async function pacedFetch(url: string, options: PacedFetchOptions): Promise<Response> {
  const { deadline_s, ...init } = options;
  demand(deadline_s > 0 && deadline_s < Infinity, 'option deadline_s', deadline_s, 'seconds above 0');
  const until_ms = performance.now() + deadline_s * 1000;
  const ask = (from: number, rates: PartRates): Promise<Response> => {
    const request = { url: urlWithRtp(url, [PLUGIN_KEY, `rtp=${rates.pace}`]) };
    addKeys(request, [`${FLOOR_KEY}=${rates.floor}`]);
    return fetch(request.url, { ...init, headers: { Range: `bytes=${from}-${from + rates.bytes - 1}` } });
  };
  const first = await ask(0, { pace: FIRST_PACE, floor: FIRST_PACE, bytes: FIRST_PART_BYTES });
  const total = totalOf(first);
  if (first.status !== 206 || total === undefined || !first.body) return first;
  const yields =
    parseReceipt((name) => first.headers.get(name)).congestion_control?.startsWith('yield') ?? false;

  let reader = first.body.getReader();
  let received = 0;
  let partEnd = Math.min(total, FIRST_PART_BYTES);
  const next = async (): Promise<void> => {
    const rates = ratesOf(total - received, (until_ms - performance.now()) / 1000, yields);
    const part = await ask(received, rates);
    if (part.status !== 206 || totalOf(part) !== total || !part.body)
      throw new Error(`${url}: status ${part.status} instead of a part of the same content`);
    partEnd = Math.min(total, received + rates.bytes);
    reader = part.body.getReader();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (!done) {
          received += value.length;
          controller.enqueue(value);
          return;
        }
        if (received === total) {
          controller.close();
          return;
        }
        if (received !== partEnd) throw new Error(`${url}: a part broke off after ${received} bytes`);
        await next();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const headers = new Headers(first.headers);
  headers.delete('Content-Range');
  headers.set('Content-Length', String(total));
  return new Response(body, { status: 200, headers });
}

/** The size of the whole, of which a response is a part; undefined where it does not say. */
function totalOf({ headers }: Response): number | undefined {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('Content-Range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}
