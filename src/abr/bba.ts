import { demandKnown } from '../demand-known.ts';
import { checkOption, inRange, SHARE } from '../check-option.ts';
import { demand } from '../demand.ts';
import { topRung, type Rung } from '../film/ladder.ts';
import { meanBitrate } from '../film/segments.ts';
import { kbps, seconds, type Kbps } from '../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrSession, AbrState } from './abr.ts';
import { carriedInTime } from './carried-in-time.ts';
import { throughputToHave, throughputToKeep, throughputToSuffice } from './in-time.ts';
import { isSustainable, type BufferLevels } from './sustainable.ts';
import { lookahead } from './lookahead.ts';
import { nextState } from './next-state.ts';
import { highestCarried } from './highest-carried.ts';

export interface BbaOptions {
  /**
   * The share of a full buffer below which BBA takes the lowest rung; in [0, 1). The default is Puffer's. Huang et al. use
   * 0.375.
   * @defaultValue 0.2
   */
  readonly reservoir?: number;
  /**
   * The share of a full buffer above which BBA takes the top rung; above `reservoir` and at most 1. Huang et al. use 0.9.
   * @defaultValue 0.8
   */
  readonly upper_reservoir?: number;
  /**
   * The share of the throughput that BBA relies on at startup and after a seek, while it chooses by throughput; in (0,
   * 1]. The default is dash.js's.
   * @defaultValue 0.9
   */
  readonly throughput_share?: number;
}

/**
 * Buffer-based rate adaptation with a chunk map (Huang et al., SIGCOMM 2014, BBA-1): the fuller the buffer, the larger
 * the segments may be, regardless of throughput. The map is a straight line: it allows the average segment size of the
 * lowest rung at the reservoir, and the average segment size of the top rung at the upper reservoir. The rung changes
 * only when the map reaches the next rung's segment size.
 *
 * The buffer counts as full when another segment would exceed the player's buffer target. A rung's segment size is the
 * mean over the upcoming content that fills the buffer, because the buffer can absorb a single large segment. The mean
 * prevents a switch up that the next scene would reverse (the paper's BBA-Others).
 *
 * The startup phase takes the highest rung that the throughput sustains and delivers in time, and ends when the map
 * allows the same rung. The startup phase of the paper's BBA-2 raises the rung step by step and ends as soon as the
 * buffer shrinks, which a single large segment can cause.
 *
 * A slower network first lowers the buffer level, so it affects not the next choice but the one after it.
 * `requiredThroughput` refers to that later choice.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function bba(options: BbaOptions = {}): AbrAlgorithm {
  const { reservoir = 0.2, upper_reservoir = 0.8, throughput_share = 0.9 } = options;
  const resolved = { reservoir, upper_reservoir, throughput_share };
  demandKnown('bba', options, resolved);
  checkOption('reservoir', reservoir, inRange(0, 1));
  checkOption('upper_reservoir', upper_reservoir, SHARE);
  demand(
    upper_reservoir > reservoir,
    'option upper_reservoir',
    upper_reservoir,
    'a number above the reservoir, at most 1',
  );
  checkOption('throughput_share', throughput_share, SHARE);
  return { name: 'bba', session: () => new Bba(resolved) };
}

/** Assumed segment duration before the first segment. */
const DEFAULT_SEGMENT = seconds(2);

/** The longest content, s, over which segment sizes are averaged. A longer average would hide the next scene. */
const MAX_LOOKAHEAD_S = 60;

/** The `abr_reason` of a rung that was chosen by throughput. */
const STARTUP = 'startup';

class Bba implements AbrSession {
  readonly #options: Required<BbaOptions>;
  #starting = true;
  /** Whether the latest download was abandoned. */
  #hasAbandoned = false;

  constructor(options: Required<BbaOptions>) {
    this.#options = options;
  }

  observe(event: AbrEvent): void {
    if (event.type === 'seek') this.#starting = true;
    if (event.type !== 'download') return;
    const { abr_reason, outcome } = event.download;
    // A choice by throughput, or for the replacement of an abandoned download, does not end the startup phase.
    if (abr_reason !== STARTUP && !this.#hasAbandoned) this.#starting = false;
    this.#hasAbandoned = outcome !== 'completed';
  }

  choose(state: AbrState): AbrChoice {
    const mapped = this.#byBuffer(state);
    if (!this.#starting) return mapped;
    const share = this.#options.throughput_share;
    if (mapped.rung.bitrate_kbps >= highestCarried(state, share).bitrate_kbps) return mapped;
    const inTime = carriedInTime(state, share);
    const rung = inTime.bitrate_kbps > mapped.rung.bitrate_kbps ? inTime : mapped.rung;
    return { rung, reason: STARTUP };
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const { ladder, playbackRate } = state;
    if (rung.bitrate_kbps <= ladder[0].bitrate_kbps) return kbps(0);
    const after = nextState(state, rung, kbps(Infinity));
    const { toKeep } = this.#levels(after, rung);
    const chooseByBuffer = Math.max(
      throughputToHave(state, rung, this.#map(after).reservoir),
      throughputToKeep(state, rung, toKeep),
    );
    if (!this.#starting) return kbps(chooseByBuffer);
    const share = this.#options.throughput_share;
    const carries = (rung.bitrate_kbps * playbackRate) / share;
    return kbps(Math.min(chooseByBuffer, Math.max(carries, throughputToSuffice(state, rung, share ** 2))));
  }

  #byBuffer(state: AbrState): AbrChoice {
    const { ladder, buffer, previous } = state;
    const [lowest] = ladder;
    const { reservoir, upper } = this.#map(state);
    if (buffer < reservoir) return { rung: lowest, reason: 'reservoir' };
    const rung =
      ladder.findLast((each) => isSustainable(state, each, buffer, this.#levels(state, each))) ?? lowest;
    const way = rung.bitrate_kbps - (previous ?? lowest).bitrate_kbps;
    if (way > 0) return { rung, reason: buffer >= upper ? 'upper-reservoir' : 'up' };
    return { rung, reason: way < 0 ? 'down' : 'stays' };
  }

  /** The buffer levels at which the map allows the segments of this rung and of the next lower rung. */
  #levels(state: AbrState, rung: Rung): BufferLevels {
    const lower = state.ladder.findLast(({ bitrate_kbps }) => bitrate_kbps < rung.bitrate_kbps);
    const { at } = this.#map(state);
    return {
      toSwitch: lower ? at(this.#segmentBitrate(state, rung)) : 0,
      toKeep: lower ? at(this.#segmentBitrate(state, lower)) : 0,
    };
  }

  /** The mean bitrate of the rung's segments over a full buffer. */
  #segmentBitrate(state: AbrState, rung: Rung): number {
    return meanBitrate(lookahead(state, rung, seconds(Math.min(MAX_LOOKAHEAD_S, fullBuffer(state)))));
  }

  /** The chunk map. `at` returns the lowest buffer level at which the map allows a bitrate. */
  #map(state: AbrState) {
    const { ladder } = state;
    const full = fullBuffer(state);
    const reservoir = this.#options.reservoir * full;
    const upper = this.#options.upper_reservoir * full;
    const lowest_kbps = ladder[0].bitrate_kbps;
    const range_kbps = topRung(ladder).bitrate_kbps - lowest_kbps;
    const at = (rate_kbps: number) => {
      const share = (rate_kbps - lowest_kbps) / range_kbps;
      return reservoir + (upper - reservoir) * Math.min(1, Math.max(0, share));
    };
    return { reservoir, upper, at };
  }
}

/**
 * The buffer level that counts as full. It is at least half of the buffer target, which matters for buffers of fewer
 * than two segments.
 */
const fullBuffer = ({ bufferTarget, segmentDuration = DEFAULT_SEGMENT }: AbrState): number =>
  Math.max(bufferTarget - segmentDuration, bufferTarget / 2);
