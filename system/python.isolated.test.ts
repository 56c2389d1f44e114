import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { missingPythonReason } from './python.ts';

describe.skipIf(process.platform === 'win32')('a Python for analysis/', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dashjs-sammy-python-'));
    vi.stubEnv('PATH', folder);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  /** Puts a fake python3 with a version, with or without venv, on the PATH. */
  function python(version: string, hasVenv: boolean): void {
    const file = join(folder, 'python3');
    writeFileSync(
      file,
      `#!/bin/sh\ncase "$2" in *version_info*) echo ${version} ;; *) exit ${hasVenv ? 0 : 1} ;; esac\n`,
    );
    chmodSync(file, 0o755);
  }

  it('is missing if there is none on the PATH', async () => {
    expect(await missingPythonReason()).toMatch(/^Python 3\.11 or newer is not installed: .*python3-venv/);
  });

  it.each(['2 7', '3 9'])('is too old with version %s', async (version) => {
    python(version, true);
    expect(await missingPythonReason()).toBe(
      `Python ${version.replace(' ', '.')} is too old: install 3.11 or newer`,
    );
  });

  it('needs venv, which Debian has in a separate package', async () => {
    python('3 11', false);
    expect(await missingPythonReason()).toMatch(/venv is not installed: .*python3-venv/);
  });

  it('is complete with venv', async () => {
    python('3 13', true);
    expect(await missingPythonReason()).toBeNull();
  });
});
