import type { Kbps } from '../units.ts';

/** The parsed `tcp_state` of a receipt. Fields that the edge does not know are absent. */
export interface TcpStateText {
  /** Packets in flight: `unacked - sacked - lost + retrans` of Linux's `tcp_info`. */
  readonly in_flight_packets?: number;
  /** The kernel's latest delivery rate, possibly application-limited. */
  readonly delivery_kbps?: Kbps;
  /** Whether `delivery_kbps` is a lower bound, because the connection had too little data to send. */
  readonly app_limited?: boolean;
}

/** Prints a receipt's `tcp_state`. The kernel counts whole bytes/s, so three decimals of kbit/s are exact. */
export function printTcpState({ in_flight_packets, delivery_kbps, app_limited }: TcpStateText): string {
  return [
    in_flight_packets !== undefined && `in_flight_packets=${Math.max(0, Math.round(in_flight_packets))}`,
    delivery_kbps !== undefined && `delivery_kbps=${Math.max(0, Math.round(delivery_kbps * 1000)) / 1000}`,
    app_limited !== undefined && `app_limited=${Number(app_limited)}`,
  ]
    .filter((part) => part !== false)
    .join(',');
}

/** The state of a connection for a predictor of transmission times, in the units of Puffer's data (Fugu, Appendix B). */
export interface TcpState {
  readonly cwnd_packets?: number;
  readonly in_flight_packets?: number;
  /** Minimum round-trip time, µs. */
  readonly min_rtt_us?: number;
  /** Smoothed round-trip time, µs. */
  readonly rtt_us?: number;
  readonly delivery_bytes_per_s?: number;
  readonly app_limited?: boolean;
}

type Quantity = Exclude<keyof TcpState, 'app_limited'>;

/** The longest time that Linux waits for an ACK, µs (TCP_RTO_MAX, 120 s). */
const LONGEST_RTT_US = 120e6;
/**
 * The largest window that TCP's header can express, 2^30 bytes (RFC 7323 §2.3), in packets of the smallest size, 536
 * bytes.
 */
const MOST_PACKETS = Math.ceil(2 ** 30 / 536);
/** 1 Tbit/s. Over loopback, the kernel has measured 105 Gbit/s. */
const FASTEST_BYTES_PER_S = 125e9;

/** The range of plausible values. An RTT or rate of 0 means that there was no sample yet. */
const BELIEVED: Readonly<Record<Quantity, readonly [least: number, most: number]>> = {
  cwnd_packets: [1, MOST_PACKETS],
  in_flight_packets: [0, MOST_PACKETS],
  min_rtt_us: [1, LONGEST_RTT_US],
  rtt_us: [1, LONGEST_RTT_US],
  delivery_bytes_per_s: [1, FASTEST_BYTES_PER_S],
};

/** The TCP fields of a receipt or of a decision's record. */
export interface TcpFields {
  readonly cwnd_packets?: number;
  readonly rtt_ms?: number;
  readonly min_rtt_ms?: number;
  readonly etp_kbps?: number;
  readonly tcp_state?: string;
}

/** Parses `a=1,b=2`. The text is truncated to bound the work; this project's edges send shorter texts. */
function parseFields(text = ''): ReadonlyMap<string, string> {
  const parts = text.slice(0, 200).split(',');
  return new Map(
    parts.flatMap((part) => {
      const [key = '', value = ''] = part.split('=', 2);
      return value === '' ? [] : [[key, value]];
    }),
  );
}

/**
 * Reads a connection's state from a receipt. Implausible values are left out and listed in `refused` with the reason. Values
 * that have not been measured yet (0) are left out silently. Never throws.
 */
export function readTcpState(receipt: TcpFields): { readonly state: TcpState; readonly refused: string[] } {
  const refused: string[] = [];
  const text = parseFields(receipt.tcp_state);
  const readField = (key: string, otherwise?: number) => {
    const value = text.get(key);
    return value === undefined ? otherwise : Number(value);
  };
  /** Multiplies and rounds to whole numbers, as in the kernel. */
  const times = (value: number | undefined, factor: number) => value && Math.round(value * factor);
  const quantities: Readonly<Record<Quantity, number | undefined>> = {
    cwnd_packets: times(receipt.cwnd_packets, 1),
    in_flight_packets: times(readField('in_flight_packets'), 1),
    min_rtt_us: times(receipt.min_rtt_ms, 1000),
    rtt_us: times(receipt.rtt_ms, 1000),
    // Use `etp_kbps` without `delivery_kbps`, because Fastly reports only the standard key.
    delivery_bytes_per_s: times(readField('delivery_kbps', receipt.etp_kbps), 125),
  };
  const state: { -readonly [Field in keyof TcpState]: TcpState[Field] } = {};
  for (const name of Object.keys(BELIEVED) as Quantity[]) {
    const value = quantities[name];
    const [least, most] = BELIEVED[name];
    if (value === undefined || (value === 0 && least > 0)) continue;
    if (value >= least && value <= most) state[name] = value;
    else refused.push(`${name} is ${value}, not from ${least} to ${most}`);
  }
  const limited = text.get('app_limited');
  if (limited === '0' || limited === '1') state.app_limited = limited === '1';
  else if (limited !== undefined) refused.push(`app_limited is '${limited}', neither 0 nor 1`);
  return { state, refused };
}
