import type { Option, Options } from '../../../system/command-line/command-line.ts';
import { parseChoice } from '../../../system/command-line/parsers.ts';

/** What plays or sends. */
export const BACKENDS = ['chromium', 'page', 'light', 'model'] as const;
/** What it plays or sends over. */
export const LINKS = ['mahimahi', 'p4', 'virtual'] as const;
export const CLOCKS = ['real', 'virtual'] as const;

/** Where runs are made. With a virtual clock on a real link they are made in a virtual machine. */
export interface Place {
  readonly backend: (typeof BACKENDS)[number];
  readonly link: (typeof LINKS)[number];
  readonly clock: (typeof CLOCKS)[number];
}

/** The options that say where a study runs. */
export const PLACE_OPTIONS = {
  backend: {
    valueName: 'B',
    about:
      "chromium: dash.js in Chromium; page: dash.js itself without a browser; light: the plug-in's core, or flows, over the kernel's TCP; model: a model of player and TCP, in seconds and without root. Not every study has all",
    parse: parseChoice(BACKENDS),
  },
  link: {
    valueName: 'L',
    about:
      "mahimahi; p4: the P4 switch, which reports every packet's queue; virtual: virtual time, with the model or page",
    parse: parseChoice(LINKS),
  },
  clock: {
    valueName: 'C',
    about: 'real; virtual: with --link p4, in a virtual machine where computing takes no time, without root',
    parse: parseChoice(CLOCKS),
  },
} as const satisfies Options;

/** The old spelling of what carries many sessions. */
export const OVER = {
  valueName: 'O',
  about: '',
  becomes: (over: string) => ({ backend: BACKENDS_OVER[over] ?? over }),
} as const satisfies Option;
const BACKENDS_OVER: Readonly<Record<string, string>> = { 'virtual-time': 'model', tcp: 'light' };

/** What the command line says of a place. */
export type AskedPlace = { readonly [Axis in keyof Place]?: Place[Axis] | undefined };

const AXES = ['backend', 'link', 'clock'] as const satisfies readonly (keyof Place)[];

/** Reads places such as `chromium on mahimahi or p4`, in the order in which they are preferred. */
export const places = (
  ...listed: readonly (readonly [Place['backend'], Place['link'], Place['clock']])[]
): readonly Place[] => listed.map(([backend, link, clock]) => ({ backend, link, clock }));

/**
 * The first of a study's places that is as asked for; the one before, of a folder that is resumed, if nothing is. Throws an
 * Error of one line, with what there is, if the study cannot run there.
 */
export function placeFor(
  { name, places: known }: { readonly name: string; readonly places: readonly Place[] },
  asked: AskedPlace,
  before?: Place,
): Place {
  const given = AXES.filter((axis) => asked[axis] !== undefined);
  if (given.length === 0 && before) return before;
  const found = known.find((place) => given.every((axis) => place[axis] === asked[axis]));
  if (found) return found;
  const words = given.map((axis) => `--${axis} ${asked[axis]}`).join(' ');
  throw new Error(`${name} does not run with ${words}; it runs with ${known.map(told).join(', or ')}`);
}

const told = (place: Place): string => AXES.map((axis) => `--${axis} ${place[axis]}`).join(' ');

/** Whether runs there are made in a virtual machine. */
export const isInMachine = ({ link, clock }: Place): boolean => clock === 'virtual' && link !== 'virtual';
