import { demandKnown } from '../demand-known.ts';
import { ABOVE_0, checkOption, SHARE } from '../check-option.ts';
import type { CompletedDecision } from '../decision.ts';
import { topRung, type Ladder, type Rung } from '../film/ladder.ts';
import { kbps, transferTime, type Kbps } from '../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrSession, AbrState } from './abr.ts';
import { carriedInTime } from './carried-in-time.ts';
import { throughputToKeep, throughputToSuffice } from './in-time.ts';
import { isSustainable } from './sustainable.ts';
import { nextSegment } from './lookahead.ts';
import { networkTime } from './samples.ts';

export interface BolaOptions {
  /**
   * The effective buffer level at which the lowest rung is best, s; above 0. dash.js's `MINIMUM_BUFFER_S`.
   * @defaultValue 10
   */
  readonly minimum_buffer_s?: number;
  /**
   * Seconds of buffer that each rung adds to `minimum_buffer_s`; above 0. The sum, or the player's buffer target if it
   * is higher, is `full`: the effective buffer level at which the top rung is best. dash.js's
   * `MINIMUM_BUFFER_PER_BITRATE_LEVEL_S`.
   * @defaultValue 2
   */
  readonly buffer_per_rung_s?: number;
  /**
   * The share of the throughput that BOLA relies on at startup; in (0, 1]. The default is dash.js's.
   * @defaultValue 0.9
   */
  readonly throughput_share?: number;
  /**
   * The largest share of the buffer level that the next segment's download may take; in (0, 1]. The default is the paper's
   * and that of dash.js 4.
   * @defaultValue 0.5
   */
  readonly sufficient_share?: number;
}

/**
 * BOLA-E (Spiteri, Sitaraman and Sparacio, MMSys 2018; the core is Spiteri, Urgaonkar and Sitaraman, INFOCOM 2016). It
 * takes the rung with the largest (V (v + g) - Q) / r, where r is the bitrate, v = 1 + ln(r / r_lowest) the utility,
 * and Q the buffer level, s. V and g make the lowest rung best at `minimum_buffer_s`, and the top rung best at `full`,
 * the level described at `buffer_per_rung_s`: g = (v_top - 1) / (full / minimum_buffer_s - 1) and V = minimum_buffer_s
 * / g.
 *
 * - A placeholder is added to the buffer level, so that a low buffer level with causes other than the network does not
 *   lower the rung. At startup and after a seek, the placeholder is large enough that BOLA keeps the rung that the
 *   throughput sustains. Later it includes the time that the player waited with a full buffer, at most up to the level
 *   at which waiting is better than downloading the latest rung, and the time that a pace added to downloads. It decays
 *   by 1% per segment, and is cleared after a stall.
 * - BOLA switches up only to a rung that is sustainable for 30 s of content at the present throughput
 *   (`sustainable.ts`). Otherwise the choice would oscillate between two rungs. This replaces the paper's BOLA-O.
 * - The insufficient-buffer rule: the next segment must arrive within `sufficient_share` of the buffer level. The rule
 *   ignores the first two segments after startup or a seek, because the viewer is already waiting for those.
 *
 * A slower network first lowers the buffer level, so it affects not the next choice but the one after it.
 * `requiredThroughput` refers to that later choice.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function bola(options: BolaOptions = {}): AbrAlgorithm {
  const {
    minimum_buffer_s = 10,
    buffer_per_rung_s = 2,
    throughput_share = 0.9,
    sufficient_share = 0.5,
  } = options;
  const resolved = { minimum_buffer_s, buffer_per_rung_s, throughput_share, sufficient_share };
  demandKnown('bola', options, resolved);
  for (const [name, value] of Object.entries(resolved)) {
    checkOption(name, value, name.endsWith('_share') ? SHARE : ABOVE_0);
  }
  return { name: 'bola', session: () => new Bola(resolved) };
}

/** The factor by which the placeholder shrinks with each segment. dash.js's `PLACEHOLDER_BUFFER_DECAY`. */
const DECAY = 0.99;
/** Segments after startup or a seek that the insufficient-buffer rule ignores. dash.js's `segmentIgnoreCount`. */
const IGNORED = 2;

/** BOLA's state between choices. */
interface BolaMemory {
  readonly starting: boolean;
  /** The number of further segments that the insufficient-buffer rule ignores. */
  readonly ignored: number;
  readonly placeholder_s: number;
  /** The buffer level when the latest segment arrived, derived from its download time. */
  readonly arrival_s: number;
}

const INITIAL_MEMORY: BolaMemory = { starting: true, ignored: IGNORED, placeholder_s: 0, arrival_s: 0 };

/** The part of a download's record that BOLA uses. */
type Arrival = Pick<CompletedDecision, 'buffer_s' | 'segment_duration_s' | 'playback_rate' | 'outcome'> & {
  readonly bitrate_kbps: number;
  /** The actual download time. */
  readonly took_s: number;
  /** The download time without a pace. */
  readonly network_s: number;
};

class Bola implements AbrSession {
  readonly #options: Required<BolaOptions>;
  #memory = INITIAL_MEMORY;
  /** Events since the latest choice. The next choice processes them, because it provides the ladder. */
  #events: AbrEvent[] = [];

  constructor(options: Required<BolaOptions>) {
    this.#options = options;
  }

  observe(event: AbrEvent): void {
    this.#events.push(event);
  }

  choose(state: AbrState): AbrChoice {
    const { starting, placeholder_s, arrival_s } = this.#updateMemory(state);
    const { ladder, buffer } = state;
    if (starting) return { rung: carriedInTime(state, this.#options.throughput_share), reason: 'startup' };

    // If the player has waited since the latest arrival, the buffer level has fallen although the network has not
    // changed. Therefore, use the level at that arrival.
    const effective_s = Math.max(buffer, arrival_s) + placeholder_s;
    const terms = this.#terms(state);
    const rung =
      ladder.findLast((each) => {
        const level = terms.minimum(each);
        return isSustainable(state, each, effective_s, { toSwitch: level, toKeep: level });
      }) ?? ladder[0];
    const safe = this.#sufficient(state, rung);
    return { rung: safe, reason: safe === rung ? 'buffer' : 'insufficient-buffer' };
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const { throughput_share, sufficient_share } = this.#options;
    const { buffer, playbackRate, ladder } = state;
    // Process events even with a single rung, for which there is no choice to make.
    const memory = this.#updateMemory(state);
    if (rung.bitrate_kbps <= ladder[0].bitrate_kbps) return kbps(0);
    const terms = this.#terms(state);
    const { duration } = nextSegment(state, rung);
    const next = advance(
      memory,
      {
        buffer_s: buffer,
        segment_duration_s: duration,
        playback_rate: playbackRate,
        outcome: 'completed',
        bitrate_kbps: rung.bitrate_kbps,
        took_s: 0,
        network_s: 0,
      },
      terms,
    );
    if (next.starting) {
      const carries = (rung.bitrate_kbps * playbackRate) / throughput_share;
      return kbps(Math.max(carries, throughputToSuffice(state, rung, throughput_share ** 2)));
    }
    const toKeep = throughputToKeep(state, rung, terms.minimum(rung) - next.placeholder_s);
    if (next.ignored > 0) return toKeep;
    return kbps(Math.max(toKeep, throughputToSuffice(state, rung, sufficient_share)));
  }

  /** Returns BOLA's state after the events since the latest choice. */
  #updateMemory(state: AbrState): BolaMemory {
    for (const event of this.#events.splice(0)) {
      if (event.type === 'seek') this.#memory = INITIAL_MEMORY;
      else if (event.type === 'stall') this.#memory = { ...this.#memory, placeholder_s: 0 };
      else {
        const { download } = event;
        const took_s = download.download_ms / 1000;
        const arrival: Arrival = { ...download, took_s, network_s: networkTime(download) };
        this.#memory = advance(this.#memory, arrival, this.#terms(state));
      }
    }
    return this.#memory;
  }

  #terms(state: AbrState): Terms {
    const { minimum_buffer_s, buffer_per_rung_s } = this.#options;
    return new Terms(state.ladder, state.bufferTarget, minimum_buffer_s, buffer_per_rung_s);
  }

  /** The highest rung up to `rung` whose next segment takes at most `sufficient_share` of the buffer, or the lowest. */
  #sufficient(state: AbrState, rung: Rung): Rung {
    if (this.#memory.ignored > 0) return rung;
    const { ladder, buffer, playbackRate, throughput, lowLatency } = state;
    const arrives = (candidate: Rung): boolean => {
      const { size, duration } = nextSegment(state, candidate);
      const playable_s = buffer + (lowLatency ? duration : 0);
      return transferTime(size, throughput) * playbackRate <= this.#options.sufficient_share * playable_s;
    };
    return (
      ladder.findLast((candidate) => candidate.bitrate_kbps <= rung.bitrate_kbps && arrives(candidate)) ??
      ladder[0]
    );
  }
}

/** Returns BOLA's state after the arrival of a segment. */
function advance(memory: BolaMemory, arrival: Arrival, terms: Terms): BolaMemory {
  const { buffer_s, segment_duration_s, playback_rate, took_s, network_s } = arrival;
  const rung = highestUpTo(arrival.bitrate_kbps, terms.ladder);
  const left_s = Math.max(0, buffer_s - took_s * playback_rate);
  if (arrival.outcome !== 'completed') {
    const most_s = Math.max(0, terms.minimum(rung) - buffer_s);
    return { ...memory, placeholder_s: Math.min(memory.placeholder_s, most_s), arrival_s: left_s };
  }
  const rest = {
    starting: memory.starting && buffer_s < segment_duration_s,
    ignored: Math.max(0, memory.ignored - 1),
    arrival_s: left_s + segment_duration_s,
  };
  if (memory.starting) return { ...rest, placeholder_s: Math.max(0, terms.minimum(rung) - buffer_s) };
  const waited_s = Math.max(0, memory.arrival_s - buffer_s);
  const kept_s = Math.min(
    DECAY * memory.placeholder_s + waited_s,
    Math.max(0, terms.maximum(rung) - buffer_s),
  );
  return { ...rest, placeholder_s: kept_s + (took_s - network_s) * playback_rate };
}

const highestUpTo = (most_kbps: number, ladder: Ladder): Rung =>
  ladder.findLast(({ bitrate_kbps }) => bitrate_kbps <= most_kbps) ?? ladder[0];

/** BOLA's V and g for a ladder, and the resulting buffer levels. */
class Terms {
  readonly ladder: Ladder;
  readonly #v: number;
  readonly #g: number;

  constructor(ladder: Ladder, target: number, minimum_s: number, perRung_s: number) {
    this.ladder = ladder;
    const full_s = Math.max(target, minimum_s + perRung_s * ladder.length);
    this.#g = (this.#utility(topRung(ladder)) - 1) / (full_s / minimum_s - 1);
    this.#v = minimum_s / this.#g;
  }

  /** The highest effective buffer level at which downloading `rung` is better than waiting. */
  maximum(rung: Rung): number {
    // With a single rung, g is 0 and there is no level to maintain.
    return this.#g > 0 ? this.#v * (this.#utility(rung) + this.#g) : 0;
  }

  /** The lowest effective buffer level at which `rung` is better than every lower rung. */
  minimum(rung: Rung): number {
    const levels = this.ladder
      .filter(({ bitrate_kbps }) => bitrate_kbps < rung.bitrate_kbps)
      .map(
        (lower) =>
          (rung.bitrate_kbps * this.maximum(lower) - lower.bitrate_kbps * this.maximum(rung)) /
          (rung.bitrate_kbps - lower.bitrate_kbps),
      );
    return Math.max(0, ...levels);
  }

  #utility(rung: Rung): number {
    return 1 + Math.log(rung.bitrate_kbps / this.ladder[0].bitrate_kbps);
  }
}
