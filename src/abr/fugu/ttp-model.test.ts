import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certain, ttpFile } from '../../testing/ttp-file.ts';
import { readTtpModel } from './ttp-model.ts';

const file = ttpFile({ shares: () => certain(2) });

/**
 * The size of the numbers in the test's model file. float32: two values per input, two per output of a layer, 2 x 31 +
 * 2 (2 + 2 + 21) = 112 with TCP and 2 x 26 + 50 = 102 without. int8: the weights, 36 x 2 + 2 x 2 + 2 x 21 = 118 with
 * TCP and 31 x 2 + 46 = 108 without. In total 4 x (112 + 102) + 118 + 108 = 1082 bytes. With a second layer of 3, there
 * are 2 more float32 values, and 2 + 21 more int8 values.
 */
const NUMBERS_BYTES = 1082;

/** A copy of the file with one float32 value changed. */
function withNumber(index: number, value: number): Uint8Array {
  const changed = file.slice();
  new DataView(changed.buffer).setFloat32(changed.indexOf(10) + 1 + 4 * index, value, true);
  return changed;
}

const shapes = (change: object) => {
  const shape = { inputs: 31, history: 8, horizon: 5, bins: 21, hidden: [2, 2] };
  return { variants: { tcp: { ...shape, ...change }, plain: { ...shape, inputs: 26 } } };
};

const headed = (header: Readonly<Record<string, unknown>>) => ttpFile({ shares: () => certain(2), header });

describe('readTtpModel', () => {
  it("reads the trainer's file: two variants of three layers", () => {
    const model = readTtpModel(file);
    expect(model.tcp.mean).toHaveLength(31);
    expect(model.plain.mean).toHaveLength(26);
    // 31 inputs and 5 steps, two hidden layers of width 2, and 21 bins have 36 x 2, 2 x 2 and 2 x 21 weights.
    expect(model.tcp.layers.map(({ weights }) => weights.length)).toEqual([72, 4, 42]);
    expect(readTtpModel(file.buffer as ArrayBuffer)).toEqual(model);
    // The file within a larger buffer, as a DataView.
    const larger = new Uint8Array(file.length + 4);
    larger.set(file, 4);
    expect(readTtpModel(new DataView(larger.buffer, 4) as never)).toEqual(model);
  });

  it("multiplies each weight by its output's scale", () => {
    // The scale of the first layer's second output is float32 value 63, after 2 x 31 values and the first scale. Its
    // weights follow the 36 of the first output. 226 is the number of int8 values in the file.
    const scaled = withNumber(63, 0.5);
    new DataView(scaled.buffer).setInt8(scaled.length - 226 + 37, -3);
    new DataView(scaled.buffer).setInt8(scaled.length - 226 + 1, 7);
    const [{ weights }] = readTtpModel(scaled).tcp.layers;
    expect([...weights].flatMap((weight, index) => (weight === 0 ? [] : [[index, weight]]))).toEqual([
      [1, 7],
      [37, -1.5],
    ]);
  });

  it('refuses a weight above 10,000, although its scale and its int8 are in range', () => {
    // Change the second output's scale (float32 value 63) and first weight (int8 value 36).
    const [allowed, refused] = [withNumber(63, 5000), withNumber(63, 5000)];
    new DataView(allowed.buffer).setInt8(allowed.length - 226 + 36, -2);
    new DataView(refused.buffer).setInt8(refused.length - 226 + 36, -3);
    expect(readTtpModel(allowed).tcp.layers[0].weights[36]).toBe(-10_000);
    expect(() => readTtpModel(refused)).toThrow('it has a weight of -15000');
  });

  it.each([
    ['nothing', new Uint8Array(0), 'it is no model of transmission times'],
    [
      'a page',
      new TextEncoder().encode('\n <!doctype html>\n<html>'),
      'it is no model of transmission times, but HTML or XML',
    ],
    ['a text', new TextEncoder().encode('oid sha256:1 <\n'), /^it is no model of transmission times$/],
    ['another format', headed({ format: 'onnx' }), 'it is no model of transmission times'],
    ['another version', headed({ version: 2 }), 'it has version 2 and not 3'],
    ['no variants', headed({ variants: null }), "it has no variant 'tcp'"],
    ['one variant', headed({ variants: { plain: {} } }), "it has no variant 'tcp'"],
    ['other inputs', headed(shapes({ inputs: 22 })), "its variant 'tcp' has inputs 22 and not 31"],
    ['another horizon', headed(shapes({ horizon: 4 })), "its variant 'tcp' has horizon 4 and not 5"],
    [
      'three hidden layers',
      headed(shapes({ hidden: [2, 2, 2] })),
      "its variant 'tcp' has hidden layers [2,2,2] and not two of at most 256",
    ],
    [
      'a hidden layer of a million',
      headed(shapes({ hidden: [2, 1e6] })),
      "its variant 'tcp' has hidden layers [2,1000000] and not two of at most 256",
    ],
    ['times below 0', headed({ times_s: Array<number>(21).fill(-1) }), 'its times_s are not 21 times'],
    ['endless times', headed({ times_s: Array<number>(21).fill(1e300) }), 'its times_s are not 21 times'],
    [
      'other widths',
      headed(shapes({ hidden: [2, 3] })),
      `it has ${NUMBERS_BYTES} bytes of numbers and not ${NUMBERS_BYTES + 2 * 4 + 2 + 21}: it is truncated`,
    ],
    [
      'less than all',
      file.subarray(0, file.length - 1),
      `it has ${NUMBERS_BYTES - 1} bytes of numbers and not ${NUMBERS_BYTES}: it is truncated`,
    ],
    [
      'more than all',
      Uint8Array.of(...file, 0),
      new RegExp(`^it has ${NUMBERS_BYTES + 1} bytes of numbers and not ${NUMBERS_BYTES}$`),
    ],
    ['NaN', withNumber(100, NaN), 'its number 100 is NaN'],
    ['infinite', withNumber(0, -Infinity), 'its number 0 is -Infinity'],
    ['what float32 would overflow with', withNumber(100, 1e30), 'its number 100 is 1.0000000150474662e+30'],
    ['next to no deviation', withNumber(31, 1e-30), 'it has a standard deviation that is not above 0'],
    ['no deviation', withNumber(31, 0), 'it has a standard deviation that is not above 0'],
  ])('refuses %s, with the reason', (_, bytes, reason) => {
    expect(() => readTtpModel(bytes)).toThrow(reason);
  });

  it('throws an Error for any other content', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(file.length), (noise, at) => {
        const spoiled = file.slice();
        spoiled.set(noise.subarray(0, spoiled.length - at), at);
        try {
          readTtpModel(spoiled);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(error).not.toBeInstanceOf(RangeError);
          expect(error).not.toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});
