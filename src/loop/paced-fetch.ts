import { demand } from '../demand.ts';
import { addKeys, urlWithRtp } from '../host/cmcd.ts';
import { GOODPUT_OF_PACE } from '../pace/pace.ts';
import { kbps, type Kbps } from '../units.ts';
import { FLOOR_KEY, PLUGIN_KEY, roundUpToRtp } from '../wire/rtp.ts';
import { parseReceipt, type Receipt } from '../wire/receipt.ts';

export interface PacedFetchOptions extends Pick<RequestInit, 'signal' | 'credentials'> {
  /** Seconds from now in which the whole download must complete; above 0. */
  readonly deadline_s: number;
}

/** The size of the first part, which takes two seconds at `FIRST_PACE`. Its response contains the total size. */
const FIRST_PART_BYTES = 256 * 1024;
const FIRST_PACE = kbps(1000);
/** Approximate duration of a part, s. Edges pace a response for at most 120 s. */
const PART_S = 20;
/**
 * The pace, as a multiple of the required rate, if the edge yields to other traffic. Other traffic then has priority
 * even at this pace.
 */
const AHEAD = 2;
const [PARTIAL, UNSATISFIABLE] = [206, 416];
/** A shorter remaining time is raised to this, s. */
const LEAST_LEFT_S = 0.1;

/** The rates and the size of a part of a download. */
export interface PartRates {
  readonly pace: Kbps;
  readonly floor: Kbps;
  readonly bytes: number;
}

/** Returns the rates and the size of the next part, given the remaining bytes and seconds. */
export function partRates(left_bytes: number, left_s: number, yields: boolean): PartRates {
  const needed = (left_bytes * 8) / 1000 / Math.max(LEAST_LEFT_S, left_s) / GOODPUT_OF_PACE;
  const floor = roundUpToRtp(kbps(needed));
  const pace = yields ? kbps(floor * AHEAD) : floor;
  return { pace, floor, bytes: Math.max(FIRST_PART_BYTES, Math.ceil((floor * 1000 * PART_S) / 8)) };
}

/**
 * Fetches a URL as slowly as a deadline allows. The content is requested in parts (`Range`), each at the lowest
 * sufficient pace. An edge that yields gives priority to other traffic. If the server does not support ranges, the
 * entire content is requested at once, at the required rate if its size is known. Resolves to a response with the
 * entire content. Throws like `fetch`, or an Error that names an invalid option. The body fails if the content changes
 * during the download.
 */
export async function pacedFetch(url: string, options: PacedFetchOptions): Promise<Response> {
  const { deadline_s, ...init } = options;
  demand(deadline_s > 0 && deadline_s < Infinity, 'option deadline_s', deadline_s, 'seconds above 0');
  const until_ms = performance.now() + deadline_s * 1000;
  const ask = (rates: Omit<PartRates, 'bytes'>, range: Record<string, string>): Promise<Response> => {
    const request = { url: urlWithRtp(url, [PLUGIN_KEY, `rtp=${rates.pace}`]) };
    addKeys(request, [`${FLOOR_KEY}=${rates.floor}`]);
    return fetch(request.url, { ...init, headers: range });
  };
  const requestPart = (from: number, rates: PartRates): Promise<Response> =>
    ask(rates, { Range: `bytes=${from}-${from + rates.bytes - 1}` });
  const first = await requestPart(0, { pace: FIRST_PACE, floor: FIRST_PACE, bytes: FIRST_PART_BYTES });
  const receipt = parseReceipt((name) => first.headers.get(name));
  const yields = receipt.congestion_control?.startsWith('yield') ?? false;
  const ratesFor = (left_bytes: number): PartRates =>
    partRates(left_bytes, (until_ms - performance.now()) / 1000, yields);

  const place = parseContentRange(first);
  if (place?.from !== 0 || !first.body) {
    if (isWhole(first, receipt)) return first;
    await first.body?.cancel();
    const size = first.status === PARTIAL ? undefined : contentLength(first);
    return first.ok && size !== undefined ? ask(ratesFor(size), {}) : fetch(url, init);
  }

  const { total } = place;
  let reader = first.body.getReader();
  let received = 0;
  let partEnd = Math.min(total, FIRST_PART_BYTES);
  const next = async (): Promise<void> => {
    const rates = ratesFor(total - received);
    const part = await requestPart(received, rates);
    const { from, total: of } = parseContentRange(part) ?? {};
    if (from !== received || of !== total || !isSameVersion(first, part) || !part.body) {
      await part.body?.cancel();
      throw new Error(`${url}: status ${part.status} instead of a part of the same content`);
    }
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
        if (received !== partEnd)
          throw new Error(`${url}: the response ended after ${received} bytes, before the end of its range`);
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

/**
 * Whether to return this response as it is: an error, or the entire content unless it arrives slowly. A large paced
 * response would arrive at the low pace of the first part.
 */
function isWhole(response: Response, { pace_kbps }: Receipt): boolean {
  if (response.status === PARTIAL || response.status === UNSATISFIABLE) return false;
  return !response.ok || typeof pace_kbps !== 'number' || Number(contentLength(response)) <= FIRST_PART_BYTES;
}

/**
 * Returns the position of a part and the total size; undefined if the response is not a part or has no usable range.
 */
function parseContentRange({ status, headers }: Response) {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('Content-Range') ?? '') ?? [];
  return status === PARTIAL && from !== undefined ? { from: Number(from), total: Number(total) } : undefined;
}

const contentLength = ({ headers }: Response): number | undefined =>
  Number(headers.get('Content-Length')) || undefined;

/**
 * False if the entity tags differ. If a page cannot read them, because the server is another origin that does not
 * expose the header, the versions are assumed to be the same.
 */
function isSameVersion(one: Response, other: Response): boolean {
  const [before, now] = [one.headers.get('ETag'), other.headers.get('ETag')];
  return before === null || now === null || before === now;
}
