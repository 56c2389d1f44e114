import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PacketRow, WindowRow } from '../figures/figure.ts';
import type { RunOutcome } from '../../../emulation/harness/runs/study.ts';
import type { Evaluated, TrafficSeries } from '../../traffic/traffic-result.ts';

const PACKETS = 'packets.csv.gz';
const WINDOWS = 'windows.csv.gz';
const PACKET_COLUMNS =
  't_s,flow,seq,payload_bytes,fate,retransmission,depth_packets,queue_us,cwnd_packets,ssthresh_packets,in_flight_bytes,acked_s';
const WINDOW_COLUMNS = 't_s,flow,cwnd_packets,ssthresh_packets,srtt_ms';

/** Formats a time with a precision of 1 µs, the precision of the switch's and the kernel's clocks. */
const time = (t_s: number | undefined): string => (t_s === undefined ? '' : t_s.toFixed(6));
const finite = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '' : String(value);

/** Writes every packet and window, and the computed results. */
export function keepSeries(folder: string, { result, series }: Evaluated): RunOutcome {
  writeSeries(folder, series);
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result)}\n`);
  return { kind: 'finished' };
}

/** Writes every data packet with its sender's window, and every flow's window at every ACK. */
export function writeSeries(folder: string, { packets, acks }: TrafficSeries): void {
  const packetLines = packets.map(
    ({ t_s, flow, seq, payload, fate, retransmission, enq_depth, queue_us, window, acked_s }) =>
      `${time(t_s)},${flow},${seq},${payload},${fate},${retransmission ? 1 : 0},${enq_depth},${queue_us ?? ''},` +
      `${window?.snd_cwnd ?? ''},${finite(window?.ssthresh)},${window?.in_flight_bytes ?? ''},${time(acked_s)}`,
  );
  const windowLines = acks.map(
    ({ t_s, flow, cwnd_packets, ssthresh_packets, srtt_ms }) =>
      `${time(t_s)},${flow},${cwnd_packets},${ssthresh_packets ?? ''},${srtt_ms}`,
  );
  write(join(folder, PACKETS), PACKET_COLUMNS, packetLines);
  write(join(folder, WINDOWS), WINDOW_COLUMNS, windowLines);
}

const write = (file: string, columns: string, lines: readonly string[]): void =>
  writeFileSync(file, gzipSync([columns, ...lines, ''].join('\n'), { level: 1 }));

export const readPackets = (folder: string): PacketRow[] =>
  readRows(join(folder, PACKETS)).map((words) => ({
    t_s: Number(words[0]),
    flow: Number(words[1]),
    fate: words[4] ?? '',
    depth_packets: Number(words[6]),
  }));

export const readWindows = (folder: string): WindowRow[] =>
  readRows(join(folder, WINDOWS)).map((words) => ({
    t_s: Number(words[0]),
    flow: Number(words[1]),
    cwnd_packets: Number(words[2]),
    srtt_ms: Number(words[4]),
  }));

const readRows = (file: string): string[][] =>
  gunzipSync(readFileSync(file))
    .toString('latin1')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
