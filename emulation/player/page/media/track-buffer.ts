import type { Fragment } from './read-media.ts';
import type { Range } from './time-ranges.ts';

/**
 * Fragments closer than this many samples form one range, because timestamps of real videos have small gaps (MSE
 * §3.5.8).
 */
const GAP_SAMPLES = 2;

/** The media of one track in a buffer. Appended media replace earlier media of the same time. */
export class TrackBuffer {
  readonly #quota_bytes: number;
  #pieces: Fragment[] = [];
  #ranges: Range[] | undefined;

  constructor(quota_bytes: number) {
    this.#quota_bytes = quota_bytes;
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get ranges(): readonly Range[] {
    return (this.#ranges ??= this.#joined());
  }

  /**
   * Frees space for `bytes` by removing media that have been played, the oldest first. Returns false if that does not
   * free enough space.
   */
  makeRoom(bytes: number, playhead_s: number): boolean {
    let over = this.bytes + bytes - this.#quota_bytes;
    const kept = this.#pieces.filter((piece) => {
      if (over <= 0 || piece.end_s > playhead_s) return true;
      over -= piece.bytes;
      return false;
    });
    if (kept.length < this.#pieces.length) this.#set(kept);
    return over <= 0;
  }

  add(piece: Fragment): void {
    this.remove(piece.start_s, piece.end_s);
    this.#set([...this.#pieces, piece].sort((a, b) => a.start_s - b.start_s));
  }

  remove(from_s: number, to_s: number): void {
    this.#set(
      this.#pieces.flatMap((piece) => {
        const { start_s, end_s } = piece;
        if (end_s <= from_s || start_s >= to_s) return [piece];
        return [part(piece, start_s, from_s), part(piece, to_s, end_s)].filter((left) => left !== undefined);
      }),
    );
  }

  #set(pieces: Fragment[]): void {
    this.#pieces = pieces;
    this.#ranges = undefined;
  }

  #joined(): Range[] {
    const ranges: [number, number][] = [];
    for (const { start_s, end_s, sample_s } of this.#pieces) {
      const last = ranges.at(-1);
      if (last && start_s - last[1] <= GAP_SAMPLES * sample_s) last[1] = Math.max(last[1], end_s);
      else ranges.push([start_s, end_s]);
    }
    return ranges;
  }
}

/** The part of a fragment between two times; undefined if it is shorter than half a sample. */
function part(piece: Fragment, start_s: number, end_s: number): Fragment | undefined {
  const { sample_s, bytes } = piece;
  if (end_s - start_s < sample_s / 2) return undefined;
  return {
    ...piece,
    start_s,
    end_s,
    bytes: (bytes * (end_s - start_s)) / (piece.end_s - piece.start_s),
  };
}
