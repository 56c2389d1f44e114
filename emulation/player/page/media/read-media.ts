/**
 * What a buffer needs to know of media: from when until when. Of ISO BMFF (ISO/IEC 14496-12) it reads the ticks a second of
 * each track (`mdhd`), where its edit list begins (`elst`), the default duration of samples (`trex`), and of each fragment the
 * decode time (`tfdt`) and the samples' durations (`tfhd`, `trun`). Samples themselves are not looked at, so that they may be zeros.
 */

/** What the initialization segment says of the fragments that follow it. */
export interface Initialization {
  /** Ticks a second. */
  readonly timescale: number;
  /** Ticks. */
  readonly sampleDuration: number;
  /**
   * The time in the media at which the presentation begins, ticks: what an encoder of sound puts before it. It looks like
   * nothing, but dash.js goes on with sound at once only if its first segment ends before the second begins.
   */
  readonly begins: number;
}

/** The media of one fragment. */
export interface Fragment {
  readonly start_s: number;
  readonly end_s: number;
  readonly bytes: number;
  /** The longest of its samples, s. */
  readonly sample_s: number;
}

const HEADER = 8;
const HOLDERS = new Set(['moov', 'trak', 'edts', 'mdia', 'mvex', 'moof', 'traf']);
/** Flags of `tfhd` (§8.8.7) and `trun` (§8.8.8). */
const [BASE_OFFSET, DESCRIPTION, DEFAULT_DURATION] = [0x1, 0x2, 0x8];
const [DATA_OFFSET, FIRST_FLAGS, DURATIONS] = [0x1, 0x4, 0x100];
const FOUR_BYTES_EACH = [0x100, 0x200, 0x400, 0x800];

interface Box {
  readonly type: string;
  /** The offset of its content. */
  readonly at: number;
}

/** The length and type of the box at an offset; undefined where its header is not whole. */
function headerAt(view: DataView, at: number): { type: string; size: number; content: number } | undefined {
  if (at + HEADER > view.byteLength) return undefined;
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
  const size = view.getUint32(at);
  if (size !== 1) return { type, size: size === 0 ? view.byteLength - at : size, content: at + HEADER };
  if (at + 2 * HEADER > view.byteLength) return undefined;
  return { type, size: Number(view.getBigUint64(at + HEADER)), content: at + 2 * HEADER };
}

/** The boxes between two offsets, and those in them. */
function* boxesIn(view: DataView, from: number, to: number): Generator<Box> {
  for (let at = from; at < to;) {
    const header = headerAt(view, at);
    if (!header || header.size < HEADER || at + header.size > to) return;
    yield { type: header.type, at: header.content };
    if (HOLDERS.has(header.type)) yield* boxesIn(view, header.content, at + header.size);
    at += header.size;
  }
}

function initializationIn(view: DataView, from: number, to: number): Initialization {
  let [timescale, sampleDuration, begins] = [0, 0, 0];
  for (const { type, at } of boxesIn(view, from, to)) {
    if (type === 'mdhd' && timescale === 0)
      timescale = view.getUint32(at + (view.getUint8(at) === 1 ? 20 : 12));
    if (type === 'elst' && view.getUint32(at + 4) > 0)
      begins = view.getUint8(at) === 1 ? Number(view.getBigInt64(at + 16)) : view.getInt32(at + 12);
    if (type === 'trex' && sampleDuration === 0) sampleDuration = view.getUint32(at + 12);
  }
  if (timescale === 0) throw new Error('an initialization segment without a track');
  // An entry of -1 is a gap before the media.
  return { timescale, sampleDuration, begins: Math.max(0, begins) };
}

/** The times of a `moof`, in ticks. */
function timesOf(view: DataView, from: number, to: number, { sampleDuration, begins }: Initialization) {
  let [start, ticks, longest, each] = [0, 0, 0, sampleDuration];
  for (const { type, at } of boxesIn(view, from, to)) {
    const flags = view.getUint32(at) & 0xffffff;
    if (type === 'tfhd' && flags & DEFAULT_DURATION)
      each = view.getUint32(at + 8 + (flags & BASE_OFFSET ? 8 : 0) + (flags & DESCRIPTION ? 4 : 0));
    if (type === 'tfdt')
      start = view.getUint8(at) === 1 ? Number(view.getBigUint64(at + 4)) : view.getUint32(at + 4);
    if (type === 'trun') {
      const count = view.getUint32(at + 4);
      const samplesAt = at + 8 + (flags & DATA_OFFSET ? 4 : 0) + (flags & FIRST_FLAGS ? 4 : 0);
      const bytesEach = 4 * FOUR_BYTES_EACH.filter((flag) => flags & flag).length;
      for (let sample = 0; sample < count; sample++) {
        const duration = flags & DURATIONS ? view.getUint32(samplesAt + sample * bytesEach) : each;
        ticks += duration;
        longest = Math.max(longest, duration);
      }
    }
  }
  return { start: start - begins, end: start - begins + ticks, longest };
}

/** Reads what is appended to one buffer, box by box: a box may come in parts. */
export class MediaReader {
  #initialization: Initialization | undefined;
  #rest = new Uint8Array(0);
  /** A `moof` whose `mdat` has not come, and where it began. */
  #awaited: { start: number; end: number; longest: number; bytes: number } | undefined;

  get initialized(): boolean {
    return this.#initialization !== undefined;
  }

  /** The fragments that are whole now. Throws an Error for what is no such media. */
  read(appended: Uint8Array): Fragment[] {
    const bytes = this.#rest.length > 0 ? joined(this.#rest, appended) : appended;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const fragments: Fragment[] = [];
    let at = 0;
    for (let header = headerAt(view, at); header; header = headerAt(view, at)) {
      if (header.size < HEADER || !/^[\x20-\x7e]{4}$/.test(header.type))
        throw new Error('no ISO BMFF, the only media that this page reads');
      if (at + header.size > view.byteLength) break;
      const end = at + header.size;
      if (header.type === 'moov') this.#initialization = initializationIn(view, header.content, end);
      else if (header.type === 'moof') this.#begin(view, at, header.content, end);
      else if (header.type === 'mdat') fragments.push(...this.#end(header.size));
      at = end;
    }
    this.#rest = bytes.slice(at);
    return fragments;
  }

  /** What came in part is forgotten. */
  reset(): void {
    this.#rest = new Uint8Array(0);
    this.#awaited = undefined;
  }

  #begin(view: DataView, at: number, from: number, to: number): void {
    if (!this.#initialization) throw new Error('media before its initialization segment');
    this.#awaited = { ...timesOf(view, from, to, this.#initialization), bytes: to - at };
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
