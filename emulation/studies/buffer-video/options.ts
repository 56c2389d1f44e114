import { VIRTUAL_CONTROLS } from '../../../buffers/packets/controls/control-named.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { list, parseChoice, parseChoices, wholeNumber } from '../../../system/command-line/parsers.ts';
import { sites } from './sites.ts';

export const BUFFER_VIDEO_OPTIONS = {
  sites: {
    valueName: 'A,B',
    about: `of ${Object.keys(sites).join(', ')} (all)`,
    parse: parseChoices(sites),
  },
  arms: {
    valueName: 'A,B',
    about: 'what all viewers play with: dashjs, or with a pace sammy-smooth (dashjs)',
    parse: list,
  },
  hours: {
    valueName: 'N',
    about: 'of each site, an evening of eight that comes again (8)',
    parse: wholeNumber(1),
  },
  seconds: {
    valueName: 'S',
    about: 'that count of each hour, after a warm-up of 20 s (40)',
    parse: wholeNumber(10),
  },
  quick: { about: 'only pairs of buffers that differ by ten times or more: 4 CPU minutes' },
  cc: {
    valueName: 'NAME',
    about: "of the servers (reno, the thesis's)",
    parse: parseChoice(VIRTUAL_CONTROLS),
  },
  queues: {
    valueName: 'N',
    about: "virtual output queues of each site's routers (2, 18 and 4)",
    parse: wholeNumber(2),
  },
  window: {
    valueName: 'KB',
    about: 'the receive window of all viewers (64, 256 and 1024, each as frequent)',
    parse: wholeNumber(4),
  },
} as const satisfies Options;
