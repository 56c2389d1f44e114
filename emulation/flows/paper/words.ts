import { MACHINE_OPTIONS } from '../../machine/machine-options.ts';
import { EXPERIMENT_OPTIONS } from '../../runs/asked.ts';
import { wordsOf } from '../../words/words.ts';

const { seed, out, resume, shard, rtt } = EXPERIMENT_OPTIONS;

export const bufferPaperWords = wordsOf({
  action: 'run buffer-paper',
  about: 'All figures of Updating the Theory of Buffer Sizing, by TCP flows through the P4 switch.',
  subjects: 1,
  options: {
    runs: { of: 'N', about: "of each cell, instead of the experiment's own number" },
    seconds: { of: 'S', about: 'of each run' },
    seed,
    rate: { of: 'MBIT', about: 'of the link, in Mbit/s' },
    ...{ rtt, out, resume, shard },
    ...MACHINE_OPTIONS,
    quick: { about: 'in a quarter of an hour: fewer buffers and flows, and runs of fewer round trips' },
    figures: { of: '3,5', about: 'only these' },
    cc: {
      of: 'A,B',
      about: 'in the figures that compare congestion controls also these: vegas, which BPF loads',
    },
  },
});
