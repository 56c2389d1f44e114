import { fileURLToPath } from 'node:url';
import type { Scheme } from './scheme.ts';

/** Longer than any run, s. */
const ENDLESS = '86400';

/** A scheme whose congestion control is a controller in `transport/`, the crate around quinn. */
const controller = (
  scheme: Pick<Scheme, 'name' | 'about' | 'license' | 'source'>,
  controllerName: string,
  model?: string,
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
    ...['--controller', controllerName, ...(model === undefined ? [] : ['--model', model])],
    ...['--seconds', ENDLESS],
  ],
});

const TRANSPORT = { license: 'MIT', source: 'transport/, on crate quinn 0.11' };

const quinnScheme = (name: string, about: string): Scheme => {
  const package_ = { license: 'MIT OR Apache-2.0', source: 'crate quinn 0.11' };
  return controller({ name: `quinn-${name}`, about, ...package_ }, name);
};
const projectScheme = (name: string, about: string): Scheme =>
  controller({ ...TRANSPORT, name, about }, name);

export const quinn: readonly Scheme[] = [
  quinnScheme('cubic', 'CUBIC of quinn, its default'),
  quinnScheme('reno', 'NewReno of quinn'),
  quinnScheme('bbr', 'BBR of quinn, which calls it experimental'),
  projectScheme('copa', 'Copa, as a controller of quinn'),
  projectScheme('vivace', 'PCC Vivace, as a controller of quinn'),
];

const CALIBRATED_MODEL = fileURLToPath(new URL('../../../models/indigo-calibrated.bin', import.meta.url));

/** Schemes with a trained model, which `npm run transport -- train` makes. */
export const indigo: readonly Scheme[] = [
  projectScheme('indigo', 'Indigo, as a controller of quinn'),
  controller(
    { ...TRANSPORT, name: 'indigo-calibrated', about: 'Indigo, trained in calibrated emulators, too' },
    'indigo',
    CALIBRATED_MODEL,
  ),
];
