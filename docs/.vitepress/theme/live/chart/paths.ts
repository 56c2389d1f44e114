/** Size of the box in which charts are drawn. CSS stretches the box; lines keep their width. */
export const WIDTH = 300;
export const HEIGHT = 100;

export interface Scale {
  /** Distance from the left edge of the chart. */
  readonly x: (value: number) => number;
  /** Distance from the top edge of the chart. */
  readonly y: (value: number) => number;
}

export const makeScale = (mostX: number, mostY: number, leastX = 0): Scale => ({
  x: (value) => tenth((WIDTH * (value - leastX)) / (mostX - leastX)),
  y: (value) => tenth(HEIGHT * (1 - Math.min(1, value / mostY))),
});

const tenth = (value: number): number => Math.round(value * 10) / 10;

type Point = readonly [x: number, y: number];

export const linePath = (points: readonly Point[], { x, y }: Scale): string =>
  points.map(([atX, atY], index) => `${index === 0 ? 'M' : 'L'}${x(atX)} ${y(atY)}`).join('');

/** Returns the path of an area between a line and the axis. */
export function areaPath(points: readonly Point[], scale: Scale): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  return `${linePath([[first[0], 0], ...points, [last[0], 0]], scale)}Z`;
}

export interface Block {
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

export const blocksPath = (blocks: readonly Block[], { x, y }: Scale): string =>
  blocks.map(({ from, to, height }) => `M${x(from)} ${HEIGHT}V${y(height)}H${x(to)}V${HEIGHT}Z`).join('');

/** Rounds up to 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten, so that an axis ends at a readable number. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(3));
}
