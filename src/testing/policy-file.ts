import { RUNG_INPUTS, SHARED_INPUTS } from '../abr/pensieve/policy-inputs.ts';

const INPUTS = SHARED_INPUTS + RUNG_INPUTS;
const HIDDEN = [2, 2] as const;

/**
 * The file of a hand-made policy that picks the largest next segment that takes at most one second at the harmonic mean. The
 * score of a rung is ln(size) minus 1000 ln(time) if the time exceeds 1 s. `header` overrides properties of its header.
 */
export function policyFile(header: Readonly<Record<string, unknown>> = {}): Uint8Array {
  const text = JSON.stringify({
    ...{ format: 'dashjs-sammy-policy', version: 1, reward: 'bitrate', inputs: INPUTS, hidden: HIDDEN },
    provenance: {},
    ...header,
  });
  const line = `${text}${' '.repeat((7 - (text.length % 4)) % 4)}\n`;
  const first = new Float32Array(INPUTS * 2);
  // The two outputs of the first layer: ln(size / 1 Mbit) + 5, and ln(time / 1 s), which is 0 for times below 1 s.
  first[SHARED_INPUTS] = 1;
  first[INPUTS + SHARED_INPUTS + 1] = 1;
  const numbers = [...first, 5, 0, ...[1, 0, 0, 1], 0, 0, ...[1, -1000], 0];
  const file = new Uint8Array(line.length + 4 * numbers.length);
  file.set(Uint8Array.from(line, (letter) => letter.charCodeAt(0)));
  const view = new DataView(file.buffer);
  numbers.forEach((value, index) => view.setFloat32(line.length + 4 * index, value, true));
  return file;
}
