import { expect, it } from 'vitest';
import { readCells, readProjectFile } from './read-cells.ts';

interface Point {
  readonly arm: string;
  readonly stall_points: number;
  readonly ssim_db: number;
}
const sets = JSON.parse(readProjectFile('docs/results/log/front.json')) as readonly {
  readonly points: readonly Point[];
}[];

const STOCK = 'dashjs';
const IN_GUIDE: Readonly<Record<string, string>> = {
  'dash.js: stalled, SSIM': STOCK,
  'HYB with a reserve, the default': 'sammy-careful',
  Planner: 'planner',
  'MPC over scenarios': 'sammy-scenario-mpc',
  Fugu: 'fugu',
  'BOLA-E': 'sammy-bola',
  BBA: 'sammy-bba',
  'RobustMPC-HM': 'sammy-robust-mpc-hm',
  HYB: 'sammy-paper',
  'dash.js without fast switch': 'dashjs-no-fast-switch',
  'Limit: knows the network': 'knows the network',
};
const IN_SHORT: Readonly<Record<string, string>> = {
  'dash.js': STOCK,
  default: 'sammy-careful',
  '`planner()`': 'planner',
  limit: 'knows the network',
};

const signed = (value: number): string => {
  const text = value.toFixed(2);
  return Number(text) < 0 ? text : `+${text.replace('-', '')}`;
};

/** Returns the cells of an arm's row: stock's own figures, and the differences of other arms from them. */
const cells = (arm: string): string[] =>
  sets.map(({ points }) => {
    const [own, stock] = [arm, STOCK].map((each) => points.find((point) => point.arm === each));
    if (!own || !stock) throw new Error(`front.json has no ${arm}`);
    return arm === STOCK
      ? `${own.stall_points.toFixed(2)}%, ${own.ssim_db.toFixed(2)}`
      : `${signed(own.stall_points - stock.stall_points)}, ${signed(own.ssim_db - stock.ssim_db)}`;
  });

it.each(Object.entries(IN_GUIDE))(
  'the guide contains the committed figures of the front: %s',
  (name, arm) => {
    expect(readCells('docs/guide/algorithms/index.md', `| ${name} `)).toContainEqual(cells(arm));
  },
);

it.each(Object.entries(IN_SHORT))(
  'the README and the first page contain the committed figures of the front: %s',
  (name, arm) => {
    for (const page of ['README.md', 'docs/index.md'])
      expect(readCells(page, `| ${name} `)).toContainEqual(cells(arm));
  },
);
