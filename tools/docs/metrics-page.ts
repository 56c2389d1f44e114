import { EXPLAINED } from '../../emulation/player/records/explained.ts';
import { MARGINS_TEXT } from '../../emulation/player/records/margins.ts';
import { metrics } from '../../emulation/player/records/metrics.ts';

/** The reference of the metrics, in Markdown: from the sources, as the lab's reports have them. */
export const metricsPage = (): string =>
  [
    '# Metrics\n',
    'What the lab measures of a session and of its neighbors; a report has these words too. The names are those of `session.json` and `summary.json`.\n',
    `A report calls a change better or worse only where its whole 95% interval lies beyond a margin that was stated before: ${MARGINS_TEXT}, 1% else.\n`,
    '| metric | unit | better | what it is |',
    '| --- | --- | --- | --- |',
    ...metrics.map(({ name, unit, better }) => `| \`${name}\` | ${unit} | ${better} | ${EXPLAINED[name]} |`),
    '',
  ].join('\n');
