import type { Scheme } from './scheme.ts';

/** A scheme whose program is in `programs/` and sends over UDP. */
const goScheme = (
  flow: string,
  scheme: Pick<Scheme, 'name' | 'family' | 'about' | 'license' | 'source'>,
): Scheme => ({
  ...scheme,
  needs: { go: flow },
  firstToListen: 'receiver',
  receiver: ({ address, port, program }) => [program(flow), 'receive', `${address}:${port}`],
  sender: ({ address, port, program }) => [program(flow), 'send', `${address}:${port}`],
});

export const goSchemes: readonly Scheme[] = [
  goScheme('ledbat', {
    name: 'ledbat',
    family: 'uTP',
    about: "LEDBAT of libutp, BitTorrent's transport",
    license: 'MIT',
    source: 'Go module github.com/anacrolix/go-libutp v1.3.2',
  }),
  goScheme('gcc', {
    name: 'webrtc-gcc',
    family: 'RTP',
    about: "WebRTC's Google Congestion Control, by pion",
    license: 'MIT',
    source: 'Go module github.com/pion/interceptor v0.1.51',
  }),
];
