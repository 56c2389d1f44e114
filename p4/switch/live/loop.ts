/*
 * The thread of a live switch: one loop that reads frames, lets leave what is due, and sleeps in ppoll until the next
 * frame or the next departure. It never returns to the event loop while the switch runs, so that nothing else of
 * the process makes it late.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { monotonic, unixOffset_s } from '../../clock.ts';
import { compileFile } from '../../compiler/compile.ts';
import { configure } from '../config.ts';
import { ControlPlane } from '../control-plane.ts';
import { V1Switch } from '../v1model.ts';
import { FrameSlab } from './frame-slab.ts';
import { Lateness } from './lateness.ts';
import type { LiveStart, LiveStatus, Reply, Request } from './messages.ts';
import { Poller, readFrame, writeFrame } from './tap.ts';
import { becomeRealTime, threadCpu_s } from './thread.ts';

/** Frames read from one port before the others and the departures have their turn. */
const BATCH = 32;
/** Requests wait no longer than this, in nanoseconds. */
const LONGEST_SLEEP = 20e6;
/** How often requests are looked for while frames keep coming. */
const REQUEST_INTERVAL = 5e6;

const { config, taps } = workerData as LiveStart;
const main = parentPort;
if (!main) throw new Error('the loop of the switch runs in a thread of its own');

const began = monotonic();
const lateness = new Lateness();
const ports = taps.map(({ port, fd }) => {
  const { rateBitsPerSecond, ratePacketsPerSecond } = config.ports.get(port) ?? {};
  const scheduled = rateBitsPerSecond !== undefined || ratePacketsPerSecond !== undefined;
  return { port, fd, scheduled, received: 0, transmitted: 0, refused: 0 };
});
const byPort = new Map(ports.map((port) => [port.port, port]));

const device = new V1Switch(compileFile(config.program), {
  ports: config.ports,
  priorities: config.priorities,
  random: Math.random,
  transmit(number, bytes, time) {
    const port = byPort.get(number);
    if (!port) return;
    // Where there is no schedule, nobody is late.
    if (port.scheduled) lateness.add((monotonic() - time) / 1000);
    if (writeFrame(port.fd, bytes)) port.transmitted++;
    else port.refused++;
  },
});
const realTime = becomeRealTime();
const plane = new ControlPlane(device.compiled.program, device.runtime);
configure(device, plane, config);

function status(): LiveStatus {
  const now = monotonic();
  return {
    counts: { ...device.counts },
    ports: ports.map(({ port, received, transmitted, refused }) => ({
      port,
      received,
      transmitted,
      refused,
      ...device.queues.counts(port),
    })),
    lateness: lateness.summary(),
    cpu_s: threadCpu_s(),
    seconds: (now - began) / 1e9,
    realTime,
    clock: { monotonic_s: now / 1e9, unixOffset_s: unixOffset_s() },
  };
}

function answer(request: Request): unknown {
  switch (request.what) {
    case 'stop':
    case 'status':
      return status();
    case 'register': {
      const register = plane.register(request.name);
      return Array.from({ length: request.count }, (_, at) => register.read(request.from + at));
    }
    case 'write': {
      const register = plane.register(request.name);
      register.write(request.index, register.width > 32 ? request.value : Number(request.value));
      return true;
    }
    case 'counter':
      return plane.counts(request.name, request.index);
  }
}

/** Answers what was asked meanwhile; false when the switch is to stop. */
function serve(): boolean {
  let goesOn = true;
  for (let message = receiveMessageOnPort(requests); message; message = receiveMessageOnPort(requests)) {
    const request = message.message as Request;
    if (request.what === 'stop') goesOn = false;
    let reply: Reply;
    try {
      reply = { id: request.id, result: answer(request) };
    } catch (error) {
      reply = { id: request.id, error: error instanceof Error ? error.message : String(error) };
    }
    requests.postMessage(reply);
  }
  return goesOn;
}

const requests = main;
const poller = new Poller(ports.map(({ fd }) => fd));
const frames = new FrameSlab();
let served = monotonic();
requests.postMessage({ id: 0 } satisfies Reply);

for (let goesOn = true; goesOn;) {
  poller.wait(Math.max(0, Math.min(device.queues.nextDeparture() - monotonic(), LONGEST_SLEEP)));
  let busy = false;
  for (const [at, port] of ports.entries()) {
    if (!poller.ready(at)) continue;
    for (let left = BATCH; left > 0; left--) {
      const size = readFrame(port.fd, frames.room());
      if (!size) break;
      busy = true;
      port.received++;
      const now = monotonic();
      device.advance(now);
      device.receive(port.port, frames.take(size), now);
    }
  }
  const now = monotonic();
  device.advance(now);
  if (!busy || now - served > REQUEST_INTERVAL) {
    served = now;
    goesOn = serve();
  }
}
requests.close();
