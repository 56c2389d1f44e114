import { milliseconds } from '../../src/units.ts';
import { getCluster } from '../cluster.ts';
import type { EdgeExperiments } from '../experiments.ts';
import type { Handler } from '../handler.ts';
import { plainResponse } from '../origin.ts';
import { readBeacon, type SessionRow } from './beacon.ts';

/** The path for session beacons of pages. */
export const SESSIONS_PATH = '/.sammy/v1/sessions';

/** The largest beacon; browsers themselves let sendBeacon queue at most 64 kB. */
export const MOST_BEACON_BYTES = 16 * 1024;

/** The time for a beacon to arrive. */
const ARRIVAL_MS = milliseconds(10_000);

/** The result of storing a row. `over-share`: too many rows came from the same address. */
export type Stored = 'stored' | 'full' | 'over-share' | 'failed';

/** Beacons that are rejected without parsing, and their responses. */
const REFUSED = {
  'too-long': [413, `a beacon has at most ${MOST_BEACON_BYTES} bytes`],
  'too-late': [408, 'the beacon did not arrive in time'],
  'broken-off': [400, 'the beacon broke off'],
  compressed: [415, 'a beacon comes as it is, without Content-Encoding'],
} as const;

/** The outcome of a beacon. The sender of an `invalid` beacon gets the reason. */
export type BeaconOutcome =
  | 'stored'
  | 'invalid'
  | keyof typeof REFUSED
  | `store-${Exclude<Stored, 'stored'>}`;

export interface SessionsOptions {
  readonly experiments: EdgeExperiments;
  /** Stores a row as a line of JSON, without the line's end. Also gets the request that contained the beacon. */
  readonly store: (line: string, request: Request) => Stored;
  /** The time limit for receiving a body. */
  readonly arrival?: typeof ARRIVAL_MS;
  /** Called for each beacon, with its row if valid. */
  readonly onBeacon?: (outcome: BeaconOutcome, row?: SessionRow) => void;
}

/** Handles beacons at SESSIONS_PATH, and passes all other requests to the handler. */
export function takeSessions(handler: Handler, options: SessionsOptions): Handler {
  const { experiments, store, arrival = ARRIVAL_MS, onBeacon = () => undefined } = options;
  return async (request) => {
    if (request.method === 'OPTIONS' || new URL(request.url).pathname !== SESSIONS_PATH)
      return handler(request);
    if (request.method !== 'POST') {
      return plainResponse(405, `${request.method} is not supported here; use POST`, { Allow: 'POST' });
    }
    const text = await readText(request, arrival);
    if ('refused' in text) {
      onBeacon(text.refused);
      const [status, line] = REFUSED[text.refused];
      return answer(status, line);
    }
    let row: SessionRow;
    try {
      const cluster = getCluster(experiments.cluster, request.headers);
      row = readBeacon(text.beacon, { ...experiments, cluster });
    } catch (error) {
      onBeacon('invalid');
      return answer(400, error instanceof Error ? error.message : String(error));
    }
    const stored = store(JSON.stringify(row), request);
    onBeacon(stored === 'stored' ? stored : `store-${stored}`, row);
    if (stored === 'stored') return answer(204, null);
    return stored === 'over-share'
      ? answer(429, 'your address has stored its part of this hour')
      : answer(503, 'the store takes no more for now');
  };
}

/** Any page may send beacons and read the response, which contains nothing about others. */
function answer(status: number, line: string | null): Response {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' };
  return line === null ? new Response(null, { status, headers }) : plainResponse(status, line, headers);
}

/** Reads a body of limited length within limited time. The remainder of a longer body is not awaited. */
async function readText(
  { body, headers }: Request,
  arrival: typeof ARRIVAL_MS,
): Promise<{ readonly beacon: string } | { readonly refused: keyof typeof REFUSED }> {
  const tooLong = { refused: 'too-long' } as const;
  if ((headers.get('Content-Encoding') ?? 'identity') !== 'identity') return { refused: 'compressed' };
  if (Number(headers.get('Content-Length') ?? 0) > MOST_BEACON_BYTES) return tooLong;
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'too late'>((resolve) => (timer = setTimeout(() => resolve('too late'), arrival)));
  let [beacon, length] = ['', 0];
  try {
    while (reader) {
      const piece = await Promise.race([reader.read(), late]);
      if (piece === 'too late') return { refused: 'too-late' };
      if (piece.done) break;
      length += piece.value.length;
      if (length > MOST_BEACON_BYTES) return tooLong;
      beacon += decoder.decode(piece.value, { stream: true });
    }
    return { beacon: beacon + decoder.decode() };
  } catch {
    // The client has disconnected, or sends invalid HTTP.
    return { refused: 'broken-off' };
  } finally {
    clearTimeout(timer);
  }
}
