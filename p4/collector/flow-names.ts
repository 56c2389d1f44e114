import type { Flow } from './postcard.ts';

const PROTOCOLS: Record<number, string> = { 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmpv6' };

/**
 * Formats a flow, such as `tcp 10.0.0.1:443 > 10.0.0.2:5000`, `udp [fd00::1]:53 > [fd00::2]:900` or `ethertype 0x0806`.
 */
export function flowName(flow: Flow): string {
  if (flow.source === undefined || flow.destination === undefined || flow.protocol === undefined)
    return `ethertype 0x${flow.etherType.toString(16).padStart(4, '0')}`;
  const protocol = PROTOCOLS[flow.protocol] ?? `protocol ${flow.protocol}`;
  return `${protocol} ${end(flow.source, flow.sourcePort)} > ${end(flow.destination, flow.destinationPort)}`;
}

function end(address: string, port: number | undefined): string {
  if (port === undefined) return address;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Flows beyond this number share the number 0, so that forged postcards cannot exhaust memory. */
const MAX_FLOWS = 65_536;

/** Assigns numbers to flows, starting at 1. */
export class FlowNumbering {
  private readonly numbers = new Map<string, number>();

  /** Returns the flow's number; calls `announce` the first time a flow is seen. */
  numberFor(flow: Flow, announce: (number: number, name: string) => void): number {
    const name = flowName(flow);
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    if (this.numbers.size >= MAX_FLOWS) return 0;
    const number = this.numbers.size + 1;
    this.numbers.set(name, number);
    announce(number, name);
    return number;
  }
}
