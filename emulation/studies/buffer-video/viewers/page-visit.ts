import { asChromium } from '../../../player/page/in-process/as-chromium.ts';
import { FilmEdge } from '../../../player/page/in-process/film-edge.ts';
import { FilmServer } from '../../../player/page/in-process/film-server.ts';
import { openLabPage } from '../../../player/page/lab/lab-page.ts';
import { randomStream } from '../../world/arrivals.ts';
import type { PacketWire } from './packet-wire.ts';
import { PageWire } from './page-wire.ts';
import { SessionClock } from './session-clock.ts';
import {
  stays_s,
  TODAY_MS,
  VIEWERS_PATIENCE,
  wireFor,
  type Visit,
  type VisitParts,
  type Watched,
} from './visit.ts';

const ORIGIN = 'http://film.example';
/** The time after a session's end within which its page reports the result. */
const REPORT_WITHIN_MS = 1000;

/** A viewer whose player is dash.js itself. */
export class PageVisit implements Visit {
  readonly wire: PacketWire;
  readonly #network: VisitParts['network'];
  #watched: Watched | undefined;
  #error: Error | undefined;

  constructor(parts: VisitParts) {
    this.wire = wireFor(parts, () => undefined);
    this.#network = parts.network;
    parts.network.at(1000 * parts.session.at_s, () => this.#come(parts));
  }

  #come(parts: VisitParts): void {
    const { session, arm, film, seed } = parts;
    const clock = new SessionClock(this.#network, 1000 * session.at_s);
    openLabPage(
      {
        clock,
        wire: new PageWire(this.wire, new FilmEdge(new FilmServer(film)), clock),
        url: `${ORIGIN}/`,
        opened_ms: TODAY_MS,
        random: randomStream(seed, `page at ${session.at_s}`),
        busyWith: asChromium(film),
      },
      {
        ...{ arm, sammy: {}, seconds: stays_s(parts) },
        patience: { of: VIEWERS_PATIENCE, rank: session.rank },
        manifest: `${ORIGIN}/manifest.mpd`,
        // A data URL, because the sidecar is fetched before the session, so its bytes are not on the link.
        sidecar: `data:application/json,${encodeURIComponent(JSON.stringify(film.sidecar))}`,
      },
      {
        playing: () => undefined,
        played: ({ summary, decisions, errors: [error] }) => {
          this.#watched = { summary, decisions };
          if (error !== undefined) this.#error = new Error(`the player reports: ${error.message}`);
          this.wire.close();
        },
        failed: (error) => (this.#error = error),
      },
    );
  }

  watched(): Watched {
    if (!this.#watched) this.#network.runTo(this.#network.now_ms() + REPORT_WITHIN_MS);
    if (this.#error) throw this.#error;
    if (!this.#watched) throw new Error('a viewer has not left by the end of the hour');
    return this.#watched;
  }
}
