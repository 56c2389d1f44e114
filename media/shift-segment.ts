/** The boxes of an MP4 file (ISO/IEC 14496-12) between two offsets, and of those that hold others, theirs. */
function* boxes(view: DataView, from = 0, to = view.byteLength): Generator<{ type: string; at: number }> {
  for (let at = from; at + 8 <= to;) {
    const size = view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    if (size < 8 || at + size > to) return;
    yield { type, at };
    if (['moov', 'trak', 'mdia', 'moof', 'traf'].includes(type)) yield* boxes(view, at + 8, at + size);
    at += size;
  }
}

const viewOf = (file: Uint8Array): DataView => new DataView(file.buffer, file.byteOffset, file.byteLength);

/** Ticks a second of an initialization segment's only track (§8.4.2). Throws a RangeError when it has none. */
export function mediaTimescale(initialization: Uint8Array): number {
  const view = viewOf(initialization);
  for (const { type, at } of boxes(view)) {
    if (type === 'mdhd') return view.getUint32(at + (view.getUint8(at + 8) === 1 ? 28 : 20));
  }
  throw new RangeError('the initialization segment has no media header');
}

/** Moves a media segment `by_s` seconds later, in place: decode time (§8.8.12) and segment index (§8.16.3). */
export function shiftSegment(segment: Uint8Array, by_s: number, timescale: number): void {
  const view = viewOf(segment);
  const add = (at: number, isLong: boolean, ticks: number): void => {
    if (isLong) view.setBigUint64(at, view.getBigUint64(at) + BigInt(Math.round(ticks)));
    else view.setUint32(at, view.getUint32(at) + Math.round(ticks));
  };
  for (const { type, at } of boxes(view)) {
    const isLong = view.getUint8(at + 8) === 1;
    if (type === 'tfdt') add(at + 12, isLong, by_s * timescale);
    if (type === 'sidx') add(at + 20, isLong, by_s * view.getUint32(at + 16));
  }
}
