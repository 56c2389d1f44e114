// The canary's thread (see canary.ts). It answers each message with its waits at every wake-up since the last message.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { firstServed } from '../../../ground/programs/first-served.ts';
import { parseWaited_ns } from './proc-files.ts';

const EVERY_MS = 10;

const waited_ns = (): number | null => {
  try {
    return parseWaited_ns(readFileSync('/proc/thread-self/schedstat', 'utf8'));
  } catch {
    return null;
  }
};

// Called in this thread, because on Linux a priority applies only to the calling thread.
firstServed();
let waits_ns: number[] = [];
let before = waited_ns();
setInterval(() => {
  const now = waited_ns();
  if (now !== null && before !== null) waits_ns.push(now - before);
  before = now;
}, EVERY_MS);
parentPort?.on('message', () => {
  parentPort?.postMessage(waits_ns);
  waits_ns = [];
});
parentPort?.postMessage('ready');
