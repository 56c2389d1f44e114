import type { Kbps } from '../units.ts';
import { printRtp } from '../wire/rtp.ts';

/**
 * Puts `rtp` into the CMCD a request already carries, or begins one. dash.js's own `rtp`, if its CMCD is
 * switched on, is replaced: left in, it falls below the segment's bitrate when the buffer is long.
 * Everything else of the application's CMCD stays as it is.
 */

/** CMCD keys with their values; commas inside quotes and inner lists do not separate. */
const splitKeys = (cmcd: string): string[] => cmcd.match(/(?:"(?:\\.|[^"\\])*"|\([^)]*\)|[^,"(])+/g) ?? [];

/** `rtp` set to `pace`, or taken out; keys in alphabetical order, as CTA-5004 §3.1 recommends. */
export function withRtp(cmcd: string, pace: Kbps | null): string {
  const keys = splitKeys(cmcd).filter((key) => !/^\s*rtp(=|$)/.test(key));
  if (pace !== null) keys.push(`rtp=${printRtp(pace)}`);
  return keys.sort().join(',');
}

const PARAMETER = /([?&])CMCD=([^&#]*)/;

/** The URL with `rtp` in its `CMCD` parameter; other parameters and the fragment are left alone. */
export function urlWithRtp(url: string, pace: Kbps | null): string {
  const match = PARAMETER.exec(url);
  const cmcd = withRtp(match ? decode(match[2] ?? '') : '', pace);
  const parameter = cmcd && `CMCD=${encodeURIComponent(cmcd)}`;
  if (match) {
    if (parameter) return url.replace(PARAMETER, (_, separator: string) => separator + parameter);
    // Without the parameter, what followed takes over its separator.
    return url.replace(/([?&])CMCD=[^&#]*(&?)/, (_, separator: string, more: string) =>
      more ? separator : '',
    );
  }
  if (!parameter) return url;
  const [address = '', ...fragment] = url.split('#');
  const separator = address.includes('?') ? '&' : '?';
  return [address + separator + parameter, ...fragment].join('#');
}

/** `rtp` belongs to the CMCD-Status header (CTA-5004 Table 1). */
export function headersWithRtp(
  headers: Readonly<Record<string, string>>,
  pace: Kbps | null,
): Record<string, string> {
  const { ['CMCD-Status']: status = '', ...others } = headers;
  const updated = withRtp(status, pace);
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
