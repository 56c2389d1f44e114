import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readJson } from './read-json.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-json-'));
afterAll(() => rmSync(folder, { recursive: true }));
const writeTemporary = (text: string): string => {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, text);
  return file;
};

describe('a JSON file', () => {
  it('returns the result of the check', () => {
    expect(readJson(writeTemporary('{"runs": 4}'), (value) => (value as { runs: number }).runs)).toBe(4);
  });

  it('that is truncated is reported as damaged', () => {
    expect(() => readJson(writeTemporary('{"runs": '), String)).toThrow(
      /manifest\.json is damaged: not JSON, /,
    );
  });

  it('that is missing is reported as unreadable', () => {
    expect(() => readJson('/no/such.json', String)).toThrow(/^\/no\/such\.json cannot be read: ENOENT/);
  });

  it("that the check rejects is reported with the check's reason", () => {
    const file = writeTemporary('{}');
    expect(() =>
      readJson(file, () => {
        throw new Error('no runs');
      }),
    ).toThrow(`${file}: no runs`);
  });
});
