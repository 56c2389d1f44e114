import { EXPERIMENT_OPTIONS } from '../runs/asked.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';

/** `run paper` runs all experiments instead of a single one. */
export const PAPER = 'paper';

export const paperWords = defineCommandLine({
  command: 'npm run lab -- run',
  usage: `${PAPER} [options]`,
  about:
    'Every table and picture of docs/results/log/paper-*.md, the most important first, in one lane, each experiment in a folder of its own.',
  maxPositionals: 1,
  options: {
    out: { valueName: 'DIR', about: 'where the results go (lab-results/paper)' },
    resume: EXPERIMENT_OPTIONS.resume,
    seed: EXPERIMENT_OPTIONS.seed,
    quick: { about: 'within 40 minutes: short sessions, few of them, with wide intervals or none' },
  },
});
