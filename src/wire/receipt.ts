import type { Bytes, Kbps, Milliseconds } from '../units.ts';
import { withoutUndefined } from '../records.ts';

/**
 * The receipt: how the edge handled a request, and the state of its TCP connection when the response began. Two standard
 * headers carry the receipt, so that a player, a proxy or a developer tool can read it:
 *
 *     CMSD-Dynamic: "dashjs-sammy";etp=9200;rtt=12;io.github.dashjs-sammy-pace=9900
 *     Server-Timing: pace;desc="requested", tcp-rtt;dur=11.8, tcp-minrtt;dur=5.1,
 *                    tcp-retransmitted;desc="2896", tcp-sent;desc="812000", tcp-cwnd;desc="24",
 *                    tcp-state;desc="in_flight_packets=12,delivery_kbps=9200.128,app_limited=0", tcp-cc;desc="cubic"
 *
 * CMSD (CTA-5006) has `etp` and `rtt` but no key for the applied pace, so a custom key with a reverse-DNS prefix is used.
 * Every field is optional, because an edge may not know its value.
 */
export interface Receipt {
  /** The pace of this response, in kbit/s; null when the edge serves this response unpaced. */
  readonly pace_kbps?: Kbps | null;
  /**
   * The pace of the socket, if it differs from the response's pace. With HTTP/2, several responses share a socket; its
   * pace is then the sum of their paces, or null if any response is unpaced.
   */
  readonly socket_pace_kbps?: Kbps | null;
  /** The edge's reason for the pace. */
  readonly reason?: string;
  /** Estimated throughput of the connection (the kernel's delivery rate), kbit/s. */
  readonly etp_kbps?: Kbps;
  /**
   * `pace` if the pace, not the network, limited `etp_kbps`, which is then a lower bound. If absent, the limit is
   * unknown: Fastly does not report whether a connection had nothing to send.
   */
  readonly etp_limited_by?: 'pace';
  /** Smoothed round-trip time, ms. */
  readonly rtt_ms?: Milliseconds;
  readonly min_rtt_ms?: Milliseconds;
  /** Bytes retransmitted on this connection since it was opened. */
  readonly retransmitted_bytes?: Bytes;
  /** Bytes sent on this connection since it was opened, retransmissions included. */
  readonly sent_bytes?: Bytes;
  /** Congestion window, packets. */
  readonly cwnd_packets?: number;
  /**
   * Further values at the start of the response, for predictors:
   * `in_flight_packets=12,delivery_kbps=9200.128,app_limited=0`. A string, so that only applications that need the
   * values include the parser, `readTcpState` of `dashjs-sammy/abr`.
   */
  readonly tcp_state?: string;
  readonly congestion_control?: string;
  /** Identifies the connection within one edge process, so that two receipts' counters can be subtracted. */
  readonly connection?: string;
}

export const RECEIPT_HEADERS = ['CMSD-Dynamic', 'Server-Timing'] as const;
const SERVER = 'dashjs-sammy';
const PACE_KEY = 'io.github.dashjs-sammy-pace';
const ETP_LIMIT_KEY = 'io.github.dashjs-sammy-etp-limit';
const SOCKET_PACE_KEY = 'io.github.dashjs-sammy-socket-pace';

const integer = (value: number): string => String(Math.max(0, Math.round(value)));
const decimal = (value: number): string => String(Math.max(0, Math.round(value * 1000) / 1000));
const quoted = (text: string): string => `"${text.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;

/** Returns the values of the receipt's headers. A header that would be empty is left out. */
export function printReceipt(receipt: Receipt): Partial<Record<(typeof RECEIPT_HEADERS)[number], string>> {
  const cmsd: string[] = [];
  if (receipt.etp_kbps !== undefined) cmsd.push(`etp=${integer(receipt.etp_kbps)}`);
  if (receipt.etp_limited_by) cmsd.push(`${ETP_LIMIT_KEY}=pace`);
  if (receipt.rtt_ms !== undefined) cmsd.push(`rtt=${integer(receipt.rtt_ms)}`);
  if (receipt.pace_kbps !== undefined) cmsd.push(`${PACE_KEY}=${decimal(receipt.pace_kbps ?? 0)}`);
  if (receipt.socket_pace_kbps !== undefined)
    cmsd.push(`${SOCKET_PACE_KEY}=${decimal(receipt.socket_pace_kbps ?? 0)}`);

  const timing: string[] = [];
  const text = (name: string, value: string | number | undefined) => {
    if (value !== undefined) timing.push(`${name};desc=${quoted(String(value))}`);
  };
  const duration = (name: string, value: Milliseconds | undefined) => {
    if (value !== undefined) timing.push(`${name};dur=${decimal(value)}`);
  };
  text('pace', receipt.reason);
  duration('tcp-rtt', receipt.rtt_ms);
  duration('tcp-minrtt', receipt.min_rtt_ms);
  text('tcp-retransmitted', receipt.retransmitted_bytes);
  text('tcp-sent', receipt.sent_bytes);
  text('tcp-cwnd', receipt.cwnd_packets);
  text('tcp-state', receipt.tcp_state);
  text('tcp-cc', receipt.congestion_control);
  text('tcp-connection', receipt.connection);

  return {
    ...(cmsd.length > 0 && { 'CMSD-Dynamic': [quoted(SERVER), ...cmsd].join(';') }),
    ...(timing.length > 0 && { 'Server-Timing': timing.join(', ') }),
  };
}

type Member = readonly [name: string, parameters: ReadonlyMap<string, string>];

/** A member or parameter, with the preceding separator. Commas and semicolons in quoted strings do not separate. */
const PART = /([,;])\s*("(?:\\.|[^"\\])*"|[^",;=]*)(?:=("(?:\\.|[^"\\])*"|[^",;]*))?/g;

/** Parses `name;key=value;key="value", name2` into members with their parameters. Malformed parts are skipped. */
function parseMembers(header: string): Member[] {
  const members: [string, Map<string, string>][] = [];
  for (const [, separator, name = '', value = ''] of `,${header}`.matchAll(PART)) {
    if (separator === ';') members.at(-1)?.[1].set(name, unquoted(value));
    else if (name !== '') members.push([unquoted(name), new Map<string, string>()]);
  }
  return members;
}

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1) : text.trim());

const number = (text = ''): number | undefined =>
  /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

/** Reads the receipt from a response's headers. Ignores malformed parts, and never throws. */
export function parseReceipt(header: (name: string) => string | null | undefined): Receipt {
  // Parse only the end of a long header, to bound the work. The last hop's members are at the end and are shorter than
  // this.
  const read = (name: string) => parseMembers((header(name) ?? '').slice(-4096));
  const cmsd = read('CMSD-Dynamic').map(([, parameters]) => parameters);
  // Every hop may append a member. The last member with this project's key comes from the edge nearest to the player.
  const own = cmsd.findLast((parameters) => parameters.has(PACE_KEY)) ?? cmsd.at(-1);
  // Ignore the members of earlier hops: they may come from a cache, and describe other connections.
  const members = read('Server-Timing');
  const timing = new Map(
    members.slice(
      Math.max(
        0,
        members.findLastIndex(([name]) => name === 'pace'),
      ),
    ),
  );
  const duration = (name: string) => number(timing.get(name)?.get('dur'));
  const text = (name: string) => timing.get(name)?.get('desc');
  const pace = (key: string) => {
    const rate = number(own?.get(key));
    return rate === 0 ? null : rate;
  };
  // The numbers in the headers have the same units as the fields.
  return withoutUndefined<Receipt>({
    pace_kbps: pace(PACE_KEY),
    socket_pace_kbps: pace(SOCKET_PACE_KEY),
    reason: text('pace'),
    etp_kbps: number(own?.get('etp')),
    etp_limited_by: own?.get(ETP_LIMIT_KEY) === 'pace' ? 'pace' : undefined,
    rtt_ms: duration('tcp-rtt') ?? number(own?.get('rtt')),
    min_rtt_ms: duration('tcp-minrtt'),
    retransmitted_bytes: number(text('tcp-retransmitted')),
    sent_bytes: number(text('tcp-sent')),
    cwnd_packets: number(text('tcp-cwnd')),
    tcp_state: text('tcp-state'),
    congestion_control: text('tcp-cc'),
    connection: text('tcp-connection'),
  } as { [Field in keyof Receipt]: Receipt[Field] | undefined });
}
