import type { ResponseEvent } from '../../edge/local/server.ts';
import type { CompletedDecision } from '../../src/index.ts';

export interface Retransmits {
  /** Of all bytes that the edge's connections sent; null when it sent none. */
  readonly retransmit_pct: number | null;
  /** With responses to requests of the playing phase. */
  readonly playing_retransmit_bytes: number;
}

/**
 * What TCP_INFO counted, by response: a connection's counters at the end of a response, less those at the end of
 * the one before it. HTTP/1.1 serves a connection's responses one after the other; `responses` are in the order in
 * which they ended.
 */
export function attributeRetransmits(
  responses: readonly Pick<ResponseEvent, 'url' | 'connection' | 'tcp'>[],
  decisions: readonly Pick<
    CompletedDecision,
    'representation' | 'segment_start_s' | 'segment_duration_s' | 'phase'
  >[],
): Retransmits {
  const playing = new Set(
    decisions
      .filter(({ phase }) => phase === 'playing')
      .map(({ representation, segment_start_s, segment_duration_s }) =>
        segmentName(representation, Math.round(segment_start_s / segment_duration_s) + 1),
      ),
  );
  const counters = new Map<string, { sent: number; retransmitted: number }>();
  let playing_retransmit_bytes = 0;
  for (const { url, connection, tcp } of responses) {
    if (!tcp) continue;
    const before = counters.get(connection)?.retransmitted ?? 0;
    const [, representation = '', number = ''] = /\/([^/]+)\/(\d+)\.m4s/.exec(url) ?? [];
    if (playing.has(segmentName(representation, Number(number)))) {
      playing_retransmit_bytes += tcp.bytes_retrans - before;
    }
    counters.set(connection, { sent: tcp.bytes_sent, retransmitted: tcp.bytes_retrans });
  }
  const all = [...counters.values()];
  const sent = all.reduce((sum, each) => sum + each.sent, 0);
  const retransmitted = all.reduce((sum, each) => sum + each.retransmitted, 0);
  return { retransmit_pct: sent > 0 ? (retransmitted / sent) * 100 : null, playing_retransmit_bytes };
}

const segmentName = (representation: string, number: number): string => `${representation}/${number}`;
