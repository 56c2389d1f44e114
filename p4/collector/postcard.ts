/** The switch's report on one packet. docs/reference/postcard.md, version 1, documents every field. */
export interface Postcard {
  readonly switchId: number;
  readonly ingressPort: number;
  readonly egressPort: number;
  readonly flow: Flow;
  /** Undefined for packets other than TCP. */
  readonly tcp: TcpFields | undefined;
  /** Bytes after the TCP or UDP header, or after the IP header for other protocols. */
  readonly payloadLength: number;
  /** Length of the frame in bytes. */
  readonly packetLength: number;
  /** Packets in the queue when this one joined it. */
  readonly enqueueDepth: number;
  /** Packets in the queue when this one left it. */
  readonly dequeueDepth: number;
  /** When the packet joined the queue, in seconds of the switch's clock. Exact to 1 µs; never wraps. */
  readonly t_s: number;
  /** Time in the queue, in microseconds. */
  readonly queueTime: number;
  /** Whether the switch dropped the packet because the queue was above the threshold. */
  readonly dropped: boolean;
  /** Whether the switch marked the packet ECN-CE. */
  readonly marked: boolean;
  /** Sequence number of the switch's postcards, modulo 2^32. */
  readonly number: number;
}

export interface Flow {
  /** The EtherType. The other fields are undefined if it is not IP. */
  readonly etherType: number;
  readonly source: string | undefined;
  readonly destination: string | undefined;
  readonly protocol: number | undefined;
  readonly sourcePort: number | undefined;
  readonly destinationPort: number | undefined;
}

interface TcpFields {
  readonly sequence: number;
  readonly acknowledgement: number;
  /** CWR, ECE, URG, ACK, PSH, RST, SYN, FIN from the highest bit to the lowest (RFC 9293 §3.1). */
  readonly flags: number;
}

/** The reason why a datagram is not a valid postcard. */
export type Malformed = 'length' | 'version' | 'reserved';

export const POSTCARD_BYTES = 88;
const POSTCARD_VERSION = 1;

const DROPPED = 1;
const MARKED = 2;
const TCP = 4;
const IPV6 = 8;
const PORTS = 16;
const RESERVED = 0b1110_0000;
const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;

/** Parses a datagram; returns the reason if it is not a valid postcard of version 1. */
export function parsePostcard(datagram: Buffer): Postcard | Malformed {
  if (datagram.length !== POSTCARD_BYTES) return 'length';
  if (datagram[0] !== POSTCARD_VERSION) return 'version';
  const flags = datagram.readUInt8(1);
  if ((flags & RESERVED) !== 0 || datagram.readUInt16BE(76) !== 0) return 'reserved';
  const queueTime = datagram.readUInt32BE(72);
  // The dequeue timestamp has 48 bits and does not wrap. The enqueue timestamp has 32 bits, which wrap after 71
  // minutes.
  const left_us = datagram.readUIntBE(78, 6);
  return {
    switchId: datagram.readUInt16BE(2),
    ingressPort: datagram.readUInt16BE(4),
    egressPort: datagram.readUInt16BE(6),
    flow: parseFlow(datagram, flags),
    tcp:
      (flags & TCP) === 0
        ? undefined
        : {
            sequence: datagram.readUInt32BE(48),
            acknowledgement: datagram.readUInt32BE(52),
            flags: datagram.readUInt8(45),
          },
    payloadLength: datagram.readUInt16BE(56),
    packetLength: datagram.readUInt16BE(58),
    enqueueDepth: datagram.readUInt32BE(60),
    dequeueDepth: datagram.readUInt32BE(64),
    t_s: (left_us - queueTime) / 1e6,
    queueTime,
    dropped: (flags & DROPPED) !== 0,
    marked: (flags & MARKED) !== 0,
    number: datagram.readUInt32BE(84),
  };
}

function parseFlow(datagram: Buffer, flags: number): Flow {
  const etherType = datagram.readUInt16BE(46);
  const isIpv6 = (flags & IPV6) !== 0;
  const isIp = etherType === (isIpv6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
  const hasPorts = (flags & PORTS) !== 0;
  const address = isIpv6 ? ipv6 : ipv4;
  return {
    etherType,
    source: isIp ? address(datagram, 8) : undefined,
    destination: isIp ? address(datagram, 24) : undefined,
    protocol: isIp ? datagram.readUInt8(44) : undefined,
    sourcePort: hasPorts ? datagram.readUInt16BE(40) : undefined,
    destinationPort: hasPorts ? datagram.readUInt16BE(42) : undefined,
  };
}

/** Formats an IPv4 address, the last four of 16 bytes (`::ffff:a.b.c.d`). */
const ipv4 = (bytes: Buffer, at: number): string =>
  `${bytes.readUInt8(at + 12)}.${bytes.readUInt8(at + 13)}.${bytes.readUInt8(at + 14)}.${bytes.readUInt8(at + 15)}`;

/**
 * Formats an address as RFC 5952 §4 requires: lower case, no leading zeros, `::` for the first longest run of at least
 * two zeros.
 */
function ipv6(bytes: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(at + group * 2).toString(16));
  const runs = `:${groups.join(':')}:`.match(/(?::0)+(?=:)/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest.length <= 2) return groups.join(':');
  const text = `:${groups.join(':')}:`;
  const start = text.indexOf(`${longest}:`);
  return `${text.slice(1, start + 1)}:${text.slice(start + longest.length + 1, -1)}`.replace(/^:(?!:)/, '::');
}
