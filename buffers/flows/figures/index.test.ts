import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { figures } from './index.ts';

const numbers = figures.map(({ number }) => number);

it('lists every figure that has a file, in the order of the paper, each with a section in the log', () => {
  const files = readdirSync(new URL('.', import.meta.url)).flatMap(
    (name) => /^figure-(\d+)\.ts$/.exec(name)?.[1] ?? [],
  );
  expect(numbers).toEqual(files.map(Number).sort((one, other) => one - other));
  const log = readFileSync(new URL('../../../docs/results/log/buffer-paper.md', import.meta.url), 'utf8');
  expect(numbers.filter((number) => !log.includes(`<!-- table:buffer-figure-${number} -->`))).toEqual([]);
});
