import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { congestionControlNamed, LOADED, OF_LINUX } from './index.ts';

describe('the congestion controls', () => {
  it('are Linux’s, or have a C file here', () => {
    expect(OF_LINUX).toEqual(['reno', 'cubic', 'bbr']);
    const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.c'));
    expect(files.sort()).toEqual(LOADED.map((name) => `${name}.c`).sort());
  });

  it('are found by name', () => {
    expect(congestionControlNamed('vegas')).toBe('vegas');
    expect(() => congestionControlNamed('toString')).toThrow(
      /^there is no congestion control 'toString'; there are reno, cubic, /,
    );
  });
});
