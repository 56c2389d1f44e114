/*
 * The loop of a live switch. It reads frames, sends packets that are due, and sleeps in ppoll until the next frame or
 * departure. While it runs, it never returns to its thread's event loop, so no other task of the thread can delay the
 * switch.
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

/** Maximum frames read from one port before other ports and departures are served. */
const BATCH_FRAMES = 32;
/** Maximum sleep in nanoseconds, so that requests are answered in time. */
const MAX_SLEEP_NS = 20e6;
/** Interval of checks for requests while frames keep arriving, in nanoseconds. */
const REQUEST_INTERVAL_NS = 5e6;

/** Forwards frames between the ports. Times are nanoseconds of CLOCK_MONOTONIC. */
export interface Forwarder {
  readonly counts: SwitchCounts;
  readonly queues: { counts(port: number): QueueCounts & { waiting: number } };
  readonly wires: { counts(port: number): WireCounts };
  /** The time of the next departure or arrival, or Infinity. */
  nextEvent(): number;
  /** Accepts a frame that arrives at `now`. The forwarder keeps `frame`, so the caller must not reuse it. */
  receive(port: number, frame: Uint8Array, now: number): void;
  /** Sends all packets that are due at `now`. */
  advance(now: number): void;
}

interface LivePort {
  readonly port: number;
  readonly fd: number;
  /** Whether the port has a rate or a wire. Ports without either have no schedule and thus no lateness. */
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

  /** Sends a frame that was due at `time`. */
  readonly transmit = (number: number, bytes: Uint8Array, time: number): void => {
    const port = this.byPort.get(number);
    if (!port) return;
    if (port.scheduled) this.lateness.add((monotonic() - time) / 1000);
    if (writeFrame(port.fd, bytes)) port.transmitted++;
    else port.refused++;
  };

  /** Forwards until a stop request. `answer` handles the requests about the program's objects. */
  run(forwarder: Forwarder, answer: (request: ObjectRequest) => unknown): void {
    const poller = new Poller(this.ports.map(({ fd }) => fd));
    this.realTime = becomeRealTime();
    let served = monotonic();
    this.requests.postMessage({ id: 0 } satisfies Reply);
    for (let running = true; running;) {
      const due = forwarder.nextEvent() - monotonic();
      poller.wait(Math.max(0, Math.min(due, MAX_SLEEP_NS)));
      let busy = false;
      for (const [at, port] of this.ports.entries()) {
        if (poller.ready(at) && this.read(port, forwarder)) busy = true;
        // Stop here, because ppoll would report the deleted interface again and again.
        if (poller.gone(at))
          throw new Error(`the interface of port ${port.port} has been deleted; was its namespace deleted?`);
      }
      const now = monotonic();
      forwarder.advance(now);
      if (!busy || now - served > REQUEST_INTERVAL_NS) {
        served = now;
        running = this.serve(forwarder, answer);
      }
    }
    this.requests.close();
  }

  /** Reads the frames that wait at a port. Returns false if there were none. */
  private read(port: LivePort, forwarder: Forwarder): boolean {
    for (let count = 0; count < BATCH_FRAMES; count++) {
      const size = readFrame(port.fd, this.frames.freeSpace());
      if (!size) return count > 0;
      port.received++;
      const now = monotonic();
      forwarder.advance(now);
      forwarder.receive(port.port, this.frames.take(size), now);
    }
    return true;
  }

  /** Answers pending requests. Returns false if the switch must stop. */
  private serve(forwarder: Forwarder, answer: (request: ObjectRequest) => unknown): boolean {
    let running = true;
    const next = (): { message: unknown } | undefined => receiveMessageOnPort(this.requests);
    for (let message = next(); message; message = next()) {
      const request = message.message as Request;
      const { id } = request;
      if (request.what === 'stop') running = false;
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
    return running;
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
