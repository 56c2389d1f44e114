import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  kibibytesPerSecond,
  kibibytesPerSecondToKbps,
  kbps,
  kbpsToKibibytesPerSecond,
  type Kbps,
} from '../../src/units.ts';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { CLIENT_AS_HEADER } from '../cluster.ts';
import { INTERNAL_HEADERS } from '../internal-headers.ts';
import { runSubroutine, subroutines, type VclState } from './interpret-fastly.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const shims = { 'fastly.vcl': read('fastly.vcl'), 'varnish.vcl': read('varnish.vcl') };

// Fastly replaces a macro in each subroutine by code of its own, such as the choice of a backend, only if the macro stands
// on a line of its own. For all other readers of the file, it is a comment.
it('begins each subroutine of Fastly with its macro', () => {
  const beginnings = [...shims['fastly.vcl'].matchAll(/^sub vcl_(\w+) \{\n(.*)$/gm)];
  expect(beginnings.length).toBeGreaterThanOrEqual(5);
  for (const [, name = '', line = ''] of beginnings) expect(line.trim()).toBe(`#FASTLY ${name}`);
});

/** Checks that both VCL files agree with each other and with the TypeScript code. */
describe.each(Object.entries(shims))('%s', (_, source) => {
  const body = (name: string): string => source.split(`\nsub ${name} {`)[1]?.split('\n}')[0] ?? '';

  it.each(Object.values(INTERNAL_HEADERS))('removes %s from requests and responses', (header) => {
    expect(body('vcl_recv')).toContain(`unset req.http.${header};`);
    expect(body('vcl_deliver')).toContain(`unset resp.http.${header};`);
  });

  it('names no other internal header', () => {
    const named = new Set(source.match(/X-Sammy-[\w-]+/g));
    expect(named).toEqual(new Set([...Object.values(INTERNAL_HEADERS), CLIENT_AS_HEADER]));
  });

  it('ignores an autonomous system from a client', () => {
    expect(body('vcl_recv')).toMatch(new RegExp(`(unset|set) req\\.http\\.${CLIENT_AS_HEADER}\\b`));
  });

  it('caches no response', () => {
    expect(body('vcl_recv')).toMatch(/return ?\(pass\);\s*$/);
    expect(source).not.toMatch(/return ?\((hash|lookup|hit)/);
  });

  it('releases a socket with the same rate: the most KB/s that fit into 32 signed bits of bytes/s', () => {
    expect(Math.floor((2 ** 31 - 1) / 1024)).toBe(2_097_151);
    expect(source).toContain('2097151');
  });
});

describe('fastly.vcl, interpreted', () => {
  const subs = subroutines(shims['fastly.vcl']);
  const socket = {
    'client.socket.tcp_info': true,
    'client.socket.tcpi_delivery_rate': 1_250_000,
    'client.socket.tcpi_rtt': 11_800,
    'client.socket.tcpi_min_rtt': 5_100,
    'client.socket.tcpi_total_retrans': 2,
    'client.socket.tcpi_data_segs_out': 500,
    'client.socket.tcpi_snd_mss': 1448,
    'client.socket.tcpi_snd_cwnd': 24,
    'client.socket.congestion_algorithm': 'cubic',
    'client.port': 40_000,
    'client.socket.pace': 0,
    'server.identity': 'cache-fra1',
    'fastly_info.is_h2': false,
    'fastly_info.is_h3': false,
  };
  const deliver = (
    headers: Record<string, string>,
    variables: Record<string, string | number | boolean> = {},
  ) => {
    const state: VclState = { variables: new Map(Object.entries({ ...socket, ...variables })) };
    for (const [name, value] of Object.entries(headers)) state.variables.set(`resp.http.${name}`, value);
    runSubroutine(subs.get('vcl_deliver') ?? [], state);
    const header = (name: string) => state.variables.get(`resp.http.${name}`)?.toString();
    return { state, header, receipt: parseReceipt(header), pace: state.variables.get('client.socket.pace') };
  };
  const paced = (rate: Kbps | number) => ({
    [INTERNAL_HEADERS.pace]: String(rate),
    [INTERNAL_HEADERS.asked]: String(rate),
    [INTERNAL_HEADERS.reason]: 'requested',
  });

  it("renames another hop's receipt, so that the player reads only its own", () => {
    const inner = 'cdn;desc="HIT",pace;desc="floor", tcp-rtt;dur=950, Tcp-MinRtt;dur=900';
    const { header, receipt } = deliver(
      { ...paced(9900), 'Server-Timing': inner },
      { 'client.socket.tcp_info': false },
    );
    expect(header('Server-Timing')).toMatch(
      /^cdn;desc="HIT",upstream-pace;desc="floor", upstream-tcp-rtt;dur=950, upstream-Tcp-MinRtt;dur=900, pace;/,
    );
    expect([receipt.reason, receipt.rtt_ms, receipt.min_rtt_ms]).toEqual(['requested', undefined, undefined]);
  });

  it('paces, and reports the pace with the TCP statistics', () => {
    const { pace, receipt, header, state } = deliver(paced(9900));
    // 9,900 kbit/s = 1,208.5 KB/s (1,024 bytes), rounded up.
    expect(pace).toBe(1209);
    expect(receipt).toEqual({
      pace_kbps: 9904.128,
      reason: 'requested',
      etp_kbps: 10_000,
      rtt_ms: 11.8,
      min_rtt_ms: 5.1,
      retransmitted_bytes: 2896,
      sent_bytes: 724_000,
      cwnd_packets: 24,
      congestion_control: 'cubic',
      connection: 'cache-fra1-40000',
    });
    expect(header('CMSD-Dynamic')).toBe(
      '"dashjs-sammy";etp=10000;rtt=12;io.github.dashjs-sammy-pace=9904.128',
    );
    for (const name of Object.values(INTERNAL_HEADERS)) expect(header(name)).toBeUndefined();
    expect(state.returned).toBe('deliver');
  });

  it('paces at least at the requested pace, and less than a step above', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1049, max: 17_000_000 }), (asked) => {
        const { pace, receipt } = deliver(paced(asked));
        expect(pace).toBe(Math.ceil(kbpsToKibibytesPerSecond(kbps(asked))));
        expect(receipt.pace_kbps).toBeCloseTo(kibibytesPerSecondToKbps(kibibytesPerSecond(Number(pace))), 3);
        expect(receipt.reason).toBe('requested');
      }),
    );
  });

  it("reports 'ceiling' if more than 2,097,151 KB/s was requested", () => {
    expect(deliver(paced(99_999_999))).toMatchObject({
      pace: 2_097_151,
      receipt: { pace_kbps: 17_179_860.992, reason: 'ceiling' },
    });
  });

  it("reports 'floor' if less than 128 KB/s was requested", () => {
    expect(deliver(paced(1048))).toMatchObject({
      pace: 128,
      receipt: { pace_kbps: 1048.576, reason: 'requested' },
    });
    expect(deliver(paced(1000))).toMatchObject({ pace: 128, receipt: { reason: 'floor' } });
    expect(deliver(paced(100))).toMatchObject({
      pace: 128,
      receipt: { pace_kbps: 1048.576, reason: 'floor' },
    });
  });

  it.each(['fastly_info.is_h2', 'fastly_info.is_h3'])(
    "does not pace a connection without the sum of its streams' paces: %s",
    (shared) => {
      const { pace, receipt } = deliver(paced(9900), { [shared]: true });
      expect(pace).toBe(2_097_151);
      expect(receipt).toMatchObject({ pace_kbps: null, reason: 'shared-connection' });
      const { reason } = deliver({ [INTERNAL_HEADERS.reason]: 'no-rtp' }, { [shared]: true }).receipt;
      expect(reason).toBe('no-rtp');
    },
  );

  const sum = (rate: number | null, reason = 'requested') => ({
    ...paced(3300),
    ...(rate !== null && { [INTERNAL_HEADERS.connectionPace]: String(rate) }),
    [INTERNAL_HEADERS.connectionReason]: reason,
  });

  it("sets the policy's sum on an HTTP/2 connection, and reports both paces", () => {
    const { pace, receipt } = deliver(sum(6400), { 'fastly_info.is_h2': true });
    // 6,400 kbit/s = 781.25 KB/s (1,024 bytes), and 3,300 kbit/s = 402.83 KB/s. Both are rounded up.
    expect(pace).toBe(782);
    expect(receipt).toMatchObject({ reason: 'requested', pace_kbps: 403 * 8.192 });
    expect(receipt.socket_pace_kbps).toBeCloseTo(782 * 8.192, 3);
    const alone = deliver(sum(3300), { 'fastly_info.is_h2': true });
    expect(alone.pace).toBe(403);
    expect(alone.receipt.socket_pace_kbps).toBeUndefined();
    expect(deliver(sum(100_000_000), { 'fastly_info.is_h2': true }).pace).toBe(2_097_151);
  });

  it('reports why the policy rejects a sum', () => {
    const { pace, receipt } = deliver(sum(null, 'refused:sum-below-rtp'), { 'fastly_info.is_h2': true });
    expect(pace).toBe(2_097_151);
    expect(receipt).toMatchObject({ pace_kbps: null, reason: 'refused:sum-below-rtp' });
  });

  it('ignores the sum if each request has its own socket, and over QUIC, which TCP does not pace', () => {
    const own = deliver(sum(6400));
    expect(own.pace).toBe(403);
    expect(own.receipt).toMatchObject({ reason: 'requested' });
    expect(own.receipt.socket_pace_kbps).toBeUndefined();
    expect(deliver(sum(6400), { 'fastly_info.is_h3': true })).toMatchObject({
      pace: 2_097_151,
      receipt: { pace_kbps: null, reason: 'shared-connection' },
    });
  });

  it('releases the socket for a response without a pace', () => {
    const released = deliver({ [INTERNAL_HEADERS.reason]: 'no-rtp' }, { 'client.socket.pace': 128 });
    expect(released.pace).toBe(2_097_151);
    expect(released.receipt).toMatchObject({ pace_kbps: null, reason: 'no-rtp' });
    expect(deliver({}).pace).toBe(2_097_151);
  });

  it('writes no receipt for a preflight, and adds its own after an origin’s', () => {
    expect(deliver({}).header('Server-Timing')).toBeUndefined();
    const { receipt, header } = deliver({
      ...paced(9900),
      'CMSD-Dynamic': '"cdn";etp=1;io.github.dashjs-sammy-pace=1',
      'Server-Timing': 'cdn-cache;desc=HIT',
    });
    expect(header('CMSD-Dynamic')).toMatch(/^"cdn";etp=1;io\.github\.dashjs-sammy-pace=1, "dashjs-sammy";/);
    expect(header('Server-Timing')).toMatch(/^cdn-cache;desc=HIT, pace;/);
    expect(receipt.pace_kbps).toBe(9904.128);
  });

  it('omits unset values, and reports whether a pace limited the delivery rate', () => {
    const first = deliver(paced(9900));
    expect(first.header('Server-Timing')).toMatch(/^pace;desc="requested", /);
    expect(first.receipt.etp_limited_by).toBeUndefined();
    const after = (pace: number) => deliver(paced(9900), { 'client.socket.pace': pace });
    expect(after(1209).receipt).toMatchObject({ etp_kbps: 10_000, etp_limited_by: 'pace' });
    expect(after(2_097_151).receipt.etp_limited_by).toBeUndefined();
    expect(after(1209).header('CMSD-Dynamic')).not.toContain('(null)');
  });

  it('omits the statistics if there are none, as over QUIC', () => {
    const { header } = deliver(paced(9900), { 'client.socket.tcp_info': false });
    expect(header('CMSD-Dynamic')).toBe('"dashjs-sammy";io.github.dashjs-sammy-pace=9904.128');
  });

  it.each(['-5', '1e9', '9999999999999', 'x', '5,6'])('treats %j as no pace', (text) => {
    expect(deliver({ ...paced(1), [INTERNAL_HEADERS.pace]: text }).pace).toBe(2_097_151);
  });

  it("sets the operator's congestion control if Fastly supports it", () => {
    const after = (name: string) =>
      deliver({ ...paced(9900), [INTERNAL_HEADERS.congestionControl]: name }).receipt.congestion_control;
    expect(after('bbr')).toBe('bbr');
    expect(after('warp')).toBe('cubic');
  });

  it('does not apply the settings of paced responses to a shared connection', () => {
    const paces = { ...paced(9900), [INTERNAL_HEADERS.congestionControl]: 'bbr' };
    expect(deliver(paces, { 'fastly_info.is_h2': true }).receipt.congestion_control).toBe('cubic');
    expect(deliver(paces, { 'fastly_info.is_h3': true }).receipt.congestion_control).toBe('cubic');
    const unpaced = { [INTERNAL_HEADERS.reason]: 'no-rtp', [INTERNAL_HEADERS.congestionControl]: 'bbr' };
    expect(deliver(unpaced, { 'fastly_info.is_h2': true }).receipt.congestion_control).toBe('bbr');
  });

  it('removes internal headers of a client, and passes', () => {
    const names = Object.values(INTERNAL_HEADERS).map((name) => `req.http.${name}`);
    const asHeader = `req.http.${CLIENT_AS_HEADER}`;
    const state: VclState = { variables: new Map([...names, asHeader].map((name) => [name, '1'])) };
    state.variables.set('req.restarts', 0);
    state.variables.set('client.as.number', 64_496);
    runSubroutine(subs.get('vcl_recv') ?? [], state);
    const left = ['req.restarts', 'client.as.number', asHeader, 'req.backend'];
    expect(new Set(state.variables.keys())).toEqual(new Set(left));
    // Fastly's own number replaces the client's header.
    expect(state.variables.get(asHeader)).toBe('64496');
    expect(state.returned).toBe('pass');
  });

  describe('when the policy is unreachable', () => {
    const run = (sub: string, given: Record<string, string | number>) => {
      const state: VclState = {
        variables: new Map(Object.entries({ 'client.as.number': 64_496, ...given })),
      };
      runSubroutine(subs.get(sub) ?? [], state);
      return { returned: state.returned, value: (name: string) => state.variables.get(name) };
    };
    const request = { 'req.method': 'GET', 'req.url': '/v/1.m4s?a=1&CMCD=rtp%3D5000&b=2' };

    it('requests the policy first, and the origin after a restart, without CMCD', () => {
      const first = run('vcl_recv', { ...request, 'req.restarts': 0 });
      expect([first.returned, first.value('req.backend')]).toEqual(['pass', 'F_policy']);
      expect(first.value('req.url')).toBe(request['req.url']);
      const again = run('vcl_recv', { ...request, 'req.restarts': 1, 'req.http.CMCD-Status': 'rtp=5000' });
      expect([again.returned, again.value('req.backend')]).toEqual(['pass', 'F_origin']);
      expect(again.value('req.url')).toBe('/v/1.m4s?a=1&b=2');
      expect(again.value('req.http.CMCD-Status')).toBeUndefined();
      expect(again.value(`req.http.${CLIENT_AS_HEADER}`)).toBeUndefined();
    });

    it.each([
      ['/1?%43MCD=rtp%3D5000&a=1&C%4dCD', '/1?a=1'],
      ['/1?CMCD', '/1'],
      ['/1?a=CMCD=1&cmcd=2', '/1?a=CMCD=1&cmcd=2'],
    ])('requests %s as %s from the origin', (url, without) => {
      const again = run('vcl_recv', { ...request, 'req.url': url, 'req.restarts': 1 });
      expect(again.value('req.url')).toBe(without);
    });

    it.each(['/via/https/a.example/1', '/..%2fx', '/%2e./x', '/a/..', '/a%5Cb', '/a\\..\\b', '/a%00'])(
      'does not request %s from the origin',
      (url) => {
        expect(run('vcl_recv', { ...request, 'req.url': url, 'req.restarts': 1 }).returned).toBe('error 503');
        expect(run('vcl_recv', { ...request, 'req.url': url, 'req.restarts': 0 }).returned).toBe('pass');
      },
    );

    it.each(['/a..b/c.m4s', '/v/1.m4s?nor=..%2f2.m4s', '/v/..c/1'])('requests %s from the origin', (url) => {
      expect(run('vcl_recv', { ...request, 'req.url': url, 'req.restarts': 1 }).returned).toBe('pass');
    });

    it('restarts once if nothing responds, then answers 503 for any page', () => {
      const failed = { ...request, 'obj.status': 503 };
      expect(run('vcl_error', { ...failed, 'req.restarts': 0 }).returned).toBe('restart');
      const again = run('vcl_error', { ...failed, 'req.restarts': 1 });
      expect([again.returned, again.value('obj.status')]).toEqual(['deliver', 503]);
      expect(again.value('obj.http.Access-Control-Allow-Origin')).toBe('*');
      const preflight = run('vcl_error', { ...failed, 'req.method': 'OPTIONS', 'req.restarts': 1 });
      expect(preflight.value('obj.status')).toBe(204);
    });

    it('restarts after an error that is not from the policy, and ignores a verdict from the origin', () => {
      const answer = { 'beresp.status': 500, 'beresp.http.X-Sammy-Pace-Kbps': '1100' };
      expect(run('vcl_fetch', { ...answer, 'req.restarts': 0 }).returned).toBe('restart');
      const reason = { 'beresp.http.X-Sammy-Pace-Reason': 'error-response' };
      expect(run('vcl_fetch', { ...answer, ...reason, 'req.restarts': 0 }).returned).toBe('pass');
      const origins = run('vcl_fetch', { ...answer, 'beresp.status': 200, 'req.restarts': 1 });
      expect(origins.returned).toBe('pass');
      expect(origins.value('beresp.http.X-Sammy-Pace-Kbps')).toBeUndefined();
      expect(origins.value('beresp.http.X-Sammy-Pace-Reason')).toBe('policy-unreachable');
    });
  });
});
