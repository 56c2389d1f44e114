import { defineCommandLine, type ValuesOf } from '../../../system/command-line/command-line.ts';
import { oneOf, someOf, wholeNumber } from '../../../system/command-line/parsers.ts';
import { OVER, PLACE_OPTIONS, places } from '../../harness/runs/place.ts';
import { readShard } from '../../harness/runs/shard.ts';
import { PATIENCES } from '../../player/viewers/patience.ts';
import { DESIGNS } from './designs.ts';
import { METRICS } from './session-row.ts';
import { readHours } from './tcp/read-hours.ts';
import { TREATMENTS } from './treatments.ts';
import { FORMATS } from './files/written.ts';

export const WORLD_STUDY = {
  name: 'world',
  places: places(['model', 'virtual', 'virtual'], ['light', 'p4', 'real']),
};

export const commandLine = defineCommandLine({
  command: 'npm run lab -- world',
  about:
    "An experiment on two congested links, in virtual time: many sessions that share a link, one row each, for 'npm run experiment -- analyze', and the truth: all treated beside none.",
  options: {
    design: {
      valueName: 'D',
      about: 'paired, ab, switchback, switchback-hours, truth, or aa, without treatment (paired)',
      parse: oneOf(DESIGNS),
    },
    treatment: {
      valueName: 'T',
      about: 'sammy (pacing), cap (a ceiling for the bitrate), or none, which is the control again (sammy)',
      parse: oneOf(TREATMENTS),
    },
    table: {
      about:
        "instead: every design (or --design D) of sammy and cap and the truth, a folder for each of --runs N seeds, for 'npm run experiment -- world' (lab-results/world/table)",
    },
    runs: { valueName: 'N', about: 'of --table: seeds (1)', parse: wholeNumber(1) },
    days: { valueName: 'N', about: 'from a Monday on (5; light 1)', parse: wholeNumber(1) },
    'sessions-per-hour': {
      valueName: 'N',
      about: "of each link at a weekday's peak (90; light 15)",
      parse: wholeNumber(1),
    },
    seed: { valueName: 'N', about: 'of what is drawn (1)', parse: wholeNumber(0) },
    jobs: {
      valueName: 'N',
      about: 'so many at a time (1): processes; with --backend light links',
      parse: wholeNumber(1),
    },
    out: { valueName: 'DIR', about: 'where the results go (lab-results/world/TREATMENT-DESIGN)' },
    patience: {
      valueName: 'P',
      about:
        'endless: viewers stay as long as they meant to; or krishnan-sitaraman: they leave when playback does not start, and sooner after stalls, as published (endless)',
      parse: oneOf(PATIENCES),
    },
    ...PLACE_OPTIONS,
    over: OVER,
    hours: {
      valueName: 'A-B',
      about: "with --backend light: of each day only from A until before B o'clock (0-24)",
      parse: readHours,
    },
    'baseline-days': {
      valueName: 'N',
      about:
        "before it, in which nobody is treated: what paired links differ by anyway (7, as the paper's; light and --table 0)",
      parse: wholeNumber(0),
    },
    format: {
      valueName: 'F',
      about: 'csv, or parquet, a fifth as large: sessions.csv or sessions.parquet (csv)',
      parse: oneOf(FORMATS),
    },
    metrics: {
      valueName: 'A,B',
      about: 'the sessions with only these metrics (all)',
      parse: someOf(METRICS),
    },
    shard: {
      valueName: 'K/N',
      about:
        'with --backend light: only the Kth of N parts of the links, for one of N machines; merge puts them together',
      parse: readShard,
    },
  },
});
export type Values = ValuesOf<typeof commandLine.options>;
