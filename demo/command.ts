import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { congestionControls } from '../edge/local/kernel/socket-options.ts';
import { startEdge } from '../edge/local/server.ts';
import { RESPONSE_BYTES } from '../emulation/player/neighbors/http/response-bytes.ts';
import type { Content } from '../media/cached-ladder.ts';
import { ensureDefaultContent } from '../media/sources/footage.ts';
import { missingLiveReason } from '../p4/switch/live/missing-live-reason.ts';
import { firstEndingSignal } from '../system/ending-signals.ts';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { closeTogether } from '../system/close-together.ts';
import { startBottleneck } from './bottleneck/bottleneck.ts';
import { demoLink, firstAppetite, readBottleneck, turnLength_s } from './bottleneck/demo-link.ts';
import { startRelay } from './bottleneck/relay.ts';
import { buildPage } from './build-page.ts';
import type { BottleneckFacts, DemoFacts } from './facts.ts';
import { Feed } from './measures/feed.ts';
import { measuresRoute } from './measures/measures-route.ts';
import { measureTraffic, TRAFFIC_EVERY_MS } from './measures/traffic-meter.ts';
import { demoHandler } from './site.ts';

const DEFAULT_PORT = 8080;
/**
 * The number of repetitions of the one-minute content. Behind a bottleneck, the repeated content must be longer than
 * `LONG_BUFFER_S`.
 */
const FILM_TIMES = 10;
/**
 * Buffer level of the players behind a bottleneck. The paper's player buffers minutes, and the neighbor profits while a
 * player fills its buffer.
 */
const LONG_BUFFER_S = 240;

const commandLine = defineCommandLine({
  command: 'npm start',
  usage: '[-- options]',
  about:
    'The demo: stock dash.js and dash.js with Sammy side by side, with the traffic of each. Prints the address to open.',
  options: {
    port: {
      valueName: 'N',
      about: `where to listen (${DEFAULT_PORT}, or a free port if that is taken)`,
      parse: wholeNumber(0, 65_535),
    },
    host: { valueName: 'H', about: 'the address to listen on (127.0.0.1)' },
    'allow-origin': {
      valueName: 'URL',
      about: 'lets the page play manifests from this origin too: open /?mpd=URL; may be repeated',
      isRepeated: true,
    },
    bottleneck: {
      valueName: 'MBPS',
      about:
        "puts the edge behind a link of this rate (round-trip time 5 ms, or 40 ms below 20 Mbit/s; a queue of four times that) that a neighbor shares, which downloads 3 MB again and again; the players take turns, and the page shows the queue and the neighbor's response times under each (Linux, root)",
      parse: readBottleneck,
    },
  },
});
export const { help } = commandLine;

interface Demo {
  readonly url: string;
  /** Rejects when the demo cannot continue. */
  readonly died?: Promise<never>;
  close(): Promise<void>;
}

interface Place {
  readonly port: number | undefined;
  readonly host: string;
}

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { port, host = '127.0.0.1', 'allow-origin': allowed = [], bottleneck: mbps } = values;
  const place: Place = { port, host };
  if (mbps !== undefined && allowed.length > 0) {
    throw new Error(
      '--allow-origin and --bottleneck exclude each other: behind the bottleneck, the edge reaches no other origin',
    );
  }
  const missing = mbps === undefined ? undefined : missingLiveReason();
  if (missing !== undefined) {
    console.error(
      `Cannot make a bottleneck (${missing}). It needs root on Linux: sudo npm start -- --bottleneck MBPS. Starting without it.`,
    );
  }

  const film = await ensureDefaultContent();
  // A Ctrl-C in a terminal arrives twice, once through npm's launcher. The second signal must not end the process
  // before everything below is closed.
  const interrupted = firstEndingSignal();
  const demo =
    mbps === undefined || missing !== undefined
      ? await startPlain(film, place, allowed)
      : await startBehind(mbps, film, place);
  console.log(
    `\n  Open ${demo.url}/ in a browser. Press Ctrl-C to stop.\n\n  Content: ${film.title}. ${film.credit ?? ''}\n`,
  );
  try {
    await Promise.race([interrupted, ...(demo.died ? [demo.died] : [])]);
  } finally {
    await demo.close();
  }
}

async function startPlain(film: Content, place: Place, allowed: readonly string[]): Promise<Demo> {
  const facts = await readFacts(film, null);
  const feed = new Feed();
  const handler = await demoHandler({
    page: await buildPage(),
    film: film.directory,
    times: FILM_TIMES,
    facts,
    allowed,
    measures: measuresRoute(feed),
  });
  const edge = await startAt(place, (at) => startEdge({ handler, ...at }));
  facts.cannotPace = edge.cannotPace;
  const stopMeasuring = await measureTraffic(TRAFFIC_EVERY_MS, (traffic) => feed.add({ traffic }));
  return {
    url: edge.url,
    close() {
      stopMeasuring();
      return edge.close();
    },
  };
}

const startBehind = (mbps: number, film: Content, place: Place): Promise<Demo> =>
  closeTogether(async (onClose) => {
    const link = demoLink(mbps);
    // Do not use the usual folder, because other users could not replace files that root writes there.
    const page = mkdtempSync(join(tmpdir(), 'dashjs-sammy-demo-'));
    onClose(() => rmSync(page, { recursive: true, force: true }));
    const spec = {
      page: await buildPage(page),
      film: film.directory,
      times: FILM_TIMES,
      facts: await readFacts(film, {
        mbps,
        rtt_ms: link.rtt_ms,
        queue_bytes: link.queue_bytes,
        full_ms: (link.queue_bytes * 8) / 1000 / mbps,
        turn_s: turnLength_s(link),
        appetite: firstAppetite(link),
        response_bytes: RESPONSE_BYTES,
        buffer_s: LONG_BUFFER_S,
      }),
    };
    const behind = await startBottleneck(link, spec, (to) => startAt(place, (at) => startRelay(at, to)));
    onClose(() => behind.close());
    return { url: behind.url, died: behind.died };
  });

async function readFacts(
  { title, credit, license }: Content,
  bottleneck: BottleneckFacts | null,
): Promise<DemoFacts> {
  const { available } = await congestionControls();
  return { film: { title, credit, license }, cannotPace: null, congestionControls: available, bottleneck };
}

/**
 * Starts at the requested port. Without a request, starts at the usual port or, if that port is taken, at any free
 * port.
 */
async function startAt<Started>(
  { port, host }: Place,
  start: (at: { readonly port: number; readonly host: string }) => Promise<Started>,
): Promise<Started> {
  if (port !== undefined) return start({ host, port });
  try {
    return await start({ host, port: DEFAULT_PORT });
  } catch {
    console.error(`Port ${DEFAULT_PORT} is in use; using a free port instead.`);
    return start({ host, port: 0 });
  }
}
