import type { Options } from '../../../system/command-line/command-line.ts';
import { parseChoice, parseChoices, wholeNumber } from '../../../system/command-line/parsers.ts';
import { PATIENCES } from '../../player/light/patience.ts';
import { DESIGNS } from './designs.ts';
import { METRICS } from './session-row.ts';
import { readHours } from './tcp/read-hours.ts';
import { TREATMENTS } from './treatments.ts';

/** The formats in which sessions can be written. */
export const FORMATS = ['csv', 'parquet'] as const;

export const WORLD_OPTIONS = {
  design: {
    valueName: 'D',
    about: 'paired, ab, switchback, switchback-hours, truth, or aa, without treatment (paired)',
    parse: parseChoice(DESIGNS),
  },
  treatment: {
    valueName: 'T',
    about: 'sammy (pacing), cap (a ceiling for the bitrate), or none, which is the control again (sammy)',
    parse: parseChoice(TREATMENTS),
  },
  table: {
    about:
      "instead: every design (or --design D) of sammy and cap and the truth, a folder for each of --runs N seeds, for 'npm run experiment -- world'",
  },
  runs: { valueName: 'N', about: 'of --table: seeds (1)', parse: wholeNumber(1) },
  days: { valueName: 'N', about: 'from a Monday on (5; light 1)', parse: wholeNumber(1) },
  'sessions-per-hour': {
    valueName: 'N',
    about: "of each link at a weekday's peak (90; light 15)",
    parse: wholeNumber(1),
  },
  patience: {
    valueName: 'P',
    about:
      'endless: viewers stay as long as they meant to; or krishnan-sitaraman: they leave when playback does not start, and sooner after stalls, as published (endless)',
    parse: parseChoice(PATIENCES),
  },
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
    parse: parseChoice(FORMATS),
  },
  metrics: {
    valueName: 'A,B',
    about: 'the sessions with only these metrics (all)',
    parse: parseChoices(METRICS),
  },
} as const satisfies Options;
