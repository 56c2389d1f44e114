import type { Scheme } from './scheme.ts';

const SERVER = 'gtlsserver';
const CLIENT = 'gtlsclient';
/** A sparse file, longer than any run. */
const CONTENT = 'truncate -s 64G flow';
const CERTIFICATE =
  'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out certificate.pem -subj /CN=lab -days 30 2>/dev/null';
const WINDOWS = ['--max-data=64M', '--max-stream-data-bidi-local=64M'];

/** A scheme whose sender is an HTTP/3 server that sends a file. */
const ngtcp2Scheme = (congestionControl: string, about: string): Scheme => ({
  name: `ngtcp2-${congestionControl}`,
  family: 'QUIC',
  about,
  license: 'MIT',
  source: 'apt ngtcp2-server, ngtcp2-client',
  needs: { apt: { [SERVER]: 'ngtcp2-server', [CLIENT]: 'ngtcp2-client', openssl: 'openssl' } },
  firstToListen: 'sender',
  sender: ({ address, port, program }) => {
    const serve = `exec ${program(SERVER)} -q --cc=${congestionControl} -d . ${address} ${port} key.pem certificate.pem`;
    return ['sh', '-c', `${CONTENT} && ${CERTIFICATE} && ${serve}`];
  },
  receiver: ({ address, port, program }) => [
    ...[program(CLIENT), '-q', ...WINDOWS, address, String(port)],
    `https://${address}:${port}/flow`,
  ],
});

export const ngtcp2: readonly Scheme[] = [
  ngtcp2Scheme('cubic', 'CUBIC of ngtcp2'),
  ngtcp2Scheme('reno', 'Reno of ngtcp2'),
  ngtcp2Scheme('bbr', 'BBR version 1 of ngtcp2'),
  ngtcp2Scheme('bbr2', 'BBR version 2 of ngtcp2'),
];
