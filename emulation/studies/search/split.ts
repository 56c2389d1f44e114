/** Describes to readers how the traces are divided. */
export const SPLIT =
  'Traces in the order of their names, counted from 1: points are tried on those of even rank, and judged on the others.';

interface Named {
  readonly name: string;
}

/** Divides the traces into two halves by rank. Throws an Error if one half would be empty. */
export function splitByRank<Trace extends Named>(
  traces: readonly Trace[],
): readonly [training: Trace[], heldOut: Trace[]] {
  const sorted = traces.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  // The training half has the even ranks, counted from 1, which are the odd indexes, counted from 0.
  const halves = [1, 0].map((rest) => sorted.filter((_, index) => index % 2 === rest));
  const [training = [], heldOut = []] = halves;
  if (halves.some(({ length }) => length === 0))
    throw new Error('search needs at least two traces, because half of them are held out');
  return [training, heldOut];
}
