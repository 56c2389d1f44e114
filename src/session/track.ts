import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr/abr.ts';
import type { CompletedDecision } from '../decision.ts';
import { demand } from '../demand.ts';
import type { Rung } from '../film/ladder.ts';
import { ReceivedBitrates } from '../film/received-bitrates.ts';
import { hasMethods } from '../records.ts';
import { seconds, type Kbps } from '../units.ts';
import { addLatest } from './latest.ts';

/** The number of latest downloads that an algorithm receives. */
const DOWNLOADS_SHOWN = 10;

/** A shorter wait before a request is sent, s, is due to the page's own work and not to an interceptor. */
const SHORT_WAIT_S = 0.1;
/** The smallest value of `deadlineShare`, even after a long wait. */
const MIN_DEADLINE_SHARE = 0.1;

/** The state of one media type: the algorithm's session, its latest choice, and the latest downloads. */
export class Track {
  #session: AbrSession;
  /** Events that the algorithm has not received yet. */
  #events: AbrEvent[] = [];
  #choice: AbrChoice | undefined;
  /** The rung of the latest requested segment. */
  previous: Rung | undefined;
  /** Duration of the latest requested segment; 0 before the first. */
  segmentDuration = seconds(0);
  lowLatency = false;
  /** Typical wait of a request before it is sent, s. The buffer drains during this wait, but the network is idle. */
  #wait_s = 0;
  downloads: readonly CompletedDecision[] = [];
  readonly bitrates = new ReceivedBitrates();

  constructor(session: AbrSession) {
    this.#session = session;
  }

  /** Continues with another algorithm, or with the same one and other options. */
  replaceAlgorithm(session: AbrSession): void {
    this.#session = session;
    this.#events = [];
  }

  /**
   * Queues the event until the algorithm's next call, so that an error in `observe` is handled there and does not
   * disturb the player now.
   */
  observe(event: AbrEvent): void {
    if (event.type === 'download') {
      this.downloads = [...this.downloads, event.download].slice(-DOWNLOADS_SHOWN);
    }
    // The queue is bounded, because with a single rung the algorithm may never be called.
    if (this.#session.observe) addLatest(this.#events, event);
  }

  choose(state: AbrState): AbrChoice {
    const { ladder } = state;
    if (ladder.length === 1) return this.recordChoice(ladder[0], 'single-rung');
    // An algorithm without type checks may return anything.
    const choice = this.#updatedSession.choose(state) as Partial<AbrChoice> | undefined;
    const wanted = choice?.rung?.id;
    const rung = ladder.find(({ id }) => id === wanted);
    demand(rung !== undefined, "the algorithm's choice", wanted, 'a rung of the ladder');
    return this.recordChoice(rung, choice?.reason ?? '');
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const required = this.#updatedSession.requiredThroughput(state, rung);
    demand(
      typeof required === 'number' && required >= 0,
      "the algorithm's throughput",
      required,
      'kbit/s, 0 or Infinity',
    );
    return required;
  }

  recordChoice(rung: Rung, reason: string): AbrChoice {
    return (this.#choice = { rung, reason });
  }

  /** The reason of the latest choice; undefined if the choice was not `rung`. */
  reasonFor(rung: Rung): string | undefined {
    return this.#choice?.rung.id === rung.id ? this.#choice.reason : undefined;
  }

  addWait(waited_s: number): void {
    this.#wait_s = Math.max(waited_s, (this.#wait_s + waited_s) / 2);
  }

  /** The share of a segment's duration that is left for its download after the wait before its request is sent. */
  deadlineShare(playbackRate: number): number {
    return this.#wait_s > SHORT_WAIT_S
      ? Math.max(MIN_DEADLINE_SHARE, 1 - (this.#wait_s * playbackRate) / this.segmentDuration)
      : 1;
  }

  get #updatedSession(): AbrSession {
    for (const event of this.#events.splice(0)) this.#session.observe?.(event);
    return this.#session;
  }
}

/** Starts a session of the algorithm. Throws an Error if the session does not have both methods. */
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
