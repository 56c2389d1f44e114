import type { Scheme } from './scheme.ts';

const FLOW = 'ledbat';

export const ledbat: Scheme = {
  name: 'ledbat',
  family: 'uTP',
  about: "LEDBAT of libutp, BitTorrent's transport",
  license: 'MIT',
  source: 'Go module github.com/anacrolix/go-libutp v1.3.2',
  needs: { go: FLOW },
  firstToListen: 'receiver',
  receiver: ({ address, port, program }) => [program(FLOW), 'receive', `${address}:${port}`],
  sender: ({ address, port, program }) => [program(FLOW), 'send', `${address}:${port}`],
};
