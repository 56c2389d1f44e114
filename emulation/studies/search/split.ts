/** How the traces are divided, for readers. */
export const SPLIT =
  'Traces in the order of their names, counted from 1: points are tried on those of even rank, and judged on the others.';

interface Named {
  readonly name: string;
}

/** Divides the traces by rank. Throws an Error if one half would be empty. */
export function splitByRank<Trace extends Named>(
  traces: readonly Trace[],
): readonly [training: Trace[], heldOut: Trace[]] {
  const sorted = traces.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  // An index from 0 is odd if the rank from 1 is even.
  const halves = [1, 0].map((rest) => sorted.filter((_, index) => index % 2 === rest));
  const [training = [], heldOut = []] = halves;
  if (halves.some(({ length }) => length === 0))
    throw new Error('search: one trace only; half of the traces are kept to judge by, so there must be two');
  return [training, heldOut];
}
