import type { Scheme } from './scheme.ts';

/** Longer than any run, s. */
const ENDLESS = '86400';

/** A controller of `transport/`, the crate around quinn. */
const controller = (
  scheme: Pick<Scheme, 'name' | 'about' | 'license' | 'source'>,
  controllerName: string,
): Scheme => ({
  ...scheme,
  family: 'QUIC',
  needs: { transport: 'transport' },
  firstToListen: 'receiver',
  receiver: ({ address, port, program }) => [
    ...[program('transport'), 'receive', '--address', address, '--port', String(port)],
  ],
  sender: ({ address, port, program }) => [
    ...[program('transport'), 'send', `${address}:${port}`],
    ...['--controller', controllerName, '--seconds', ENDLESS],
  ],
});

const ofQuinn = (name: string, about: string): Scheme => {
  const package_ = { license: 'MIT OR Apache-2.0', source: 'crate quinn 0.11' };
  return controller({ name: `quinn-${name}`, about, ...package_ }, name);
};
const ofThisProject = (name: string, about: string): Scheme =>
  controller({ name, about, license: 'MIT', source: 'transport/, on crate quinn 0.11' }, name);

export const quinn: readonly Scheme[] = [
  ofQuinn('cubic', 'CUBIC of quinn, its default'),
  ofQuinn('reno', 'NewReno of quinn'),
  ofQuinn('bbr', 'BBR of quinn, which calls it experimental'),
  ofThisProject('copa', 'Copa, as a controller of quinn'),
];

/** It needs a model, which `npm run transport -- train` makes. */
export const indigo: Scheme = ofThisProject('indigo', 'Indigo, as a controller of quinn');
