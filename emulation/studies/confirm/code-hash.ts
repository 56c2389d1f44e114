import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentHash } from '../../../system/cache.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * The parts of the project that determine the result of a session or the conclusion: the plug-in, the players, the
 * networks, the rules, the packages.
 */
const PARTS = [
  ...['src', 'media', 'emulation/player', 'emulation/network', 'emulation/ground/statistics'],
  ...['emulation/studies/confirm', 'emulation/studies/sessions/trace-conditions.ts'],
  ...['emulation/studies/report/summary.ts', 'package-lock.json'],
];
/** Files that are excluded, because registering and playing a protocol changes them. */
const WRITTEN = /^emulation\/studies\/confirm\/(?:protocols\/|used-traces\.json$)/;
const TESTS = /(?:^|\/)testing\/|\.test\.ts$|\.md$/;

/** The hash of the code that plays a protocol. Commits that change none of this code have the same hash. */
export function codeHash(root = ROOT): string {
  const files = PARTS.flatMap((part) => filesIn(join(root, part)))
    .map((file) => relative(root, file).replaceAll('\\', '/'))
    .filter((file) => !WRITTEN.test(file) && !TESTS.test(file))
    .sort();
  return contentHash(
    files.map((file) => `${file}\n${contentHash(readFileSync(join(root, file), 'utf8'))}`).join('\n'),
  );
}

function filesIn(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
