import { FOREIGN_FLOOR } from '../../policy.ts';
import type { DeclaredOptions } from '../../../system/command-line/parse-options.ts';
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from '../connections/admission.ts';

const text = (valueName: string, about: string) => ({ type: 'string', valueName, about }) as const;
const textOr = (byDefault: string, valueName: string, about: string) =>
  ({ ...text(valueName, about), default: byDefault }) as const;
/** An option that may be repeated. */
const texts = (valueName: string, about: string) => {
  const none: string[] = [];
  return { ...text(valueName, about), multiple: true, default: none } as const;
};

/** The default of --drain-s, s. A segment of 10 s at a pace just above its bitrate takes nearly 10 s. */
const DRAIN_S = 15;

/** The default of --sessions-mb: 1,000 MB / 48 hours = 21 MB per hour, for 40,000 beacons with a row of 0.5 kB each. */
const SESSIONS_MB = 1000;

export const OPTIONS = {
  origin: text('DIR|URL', 'what to serve: a directory, or a web server below http(s)://HOST[:PORT][/PATH]'),
  port: text('N', 'where to listen; 0 takes a free port'),
  host: textOr('127.0.0.1', 'H', 'the address to listen on (127.0.0.1)'),
  config: text(
    'FILE',
    'more options, as a JSON object such as {"pacing": "off", "floor-kbps": 2000}; options on the command line override it',
  ),
  pacing: textOr('on', 'on|off', 'off serves everything unpaced: the kill switch (on)'),
  'floor-kbps': text('N', 'no pace below this; a request for less gets it'),
  'ceiling-kbps': text('N', 'no pace above this; a request for more gets it'),
  'foreign-players': textOr(
    'paced',
    'paced|unpaced',
    'how to serve players that ask for a pace without the plug-in (paced, as fast as they need to switch up)',
  ),
  'foreign-floor-kbps': textOr(
    String(FOREIGN_FLOOR),
    'N',
    `no pace below this for players without the plug-in (${FOREIGN_FLOOR})`,
  ),
  'congestion-control': text(
    'NAME',
    "such as cubic, reno, bbr, for all responses (the kernel's default); or paced=NAME,unpaced=NAME for paced and unpaced responses",
  ),
  yield: {
    type: 'boolean',
    default: false,
    about:
      'let paced responses yield to other traffic, down to the floor that the player states. Needs root, clang and bpftool; without them, responses are paced only',
  },
  'tls-cert': text('FILE', 'serve HTTP/2 (and HTTP/1.1) over TLS: the certificate chain, PEM'),
  'tls-key': text('FILE', 'its private key, PEM'),
  'allow-origin': texts(
    'URL',
    'also serve http(s)://HOST[:PORT] below /via/SCHEME/HOST[:PORT]/; may be repeated',
  ),
  'credentials-origin': texts(
    'URL',
    'pages at http(s)://HOST[:PORT] may send cookies (withCredentials); may be repeated',
  ),
  'forward-header': texts(
    'NAME',
    'forward this request header to the origin, such as Authorization; may be repeated. Responses to such requests are not for shared caches',
  ),
  'max-connections': text('N', `the most connections at once (${MAX_CONNECTIONS})`),
  'max-connections-per-address': text(
    'N',
    `the most connections of one client address (${MAX_CONNECTIONS_PER_ADDRESS}); behind a proxy or a load balancer, use the number of --max-connections`,
  ),
  'operator-port': text('N', 'serve /healthz and /metrics (Prometheus) on this port; do not expose it'),
  'operator-host': textOr('127.0.0.1', 'H', 'the address for it (127.0.0.1)'),
  workers: textOr(
    '1',
    'N',
    'the number of processes, for example one per core; they share the port and the limits of connections, and one that crashes is replaced (1)',
  ),
  'log-format': textOr(
    'text',
    'text|json',
    'json: one object per line on stdout, with time, level, client and request id (text)',
  ),
  'log-level': textOr('info', 'error|warn|info', 'info also logs each response (info)'),
  holdout: textOr(
    '0',
    'SHARE',
    'serve this share of sessions unpaced, such as 5%, to compare metrics with and without pacing',
  ),
  experiments: text(
    'FILE',
    'the experiments, JSON; read again when it changes. With an invalid file no experiment runs',
  ),
  cluster: textOr(
    'default',
    'NAME',
    "the part of the network that this edge serves, for experiments (default); {asn} in it is the number of the client's autonomous system",
  ),
  'as-table': text(
    'FILE',
    "maps addresses to autonomous systems: lines of '192.0.2.0/24 64496'; needed for {asn}",
  ),
  sessions: text('DIR', 'accept beacons of sessions at /.sammy/v1/sessions, and store them in DIR'),
  'sessions-mb': textOr(String(SESSIONS_MB), 'N', `the most megabytes of stored beacons (${SESSIONS_MB})`),
  'drain-s': textOr(
    String(DRAIN_S),
    'N',
    `after SIGTERM, accept no requests and give responses under way N seconds (${DRAIN_S}); SIGINT, or a second SIGTERM, ends the edge at once`,
  ),
} as const satisfies DeclaredOptions;
