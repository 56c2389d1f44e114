import type { Options } from '../../../system/command-line/command-line.ts';
import { parseChoice } from '../../../system/command-line/parsers.ts';

/** The programs that play sessions or send data. */
export const BACKENDS = ['chromium', 'page', 'light', 'model'] as const;
/** The link between the player and the edge. */
export const LINKS = ['mahimahi', 'p4', 'virtual'] as const;
export const CLOCKS = ['real', 'virtual'] as const;

/** Where runs are made. With a virtual clock on a real link they are made in a virtual machine. */
export interface Place {
  readonly backend: (typeof BACKENDS)[number];
  readonly link: (typeof LINKS)[number];
  readonly clock: (typeof CLOCKS)[number];
}

/** The options that choose where a study runs. */
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

/** The settings of a `Place` that the command line gave. */
export type AskedPlace = { readonly [Axis in keyof Place]?: Place[Axis] | undefined };

const AXES = ['backend', 'link', 'clock'] as const satisfies readonly (keyof Place)[];

/** Lists places by backend, link and clock, in order of preference. */
export const places = (
  ...listed: readonly (readonly [Place['backend'], Place['link'], Place['clock']])[]
): readonly Place[] => listed.map(([backend, link, clock]) => ({ backend, link, clock }));

/**
 * Finds the first place of a study that matches the request. If nothing is requested, returns `before`, the place of
 * the resumed folder. Throws an Error of one line, with the possible places, if there is no match.
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
  throw new Error(`${name} does not run with ${words}; it runs with ${known.map(formatPlace).join(', or ')}`);
}

const formatPlace = (place: Place): string => AXES.map((axis) => `--${axis} ${place[axis]}`).join(' ');

/** Whether runs at this place are made in a virtual machine. */
export const isInMachine = ({ link, clock }: Place): boolean => clock === 'virtual' && link !== 'virtual';
