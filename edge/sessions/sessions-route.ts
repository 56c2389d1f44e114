import { milliseconds } from '../../src/units.ts';
import type { EdgeExperiments } from '../experiments.ts';
import type { Handler } from '../handler.ts';
import { plainResponse } from '../origin.ts';
import { readBeacon } from './beacon.ts';

/** Where pages send their sessions' beacons. */
export const SESSIONS_PATH = '/.sammy/v1/sessions';

/** The largest beacon; browsers themselves let sendBeacon queue at most 64 kB. */
export const MOST_BEACON_BYTES = 16 * 1024;

/** The time for a beacon to arrive. */
const ARRIVAL_MS = milliseconds(10_000);

/** What became of a row that was given to the store. */
export type Stored = 'stored' | 'full' | 'failed';

export interface SessionsOptions {
  readonly experiments: EdgeExperiments;
  /** Takes a row as a line of JSON, without its end. */
  readonly store: (line: string) => Stored;
  /** How long a body may take. */
  readonly arrival?: typeof ARRIVAL_MS;
}

/** Takes beacons at SESSIONS_PATH, and leaves all other requests to the handler. */
export function takeSessions(handler: Handler, options: SessionsOptions): Handler {
  const { experiments, store, arrival = ARRIVAL_MS } = options;
  return async (request) => {
    if (request.method === 'OPTIONS' || new URL(request.url).pathname !== SESSIONS_PATH)
      return handler(request);
    if (request.method !== 'POST') {
      return plainResponse(405, `${request.method} is not supported here; use POST`, { Allow: 'POST' });
    }
    const text = await readText(request, arrival);
    if (text === 'too long') return answer(413, `a beacon has at most ${MOST_BEACON_BYTES} bytes`);
    if (text === 'too late') return answer(408, 'the beacon did not arrive in time');
    let line: string;
    try {
      line = JSON.stringify(readBeacon(text.beacon, experiments));
    } catch (error) {
      return answer(400, error instanceof Error ? error.message : String(error));
    }
    const stored = store(line);
    return stored === 'stored' ? answer(204, null) : answer(503, 'the store takes no more for now');
  };
}

/** Any page may send beacons and read the answer, which has nothing of others in it. */
function answer(status: number, line: string | null): Response {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' };
  return line === null ? new Response(null, { status, headers }) : plainResponse(status, line, headers);
}

/** Reads a body of limited length within limited time. What is left of a longer one is not waited for. */
async function readText(
  { body, headers }: Request,
  arrival: typeof ARRIVAL_MS,
): Promise<{ readonly beacon: string } | 'too long' | 'too late'> {
  if (Number(headers.get('Content-Length') ?? 0) > MOST_BEACON_BYTES) return 'too long';
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'too late'>((resolve) => (timer = setTimeout(() => resolve('too late'), arrival)));
  let [beacon, length] = ['', 0];
  try {
    while (reader) {
      const piece = await Promise.race([reader.read(), late]);
      if (piece === 'too late') return piece;
      if (piece.done) break;
      length += piece.value.length;
      if (length > MOST_BEACON_BYTES) return 'too long';
      beacon += decoder.decode(piece.value, { stream: true });
    }
    return { beacon: beacon + decoder.decode() };
  } finally {
    clearTimeout(timer);
  }
}
