import { SEGMENT_S } from '../../../media/ladder.ts';
import type { EndedResponse } from '../edges/edge.ts';
import type { CompletedDecision } from '../../../src/index.ts';

export interface Retransmits {
  /** The retransmitted share of all bytes that the edge's connections sent; null if they sent none. */
  readonly retransmit_pct: number | null;
  readonly playing_retransmit_bytes: number;
}

/**
 * Attributes TCP_INFO's counts to responses: a connection's counters at the end of a response, minus those at the end
 * of the previous response. HTTP/1.1 serves a connection's responses one after the other. Responses of HTTP/2 overlap,
 * so counts at the end of an audio response may belong to a video response in progress. `responses` are in the order of
 * their ends.
 */
export function attributeRetransmits(
  responses: readonly EndedResponse[],
  decisions: readonly Pick<CompletedDecision, 'sequence' | 'representation' | 'segment_start_s' | 'phase'>[],
): Retransmits {
  const phases = phasesBySegment(decisions);
  const counters = new Map<string, { readonly sent: number; readonly retransmitted: number }>();
  let playing_retransmit_bytes = 0;
  for (const { url, connection, tcp } of responses) {
    const phase = phases.get(parseSegmentName(url))?.shift();
    if (!tcp) continue;
    const before = counters.get(connection)?.retransmitted ?? 0;
    if (phase === 'playing') playing_retransmit_bytes += tcp.bytes_retrans - before;
    counters.set(connection, { sent: tcp.bytes_sent, retransmitted: tcp.bytes_retrans });
  }
  const all = [...counters.values()];
  const sent = all.reduce((sum, each) => sum + each.sent, 0);
  const retransmitted = all.reduce((sum, each) => sum + each.retransmitted, 0);
  return { retransmit_pct: sent > 0 ? (retransmitted / sent) * 100 : null, playing_retransmit_bytes };
}

/**
 * Returns the phases in which each segment was requested. A segment is requested again after its download was
 * abandoned.
 */
function phasesBySegment(
  decisions: readonly Pick<CompletedDecision, 'sequence' | 'representation' | 'segment_start_s' | 'phase'>[],
): Map<string, CompletedDecision['phase'][]> {
  const phases = new Map<string, CompletedDecision['phase'][]>();
  const inOrder = [...decisions].sort((a, b) => a.sequence - b.sequence);
  for (const { representation, segment_start_s, phase } of inOrder) {
    const segment = segmentName(representation, Math.round(segment_start_s / SEGMENT_S) + 1);
    phases.set(segment, [...(phases.get(segment) ?? []), phase]);
  }
  return phases;
}

/**
 * Extracts the segment's name from a URL such as `/film/v3300/12.m4s?CMCD=...`. For other URLs, returns a name that
 * matches no segment.
 */
function parseSegmentName(url: string): string {
  const [, representation = '', number = ''] = /\/([^/?]+)\/(\d+)\.m4s(?:\?|$)/.exec(url) ?? [];
  return segmentName(representation, Number(number));
}

const segmentName = (representation: string, number: number): string => `${representation}/${number}`;
