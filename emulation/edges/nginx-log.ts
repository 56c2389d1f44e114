import { bytes } from '../../src/units.ts';
import type { EndedResponse } from './edge.ts';

/** nginx logs a response when it has handed the kernel its last byte; `_before` is from when its request began. */
export const LOG_FORMAT = `log_format lab escape=json '{"connection":"$connection","url":"$request_uri",'
    '"before":["$sent_before","$retransmitted_before"],"after":["$cmcd_pace_sent_bytes","$cmcd_pace_retransmitted_bytes"]}';`;

interface Line {
  readonly connection: string;
  readonly url: string;
  readonly before: readonly [string, string];
  readonly after: readonly [string, string];
}

/**
 * The responses of a log. What is retransmitted after nginx has logged a response is still that response's: it stands in
 * the line of the connection's next request, which a client without pipelining sends when it has the response. Of a
 * connection's last one that is not known.
 */
export function readResponses(log: string): EndedResponse[] {
  // The last line may be half written.
  const lines = log
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
  return lines.map(({ connection, url, after }, index) => {
    const next = lines.slice(index + 1).find((line) => line.connection === connection);
    const [sent, retransmitted] = next?.before ?? after;
    // Empty where the kernel did not tell.
    const known = sent !== '' && retransmitted !== '';
    return {
      connection,
      url,
      tcp: known ? { bytes_sent: bytes(Number(sent)), bytes_retrans: bytes(Number(retransmitted)) } : null,
    };
  });
}
