import { parseBoxes, findBox, readBoxes, type ParsedIsoBox } from '../../../../media/iso-bmff.ts';

/** The properties of a track's fragments, from the initialization segment. */
export interface Initialization {
  /** Ticks per second of the track's times. */
  readonly timescale: number;
  /** The default duration of a sample, ticks. */
  readonly sampleDuration: number;
  /**
   * The media time at which the presentation begins, ticks: the delay that an audio encoder puts before the content. It
   * affects dash.js, which requests the next audio segment at once only if the first one ends before the second begins.
   */
  readonly begins: number;
}

/** The media of one fragment. */
export interface Fragment {
  readonly start_s: number;
  readonly end_s: number;
  readonly bytes: number;
  /** The duration of the longest sample, s. */
  readonly sample_s: number;
}

function readInitialization(moov: ParsedIsoBox): Initialization {
  const timescale = findBox([moov], 'mdhd')?.timescale;
  if (!timescale) throw new Error('an initialization segment without a track');
  return {
    timescale,
    sampleDuration: findBox([moov], 'trex')?.defaultSampleDuration ?? 0,
    // An entry with the media time -1 is a gap before the media.
    begins: Math.max(0, findBox([moov], 'elst')?.entries[0]?.mediaTime ?? 0),
  };
}

/** The times of a `moof`, in ticks. */
function readTimes(moof: ParsedIsoBox, { sampleDuration, begins }: Initialization) {
  const each = findBox([moof], 'tfhd')?.defaultSampleDuration ?? sampleDuration;
  const start = (findBox([moof], 'tfdt')?.baseMediaDecodeTime ?? 0) - begins;
  let [end, longest] = [start, 0];
  for (const { samples } of parseBoxes([moof], 'trun')) {
    for (const sample of samples) {
      const duration = sample.sampleDuration ?? each;
      end += duration;
      longest = Math.max(longest, duration);
    }
  }
  return { start, end, longest };
}

/**
 * Reads the start and end times of the media (ISO BMFF) that are appended to one buffer. A box may arrive in parts.
 * Samples are not read, so they may be zeros.
 */
export class MediaReader {
  #initialization: Initialization | undefined;
  #rest = new Uint8Array(0);
  /** The times of a `moof` whose `mdat` has not arrived yet. */
  #awaited: { start: number; end: number; longest: number; bytes: number } | undefined;

  get initialized(): boolean {
    return this.#initialization !== undefined;
  }

  /** Returns the fragments that these bytes complete. Throws an Error for media of another form. */
  read(appended: Uint8Array): Fragment[] {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, appended]) : appended;
    const boxes = readBoxes(bytes);
    const whole = boxes.reduce((sum, { view }) => sum + view.byteLength, 0);
    this.#rest = new Uint8Array(bytes.subarray(whole));
    const types = [...boxes.map(({ type }) => type), String.fromCharCode(...this.#rest.subarray(4, 8))];
    if (!types.every((type) => /^[\x20-\x7e]*$/.test(type)))
      throw new Error('not ISO BMFF, the only format that this page reads');
    const fragments: Fragment[] = [];
    for (const box of boxes) {
      if (box.type === 'moov') this.#initialization = readInitialization(box);
      else if (box.type === 'moof') this.#begin(box);
      else if (box.type === 'mdat') fragments.push(...this.#end(box.view.byteLength));
    }
    return fragments;
  }

  /** Discards incomplete boxes. */
  reset(): void {
    this.#rest = new Uint8Array(0);
    this.#awaited = undefined;
  }

  #begin(moof: ParsedIsoBox): void {
    if (!this.#initialization) throw new Error('media before its initialization segment');
    this.#awaited = { ...readTimes(moof, this.#initialization), bytes: moof.view.byteLength };
  }

  #end(size: number): Fragment[] {
    const { timescale } = this.#initialization ?? { timescale: 1 };
    const awaited = this.#awaited;
    this.#awaited = undefined;
    if (!awaited || awaited.end <= awaited.start) return [];
    const [start_s, end_s, sample_s] = [awaited.start, awaited.end, awaited.longest].map(
      (ticks) => ticks / timescale,
    ) as [number, number, number];
    return [{ start_s, end_s, sample_s, bytes: awaited.bytes + size }];
  }
}
