import { EXPERIMENT_OPTIONS, FLOW_OPTIONS } from '../../runs/asked.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const { conditions, runs, seconds, seed, out, resume, shard, rtt } = EXPERIMENT_OPTIONS;
const { 'drop-at': dropAt, burst, buffer, kernel } = FLOW_OPTIONS;

export const abLabWords = defineCommandLine({
  command: 'npm run lab -- run',
  usage: 'ab-lab [options]',
  about:
    'What A/B tests say of two connections, pacing and bbr, and what happens when all ten applications of a link have them (Unbiased Experiments, Figures 2 and 3).',
  maxPositionals: 1,
  options: {
    conditions: { ...conditions, about: 'only these: connections, pacing, congestion-control' },
    runs: { ...runs, about: "of each allocation, instead of the experiment's own number" },
    seconds: { ...seconds, about: 'of each run' },
    seed,
    rate: { valueName: 'MBIT', about: 'of the link, in Mbit/s' },
    ...{ rtt, out, resume, shard },
    quick: { about: 'in ten minutes: 0, 1, 5, 9 and 10 treated, and shorter runs' },
    ...{ 'drop-at': dropAt, burst, buffer, kernel },
  },
});
