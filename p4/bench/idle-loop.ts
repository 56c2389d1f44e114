/*
 * A thread that waits in the same way as the switch's thread, and records how late it wakes up. Its lateness is the
 * lateness that this machine causes in any program. It wakes up once per packet time at 100 Mbit/s.
 */
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { monotonic } from '../clock.ts';
import { Lateness } from '../switch/live/lateness.ts';
import { Poller } from '../switch/live/tap.ts';
import { becomeRealTime } from '../switch/live/scheduling.ts';

/** Nanoseconds between wake-ups: 1514 bytes at 100 Mbit/s. */
const INTERVAL = 121_120;

const main = parentPort;
if (!main) throw new Error('the idle loop runs in a thread of its own');
const poller = new Poller([]);
becomeRealTime();
const lateness = new Lateness();
for (let due = monotonic(); !receiveMessageOnPort(main); due += INTERVAL) {
  const now = monotonic();
  if (now < due) poller.wait(due - now);
  lateness.add((monotonic() - due) / 1000);
}
main.postMessage(lateness.summary());
main.close();
