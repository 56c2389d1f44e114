import type { Kbps } from '../../src/units.ts';
import type { Http3Findings } from './examine-http3.ts';
import { isPage, type Findings } from './examine.ts';

/**
 * The range of goodput divided by pace that shows pacing. The kernel counts headers too, up to 4% with full packets,
 * and a few packets may be early or late.
 */
const NEAR = { least: 0.85, most: 1.1 };

/** The lowest ratio of the unpaced rate to the pace that shows pacing. Below it, the network may be the limit. */
const CONTRAST = 1.3;

/** Explanations, for the operator, of the reasons in receipts without a pace. */
const REASONS: Readonly<Record<string, string>> = {
  'no-rtp':
    'the edge received no rtp: a hop in front of the edge removes CMCD, or the CMCD is in a place that the edge does not read',
  'switched-off': 'pacing is switched off there',
  'shared-connection':
    'this edge does not pace a connection that several responses share; use HTTP/1.1 for media there',
  'not-client-socket':
    'another program terminates your connection in front of this edge, so a pace would apply to that program',
  'platform-cannot-pace': 'the kernel there refuses SO_MAX_PACING_RATE, or koffi is missing; it needs Linux',
  'policy-unreachable': 'VCL does not reach the policy',
  experiment: 'an experiment has this session in its unpaced arm',
};

/** Whether the network is clearly faster than the pace. An unpaced rate of null means too fast to measure. */
const isFaster = (unpaced: Kbps | null, pace: Kbps): boolean =>
  unpaced === null || unpaced >= pace * CONTRAST;

const rate = (value: Kbps | null | undefined): string =>
  value === null || value === undefined
    ? 'all at once'
    : `${value < 100_000 ? (value / 1000).toPrecision(3) : Math.round(value / 1000)} Mbit/s`;

/**
 * Returns the verdict in one line, followed by lines of evidence. `ok`: whether the URL is paced and caches keep a
 * single copy.
 */
export function describe(findings: Findings): { readonly ok: boolean; readonly lines: string[] } {
  const pacing = ofPacing(findings);
  const cache = ofCache(findings.cache);
  const http3 = describeHttp3(findings.http3);
  return {
    ok: pacing.ok && cache.ok && http3.ok,
    lines: [
      pacing.ok ? `${pacing.line}${cache.ok ? '; ' : ', but '}${cache.line}` : pacing.line,
      ...pacing.details,
      ...http3.lines,
    ],
  };
}

/** The verdict for HTTP/3, which browsers use instead of TCP when the server advertises it (Alt-Svc). */
function describeHttp3(found: Http3Findings | undefined): { ok: boolean; lines: string[] } {
  if (found === undefined) return { ok: true, lines: [] };
  const offer = 'it offers HTTP/3 (Alt-Svc), which browsers then use';
  if ('missing' in found)
    return { ok: true, lines: [`${offer}; whether that is paced was not measured: ${found.missing}`] };
  const { status, receipt, rate: came, asked, unpaced } = found;
  const no = (line: string) => ({
    ok: false,
    lines: [`${offer}: NOT PACED over HTTP/3: ${line}`, 'leave out Alt-Svc, or pace there too'],
  });
  if (status >= 300) return no(`with CMCD the status is ${status}`);
  const { pace_kbps: told, reason = 'no reason' } = receipt;
  if (told === undefined) return no('the answer has no receipt');
  if (told === null) return no(reason);
  if (came / told > NEAR.most) return no(`the receipt says ${rate(told)}, but ${rate(came)} came`);
  const measured = `${rate(came)} of ${rate(told)} (${Math.round((came / told) * 100)}%), ${rate(unpaced)} without rtp`;
  if (came / told < NEAR.least || !isFaster(unpaced, told))
    return {
      ok: true,
      lines: [`${offer}; CANNOT TELL whether that is paced: ${measured}, asked for ${rate(asked)}`],
    };
  return { ok: true, lines: [`PACED over HTTP/3 too: ${measured}`] };
}

interface Verdict {
  readonly ok: boolean;
  readonly line: string;
  readonly details: readonly string[];
}

const no = (line: string, details: readonly string[] = []): Verdict => ({ ok: false, line, details });

function ofPacing(found: Findings): Verdict {
  const { paced, protocol, status, type, bytes, least, unpaced, released } = found;
  if (!paced) {
    if (status < 300 && isPage(type))
      return no(
        'CANNOT TELL: this is a page (text/html); give the URL of a media segment that its player loads',
      );
    return status >= 300
      ? no(`CANNOT TELL: the status is ${status}`)
      : no(`CANNOT TELL: it has ${bytes} bytes; give a media segment of at least ${least / 1000} kB`);
  }
  const { receipt, asked, page } = paced;
  const measured = [
    `asked for ${rate(asked)} over ${protocol}: ${rate(paced.rate)} came`,
    `without rtp: ${rate(unpaced)} before, ${rate(released)} after, on the same connection`,
    `more: ${page}`,
  ];
  if (paced.status >= 300)
    return no(`NOT PACED: with CMCD the status is ${paced.status}, without ${status}`, [
      'something refuses the request for its CMCD (a signed URL, a firewall); try --cmcd header',
      `more: ${page}`,
    ]);
  const { pace_kbps: told, reason = 'no reason' } = receipt;
  if (told === undefined) {
    const ratio = (paced.rate ?? Infinity) / asked;
    if (ratio >= NEAR.least && ratio <= NEAR.most && isFaster(unpaced, asked))
      return no(
        `PACED, NOT TOLD over ${protocol}: ${ofPace(paced.rate, asked)}, but the answer has no receipt`,
        [
          'something between removes CMSD-Dynamic from the answer, so the player takes the pace for the network',
          ...measured,
        ],
      );
    return no(`NOT PACED over ${protocol}: the answer has no receipt`, [
      'no edge of dashjs-sammy answers here, or something removes CMSD-Dynamic from its answer',
      ...measured,
    ]);
  }
  if (told === null)
    return no(`NOT PACED over ${protocol}: ${reason}`, [
      ...(REASONS[reason] ? [REASONS[reason]] : []),
      ...measured,
    ]);
  const details = [`the receipt: ${rate(told)}, ${reason}`, ...measured];
  if (paced.otherEnd === 'proxy')
    return no(`NOT PACED over ${protocol}: another program ends your connection before the edge`, [
      'the edge paces its socket to that program (a proxy, a CDN, a load balancer), whose bursts reach the player: let clients reach the edge directly, or end TLS in the edge',
      ...details,
    ]);
  return describeRate(found, paced, told, details);
}

/** The verdict for a response whose receipt has a pace, if the paced socket is the client's. */
function describeRate(
  { protocol, unpaced }: Pick<Findings, 'protocol' | 'unpaced'>,
  paced: NonNullable<Findings['paced']>,
  told: Kbps,
  details: readonly string[],
): Verdict {
  const { asked, receipt } = paced;
  if (paced.rate === null)
    return no('CANNOT TELL: the body came in too few bursts to measure its rate', [
      'give a higher --rtp-kbps or a longer segment: on loopback TCP sends 131 kB at once',
      ...details,
    ]);
  const accuracy = paced.rate / told;
  if (accuracy > NEAR.most)
    return no(`NOT PACED over ${protocol}: the receipt says ${rate(told)}, but ${rate(paced.rate)} came`, [
      'the pace is on another socket than yours: something between keeps or forwards the body',
      ...details,
    ]);
  if (accuracy < NEAR.least)
    return no(`CANNOT TELL: received ${rate(paced.rate)}, less than the pace of ${rate(told)}`, [
      isFaster(unpaced, told)
        ? 'the network is fast enough, as the request without rtp shows, so a machine was busy: run check again'
        : 'the network, the origin, a limit of the server (limit_rate) or a busy machine is slower: give a lower --rtp-kbps, or run check again',
      ...details,
    ]);
  if (!isFaster(unpaced, told))
    return no(`CANNOT TELL: without rtp the URL is not faster than the pace of ${rate(told)}`, [
      'give a lower --rtp-kbps',
      ...details,
    ]);
  const measuredPace = ofPace(paced.rate, told);
  if (paced.unreadable !== null) {
    const { notExposed, hasNoTiming } = paced.unreadable;
    return no(
      `PACED, NOT TOLD over ${protocol}: ${measuredPace}, but pages of other origins cannot read the receipt`,
      [
        ...(notExposed.length > 0
          ? [`Access-Control-Expose-Headers lacks ${notExposed.join(' and ')}: a page does not see them`]
          : []),
        ...(hasNoTiming
          ? ['Timing-Allow-Origin is missing: a page does not see when the network was idle']
          : []),
        ...details,
      ],
    );
  }
  const line = `PACED over ${protocol}: ${measuredPace}`;
  const limited = ['floor', 'ceiling'].includes(receipt.reason ?? '')
    ? `, the ${receipt.reason}, where ${rate(asked)} was asked for`
    : '';
  return { ok: true, line: line + limited, details: [...details, ...doubts(paced)] };
}

const ofPace = (came: Kbps | null, pace: Kbps): string =>
  `${rate(came)} of ${rate(pace)} (${Math.round(((came ?? 0) / pace) * 100)}%)`;

/** Returns possible remaining problems of a paced URL. */
function doubts({ isShared, otherEnd, canDetectForwarders }: NonNullable<Findings['paced']>): string[] {
  const unknown =
    otherEnd === 'unknown'
      ? 'it is unknown whether another program terminates your connection in front of the edge: the receipt does not count bytes'
      : 'it is unknown whether a program in between forwards bytes, as docker-proxy does: the round trip is too short, or not in the receipt';
  return [
    ...(isShared
      ? []
      : ['only pages of the same origin can play it: there is no Access-Control-Allow-Origin']),
    ...(canDetectForwarders ? [] : [unknown]),
  ];
}

function ofCache({ fresh, again }: Findings['cache']): { ok: boolean; line: string } {
  if (fresh === 'hit') return { ok: true, line: 'the cache keeps one copy, whatever the CMCD' };
  if (again === 'hit') return { ok: false, line: 'the cache keeps a copy for each CMCD' };
  if (fresh === 'miss') return { ok: true, line: 'the cache says miss each time, so it keeps no copy' };
  return { ok: true, line: 'no cache identified itself (Cache-Status, X-Cache, X-Varnish, Age)' };
}
