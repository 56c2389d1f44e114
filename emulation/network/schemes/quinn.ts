import type { Scheme } from './scheme.ts';

const FLOW = 'quinn-flow';

const quinnScheme = (congestionControl: string, about: string): Scheme => ({
  name: `quinn-${congestionControl}`,
  family: 'QUIC',
  about,
  license: 'MIT OR Apache-2.0',
  source: 'crate quinn 0.11.12',
  needs: { cargo: { folder: 'quinn', program: FLOW } },
  firstToListen: 'receiver',
  receiver: ({ address, port, program }) => [program(FLOW), 'receive', `${address}:${port}`],
  sender: ({ address, port, program }) => [program(FLOW), 'send', `${address}:${port}`, congestionControl],
});

export const quinn: readonly Scheme[] = [
  quinnScheme('cubic', 'CUBIC of quinn, its default'),
  quinnScheme('reno', 'NewReno of quinn'),
  quinnScheme('bbr', 'BBR of quinn, which calls it experimental'),
];
