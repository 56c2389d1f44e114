import type { Options } from '../../system/command-line/command-line.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import { places } from '../../emulation/harness/runs/place.ts';

/** The minimum duration of a run, s. */
const LEAST_SECONDS = 5;

/** The options of every study of flows that share a link. */
export const FLOW_OPTIONS = {
  runs: { valueName: 'N', about: "of each cell, instead of the study's own number", parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each run', parse: wholeNumber(LEAST_SECONDS) },
  rate: { valueName: 'MBIT', about: 'of the link, in Mbit/s' },
  rtt: { valueName: 'MS', about: 'of the link', parse: wholeNumber(0) },
} as const satisfies Options;

/**
 * Where flows can run: over the kernel's TCP through the P4 switch, on the real or a virtual clock. The first place is
 * the default.
 */
export const FLOW_PLACES = places(['light', 'p4', 'real'], ['light', 'p4', 'virtual']);
