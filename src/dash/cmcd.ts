import type { Kbps } from '../units.ts';
import { printRtp } from '../wire/rtp.ts';

/**
 * Puts `rtp` into the CMCD a request already carries, or begins one. dash.js's own `rtp`, if its CMCD is
 * switched on, is replaced: left in, it falls below the segment's bitrate when the buffer is long.
 * Everything else of the application's CMCD stays as it is.
 */

/** CMCD keys with their values; commas inside quotes and inner lists do not separate. */
const splitKeys = (cmcd: string): string[] =>
  (cmcd.match(/(?:"(?:\\.|[^"\\])*"|\((?:"(?:\\.|[^"\\])*"|[^")])*\)|[^,"(])+/g) ?? [])
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** `rtp` set to `pace`, or taken out; keys in alphabetical order, as CTA-5004 §3.1 recommends. */
export function withRtp(cmcd: string, pace: Kbps | null): string {
  const keys = splitKeys(cmcd).filter((key) => !/^rtp(=|$)/.test(key));
  if (pace !== null) keys.push(`rtp=${printRtp(pace)}`);
  return keys.sort().join(',');
}

const PARAMETER = 'CMCD=';

/**
 * The URL with `rtp` in its `CMCD` parameter, several of which become one; other parameters and the fragment
 * are left alone.
 */
export function urlWithRtp(url: string, pace: Kbps | null): string {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url) ?? [];
  const parameters = query?.split('&') ?? [];
  const isCmcd = (parameter: string) => parameter.startsWith(PARAMETER);
  const given = parameters.filter(isCmcd).map((parameter) => decode(parameter.slice(PARAMETER.length)));
  const cmcd = withRtp(given.join(','), pace);
  const others = parameters.filter((parameter) => !isCmcd(parameter));
  const place = given.length > 0 ? parameters.findIndex(isCmcd) : others.length;
  if (cmcd) others.splice(place, 0, PARAMETER + encodeURIComponent(cmcd));
  return address + (others.length > 0 ? `?${others.join('&')}` : '') + fragment;
}

/** `rtp` belongs to the CMCD-Status header (CTA-5004 Table 1). */
export function headersWithRtp(
  headers: Readonly<Record<string, string>>,
  pace: Kbps | null,
): Record<string, string> {
  // Names of headers know no case.
  const isStatus = ([name]: [string, string]) => name.toLowerCase() === 'cmcd-status';
  const entries = Object.entries(headers);
  const status = entries.filter(isStatus).map(([, value]) => value);
  const updated = withRtp(status.join(','), pace);
  const others = Object.fromEntries(entries.filter((entry) => !isStatus(entry)));
  return updated ? { ...others, 'CMCD-Status': updated } : others;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not ours to mend, and not worth a failed request.
    return '';
  }
};
