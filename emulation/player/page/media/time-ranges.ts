/** A range of content, s. In a list, ranges are ordered and disjoint. */
export type Range = readonly [start_s: number, end_s: number];

/** `TimeRanges` of HTML. */
export class TimeRanges {
  readonly #ranges: readonly Range[];

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  get length(): number {
    return this.#ranges.length;
  }

  start(index: number): number {
    return this.#at(index)[0];
  }

  end(index: number): number {
    return this.#at(index)[1];
  }

  #at(index: number): Range {
    const range = this.#ranges[index];
    if (!range) throw new DOMException(`there is no range ${index}`, 'IndexSizeError');
    return range;
  }
}

/** The intersection of all lists; empty if there are no lists. */
export function intersectRanges(lists: readonly (readonly Range[])[]): Range[] {
  const [first = [], ...rest] = lists;
  return rest.reduce<Range[]>(
    (common, list) =>
      common.flatMap(([start, end]) =>
        list
          .map(([from, to]): Range => [Math.max(start, from), Math.min(end, to)])
          .filter(([from, to]) => from < to),
      ),
    [...first],
  );
}
