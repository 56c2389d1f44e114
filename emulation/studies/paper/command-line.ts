import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { HARNESS_OPTIONS } from '../../harness/runs/harness-options.ts';

/** `run paper` runs all studies instead of a single one. */
export const PAPER = 'paper';

export const paperLine = defineCommandLine({
  command: 'npm run lab -- run',
  usage: `${PAPER} [options]`,
  about:
    'Every table and picture of docs/results/log/paper-*.md, the most important first, one run at a time, each study in a folder of its own.',
  maxPositionals: 1,
  options: {
    out: { valueName: 'DIR', about: 'where the results go (lab-results/paper)' },
    resume: HARNESS_OPTIONS.resume,
    seed: HARNESS_OPTIONS.seed,
    quick: { about: 'within 40 minutes: short sessions, few of them, with wide intervals or none' },
  },
});
