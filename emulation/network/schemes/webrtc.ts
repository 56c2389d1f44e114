import type { Scheme } from './scheme.ts';

const FLOW = 'gcc';

export const webrtc: Scheme = {
  name: 'webrtc-gcc',
  family: 'RTP',
  about: "WebRTC's Google Congestion Control, by pion",
  license: 'MIT',
  source: 'Go module github.com/pion/interceptor v0.1.51',
  needs: { go: FLOW },
  firstToListen: 'receiver',
  receiver: ({ address, port, program }) => [program(FLOW), 'receive', `${address}:${port}`],
  sender: ({ address, port, program }) => [program(FLOW), 'send', `${address}:${port}`],
};
