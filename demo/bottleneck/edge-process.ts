// The servers behind the bottleneck, in their own network namespace: the edge with the content and the page, and the
// server that answers the neighbor. Measurements are made outside the namespace and arrive here as messages; the page
// polls them from the edge.
import { startEdge } from '../../edge/local/server.ts';
import { startHttpServer } from '../../emulation/player/neighbors/http/http-server.ts';
import { joinLab } from '../../emulation/ground/programs/join-lab.ts';
import { monotonic_ms } from '../../emulation/ground/clock/monotonic.ts';
import type { DemoFacts } from '../facts.ts';
import { Feed, type Measured } from '../measures/feed.ts';
import { measuresRoute } from '../measures/measures-route.ts';
import { measureTraffic, TRAFFIC_EVERY_MS } from '../measures/traffic-meter.ts';
import { demoHandler } from '../site.ts';
import { APPETITES, type Appetite } from './appetite.ts';

/** The program's only argument, as JSON. */
export interface EdgeSpec {
  readonly page: string;
  readonly film: string;
  readonly times: number;
  readonly facts: DemoFacts;
}

export interface Listening {
  readonly type: 'listening';
  readonly port: number;
  readonly neighborPort: number;
  readonly [field: string]: unknown;
}

/**
 * The answer to 'watched?': the appetite requested by a page that polled within `WATCHED_MS`; null without such a
 * page.
 */
export interface Watched {
  readonly type: 'watched';
  readonly appetite: Appetite | null;
  readonly [field: string]: unknown;
}

const WATCHED_MS = 3000;

const feed = new Feed();
let askedAt_ms = -Infinity;
let appetite: Appetite = 'modest';
const say = joinLab((message) => {
  if (message.type === 'measured') feed.add(message as unknown as Measured);
  else {
    const isWatched = monotonic_ms() - askedAt_ms < WATCHED_MS;
    say({ type: 'watched', appetite: isWatched ? appetite : null } satisfies Watched);
  }
});

const spec = JSON.parse(process.argv[2] ?? '') as EdgeSpec;
const { facts } = spec;

const measures = measuresRoute(feed, (query) => {
  appetite = APPETITES.find((name) => name === query.get('neighbor')) ?? 'modest';
  askedAt_ms = monotonic_ms();
});
const handler = await demoHandler({ ...spec, allowed: [], measures });
await measureTraffic(TRAFFIC_EVERY_MS, (traffic) => feed.add({ traffic }));
// Do not use the kernel's default, which may be bbr: a connection that begins with bbr stays paced.
const edge = await startEdge({ handler, host: '0.0.0.0', congestionControl: 'cubic' });
facts.cannotPace = edge.cannotPace;
const neighbor = await startHttpServer('reno');
say({ type: 'listening', port: edge.port, neighborPort: neighbor.port } satisfies Listening);
