import { expect, it } from 'vitest';
import { bytes, bytesPerSecond, kbps, milliseconds } from '../../../src/units.ts';
import { parseReceipt } from '../../../src/wire/receipt.ts';
import { addReceipt } from './add-receipt.ts';
import type { Connection } from '../connections/connection.ts';
import type { TcpInfo } from '../kernel/tcp-info.ts';

const tcp: TcpInfo = {
  rtt: milliseconds(12),
  min_rtt: milliseconds(5),
  cwnd_packets: 24,
  unacked_packets: 0,
  in_flight_packets: 3,
  mss: bytes(1448),
  pacing_rate: bytesPerSecond(1_250_000),
  max_pacing_rate: null,
  delivery_rate: kbps(9200),
  delivery_rate_app_limited: false,
  bytes_acked: bytes(0),
  bytes_sent: bytes(0),
  bytes_retrans: bytes(0),
  notsent_bytes: bytes(0),
};

function receipt(info: Partial<TcpInfo>, paceBefore: number | null) {
  const kernel = { readTcpInfo: () => ({ ...tcp, ...info }), congestionControl: () => 'cubic' };
  const headers = new Headers();
  const connection = { socket: {}, id: 'x-1', kernel } as unknown as Connection;
  const before = paceBefore === null ? null : kbps(paceBefore);
  addReceipt(headers, connection, {
    pace: kbps(5000),
    socketPace: kbps(5000),
    paceBefore: before,
    reason: 'requested',
  });
  return parseReceipt((name) => headers.get(name));
}

it('reports the delivery rate as throughput, and whether earlier responses were paced', () => {
  expect(receipt({}, null).etp_kbps).toBe(9200);
  expect(receipt({}, null).etp_limited_by).toBeUndefined();
  expect(receipt({}, 10_000)).toMatchObject({ etp_kbps: 9200, etp_limited_by: 'pace' });
});

it('reports the TCP state, even if the application limited the rate', () => {
  expect(receipt({}, null).tcp_state).toBe('in_flight_packets=3,delivery_kbps=9200,app_limited=0');
  expect(receipt({ delivery_rate_app_limited: true }, null).tcp_state).toContain('app_limited=1');
});

it('reports no throughput if the connection had nothing to send', () => {
  const { etp_kbps, etp_limited_by, rtt_ms } = receipt({ delivery_rate_app_limited: true }, 10_000);
  expect({ etp_kbps, etp_limited_by, rtt_ms }).toEqual({
    etp_kbps: undefined,
    etp_limited_by: undefined,
    rtt_ms: 12,
  });
});
