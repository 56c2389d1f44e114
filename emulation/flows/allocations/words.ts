import { EXPERIMENT_OPTIONS } from '../../runs/asked.ts';
import { wordsOf } from '../../words/words.ts';

const { seed, out, resume, shard, rtt } = EXPERIMENT_OPTIONS;

export const abLabWords = wordsOf({
  action: 'run ab-lab',
  about:
    'What A/B tests say of two connections, pacing and bbr, and what happens when all ten applications of a link have them (Unbiased Experiments, Figures 2 and 3).',
  subjects: 1,
  options: {
    conditions: { of: 'A,B', about: 'only these: connections, pacing, congestion-control' },
    runs: { of: 'N', about: "of each allocation, instead of the experiment's own number" },
    seconds: { of: 'S', about: 'of each run' },
    seed,
    rate: { of: 'MBIT', about: 'of the link, in Mbit/s' },
    ...{ rtt, out, resume, shard },
    quick: { about: 'in ten minutes: 0, 1, 5, 9 and 10 treated, and shorter runs' },
    'drop-at': { of: 'END', about: "of the queue: front, as the paper's switch, or tail (front)" },
    burst: {
      of: 'N',
      about:
        'packets that a sender may send back to back (1, at most 43; with --kernel 7, which is the most)',
    },
    buffer: { of: 'N', about: 'of the switch, in bandwidth-delay products (1)' },
    kernel: {
      of: 'V',
      about:
        "instead in virtual time, in seconds and without root: the paper's own link of 10 Gbit/s and 1 ms, and senders by the rules of Linux 5.5 (the paper's), 5.11 or 6.1",
    },
  },
});
