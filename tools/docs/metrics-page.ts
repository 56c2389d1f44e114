import { EXPLAINED } from '../../emulation/player/records/explained.ts';
import { MARGINS_TEXT } from '../../emulation/player/records/margins.ts';
import { metrics } from '../../emulation/player/records/metrics.ts';

/** The reference of the metrics, in Markdown: from the sources, as the lab's reports have them. */
export const metricsPage = (): string =>
  [
    '# Metrics\n',
    'This page defines the metrics that the lab reports for a session and its neighbors. The names are those of `session.json` and `summary.json`.\n',
    `A report calls a change better or worse only if its whole 95% interval lies beyond a margin that was set in advance: ${MARGINS_TEXT}, 1% for other metrics.\n`,
    'Chunk throughput has no better direction: pacing lowers it by design, and a treatment that relieves a congested link raises it. Reports of the lab and [verdicts of the analysis](../experiments/verdict.md) call it changed, neither better nor worse.\n',
    '| metric | unit | better | what it is |',
    '| --- | --- | --- | --- |',
    ...metrics.map(({ name, unit, better }) => `| \`${name}\` | ${unit} | ${better} | ${EXPLAINED[name]} |`),
    '',
  ].join('\n');
