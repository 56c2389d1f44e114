import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

/** The length of a session: each player fills its buffer, and then alternates between downloading and pausing. */
const SECONDS = 300;

/**
 * A benchmark of players: how each one affects other traffic on the paper's link. To add a player, add an arm that
 * plays in a page without a browser (`emulation/player/real-time/page/players.ts`), and its name here.
 */
export const neighborliness = sessionStudy({
  name: 'neighborliness',
  about: 'what players do to a UDP flow, a TCP flow, repeated requests and the start of a video',
  figure: 'beyond the paper',
  arms: [
    'dashjs',
    'sammy-paper',
    'sammy-careful',
    'sammy-smooth',
    'hlsjs',
    'hlsjs-sammy',
    'shaka',
    'shaka-sammy',
  ],
  runs: 6,
  seconds: SECONDS,
  link: PAPER_LINK,
  conditions: ['udp', 'tcp', 'http', 'video'].map((neighbor) => ({ name: neighbor, neighbor })),
});
