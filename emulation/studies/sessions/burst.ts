import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

/** The burst sizes of Figure 4, packets. The pace is constant, at twice the top bitrate. */
const BURSTS_PACKETS = [4, 10, 20, 40];

export const burst = sessionStudy({
  name: 'burst',
  about: 'how bursts of 4 to 40 packets at one pace change retransmissions and the queue',
  figure: 'Sammy Figure 4',
  arms: ['dashjs', 'sammy-paper'],
  runs: 5,
  seconds: 60,
  // The queue has two bandwidth-delay products. With the paper's four products, a burst of 40 packets never causes a
  // loss. With one product, the Reno flow that calibrates the link could not fill the link.
  link: { ...PAPER_LINK, queue_bytes: 50_000 },
  // Each burst size is a condition, because it is a setting of the whole machine that would affect the control too.
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
