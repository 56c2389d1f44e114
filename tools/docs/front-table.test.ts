import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const inDocs = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

interface Point {
  readonly arm: string;
  readonly stall_points: number;
  readonly ssim_db: number;
}
const sets = JSON.parse(inDocs('results/log/front.json')) as readonly { readonly points: readonly Point[] }[];

const ARMS: Readonly<Record<string, string>> = {
  'HYB with a reserve, the default': 'sammy-careful',
  'MPC over scenarios': 'sammy-scenario-mpc',
  Fugu: 'fugu',
  'BOLA-E': 'sammy-bola',
  BBA: 'sammy-bba',
  'RobustMPC-HM': 'sammy-robust-mpc-hm',
  HYB: 'sammy-paper',
  'dash.js without fast switch': 'dashjs-no-fast-switch',
};

const signed = (value: number): string => {
  const text = value.toFixed(2);
  return Number(text) < 0 ? text : `+${text.replace('-', '')}`;
};

it.each(Object.entries(ARMS))('the guide contains the committed figures of the front: %s', (name, arm) => {
  const line = inDocs('guide/algorithms/index.md')
    .split('\n')
    .find((each) => each.startsWith(`| ${name} `) && each.split('|')[1]?.trim() === name);
  const cells = sets.map(({ points }) => {
    const [own, stock] = [arm, 'dashjs'].map((each) => points.find((point) => point.arm === each));
    if (!own || !stock) throw new Error(`front.json has no ${arm}`);
    return `${signed(own.stall_points - stock.stall_points)}, ${signed(own.ssim_db - stock.ssim_db)}`;
  });
  expect(
    line
      ?.split('|')
      .slice(2, -1)
      .map((cell) => cell.trim()),
  ).toEqual(cells);
});
