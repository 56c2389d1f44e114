export interface ObservedQueue {
  readonly dropped_packets: number;
  /** The highest level of the queue, including the packet whose arrival caused it. */
  readonly deepest_bytes: number;
  /** The lowest level at which the queue dropped a packet, including that packet; null without a drop. */
  readonly least_refused_bytes: number | null;
}

interface Arrival {
  readonly time_ms: number;
  readonly bytes: number;
  kept: boolean;
}
type Event = Arrival | { readonly left: Arrival };

/**
 * Reads a queue's depth from mm-link's log, which link-log.ts describes: a departure names its packet's arrival and
 * size, so earlier arrivals that have not left were dropped. Arrivals after the last departure are ignored, because
 * nothing shows whether they were dropped. Sizes are as mm-link counts them, with the four bytes that a TUN device adds
 * to each packet.
 */
export function readQueueDepth(log: string): ObservedQueue {
  const events: Event[] = [];
  const waiting: Arrival[] = [];
  let head = 0;
  let judged = 0;
  for (const line of log.split('\n')) {
    const [, time = '', kind, bytes = '', delay = '0'] = /^(\d+) ([+-]) (\d+)(?: (\d+))?$/.exec(line) ?? [];
    if (kind === '+') {
      const arrival = { time_ms: Number(time), bytes: Number(bytes), kept: false };
      waiting.push(arrival);
      events.push(arrival);
    } else if (kind === '-') {
      const arrived_ms = Number(time) - Number(delay);
      const left = waiting.findIndex(
        (each, index) => index >= head && each.time_ms === arrived_ms && each.bytes === Number(bytes),
      );
      const arrival = waiting[left];
      if (!arrival) continue;
      arrival.kept = true;
      head = left + 1;
      events.push({ left: arrival });
      judged = events.indexOf(arrival, judged);
    }
  }
  return depthOver(events, judged);
}

function depthOver(events: readonly Event[], judged: number): ObservedQueue {
  let [held, deepest_bytes, dropped_packets] = [0, 0, 0];
  let least_refused_bytes: number | null = null;
  for (const [index, event] of events.entries()) {
    if ('left' in event) held -= event.left.bytes;
    else if (event.kept) {
      held += event.bytes;
      deepest_bytes = Math.max(deepest_bytes, held);
    } else if (index < judged) {
      dropped_packets += 1;
      least_refused_bytes = Math.min(least_refused_bytes ?? Infinity, held + event.bytes);
    }
  }
  return { dropped_packets, deepest_bytes, least_refused_bytes };
}
