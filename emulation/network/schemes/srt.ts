import type { Scheme } from './scheme.ts';

const TRANSMIT = 'srt-file-transmit';

/** SRT in file mode, which uses UDT's congestion control; live mode has none. */
export const srt: Scheme = {
  name: 'srt',
  family: 'SRT',
  about: "SRT's file mode, whose congestion control is UDT's",
  license: 'MPL-2.0',
  source: 'apt srt-tools',
  needs: { apt: { [TRANSMIT]: 'srt-tools' } },
  firstToListen: 'receiver',
  receiver: ({ port, program }) => [
    ...['sh', '-c', `exec ${program(TRANSMIT)} "srt://:${port}?mode=listener" file://con >/dev/null`],
  ],
  sender: ({ address, port, program }) => [
    ...[
      'sh',
      '-c',
      `truncate -s 64G flow && exec ${program(TRANSMIT)} file://$PWD/flow srt://${address}:${port}`,
    ],
  ],
};
