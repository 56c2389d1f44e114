import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BINS, HORIZON, readTtpModel, TCP_INPUTS } from './ttp-model.ts';
import { TtpPredictor } from './ttp-predictor.ts';

/**
 * The package's model, and the trainer's predictions for rows outside of the training data (`npm run learn -- ttp
 * --check`).
 */
const model = readTtpModel(readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url)));
const check = JSON.parse(
  gunzipSync(readFileSync(new URL('testing/check.json.gz', import.meta.url))).toString(),
) as {
  readonly rows: readonly {
    readonly inputs: readonly (number | null)[];
    readonly tcp: readonly (readonly number[])[];
    readonly plain: readonly (readonly number[])[];
  }[];
};

const TCP_STATISTICS = 5;

describe('TtpPredictor', () => {
  it.each(['tcp', 'plain'] as const)(
    'predicts the same as the trainer for 256 recorded rows with each network of %s',
    (variant) => {
      const predictor = new TtpPredictor(model);
      const found = new Float32Array(BINS);
      let worst = 0;
      for (const row of check.rows) {
        const inputs = row.inputs.map((value) => value ?? NaN);
        const size = inputs.at(-1) ?? NaN;
        const others = variant === 'tcp' ? [] : [inputs.length - 1 - TCP_STATISTICS, TCP_STATISTICS];
        if (variant === 'plain') inputs.splice(others[0] ?? 0, others[1]);
        predictor.observe({ variant, values: Float64Array.from(inputs) });
        for (let step = 0; step < HORIZON; step++) {
          predictor.predict(step, size, found, 0);
          row[variant][step]?.forEach((share, bin) => {
            worst = Math.max(worst, Math.abs(share - (found[bin] ?? NaN)));
          });
        }
      }
      expect(check.rows).toHaveLength(256);
      expect(check.rows[0]?.inputs).toHaveLength(TCP_INPUTS);
      expect(worst).toBeLessThan(1e-5);
    },
  );

  it('starts over with other inputs', () => {
    const [one, other] = check.rows;
    const predictor = new TtpPredictor(model);
    const predictBins = (row: typeof one) => {
      const out = new Float32Array(BINS);
      predictor.observe({
        variant: 'tcp',
        values: Float64Array.from(row?.inputs ?? [], (value) => value ?? NaN),
      });
      predictor.predict(0, 500_000, out, 0);
      return out;
    };
    const first = predictBins(one);
    expect(predictBins(other)).not.toEqual(first);
    expect(predictBins(one)).toEqual(first);
  });
});
