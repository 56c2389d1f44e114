/* The thread of a forwarder without a program. It connects two ports through the same queue and loop as the switch. */
import { threadData } from '../start-thread.ts';
import { LiveLoop } from '../switch/live/live-loop.ts';
import type { LiveStart } from '../switch/live/messages.ts';
import { PATH_PORTS } from '../switch/live/path.ts';
import { PlainForwarder } from './plain-forwarder.ts';

const start = threadData() as LiveStart;
const loop = new LiveLoop(start);
const pairs = new Map<number, number>([
  [PATH_PORTS.outside, PATH_PORTS.inside],
  [PATH_PORTS.inside, PATH_PORTS.outside],
]);
loop.run(new PlainForwarder(start.config.ports, pairs, loop.transmit), () => {
  throw new Error('a plain forwarder has no registers and counters');
});
