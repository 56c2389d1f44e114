import { MACHINE_OPTIONS } from '../../machine/machine-options.ts';
import { EXPERIMENT_OPTIONS, FLOW_OPTIONS } from '../../runs/asked.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const { runs, seconds, seed, out, resume, shard, rtt } = EXPERIMENT_OPTIONS;
const { figures, cc } = FLOW_OPTIONS;

export const bufferPaperWords = defineCommandLine({
  command: 'npm run lab -- run',
  usage: 'buffer-paper [options]',
  about: 'All figures of Updating the Theory of Buffer Sizing, by TCP flows through the P4 switch.',
  maxPositionals: 1,
  options: {
    runs: { ...runs, about: "of each cell, instead of the experiment's own number" },
    seconds: { ...seconds, about: 'of each run' },
    seed,
    rate: { valueName: 'MBIT', about: 'of the link, in Mbit/s' },
    ...{ rtt, out, resume, shard },
    ...MACHINE_OPTIONS,
    quick: { about: 'in a quarter of an hour: fewer buffers and flows, and runs of fewer round trips' },
    ...{ figures, cc },
  },
});
