import { milliseconds } from '../../src/units.ts';
import { getCluster } from '../cluster.ts';
import type { EdgeExperiments } from '../experiments.ts';
import type { Handler } from '../handler.ts';
import { plainResponse } from '../origin.ts';
import { readBeacon, type SessionRow } from './beacon.ts';

/** The path to which pages send session beacons. */
export const SESSIONS_PATH = '/.sammy/v1/sessions';

/** The maximum size of a beacon. Browsers limit sendBeacon to 64 kB. */
export const MOST_BEACON_BYTES = 16 * 1024;

/** The default time limit for receiving a beacon. */
const ARRIVAL_MS = milliseconds(10_000);

/** The result of storing a row. `over-share`: too many rows came from the same address. */
export type Stored = 'stored' | 'full' | 'over-share' | 'failed';

/** Reasons for which a beacon is rejected without parsing, and the responses. */
const REFUSED = {
  'too-long': [413, `a beacon has at most ${MOST_BEACON_BYTES} bytes`],
  'too-late': [408, 'the beacon did not arrive in time'],
  'broken-off': [400, 'the beacon is incomplete'],
  compressed: [415, 'send the beacon without Content-Encoding'],
} as const;

/** The outcome of a beacon. The response to an `invalid` beacon has the reason. */
export type BeaconOutcome =
  | 'stored'
  | 'invalid'
  | keyof typeof REFUSED
  | `store-${Exclude<Stored, 'stored'>}`;

export interface SessionsOptions {
  readonly experiments: EdgeExperiments;
  /** Stores a row, which is a line of JSON without the line's end. `request` contained the beacon. */
  readonly store: (line: string, request: Request) => Stored;
  /** The time limit for receiving a body. */
  readonly arrival?: typeof ARRIVAL_MS;
  /** Called for each beacon. Valid beacons have a row. */
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

/** Returns a response. Any page may read it, because it contains nothing about other sessions. */
function answer(status: number, line: string | null): Response {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' };
  return line === null ? new Response(null, { status, headers }) : plainResponse(status, line, headers);
}

/** Reads a body of limited length within a time limit. Does not wait for the rest of a longer body. */
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
