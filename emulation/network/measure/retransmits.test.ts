import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTcpInfo } from '../../../edge/local/kernel/tcp-info.ts';
import type { CompletedDecision } from '../../../src/index.ts';
import { bytes } from '../../../src/units.ts';
import { attributeRetransmits } from './retransmits.ts';

const tcp = (sent: number, retransmitted: number) => {
  const info = parseTcpInfo(new Uint8Array(248));
  return info && { ...info, bytes_sent: bytes(sent), bytes_retrans: bytes(retransmitted) };
};

const response = (url: string, connection: string, sent: number, retransmitted: number) => ({
  url,
  connection,
  tcp: tcp(sent, retransmitted),
});

let sequence = 0;
const decision = (representation: string, segment_start_s: number, phase: CompletedDecision['phase']) => ({
  sequence: sequence++,
  representation,
  segment_start_s,
  phase,
});

describe('attributeRetransmits', () => {
  it("attributes a connection's retransmissions between the ends of two responses", () => {
    const responses = [
      response('/film/v3300/init.mp4', 'a', 1000, 10),
      response('/film/v3300/1.m4s?CMCD=br%3D3300', 'a', 10_000, 300),
      response('/film/a96/1.m4s', 'b', 5000, 0),
      response('/film/v3300/2.m4s?CMCD=br%3D3300', 'a', 20_000, 370),
      response('/film/a96/2.m4s', 'b', 10_000, 30),
    ];
    const decisions = [
      decision('v3300', 0, 'initial'),
      decision('a96', 0, 'initial'),
      decision('v3300', 2, 'playing'),
      decision('a96', 2, 'playing'),
    ];
    expect(attributeRetransmits(responses, decisions)).toEqual({
      retransmit_pct: (400 / 30_000) * 100,
      playing_retransmit_bytes: 70 + 30,
    });
  });

  it('distinguishes repeated requests for a segment by their order', () => {
    const responses = [
      response('/film/v900/4.m4s', 'a', 1000, 40),
      response('/film/v300/4.m4s', 'a', 2000, 45),
      response('/film/v900/4.m4s', 'a', 3000, 52),
    ];
    const decisions = [
      decision('v900', 6, 'playing'),
      decision('v300', 6, 'recovery'),
      decision('v900', 6, 'recovery'),
    ];
    // The log lists decisions in the order in which their downloads completed.
    expect(attributeRetransmits(responses, [...decisions].reverse()).playing_retransmit_bytes).toBe(40);
    const later = decisions.map(
      (each, index) => ({ ...each, phase: index === 2 ? 'playing' : 'initial' }) as const,
    );
    expect(attributeRetransmits(responses, later).playing_retransmit_bytes).toBe(7);
  });

  it('numbers a short last segment by its start', () => {
    const responses = [response('/film/v900/28.m4s', 'a', 1000, 9)];
    const decisions = [decision('v900', 54.0003, 'playing')];
    expect(attributeRetransmits(responses, decisions).playing_retransmit_bytes).toBe(9);
  });

  it('counts nothing if the platform provides no counters', () => {
    const responses = [{ url: '/film/v900/1.m4s', connection: 'a', tcp: null }];
    const nothing = { retransmit_pct: null, playing_retransmit_bytes: 0 };
    expect(attributeRetransmits(responses, [decision('v900', 0, 'playing')])).toEqual(nothing);
    expect(attributeRetransmits([], [])).toEqual(nothing);
  });

  it('attributes everything to the playing phase if there is no other phase, but never more than the total', () => {
    const step = fc.record({ connection: fc.constantFrom('a', 'b'), sent: fc.nat(9000), lost: fc.nat(900) });
    const phase = fc.constantFrom('initial' as const, 'playing' as const, 'recovery' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(step, phase), { minLength: 1 }), (requests) => {
        const sums = new Map<string, { sent: number; lost: number }>();
        const responses = requests.map(([{ connection, sent, lost }], index) => {
          const before = sums.get(connection) ?? { sent: 1, lost: 0 };
          const now = { sent: before.sent + sent + lost, lost: before.lost + lost };
          sums.set(connection, now);
          return response(`/film/v900/${index + 1}.m4s`, connection, now.sent, now.lost);
        });
        const lostIn = (only?: string) =>
          requests.reduce(
            (sum, [{ lost }, phase]) => sum + (only === undefined || phase === only ? lost : 0),
            0,
          );
        const decide = (always?: 'playing') =>
          requests.map(([, phase], index) => decision('v900', index * 2, always ?? phase));
        expect(attributeRetransmits(responses, decide()).playing_retransmit_bytes).toBe(lostIn('playing'));
        expect(attributeRetransmits(responses, decide('playing')).playing_retransmit_bytes).toBe(lostIn());
      }),
    );
  });
});
