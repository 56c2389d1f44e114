import { BINS, HISTORY, HORIZON, PLAIN_INPUTS, TCP_INPUTS, TTP_VERSION } from '../abr/fugu/ttp-model.ts';

/** A model with the same prediction for all inputs and steps: all its weights are 0. */
export interface SameForAll {
  /** Probabilities of the 21 bins by variant. */
  readonly shares: (variant: 'tcp' | 'plain') => readonly number[];
  /** Overrides properties of the header. */
  readonly header?: Readonly<Record<string, unknown>>;
}

const HIDDEN = 2;

/** Probabilities of 1 for one bin and 0 for the others. */
export const certain = (bin: number): number[] =>
  Array.from({ length: BINS }, (_, each) => (each === bin ? 1 : 0));

/** The bytes of the model's file, in the trainer's format. */
export function ttpFile({ shares, header }: SameForAll): Uint8Array {
  const variants = [
    ['tcp', TCP_INPUTS],
    ['plain', PLAIN_INPUTS],
  ] as const;
  const shape = { history: HISTORY, horizon: HORIZON, bins: BINS, hidden: [HIDDEN, HIDDEN] };
  const text = JSON.stringify({
    format: 'dashjs-sammy-ttp',
    version: TTP_VERSION,
    variants: Object.fromEntries(variants.map(([name, inputs]) => [name, { ...shape, inputs }])),
    times_s: Array.from({ length: BINS }, (_, bin) => bin / 2 || 0.125),
    provenance: {},
    ...header,
  });
  const line = `${text}${' '.repeat(3 - (text.length % 4))}\n`;
  const floats = variants.flatMap(([name, inputs]) => [
    ...Array<number>(inputs).fill(0),
    ...Array<number>(inputs).fill(1),
    // The scale and the bias of each output, by layer.
    ...[1, 1, 0, 0],
    ...[1, 1, 0, 0],
    ...Array<number>(BINS).fill(1),
    // -60 stands for the logarithm of 0, because e^-60 is negligible.
    ...shares(name).map((share) => Math.max(-60, Math.log(share))),
  ]);
  const integers = variants.reduce(
    (sum, [, inputs]) => sum + HIDDEN * (inputs + HORIZON) + HIDDEN * HIDDEN + HIDDEN * BINS,
    0,
  );
  const file = new Uint8Array(line.length + 4 * floats.length + integers);
  file.set(Uint8Array.from(line, (letter) => letter.charCodeAt(0)));
  const view = new DataView(file.buffer);
  floats.forEach((value, index) => view.setFloat32(line.length + 4 * index, value, true));
  return file;
}
