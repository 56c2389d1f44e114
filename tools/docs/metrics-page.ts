import { EXPLAINED } from '../../emulation/player/records/explained.ts';
import { VERDICT_WORDS } from '../../emulation/player/records/margins.ts';
import { metrics } from '../../emulation/player/records/metrics.ts';

/** Returns the Markdown reference of the metrics, generated from the definitions in the lab's reports. */
export const metricsPage = (): string =>
  [
    '# Metrics\n',
    'This page defines the metrics that the lab reports for a session and its neighbors. The names are those of `session.json` and `summary.json`.\n',
    `What the verdicts of a report mean. ${VERDICT_WORDS}\n`,
    'Chunk throughput has no better direction: pacing lowers it by design, and a treatment that relieves a congested link raises it. Reports of the lab and [verdicts of the analysis](../experiments/verdict.md) call it changed, neither better nor worse.\n',
    '| metric | unit | better | what it is |',
    '| --- | --- | --- | --- |',
    ...metrics.map(({ name, unit, better }) => `| \`${name}\` | ${unit} | ${better} | ${EXPLAINED[name]} |`),
    '',
  ].join('\n');
