import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { congestionControlNamed, BPF_CONTROLS, LINUX_CONTROLS } from './index.ts';

describe('the congestion controls', () => {
  it('are in Linux, or have a C file in this folder', () => {
    expect(LINUX_CONTROLS).toEqual(['reno', 'cubic', 'bbr']);
    const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.c'));
    expect(files.sort()).toEqual(BPF_CONTROLS.map((name) => `${name}.c`).sort());
  });

  it('are looked up by name', () => {
    expect(congestionControlNamed('vegas')).toBe('vegas');
    expect(() => congestionControlNamed('toString')).toThrow(
      /^there is no congestion control 'toString'; there are reno, cubic, /,
    );
  });
});
