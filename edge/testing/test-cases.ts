import { describe, it } from 'vitest';
import { forgetRequests } from './case-origin.ts';
import { paceCases, type Implementation, type PaceCase } from './pace-cases.ts';

/**
 * Tests an implementation with each applicable case of edge/cases.json. `missing` is the reason why it cannot be tested
 * on this machine, or null.
 */
export function testCases(
  implementation: Implementation,
  missing: string | null,
  test: (given: PaceCase) => Promise<void> | void,
  applies: (given: PaceCase) => boolean = () => true,
): void {
  describe(`every case of edge/cases.json: ${implementation}`, () => {
    // If it cannot be tested, show one skipped test instead of one per case.
    if (missing !== null) {
      it('every case', (context) => context.skip(missing));
      return;
    }
    for (const given of paceCases) {
      if (given.skip[implementation] !== undefined || !applies(given)) continue;
      it(given.name, async () => {
        forgetRequests();
        await test(given);
      });
    }
  });
}
