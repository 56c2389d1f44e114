import type { Kbps } from '../units.ts';
import { printRtp } from '../wire/rtp.ts';

/**
 * Puts `rtp` into the CMCD a request already carries, or begins one. dash.js's own `rtp`, if its CMCD is
 * switched on, is replaced: left in, it falls below the segment's bitrate when the buffer is long. So is its `mtp`, where
 * an estimate is given: dash.js takes what a pace limited for the network.
 * Everything else of the application's CMCD stays as it is.
 */

/** CMCD keys with their values; commas inside quotes and inner lists do not separate. */
const splitKeys = (cmcd: string): string[] =>
  (cmcd.match(/(?:"(?:\\.|[^"\\])*"|\((?:"(?:\\.|[^"\\])*"|[^")])*\)|[^,"(])+/g) ?? [])
    .map((key) => key.trim())
    .filter((key) => key !== '');

/**
 * `rtp` set to `pace`, or taken out; an `mtp` that is there set to `estimate`, if that is known, in the form it has: a
 * number, or in CMCD v2 a list of one with its media type. Keys in alphabetical order, as CTA-5004 §3.1 recommends.
 */
export function withRtp(cmcd: string, pace: Kbps | null, estimate?: Kbps): string {
  const keys = splitKeys(cmcd)
    .filter((key) => !/^rtp(=|$)/.test(key))
    .map((key) => (estimate && key.startsWith('mtp=') ? key.replace(/\d+/, roundToHundred(estimate)) : key));
  if (pace !== null) keys.push(`rtp=${printRtp(pace)}`);
  return keys.sort().join(',');
}

/** CTA-5004 Table 1: to the nearest 100 kbit/s. */
const roundToHundred = (rate: Kbps): string => `${Math.round(rate / 100) * 100}`;

const PARAMETER = 'CMCD=';
const isCmcdParameter = (parameter: string): boolean => parameter.startsWith(PARAMETER);

/**
 * The URL with `rtp` in its `CMCD` parameter, several of which become one; other parameters and the fragment
 * are left alone.
 */
export function urlWithRtp(url: string, pace: Kbps | null, estimate?: Kbps): string {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const parameters = query?.split('&') ?? [];
  const given = parameters
    .filter(isCmcdParameter)
    .map((parameter) => decode(parameter.slice(PARAMETER.length)));
  const cmcd = withRtp(given.join(','), pace, estimate);
  const others = parameters.filter((parameter) => !isCmcdParameter(parameter));
  const place = given.length > 0 ? parameters.findIndex(isCmcdParameter) : others.length;
  if (cmcd) others.splice(place, 0, PARAMETER + encodeURIComponent(cmcd));
  return address + (others.length > 0 ? `?${others.join('&')}` : '') + fragment;
}

type Headers = Readonly<Record<string, string>>;

/** Names of headers know no case. CTA-5004 §2.1: a custom map may have moved `rtp` to any of the four. */
const isCmcdHeader = (name: string): boolean => /^cmcd-(request|object|status|session)$/i.test(name);

/** `rtp` in the CMCD-Status header, where it belongs (CTA-5004 Table 1), and in none of the other three. */
export function headersWithRtp(headers: Headers, pace: Kbps | null, estimate?: Kbps): Record<string, string> {
  const updated: Record<string, string> = {};
  const status: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const rest = isCmcdHeader(name) ? withRtp(value, null, estimate) : value;
    if (name.toLowerCase() === 'cmcd-status') status.push(rest);
    else if (rest || !isCmcdHeader(name)) updated[name] = rest;
  }
  const merged = withRtp(status.join(','), pace);
  return merged ? { ...updated, 'CMCD-Status': merged } : updated;
}

/** What a request carries CMCD in. */
export interface CmcdCarrier {
  url: string;
  headers?: Record<string, string>;
}

/**
 * Puts `pace` where the request carries CMCD already, and as `otherwise` says where it carries none. The settings do
 * not tell where: the manifest may overrule them, and the names of the modes differ among dash.js's versions.
 */
export function putRtp(
  request: CmcdCarrier,
  pace: Kbps | null,
  otherwise: 'query' | 'header',
  estimate?: Kbps,
): void {
  const { url, headers = {} } = request;
  const inHeaders = Object.keys(headers).some(isCmcdHeader);
  const inQuery = /^[^#]*?[?&]CMCD=/.test(url);
  const byHeader = inHeaders || (!inQuery && otherwise === 'header');
  if (inQuery || !byHeader) request.url = urlWithRtp(url, byHeader ? null : pace, estimate);
  if (byHeader) request.headers = headersWithRtp(headers, pace, estimate);
}

/** A query may be written as forms are (dash.js 5.2 does), with a plus for a space. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Not ours to mend, and not worth a failed request.
    return '';
  }
};
