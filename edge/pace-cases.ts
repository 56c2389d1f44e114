import type { PaceReason } from './policy.ts';

/** One request and the pace it must get. The same table is for every implementation of the policy. */
export interface PaceCase {
  readonly name: string;
  /** Of the URL, as sent: percent-encoded. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: {
    readonly floor_kbps?: number;
    readonly ceiling_kbps?: number;
    readonly switchedOff?: boolean;
  };
  readonly pace_kbps: number | null;
  readonly reason: PaceReason;
}

const query = (cmcd: string): string => `?CMCD=${encodeURIComponent(cmcd)}`;
const status = (cmcd: string): Record<string, string> => ({ 'CMCD-Status': cmcd });

export const paceCases: readonly PaceCase[] = [
  // What players send. The payloads are CTA-5004's own examples with an rtp (§2.5), and a version 2 one (CTA-5004-A).
  {
    name: 'version 1 in the query',
    query: query('bs,rtp=15000,sid="6e2fb550-c457-11e9-bb97-0800200c9a66"'),
    pace_kbps: 15_000,
    reason: 'requested',
  },
  {
    name: 'version 1 in its header',
    headers: status('bs,rtp=15000'),
    pace_kbps: 15_000,
    reason: 'requested',
  },
  {
    name: 'all four headers',
    headers: {
      'CMCD-Request': 'mtp=25400,bl=21300',
      'CMCD-Object': 'br=3200,d=4004,ot=v,tb=6000',
      'CMCD-Status': 'rtp=9900',
      'CMCD-Session': 'sid="x",sf=d,st=v',
    },
    pace_kbps: 9900,
    reason: 'requested',
  },
  {
    name: 'version 2 with inner lists',
    query: query('bl=(21300;v 9000;a),br=(3200;v 128;a),mtp=(25400),rtp=12500,sta=p,v=2'),
    pace_kbps: 12_500,
    reason: 'requested',
  },
  {
    name: 'version 2 with inner lists in headers',
    headers: {
      'CMCD-Request': 'bl=(21300;v),mtp=(25400)',
      'CMCD-Object': 'br=(3200;v 128;a)',
      'CMCD-Status': 'rtp=12500',
      'CMCD-Session': 'v=2',
    },
    pace_kbps: 12_500,
    reason: 'requested',
  },
  {
    name: 'an rtp in another header field',
    headers: { 'CMCD-Request': 'bl=21300,rtp=4000' },
    pace_kbps: 4000,
    reason: 'requested',
  },
  {
    name: 'other parameters around',
    query: `?a=1&${query('rtp=5000').slice(1)}&b=2`,
    pace_kbps: 5000,
    reason: 'requested',
  },
  {
    name: 'an unknown parameter of the item',
    query: query('rtp=5000;x=1'),
    pace_kbps: 5000,
    reason: 'requested',
  },
  {
    name: 'an rtp inside a string',
    query: query('sid="a,rtp=1,b",rtp=900'),
    pace_kbps: 900,
    reason: 'requested',
  },
  {
    name: 'an escaped quote before it',
    query: query('sid="a\\",rtp=1,b",rtp=900'),
    pace_kbps: 900,
    reason: 'requested',
  },
  {
    name: 'a parameter name that is percent-encoded',
    query: '?%43MC%44=rtp%3D5000',
    pace_kbps: 5000,
    reason: 'requested',
  },
  {
    name: 'query and header that agree',
    query: query('rtp=5000'),
    headers: status('rtp=5000'),
    pace_kbps: 5000,
    reason: 'requested',
  },
  {
    name: 'keys of the object prototype',
    query: query('constructor,rtp=700'),
    pace_kbps: 700,
    reason: 'requested',
  },

  { name: 'nothing at all', pace_kbps: null, reason: 'no-rtp' },
  { name: 'CMCD without rtp', query: query('bl=21300,br=3200'), pace_kbps: null, reason: 'no-rtp' },
  { name: 'an empty CMCD', query: '?CMCD=', pace_kbps: null, reason: 'no-rtp' },
  { name: 'a CMCD without value', query: '?CMCD', pace_kbps: null, reason: 'no-rtp' },
  {
    name: 'a parameter that is no CMCD',
    query: '?rtp=5000&cmcd=rtp%3D5000',
    pace_kbps: null,
    reason: 'no-rtp',
  },
  { name: 'CMCD in the fragment', query: '#?CMCD=rtp%3D5000', pace_kbps: null, reason: 'no-rtp' },

  // The operator's limits.
  {
    name: 'below the floor',
    query: query('rtp=500'),
    limits: { floor_kbps: 1000 },
    pace_kbps: 1000,
    reason: 'floor',
  },
  {
    name: 'at the floor',
    query: query('rtp=1000'),
    limits: { floor_kbps: 1000 },
    pace_kbps: 1000,
    reason: 'requested',
  },
  {
    name: 'above the ceiling',
    query: query('rtp=90000'),
    limits: { ceiling_kbps: 50_000 },
    pace_kbps: 50_000,
    reason: 'ceiling',
  },
  {
    name: 'at the ceiling',
    query: query('rtp=50000'),
    limits: { ceiling_kbps: 50_000 },
    pace_kbps: 50_000,
    reason: 'requested',
  },
  {
    name: 'no rtp under a ceiling',
    limits: { floor_kbps: 1000, ceiling_kbps: 50_000 },
    pace_kbps: null,
    reason: 'no-rtp',
  },
  {
    name: 'switched off',
    query: query('rtp=5000'),
    limits: { switchedOff: true },
    pace_kbps: null,
    reason: 'switched-off',
  },

  // What is absurd.
  { name: 'zero', query: query('rtp=0'), pace_kbps: null, reason: 'refused:not-positive' },
  {
    name: 'zero under a floor',
    query: query('rtp=0'),
    limits: { floor_kbps: 1000 },
    pace_kbps: null,
    reason: 'refused:not-positive',
  },
  { name: 'negative', query: query('rtp=-5000'), pace_kbps: null, reason: 'refused:not-positive' },
  { name: 'a fraction', query: query('rtp=5000.5'), pace_kbps: null, reason: 'refused:not-an-integer' },
  {
    name: 'above any network',
    query: query('rtp=100000100'),
    pace_kbps: null,
    reason: 'refused:absurdly-large',
  },
  { name: 'a string', query: query('rtp="5000"'), pace_kbps: null, reason: 'refused:not-a-number' },
  { name: 'a token', query: query('rtp=fast'), pace_kbps: null, reason: 'refused:not-a-number' },
  { name: 'a bare key', query: query('rtp'), pace_kbps: null, reason: 'refused:not-a-number' },
  { name: 'a list', query: query('rtp=(5000 6000)'), pace_kbps: null, reason: 'refused:not-a-number' },
  { name: 'an exponent', query: query('rtp=1e99'), pace_kbps: null, reason: 'refused:malformed' },
  { name: 'NaN with a sign', query: query('rtp=-NaN'), pace_kbps: null, reason: 'refused:malformed' },
  { name: 'an open string', query: query('sid="abc,rtp=5000'), pace_kbps: null, reason: 'refused:malformed' },
  {
    name: 'a wrong percent-encoding',
    query: '?CMCD=rtp%3D50%zz',
    pace_kbps: null,
    reason: 'refused:malformed',
  },
  {
    name: 'an unreadable header beside a good query',
    query: query('rtp=5000'),
    headers: status('rtp=;;'),
    pace_kbps: null,
    reason: 'refused:malformed',
  },
  {
    name: 'repeated in one payload',
    query: query('rtp=5000,br=3200,rtp=6000'),
    pace_kbps: null,
    reason: 'refused:repeated',
  },
  {
    name: 'repeated with the same value',
    query: query('rtp=5000, rtp=5000'),
    pace_kbps: null,
    reason: 'refused:repeated',
  },
  {
    name: 'several CMCD parameters',
    query: '?CMCD=rtp%3D5000&CMCD=br%3D3200',
    pace_kbps: null,
    reason: 'refused:repeated',
  },
  {
    name: 'in two headers',
    headers: { 'CMCD-Request': 'rtp=5000', 'CMCD-Status': 'rtp=5000' },
    pace_kbps: null,
    reason: 'refused:repeated',
  },
  {
    name: 'a header sent twice',
    headers: status('rtp=5000, rtp=6000'),
    pace_kbps: null,
    reason: 'refused:repeated',
  },
  {
    name: 'query and header that disagree',
    query: query('rtp=5000'),
    headers: status('rtp=6000'),
    pace_kbps: null,
    reason: 'refused:disagreeing',
  },
  {
    name: '64 kB',
    query: query(`rtp=5000,com.example-x="${'x'.repeat(65_536)}"`),
    pace_kbps: null,
    reason: 'refused:cmcd-too-long',
  },
  {
    name: '64 kB of headers',
    headers: status(`rtp=5000,com.example-x="${'x'.repeat(65_536)}"`),
    pace_kbps: null,
    reason: 'refused:cmcd-too-long',
  },
  {
    name: 'a number of 64 kB',
    query: query(`rtp=${'9'.repeat(65_536)}`),
    pace_kbps: null,
    reason: 'refused:cmcd-too-long',
  },
];
