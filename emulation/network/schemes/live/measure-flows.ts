import { setTimeout as sleep } from 'node:timers/promises';
import { monotonic } from '../../../../p4/clock.ts';
import type { Postcard } from '../../../../p4/collector/postcard.ts';
import { ip } from '../../../../system/namespaces/ip.ts';
import { closeTogether } from '../../../../system/close-together.ts';
import { errorLine } from '../../../../system/error-line.ts';
import type { Link } from '../../links/link.ts';
import { PATH_PORTS } from '../../../../p4/switch/live/path.ts';
import { openSwitchPath, type SwitchPath } from '../../links/switch-path.ts';
import type { MeasuredFlows, MeasuredPacket } from '../measured.ts';
import type { FlowPlace, Scheme } from '../scheme.ts';
import { startSchemeProgram, type SchemeProgram } from './scheme-program.ts';

export interface FlowsToMeasure {
  readonly link: Link;
  readonly flows: readonly { readonly scheme: Scheme; readonly start_s: number }[];
  readonly seconds: number;
  /** The seed of the link's random numbers. */
  readonly seed: number;
  readonly program: FlowPlace['program'];
  readonly congestionControl: FlowPlace['congestionControl'];
}

/** The port of the first flow's listener. Flow k (from 0) uses port `FIRST_PORT + k`. */
const FIRST_PORT = 5001;
const LISTENS_WITHIN_S = 10;
/** The interval at which the running programs are checked, ms. */
const LOOK_EVERY_MS = 250;
const ETHERNET_BYTES = 14;
/** Postcards of the last packets are still in flight when the flows end. */
const DRAIN_MS = 100;

/**
 * Runs flows of schemes from outside to inside through the P4 switch, each end in an otherwise empty network namespace,
 * and ends everything that it started. A scheme's failure is reported in `faults`, not thrown.
 */
export async function measureFlows(asked: FlowsToMeasure, signal: AbortSignal): Promise<MeasuredFlows> {
  const { link, flows, seconds, seed } = asked;
  const cards: Postcard[] = [];
  const keep = (card: Postcard): void => {
    if (!card.dropped && card.payloadLength > 0) cards.push(card);
  };
  const running = await closeTogether(async (onClose) => {
    const path = await openSwitchPath(link, { apart: 'both', seed, onPostcard: keep });
    onClose(() => path.close());
    // Without this limit, the kernel sends the data that an ACK allows in bursts of up to 64 kB, which overflow a small
    // buffer.
    ip(path.outsideNamespace, 'link', 'set', path.path.outsideInterface, 'gso_max_segs', '1');
    return { path };
  });
  const { path } = running;
  const live = flows.map(
    ({ scheme, start_s }, index) => new LiveFlow(scheme, start_s, path, getFlowPlace(path, index, asked)),
  );
  try {
    await Promise.all(live.map((flow) => flow.listen(signal)));
    await path.path.device.restartLateness();
    const origin_s = monotonic() / 1e9;
    for (let now_s = 0; now_s < seconds; now_s = monotonic() / 1e9 - origin_s) {
      for (const flow of live) await flow.look(now_s);
      if (live.every(({ fault }) => fault !== null)) break;
      const next_s = Math.min(
        seconds,
        ...live.filter((flow) => !flow.isConnecting).map(({ start_s }) => start_s),
      );
      await sleep(Math.min(LOOK_EVERY_MS, Math.max(1, (next_s - now_s) * 1000)), undefined, { signal });
    }
    const { lateness } = await path.path.status();
    const dropped_packets = await path.dropped();
    const sent = await path.path.device.counter('sent', PATH_PORTS.inside);
    await Promise.all(live.map((flow) => flow.close()));
    await sleep(DRAIN_MS);
    const wire = (await path.path.status()).ports.find(({ port }) => port === PATH_PORTS.inside);
    return {
      packets: cards.flatMap((card) =>
        toMeasuredPackets(card, { link, origin_s, flows: flows.length, mean_mbps: path.mean_mbps }),
      ),
      faults: live.map(({ fault }) => fault),
      departed_packets: sent.packets,
      departed_bytes: sent.bytes,
      dropped_packets,
      lost_on_wire_packets: wire?.lost ?? 0,
      postcards_missing: path.lost(),
      lateness_p99_ms: lateness.p99 / 1000,
    };
  } finally {
    await Promise.all(live.map((flow) => flow.close()));
    await running.close();
  }
}

/** The sending and the receiving program of a flow. */
class LiveFlow {
  fault: string | null = null;
  isConnecting = false;
  readonly start_s: number;
  readonly #scheme: Scheme;
  readonly #path: SwitchPath;
  readonly #place: FlowPlace;
  readonly #programs = new Map<'sender' | 'receiver', SchemeProgram>();

  constructor(scheme: Scheme, start_s: number, path: SwitchPath, place: FlowPlace) {
    this.start_s = start_s;
    this.#scheme = scheme;
    this.#path = path;
    this.#place = place;
  }

  async #begin(end: 'sender' | 'receiver'): Promise<SchemeProgram> {
    const words = this.#scheme[end](this.#place);
    const program = await startSchemeProgram(getNamespace(this.#path, end), words);
    this.#programs.set(end, program);
    return program;
  }

  /** Starts the listening end, and waits until it listens. */
  async listen(signal: AbortSignal): Promise<void> {
    const end = this.#scheme.firstToListen;
    const program = await this.#begin(end);
    try {
      await program.listens(this.#place.port, LISTENS_WITHIN_S);
    } catch (error) {
      this.fault = `its ${end} ${errorLine(error)}`;
    }
    signal.throwIfAborted();
  }

  /** Starts the connecting end at the flow's start time, and checks whether a program has ended by itself. */
  async look(now_s: number): Promise<void> {
    if (this.fault === null && !this.isConnecting && now_s >= this.start_s) {
      this.isConnecting = true;
      await this.#begin(this.#scheme.firstToListen === 'receiver' ? 'sender' : 'receiver');
    }
    for (const [end, program] of this.#programs) {
      const how = program.ended();
      if (how !== undefined) this.fault ??= `its ${end} ended ${how} after ${now_s.toFixed(1)} s`;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#programs.values()].map((program) => program.close()));
    this.#programs.clear();
  }
}

const getNamespace = ({ namespace, outsideNamespace = namespace }: SwitchPath, end: 'sender' | 'receiver') =>
  end === 'sender' ? outsideNamespace : namespace;

function getFlowPlace(
  { path }: SwitchPath,
  index: number,
  { flows, program, congestionControl }: FlowsToMeasure,
): FlowPlace {
  const listener = flows[index]?.scheme.firstToListen;
  return {
    address: listener === 'sender' ? path.outsideAddress : path.insideAddress,
    port: FIRST_PORT + index,
    program,
    congestionControl,
  };
}

/** Converts a postcard to a packet of a flow, identified by the port of the flow's listener. */
function toMeasuredPackets(
  { flow: { sourcePort, destinationPort }, packetLength, t_s, queueTime }: Postcard,
  on: { readonly link: Link; readonly origin_s: number; readonly flows: number; readonly mean_mbps: number },
): MeasuredPacket[] {
  const { link, origin_s, flows, mean_mbps } = on;
  const flow = [destinationPort, sourcePort]
    .map((port) => (port ?? 0) - FIRST_PORT)
    .find((index) => index >= 0 && index < flows);
  if (flow === undefined) return [];
  const transmission_ms = link.rate.kind === 'trace' ? 0 : (packetLength * 8) / (mean_mbps * 1000);
  return [
    {
      flow,
      sent_s: t_s - origin_s,
      delay_ms: queueTime / 1000 + transmission_ms + link.rtt_ms / 2,
      bytes: packetLength - ETHERNET_BYTES,
    },
  ];
}
