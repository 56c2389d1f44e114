import { wordsOf, type ValuesOf } from '../words/words.ts';

export const words = wordsOf({
  action: 'world',
  about:
    "An experiment on two congested links, in virtual time: many sessions that share a link, one row each, for 'npm run experiment -- analyze', and the truth: all treated beside none.",
  options: {
    design: {
      of: 'D',
      about: 'paired, ab, switchback, switchback-hours, truth, or aa, without treatment (paired)',
    },
    treatment: {
      of: 'T',
      about: 'sammy (pacing), cap (a ceiling for the bitrate), or none, which is the control again (sammy)',
    },
    table: {
      about:
        "instead: every design of sammy and cap and the truth, a folder for each of --runs N seeds, for 'npm run experiment -- world' (lab-results/world/table)",
    },
    runs: { of: 'N', about: 'of --table: seeds (1)' },
    days: { of: 'N', about: 'from a Monday on (5; over TCP 1)' },
    'sessions-per-hour': { of: 'N', about: "of each link at a weekday's peak (90; over TCP 15)" },
    seed: { of: 'N', about: 'of what is drawn (1)' },
    jobs: { of: 'N', about: 'processes (1); over TCP, so many links at a time' },
    out: { of: 'DIR', about: 'where the results go (lab-results/world/TREATMENT-DESIGN)' },
    patience: {
      of: 'P',
      about:
        'endless: viewers stay as long as they meant to; or krishnan-sitaraman: they leave when playback does not start, and sooner after stalls, as published (endless)',
    },
    over: {
      of: 'O',
      about:
        'virtual-time, or tcp: light viewers on links of the P4 switch, an hour in 20 s, as root; --jobs 2 plays two links at a time (virtual-time)',
    },
    hours: { of: 'A-B', about: "over TCP: of each day only from A until before B o'clock (0-24)" },
    'baseline-days': {
      of: 'N',
      about:
        "before it, in which nobody is treated: what paired links differ by anyway (7, as the paper's; over TCP 0)",
    },
    format: {
      of: 'F',
      about: 'csv, or parquet, a fifth as large: sessions.csv or sessions.parquet (csv)',
    },
    metrics: { of: 'A,B', about: 'the sessions with only these metrics (all)' },
    shard: {
      of: 'K/N',
      about:
        'over TCP: only the Kth of N parts of the links, for one of N machines; merge puts them together',
    },
  },
});
export type Values = ValuesOf<typeof words.options>;
