import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr/abr.ts';
import type { CompletedDecision } from '../decision.ts';
import { demand } from '../demand.ts';
import type { Rung } from '../film/ladder.ts';
import { ReceivedBitrates } from '../film/received-bitrates.ts';
import { hasMethods } from '../records.ts';
import { seconds, type Kbps } from '../units.ts';
import { addLatest } from './latest.ts';

/** How many downloads an algorithm is shown. */
const DOWNLOADS_SHOWN = 10;

/** One media type's rungs: the algorithm that chooses them, and what it is to know of the past. */
export class Track {
  #session: AbrSession;
  /** What the algorithm has not been told yet. */
  #events: AbrEvent[] = [];
  #choice: AbrChoice | undefined;
  /** The rung of the segment that was requested last. */
  previous: Rung | undefined;
  /** How long that segment plays, 0 before the first, and whether it plays while it arrives. */
  segmentDuration = seconds(0);
  lowLatency = false;
  /** How long a request waits before it is sent: it takes time from the buffer, and none from the network. */
  wait_s = 0;
  downloads: readonly CompletedDecision[] = [];
  readonly bitrates = new ReceivedBitrates();

  constructor(session: AbrSession) {
    this.#session = session;
  }

  /** Another algorithm, or the same one with other options, goes on from here. */
  replaceAlgorithm(session: AbrSession): void {
    this.#session = session;
    this.#events = [];
  }

  /**
   * Tells the algorithm with the next question: what goes wrong in it then concerns that question, and not what the
   * player is doing now.
   */
  observe(event: AbrEvent): void {
    if (event.type === 'download') {
      this.downloads = [...this.downloads, event.download].slice(-DOWNLOADS_SHOWN);
    }
    // Where there is but one rung it may never be asked.
    if (this.#session.observe) addLatest(this.#events, event);
  }

  choose(state: AbrState): AbrChoice {
    const { ladder } = state;
    if (ladder.length === 1) return this.chosen(ladder[0], 'single-rung');
    // An algorithm without types may return anything.
    const choice = this.#informed.choose(state) as Partial<AbrChoice> | undefined;
    const wanted = choice?.rung?.id;
    const rung = ladder.find(({ id }) => id === wanted);
    demand(rung !== undefined, "the algorithm's choice", wanted, 'a rung of the ladder');
    return this.chosen(rung, choice?.reason ?? '');
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const required = this.#informed.requiredThroughput(state, rung);
    demand(
      typeof required === 'number' && required >= 0,
      "the algorithm's throughput",
      required,
      'kbit/s, 0 or Infinity',
    );
    return required;
  }

  chosen(rung: Rung, reason: string): AbrChoice {
    return (this.#choice = { rung, reason });
  }

  /** Why `rung`; undefined when it was not chosen here. */
  reasonOf(rung: Rung): string | undefined {
    return this.#choice?.rung.id === rung.id ? this.#choice.reason : undefined;
  }

  get #informed(): AbrSession {
    for (const event of this.#events.splice(0)) this.#session.observe?.(event);
    return this.#session;
  }
}

/** Throws an Error where an algorithm's session cannot answer the two questions. */
export function openSession({
  algorithm,
  options,
}: {
  readonly algorithm: AbrAlgorithm;
  readonly options: AbrOptions;
}): AbrSession {
  const session: unknown = algorithm.session(options);
  const answers = hasMethods(session, 'choose', 'requiredThroughput');
  demand(answers, `the session of ${algorithm.name}`, session, 'choose() and requiredThroughput()');
  return session as AbrSession;
}
