import { bytes, milliseconds } from '../../src/units.ts';
import type { ResponseEvent } from '../local/response-event.ts';

/** Creates the event of a complete, unpaced HTTP/1.1 response. `fields` override its fields. */
export const responseEvent = (fields: Partial<ResponseEvent> = {}): ResponseEvent => ({
  request: 'a-1-1',
  client: '192.0.2.1',
  protocol: 'HTTP/1.1',
  method: 'GET',
  url: '/1.m4s',
  status: 200,
  asked_kbps: null,
  pace_kbps: null,
  kept_pace: false,
  socket_pace_kbps: null,
  reason: 'no-rtp',
  bytes: bytes(1000),
  first_byte_ms: milliseconds(1),
  duration_ms: milliseconds(10),
  complete: true,
  cut_by: null,
  arm: null,
  connection: 'a-1',
  sent_bytes: bytes(1100),
  retransmitted_bytes: bytes(0),
  tcp: null,
  ...fields,
});
