import type { Options } from '../../../system/command-line/command-line.ts';
import { list, parseChoice, wholeNumber } from '../../../system/command-line/parsers.ts';
import { EDGE_NAMES } from '../../network/edges/index.ts';
import { LINK_OPTIONS } from '../../network/links/link-options.ts';

export const LEAST_SECONDS = 5;

/** The options of every study of sessions. */
export const SESSION_OPTIONS = {
  arms: {
    valueName: 'A,B',
    about:
      "only these arms, in this order after the control, which is the study's own first arm if it is among them. A@FILE, A@FILE#NAME: arm A with constants from a file of 'search'",
    parse: list,
  },
  conditions: { valueName: 'A,B', about: 'only these conditions, if the study has several', parse: list },
  runs: {
    valueName: 'N',
    about: "number of runs of each arm, instead of the study's own",
    parse: wholeNumber(1),
  },
  seconds: { valueName: 'S', about: 'length of each session, s', parse: wholeNumber(LEAST_SECONDS) },
  edge: {
    valueName: 'E',
    about:
      "the edge: node; node-http2, over TLS; node-yield, which yields to others; or nginx, from apt with this project's module (node)",
    parse: parseChoice(EDGE_NAMES),
  },
  neighbor: {
    valueName: 'NAME',
    about: "neighbor on the link, instead of the study's own: http, tcp, udp or video",
  },
  'congestion-control': {
    valueName: 'NAME',
    about:
      "congestion control of the server of the video, such as cubic or bbr; neighbors' servers keep reno (reno)",
  },
  ...LINK_OPTIONS,
  'exact-links': {
    about: "with --link virtual: exactly the requested links, without mahimahi's small additional delay",
  },
  forks: {
    about:
      'with --backend model: also compute how long each paced request would have taken without its pace, in a fork of the network (unpaced.csv; report --puffer writes unpaced.parquet), to evaluate predictions',
  },
} as const satisfies Options;
