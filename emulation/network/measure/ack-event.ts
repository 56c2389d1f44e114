/** The state of a server's TCP connection when a packet arrived, from the kernel's trace point `tcp_probe`. */
export interface AckEvent {
  /** On CLOCK_MONOTONIC, the clock of `process.hrtime()`. */
  readonly t_ms: number;
  /** The client's address and port. */
  readonly flow: string;
  readonly server_port: number;
  /** The next byte to send: a sequence number as on the wire. */
  readonly snd_nxt: number;
  /** The oldest unacknowledged byte: a sequence number as on the wire. */
  readonly snd_una: number;
  /** Smoothed RTT before this packet; 0 before the first sample. */
  readonly srtt_ms: number;
  readonly cwnd_packets: number;
  /** Infinite until slow start ends for the first time. */
  readonly ssthresh_packets: number;
}

/** TCP_INFINITE_SSTHRESH (include/net/tcp.h). */
const INFINITE_SSTHRESH = 0x7fff_ffff;

/** `<task>-<pid> [cpu] flags seconds.µs: tcp_probe: ...`, see events/tcp/tcp_probe/format in tracefs. */
const LINE =
  / (\d+\.\d{6}): tcp_probe: .* src=\S+:(\d+) dest=(\S+) .* snd_nxt=0x([0-9a-f]+) snd_una=0x([0-9a-f]+) snd_cwnd=(\d+) ssthresh=(\d+) snd_wnd=\d+ srtt=(\d+) /;

/** Parses a line of `trace_pipe`; undefined for other lines, such as those about lost events. */
export function parseAckEvent(line: string): AckEvent | undefined {
  const [, time, port, destination, next, unacknowledged, cwnd, ssthresh, srtt_us] = LINE.exec(line) ?? [];
  if (destination === undefined) return undefined;
  return {
    t_ms: Number(time) * 1000,
    flow: stripMappedPrefix(destination),
    server_port: Number(port),
    snd_nxt: parseInt(next ?? '', 16),
    snd_una: parseInt(unacknowledged ?? '', 16),
    srtt_ms: Number(srtt_us) / 1000,
    cwnd_packets: Number(cwnd),
    ssthresh_packets: Number(ssthresh) === INFINITE_SSTHRESH ? Infinity : Number(ssthresh),
  };
}

/** A socket that listens on IPv6 sees IPv4 clients at mapped addresses: `[::ffff:100.64.0.1]:8080`. */
const stripMappedPrefix = (endpoint: string): string => endpoint.replace(/^\[::ffff:([\d.]+)\]/, '$1');
