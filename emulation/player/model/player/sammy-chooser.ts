import type { Ladder, Rung } from '../../../../src/film/ladder.ts';
import { timeUntilAbandonment, type Progress } from '../../../../src/session/abandon.ts';
import { chooseInitialBitrate } from '../../../../src/session/initial-bitrate.ts';
import { isReplacementWorthwhile } from '../../../../src/session/replacement.ts';
import type { Sammy } from '../../../../src/session/sammy.ts';
import type { MediaState } from '../../../../src/session/state.ts';
import { bytes, kbps, seconds } from '../../../../src/units.ts';
import type { Chooser, InFlight } from './chooser.ts';

/** The plug-in's own choices, applied in the same way as in its adapter for dash.js 5. */
export class SammyChooser implements Chooser {
  readonly first: Rung;
  readonly #sammy: Sammy;
  readonly #fastSwitch: boolean;
  /** Whether the last choice replaces buffered segments. */
  #replaces = false;

  /** `fastSwitch`: whether the application's dash.js settings allow replacing buffered segments. */
  constructor(sammy: Sammy, ladder: Ladder, fastSwitch: boolean) {
    this.#sammy = sammy;
    this.#fastSwitch = fastSwitch;
    const highest_kbps = chooseInitialBitrate(sammy);
    this.first = ladder.findLast(({ bitrate_kbps }) => bitrate_kbps <= highest_kbps) ?? ladder[0];
  }

  choose(state: MediaState): { rung: Rung; delay_ms: number } {
    const { rung, state: abrState } = this.#sammy.chooseRung(state);
    this.#replaces = isReplacementWorthwhile(abrState, rung);
    return { rung, delay_ms: 0 };
  }

  replacesBuffer(): boolean {
    return this.#fastSwitch && this.#replaces;
  }

  earliestAbandonment_ms(state: MediaState, download: InFlight): number {
    const initial = this.#sammy.phase === 'initial';
    return (
      1000 *
      timeUntilAbandonment(state, toProgress(download), { initial, duration: seconds(download.duration_s) })
    );
  }

  abandon(state: MediaState, current: Rung, _now_ms: number, download: InFlight): Rung | undefined {
    return this.#sammy.chooseAbandonment(state, current, () => state.ladder, toProgress(download));
  }

  recordDownload(): void {
    // Nothing to do: `complete` reports the download.
  }

  recordAbort(): void {
    // Nothing to do: `complete` reports the abandonment.
  }

  recordBuffer(): void {
    // Nothing to do: `playhead` reports the buffer.
  }

  recordSeek(): void {
    // Nothing to do: `seeking` reports the seek.
  }
}

const toProgress = ({
  loaded_bytes,
  total_bytes,
  elapsed_ms,
  pace_kbps,
  estimate_kbps,
}: InFlight): Progress => ({
  loaded: bytes(loaded_bytes),
  total: bytes(total_bytes),
  elapsed: seconds(elapsed_ms / 1000),
  pace: pace_kbps === null ? undefined : kbps(pace_kbps),
  expectedThroughput: estimate_kbps === null ? undefined : kbps(estimate_kbps),
});
