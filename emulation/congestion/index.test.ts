import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { congestionControlNamed, LOADED, OF_LINUX } from './index.ts';

describe('the congestion controls', () => {
  it('are Linux’s, or have a C file here', () => {
    expect(OF_LINUX).toEqual(['reno', 'cubic', 'bbr']);
    expect(LOADED.filter((name) => !existsSync(new URL(`${name}.c`, import.meta.url)))).toEqual([]);
  });

  it('are found by name', () => {
    expect(congestionControlNamed('vegas')).toBe('vegas');
    expect(() => congestionControlNamed('toString')).toThrow(
      /^there is no congestion control 'toString'; there are reno, cubic, scalable, bbr, vegas$/,
    );
  });
});
