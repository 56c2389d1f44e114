/*
 * One loop that reads frames, lets leave what is due, and sleeps in ppoll until the next frame or the next departure.
 * It never returns to the event loop of its thread while it runs, so that nothing else of the process makes it late.
 */
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { monotonic, unixOffset_s } from '../../clock.ts';
import { hasWire, type WireCounts } from '../link/wires.ts';
import type { QueueCounts } from '../traffic-manager.ts';
import type { SwitchCounts } from '../v1model.ts';
import { FrameSlab } from '../frame-slab.ts';
import { Lateness } from './lateness.ts';
import type { LiveStart, LiveStatus, ObjectRequest, Reply, Request } from './messages.ts';
import { becomeRealTime, threadCpu_s } from './scheduling.ts';
import { Poller, readFrame, writeFrame } from './tap.ts';

/** Frames read from one port before the others and the departures have their turn. */
const BATCH = 32;
/** Requests wait no longer than this, in nanoseconds. */
const LONGEST_SLEEP = 20e6;
/** How often requests are looked for while frames keep coming. */
const REQUEST_INTERVAL = 5e6;

/** What is between the ports; times are nanoseconds of CLOCK_MONOTONIC. */
export interface Forwarder {
  readonly counts: SwitchCounts;
  readonly queues: { counts(port: number): QueueCounts & { waiting: number } };
  readonly wires: { counts(port: number): WireCounts };
  /** When something is to leave a queue or the switch, or Infinity. */
  nextEvent(): number;
  /** A frame arrives, and is the forwarder's from now on. */
  receive(port: number, frame: Uint8Array, now: number): void;
  /** Lets everything leave that is due. */
  advance(now: number): void;
}

interface LivePort {
  readonly port: number;
  readonly fd: number;
  /** Whether the port has a rate or a wire; without them there is no schedule, and so no lateness. */
  readonly scheduled: boolean;
  received: number;
  transmitted: number;
  refused: number;
}

export class LiveLoop {
  private readonly ports: readonly LivePort[];
  private readonly byPort: ReadonlyMap<number, LivePort>;
  private lateness = new Lateness();
  private readonly frames = new FrameSlab();
  private readonly requests: MessagePort;
  private readonly began = monotonic();
  private realTime = false;

  constructor({ config, taps }: LiveStart) {
    if (!parentPort) throw new Error('the loop of the switch runs in a thread of its own');
    this.requests = parentPort;
    this.ports = taps.map(({ port, fd }) => {
      const settings = config.ports.get(port);
      const scheduled = settings !== undefined && (settings.rate !== undefined || hasWire(settings));
      return { port, fd, scheduled, received: 0, transmitted: 0, refused: 0 };
    });
    this.byPort = new Map(this.ports.map((port) => [port.port, port]));
  }

  /** A frame leaves that was due at `time`. */
  readonly transmit = (number: number, bytes: Uint8Array, time: number): void => {
    const port = this.byPort.get(number);
    if (!port) return;
    if (port.scheduled) this.lateness.add((monotonic() - time) / 1000);
    if (writeFrame(port.fd, bytes)) port.transmitted++;
    else port.refused++;
  };

  /** Forwards until it is asked to stop; `answer` answers what the loop does not know itself. */
  run(forwarder: Forwarder, answer: (request: ObjectRequest) => unknown): void {
    const poller = new Poller(this.ports.map(({ fd }) => fd));
    this.realTime = becomeRealTime();
    let served = monotonic();
    this.requests.postMessage({ id: 0 } satisfies Reply);
    for (let goesOn = true; goesOn;) {
      const due = forwarder.nextEvent() - monotonic();
      poller.wait(Math.max(0, Math.min(due, LONGEST_SLEEP)));
      let busy = false;
      for (const [at, port] of this.ports.entries()) {
        if (poller.ready(at) && this.read(port, forwarder)) busy = true;
        // Otherwise ppoll would report it again at once, without end.
        if (poller.gone(at))
          throw new Error(`the interface of port ${port.port} is gone; was its namespace deleted?`);
      }
      const now = monotonic();
      forwarder.advance(now);
      if (!busy || now - served > REQUEST_INTERVAL) {
        served = now;
        goesOn = this.serve(forwarder, answer);
      }
    }
    this.requests.close();
  }

  /** Takes in what waits at a port; false if nothing did. */
  private read(port: LivePort, forwarder: Forwarder): boolean {
    for (let count = 0; count < BATCH; count++) {
      const size = readFrame(port.fd, this.frames.room());
      if (!size) return count > 0;
      port.received++;
      const now = monotonic();
      forwarder.advance(now);
      forwarder.receive(port.port, this.frames.take(size), now);
    }
    return true;
  }

  /** Answers what was asked meanwhile; false when the switch is to stop. */
  private serve(forwarder: Forwarder, answer: (request: ObjectRequest) => unknown): boolean {
    let goesOn = true;
    const next = (): { message: unknown } | undefined => receiveMessageOnPort(this.requests);
    for (let message = next(); message; message = next()) {
      const request = message.message as Request;
      const { id } = request;
      if (request.what === 'stop') goesOn = false;
      let reply: Reply;
      try {
        const { what } = request;
        const result = what === 'stop' || what === 'status' ? this.status(forwarder) : answer(request);
        if (what === 'status' && request.restartLateness) this.lateness = new Lateness();
        reply = { id, result };
      } catch (error) {
        reply = { id, error: error instanceof Error ? error.message : String(error) };
      }
      this.requests.postMessage(reply);
    }
    return goesOn;
  }

  private status({ counts, queues, wires }: Forwarder): LiveStatus {
    const now = monotonic();
    return {
      counts: { ...counts },
      ports: this.ports.map(({ port, received, transmitted, refused }) => ({
        port,
        received,
        transmitted,
        refused,
        ...queues.counts(port),
        ...wires.counts(port),
      })),
      lateness: this.lateness.summary(),
      cpu_s: threadCpu_s(),
      seconds: (now - this.began) / 1e9,
      realTime: this.realTime,
      clock: { monotonic_s: now / 1e9, unixOffset_s: unixOffset_s() },
    };
  }
}
