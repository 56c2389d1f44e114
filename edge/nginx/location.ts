import { PROXY_CONF } from './server.ts';

/**
 * The operator's settings as text: rates in kbit/s, `off` for the kill switch, and how players without the plug-in are
 * served.
 */
export interface PaceDirectives {
  readonly floor_kbps?: string;
  readonly ceiling_kbps?: string;
  readonly pacing?: string;
  readonly foreign_players?: string;
  readonly foreign_floor_kbps?: string;
}

/** Returns the module's directives for the given settings. */
export const paceDirectives = ({
  floor_kbps,
  ceiling_kbps,
  pacing = 'on',
  foreign_players = 'paced',
  foreign_floor_kbps,
}: PaceDirectives): string =>
  [
    `cmcd_pace ${pacing};`,
    ...(floor_kbps === undefined ? [] : [`cmcd_pace_floor ${floor_kbps};`]),
    ...(ceiling_kbps === undefined ? [] : [`cmcd_pace_ceiling ${ceiling_kbps};`]),
    ...(foreign_players === 'paced' ? [] : ['cmcd_pace_foreign off;']),
    ...(foreign_floor_kbps === undefined ? [] : [`cmcd_pace_foreign_floor ${foreign_floor_kbps};`]),
  ].join(' ');

/** Directives that reject methods other than GET, HEAD and OPTIONS in the same way as edge/handler.ts. */
export const ONLY_READING =
  'if ($request_method !~ ^(GET|HEAD|OPTIONS)$) { add_header Allow "GET, HEAD, OPTIONS" always; return 405; }';

/** Returns a location that forwards requests to a web server. */
export const proxyTo = (origin: string): string => `
    location / {
      ${ONLY_READING}
      proxy_pass ${origin}$cmcd_pace_request_uri;
      proxy_http_version 1.1;
      proxy_max_temp_file_size 0;
      include ${PROXY_CONF};
    }`;
