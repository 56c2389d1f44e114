import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLUMNS } from '../../edge/sessions/beacon.ts';
import { sessionMetrics } from '../../emulation/player/records/measurements.ts';
import type { Direction } from '../../emulation/network/measure/metric.ts';
import { MEASUREMENTS } from '../../emulation/player/records/session-measurements.ts';

const MADE = '../../analysis/sammy_analysis/experiment/reading/measurements.json';

interface Shown {
  readonly unit: string;
  readonly better: Direction;
  readonly title?: string;
}

/**
 * Checks the JSON copy of the definitions for the analysis, which is in Python and cannot import TypeScript. `npx
 * vitest run -u` rewrites the copy.
 */
it('the analysis knows every column of an edge and every measurement that verdicts have', async () => {
  const metrics = Object.entries<Shown>(MEASUREMENTS).flatMap(([name, { title, better }]) => {
    if (title === undefined) return [];
    const less_is_better = better === 'neither' ? null : better === 'lower';
    return [[name, { title, less_is_better }] as const];
  });
  const made = { columns: COLUMNS, metrics: Object.fromEntries(metrics) };
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(MADE);
});

it.each(COLUMNS)('the column %s of an edge is in the reference', (column) => {
  const page = readFileSync(new URL('../../docs/reference/sessions.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`${column}\``);
});

it('no measurement has the name of an edge column, which would replace it', () => {
  expect(Object.keys(MEASUREMENTS).filter((name) => (COLUMNS as readonly string[]).includes(name))).toEqual(
    [],
  );
});

it('a name ends with its unit, which is the same everywhere', () => {
  const endings = { _kbps: 'kbit/s', _ms: 'ms', _s: 's', _db: 'dB', _pct: '%', _ratio: '' };
  for (const [name, { unit }] of Object.entries({ ...sessionMetrics, ...MEASUREMENTS })) {
    const ending = Object.entries(endings).find(([end]) => name.endsWith(end));
    if (ending) expect(`${name}: ${unit}`).toBe(`${name}: ${ending[1]}`);
  }
});
