import { PAPER_LINK } from '../links/link.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';

/** Constant pacing at twice the top bitrate, in bursts of so many packets, as the figure's treatments. */
const BURSTS_PACKETS = [4, 10, 20, 40];

export const burst = sessionExperiment({
  name: 'burst',
  about: 'how bursts of 4 to 40 packets at one pace change retransmissions and the queue',
  figure: 'Sammy Figure 4',
  arms: ['dashjs', 'sammy'],
  runs: 5,
  seconds: 60,
  // A queue of two bandwidth-delay products: in the paper's four no burst of 40 packets is ever dropped, and behind one
  // the Reno flow that calibrates the link cannot fill it.
  link: { ...PAPER_LINK, queue_bytes: 50_000 },
  // The burst is the machine's, and would be the control's too.
  conditions: [
    { name: 'unpaced', arms: ['dashjs'] },
    ...BURSTS_PACKETS.map((packets) => ({
      name: `${packets}packets`,
      arms: ['sammy'],
      sammy: { c0: 2, c1: 2 },
      burst_packets: packets,
    })),
  ],
});
