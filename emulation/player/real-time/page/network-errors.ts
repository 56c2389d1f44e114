import Hls, { type ErrorData } from 'hls.js';

/** An error of Shaka Player, as in an event or a rejected promise. */
export type ShakaError = Partial<Record<'severity' | 'category' | 'code', number>>;

/** An error of dash.js. `data` contains the response if a download has failed. */
export interface DashjsError {
  readonly code?: number | null;
  readonly data?: unknown;
}

const SHAKA_CRITICAL = 2;
const SHAKA_NETWORK = 1;
/** The codes of Shaka's network errors that are neither an HTTP status nor an error of a request filter. */
const SHAKA_NAMES: Readonly<Record<number, string>> = { 1002: 'HTTP_ERROR', 1003: 'TIMEOUT' };

/** The codes with which dash.js reports a download that failed in every attempt. */
const DASHJS_NAMES: Readonly<Record<number, string>> = {
  25: 'DOWNLOAD_ERROR_ID_MANIFEST',
  26: 'DOWNLOAD_ERROR_ID_SIDX',
  27: 'DOWNLOAD_ERROR_ID_CONTENT',
  28: 'DOWNLOAD_ERROR_ID_INITIALIZATION',
};

/** The lowest HTTP status of an error. A lower status belongs to a download that was interrupted. */
const HTTP_ERROR_FROM = 400;

/*
 * Each function returns the player's name of the error if the network caused it and the player gives up because of it;
 * otherwise undefined. If the server has answered, for example with 404 or with an invalid playlist, the network has
 * not caused the error, although players classify some of these errors as network errors.
 */

export const nameHlsjsNetworkError = ({
  type,
  fatal,
  details,
  response,
}: Pick<ErrorData, 'type' | 'fatal' | 'details' | 'response'>): string | undefined =>
  fatal && type === Hls.ErrorTypes.NETWORK_ERROR && !response?.code ? details : undefined;

export const nameShakaNetworkError = ({ severity, category, code = 0 }: ShakaError): string | undefined =>
  severity === SHAKA_CRITICAL && category === SHAKA_NETWORK ? SHAKA_NAMES[code] : undefined;

export function nameDashjsNetworkError({ code, data }: DashjsError): string | undefined {
  const { response } = (data ?? {}) as { readonly response?: { readonly status?: number | null } };
  return (response?.status ?? 0) >= HTTP_ERROR_FROM ? undefined : DASHJS_NAMES[code ?? 0];
}
