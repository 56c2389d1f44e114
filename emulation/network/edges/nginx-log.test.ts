import { expect, it } from 'vitest';
import { readResponses } from './nginx-log.ts';

const line = (connection: number, url: string, before: [number, number], after: [number, number]) =>
  `${JSON.stringify({ connection: String(connection), url, before: before.map(String), after: after.map(String) })}\n`;

it("reads a response's counters from the next request of its connection, or from its own end", () => {
  const log =
    line(1, '/a', [0, 0], [500, 0]) +
    line(2, '/b', [0, 0], [300, 7]) +
    // After nginx had passed the last byte of /a to the kernel, another 100 bytes were sent, and were retransmissions.
    line(1, '/c', [600, 100], [900, 150]);
  expect(readResponses(log)).toEqual([
    { connection: '1', url: '/a', tcp: { bytes_sent: 600, bytes_retrans: 100 } },
    { connection: '2', url: '/b', tcp: { bytes_sent: 300, bytes_retrans: 7 } },
    { connection: '1', url: '/c', tcp: { bytes_sent: 900, bytes_retrans: 150 } },
  ]);
});

it('ignores an incomplete line, and omits values that the kernel does not report', () => {
  const unknown = '{"connection":"1","url":"/a","before":["",""],"after":["",""]}\n';
  expect(readResponses(`${unknown}{"connection":"1","ur`)).toEqual([
    { connection: '1', url: '/a', tcp: null },
  ]);
  expect(readResponses('')).toEqual([]);
});
