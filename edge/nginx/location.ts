import { PROXY_CONF } from './server.ts';

/** The operator's settings, as text: kbit/s, and `off` for the kill switch. */
export interface PaceDirectives {
  readonly floor_kbps?: string;
  readonly ceiling_kbps?: string;
  readonly pacing?: string;
}

/** The module's directives for these settings. */
export const paceDirectives = ({ floor_kbps, ceiling_kbps, pacing = 'on' }: PaceDirectives): string =>
  [
    `cmcd_pace ${pacing};`,
    ...(floor_kbps === undefined ? [] : [`cmcd_pace_floor ${floor_kbps};`]),
    ...(ceiling_kbps === undefined ? [] : [`cmcd_pace_ceiling ${ceiling_kbps};`]),
  ].join(' ');

/** What edge/handler.ts answers to other methods, in nginx's words. */
export const ONLY_READING =
  'if ($request_method !~ ^(GET|HEAD|OPTIONS)$) { add_header Allow "GET, HEAD, OPTIONS" always; return 405; }';

/** A location before a web server. */
export const proxyTo = (origin: string): string => `
    location / {
      ${ONLY_READING}
      proxy_pass ${origin}$cmcd_pace_request_uri;
      proxy_http_version 1.1;
      proxy_max_temp_file_size 0;
      include ${PROXY_CONF};
    }`;
