import { FOREIGN_FLOOR } from '../../policy.ts';
import type { DeclaredOptions } from '../../../system/command-line/parse-options.ts';
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from '../connections/admission.ts';

/** The default of --drain-s, s. A segment of 10 s at a pace just above its bitrate takes nearly 10 s. */
const DRAIN_S = 15;

/** The default of --sessions-mb: 1,000 MB / 48 hours = 21 MB per hour, for 40,000 beacons with a row of 0.5 kB each. */
const SESSIONS_MB = 1000;

export const OPTIONS = {
  origin: {
    type: 'string',
    valueName: 'DIR|URL',
    about: 'what to serve: a directory, or a web server below http(s)://HOST[:PORT][/PATH]',
  },
  port: { type: 'string', valueName: 'N', about: 'where to listen; 0 takes a free port' },
  host: {
    type: 'string',
    default: '127.0.0.1',
    valueName: 'H',
    about: 'the address to listen on (127.0.0.1)',
  },
  config: {
    type: 'string',
    valueName: 'FILE',
    about:
      'more options, as a JSON object such as {"pacing": "off", "floor-kbps": 2000}; options on the command line override it',
  },
  pacing: {
    type: 'string',
    default: 'on',
    valueName: 'on|off',
    about: 'off serves everything unpaced: the kill switch (on)',
  },
  'floor-kbps': { type: 'string', valueName: 'N', about: 'no pace below this; a request for less gets it' },
  'ceiling-kbps': { type: 'string', valueName: 'N', about: 'no pace above this; a request for more gets it' },
  'foreign-players': {
    type: 'string',
    default: 'paced',
    valueName: 'paced|unpaced',
    about:
      'how to serve players that ask for a pace without the plug-in (paced, as fast as they need to switch up)',
  },
  'foreign-floor-kbps': {
    type: 'string',
    default: String(FOREIGN_FLOOR),
    valueName: 'N',
    about: `no pace below this for players without the plug-in (${FOREIGN_FLOOR})`,
  },
  'congestion-control': {
    type: 'string',
    valueName: 'NAME',
    about:
      "such as cubic, reno, bbr, for all responses (the kernel's default); or paced=NAME,unpaced=NAME for paced and unpaced responses",
  },
  yield: {
    type: 'boolean',
    default: false,
    about:
      'let paced responses yield to other traffic, down to the floor that the player states. Needs root, clang and bpftool; without them, responses are paced only',
  },
  'tls-cert': {
    type: 'string',
    valueName: 'FILE',
    about: 'serve HTTP/2 (and HTTP/1.1) over TLS: the certificate chain, PEM',
  },
  'tls-key': { type: 'string', valueName: 'FILE', about: 'its private key, PEM' },
  'allow-origin': {
    type: 'string',
    multiple: true,
    default: [],
    valueName: 'URL',
    about: 'also serve http(s)://HOST[:PORT] below /via/SCHEME/HOST[:PORT]/; may be repeated',
  },
  'credentials-origin': {
    type: 'string',
    multiple: true,
    default: [],
    valueName: 'URL',
    about: 'pages at http(s)://HOST[:PORT] may send cookies (withCredentials); may be repeated',
  },
  'forward-header': {
    type: 'string',
    multiple: true,
    default: [],
    valueName: 'NAME',
    about:
      'forward this request header to the origin, such as Authorization; may be repeated. Responses to such requests are not for shared caches',
  },
  'max-connections': {
    type: 'string',
    valueName: 'N',
    about: `the most connections at once (${MAX_CONNECTIONS})`,
  },
  'max-connections-per-address': {
    type: 'string',
    valueName: 'N',
    about: `the most connections of one client address (${MAX_CONNECTIONS_PER_ADDRESS}); behind a proxy or a load balancer, use the number of --max-connections`,
  },
  'operator-port': {
    type: 'string',
    valueName: 'N',
    about: 'serve /healthz and /metrics (Prometheus) on this port; do not expose it',
  },
  'operator-host': {
    type: 'string',
    default: '127.0.0.1',
    valueName: 'H',
    about: 'the address for it (127.0.0.1)',
  },
  workers: {
    type: 'string',
    default: '1',
    valueName: 'N',
    about:
      'the number of processes, for example one per core; they share the port and the limits of connections, and one that crashes is replaced (1)',
  },
  'log-format': {
    type: 'string',
    default: 'text',
    valueName: 'text|json',
    about: 'json: one object per line on stdout, with time, level, client and request id (text)',
  },
  'log-level': {
    type: 'string',
    default: 'info',
    valueName: 'error|warn|info',
    about: 'info also logs each response (info)',
  },
  holdout: {
    type: 'string',
    default: '0',
    valueName: 'SHARE',
    about: 'serve this share of sessions unpaced, such as 5%, to compare metrics with and without pacing',
  },
  experiments: {
    type: 'string',
    valueName: 'FILE',
    about: 'the experiments, JSON; read again when it changes. With an invalid file no experiment runs',
  },
  cluster: {
    type: 'string',
    default: 'default',
    valueName: 'NAME',
    about:
      "the part of the network that this edge serves, for experiments (default); {asn} in it is the number of the client's autonomous system",
  },
  'as-table': {
    type: 'string',
    valueName: 'FILE',
    about: "maps addresses to autonomous systems: lines of '192.0.2.0/24 64496'; needed for {asn}",
  },
  sessions: {
    type: 'string',
    valueName: 'DIR',
    about: 'accept beacons of sessions at /.sammy/v1/sessions, and store them in DIR',
  },
  'sessions-mb': {
    type: 'string',
    default: String(SESSIONS_MB),
    valueName: 'N',
    about: `the most megabytes of stored beacons (${SESSIONS_MB})`,
  },
  'drain-s': {
    type: 'string',
    default: String(DRAIN_S),
    valueName: 'N',
    about: `after SIGTERM, accept no requests and give responses under way N seconds (${DRAIN_S}); SIGINT, or a second SIGTERM, ends the edge at once`,
  },
} as const satisfies DeclaredOptions;
