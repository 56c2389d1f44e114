import { attempt } from '../attempt.ts';
import type { Kbps } from '../units.ts';
import { PLUGIN_KEY, roundUpToRtp, SUM_KEY } from '../wire/rtp.ts';
import { splitMembers } from '../wire/structured-field.ts';

/**
 * Adds `rtp` to a request's CMCD, or adds CMCD to a request without any. Replaces the player's own `rtp`, because
 * dash.js's value falls below the segment's bitrate when the buffer is long. Replaces the player's `mtp` if an estimate
 * is given, because a player mistakes the throughput of paced downloads for the network's. Keeps all other keys.
 */

/**
 * The keys that request a pace: `rtp`, the plug-in's key and, if known, the sum of the paces of all requests in flight
 * to the origin. Empty if `pace` is null.
 */
export const paceKeys = (pace: Kbps | null, sum: Kbps | null): readonly string[] =>
  pace === null ? [] : [PLUGIN_KEY, ...(sum ? [`${SUM_KEY}=${sum}`] : []), `rtp=${roundUpToRtp(pace)}`];

/**
 * Returns `cmcd` with its keys that request a pace replaced by `asked`. An existing `mtp` is set to `estimate`, if
 * given, in its existing form: a number, or in CMCD v2 an inner list of one number with its media type. Keys are
 * sorted, as CTA-5004 §3.1 recommends.
 */
export function withRtp(cmcd: string, asked: readonly string[], estimate?: Kbps): string {
  return splitMembers(cmcd)
    .filter((key) => !/^rtp(=|$)/.test(key) && !key.startsWith(PLUGIN_KEY))
    .map((key) => (estimate && key.startsWith('mtp=') ? key.replace(/\d+/, roundToHundred(estimate)) : key))
    .concat(asked)
    .sort()
    .join(',');
}

/** CTA-5004 Table 1: `mtp` is rounded to the nearest 100 kbit/s. */
const roundToHundred = (rate: Kbps): string => `${Math.round(rate / 100) * 100}`;

const PARAMETER = 'CMCD=';
const isCmcdParameter = (parameter: string): boolean => parameter.startsWith(PARAMETER);

/**
 * Returns the URL with `rtp` in its `CMCD` parameter. Several `CMCD` parameters become one, at the end; other
 * parameters and the fragment stay unchanged.
 */
export function urlWithRtp(url: string, asked: readonly string[], estimate?: Kbps): string {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const parameters = query?.split('&') ?? [];
  const given = parameters
    .filter(isCmcdParameter)
    .map((parameter) => decode(parameter.slice(PARAMETER.length)));
  const cmcd = withRtp(given.join(','), asked, estimate);
  const others = parameters.filter((parameter) => !isCmcdParameter(parameter));
  if (cmcd) others.push(PARAMETER + encodeURIComponent(cmcd));
  return address + (others.length > 0 ? `?${others.join('&')}` : '') + fragment;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Whether a header is one of the four CMCD headers of CTA-5004 §2.1. An application's custom header map may put `rtp`
 * into any of the four.
 */
const isCmcdHeader = (name: string): boolean => /^cmcd-(request|object|status|session)$/i.test(name);

const STATUS = 'CMCD-Status';

/**
 * Returns the headers with `rtp` in CMCD-Status, as CTA-5004 Table 1 requires, and without `rtp` in the other three
 * CMCD headers.
 */
export function headersWithRtp(
  headers: Headers,
  asked: readonly string[],
  estimate?: Kbps,
): Record<string, string> {
  const updated: Record<string, string> = {};
  for (const [name, value] of Object.entries({ [STATUS]: '', ...headers })) {
    const updatedValue = isCmcdHeader(name) ? withRtp(value, name === STATUS ? asked : [], estimate) : value;
    if (updatedValue || !isCmcdHeader(name)) updated[name] = updatedValue;
  }
  return updated;
}

/** The parts of a request that can carry CMCD. */
export interface CmcdCarrier {
  url: string;
  headers?: Record<string, string>;
}

/**
 * Adds `asked` to the query or the headers, wherever the request already has CMCD. `otherwise` is the mode for a
 * request without CMCD. dash.js's settings are not used, because the manifest may override them, and the names of the
 * modes differ between versions.
 */
export function putRtp(
  request: CmcdCarrier,
  asked: readonly string[],
  otherwise: 'query' | 'header',
  estimate?: Kbps,
): void {
  const { url, headers = {} } = request;
  const inHeaders = Object.keys(headers).some(isCmcdHeader);
  const inQuery = /^[^#]*?[?&]CMCD=/.test(url);
  const byHeader = inHeaders || (!inQuery && otherwise === 'header');
  if (inQuery || !byHeader) request.url = urlWithRtp(url, byHeader ? [] : asked, estimate);
  if (byHeader) request.headers = headersWithRtp(headers, asked, estimate);
}

/** Whether a request has a pace from the plug-in. */
export const hasPaceKeys = ({ url, headers }: CmcdCarrier): boolean =>
  url.includes(PLUGIN_KEY) || Object.values(headers ?? {}).some((value) => value.includes(PLUGIN_KEY));

/** Adds keys to a request with a pace from the plug-in, to the header or the query that has its `rtp`. */
export function addKeys(request: CmcdCarrier, keys: readonly string[]): void {
  const { headers = {} } = request;
  const name = Object.keys(headers).find((each) => isCmcdHeader(each) && headers[each]?.includes(PLUGIN_KEY));
  if (name !== undefined) {
    request.headers = { ...headers, [name]: sorted([headers[name] ?? '', ...keys].join(',')) };
    return;
  }
  request.url = request.url.replace(
    /([?&]CMCD=)([^&#]*)/,
    (_, before: string, value: string) =>
      before + encodeURIComponent(sorted([decode(value), ...keys].join(','))),
  );
}

const sorted = (cmcd: string): string => splitMembers(cmcd).sort().join(',');

/** Decodes a query value. A plus means a space, because dash.js 5.2 encodes queries like HTML forms. */
const decode = (text: string): string =>
  // Drop a malformed value, so that the request does not fail.
  attempt(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? '';
