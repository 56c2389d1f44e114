import { bytes } from '../../../src/units.ts';
import type { EndedResponse } from './edge.ts';

/**
 * Formats a line of nginx's log, which nginx writes when it has passed a response's last byte to the kernel. The
 * `_before` fields are the connection's counters at the start of the request.
 */
export const LOG_FORMAT = `log_format lab escape=json '{"connection":"$connection","url":"$request_uri",'
    '"before":["$sent_before","$retransmitted_before"],"after":["$cmcd_pace_sent_bytes","$cmcd_pace_retransmitted_bytes"]}';`;

interface Line {
  readonly connection: string;
  readonly url: string;
  readonly before: readonly [string, string];
  readonly after: readonly [string, string];
}

/**
 * Reads the responses of a log. Bytes that are retransmitted after nginx has logged a response still count for that
 * response. They are computed from the line of the connection's next request, which a client without pipelining sends
 * after it has received the response. For the last response of a connection they are unknown.
 */
export function readResponses(log: string): EndedResponse[] {
  // The last line may be incomplete.
  const lines = log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  return lines.map(({ connection, url, after }, index) => {
    const next = lines.slice(index + 1).find((line) => line.connection === connection);
    const [sent, retransmitted] = next?.before ?? after;
    // The fields are empty if the kernel gave no statistics.
    const known = sent !== '' && retransmitted !== '';
    return {
      connection,
      url,
      tcp: known ? { bytes_sent: bytes(Number(sent)), bytes_retrans: bytes(Number(retransmitted)) } : null,
    };
  });
}
