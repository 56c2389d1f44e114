import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

/** The figure's treatments: constant pacing at twice the top bitrate, in bursts of this many packets. */
const BURSTS_PACKETS = [4, 10, 20, 40];

export const burst = sessionStudy({
  name: 'burst',
  about: 'how bursts of 4 to 40 packets at one pace change retransmissions and the queue',
  figure: 'Sammy Figure 4',
  arms: ['dashjs', 'sammy-paper'],
  runs: 5,
  seconds: 60,
  // A queue of two bandwidth-delay products. The paper's four never drop a burst of 40 packets; the Reno flow that calibrates
  // the link cannot fill a queue of one product.
  link: { ...PAPER_LINK, queue_bytes: 50_000 },
  // The burst size is a setting of the whole machine, so without conditions the control would have it too.
  conditions: [
    { name: 'unpaced', arms: ['dashjs'] },
    ...BURSTS_PACKETS.map((packets) => ({
      name: `${packets}packets`,
      arms: ['sammy-paper'],
      sammy: { c0: 2, c1: 2 },
      burst_packets: packets,
    })),
  ],
});
