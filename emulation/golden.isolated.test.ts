import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { main } from './cli/command.ts';

/**
 * Files that contain the commit, the machine or the time, and `link.json`, from which sessions.csv is made. All other
 * output files are compared.
 */
const NOT_COMPARED = ['manifest.json', 'report.html', 'link.json'];
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * Small runs in virtual time, whose results depend only on the seed. FOLDER stands for the test's folder with traces.
 */
const RUNS: Readonly<Record<string, string>> = {
  alone: 'run single --arms dashjs,sammy-paper,sammy-smooth --runs 1 --seconds 40 --link virtual',
  'dash.js itself':
    'run single --arms dashjs,sammy-paper --runs 1 --seconds 20 --backend page --link virtual',
  'Fugu and BOLA': 'run single --arms fugu,sammy-bola --runs 1 --seconds 20 --link virtual',
  'a slow link, a small queue':
    'run single --arms dashjs,sammy-paper --runs 1 --seconds 30 --rate 3 --queue 15000 --link virtual',
  'beside UDP':
    'run neighbor-udp --arms dashjs,sammy-paper --conditions buffer-30s --runs 1 --seconds 30 --link virtual',
  'beside HTTP':
    'run neighbor-http --arms sammy-paper --conditions buffer-30s --runs 1 --seconds 30 --link virtual',
  history:
    'run history --conditions 2mbps-with-history,2mbps-without-history --runs 2 --seconds 20 --link virtual',
  traces:
    'run traces --exact-links --traces FOLDER/traces.jsonl --offsets 2 --arms dashjs,sammy-paper --seconds 30 --seed 7 --forks --link virtual',
  'a world': 'world --design ab --days 1 --sessions-per-hour 5 --seed 3',
  'ten senders':
    'run ab-lab --backend model --rules 5.5 --conditions pacing --quick --runs 1 --seconds 5 --rate 200',
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'golden-'));
  writeFileSync(
    join(folder, 'traces.jsonl'),
    [3000, 900]
      .map((kbps, index) => {
        const periods = [kbps, kbps / 2, 2 * kbps, kbps / 3].map((rate) => [9000, rate, 40 + 20 * index]);
        return `${JSON.stringify({ name: `trace-${index}`, periods })}\n`;
      })
      .join(''),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

/** Returns a file's text without times and, for a summary, without the fields that repeat the manifest. */
function comparable(file: string): string {
  const text = readFileSync(file, 'utf8').replaceAll(TIME, 'TIME');
  if (!file.endsWith('summary.json')) return text;
  const isFound = (field: string) => !['command', 'commit', 'kernel', 'versions', 'place'].includes(field);
  const found = Object.entries(JSON.parse(text) as object).filter(([field]) => isFound(field));
  return JSON.stringify(found);
}

/** Computes one hash of all files below `outDir`, including their names. */
function digest(outDir: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_COMPARED.includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  for (const file of files)
    hash
      .update(`${relative(outDir, file)}\0`)
      .update(comparable(file))
      .update('\0');
  return `${files.length} files ${hash.digest('hex').slice(0, 16)}`;
}

/**
 * A change must not change these hashes, unless it is meant to change results: of an algorithm, the model, or a file's
 * field. Then its commit says so, and contains the new hashes, which
 * `npx vitest run emulation/golden.isolated.test.ts -u` writes.
 */
it('produces the same bytes as before for the same seeds', async () => {
  const digests: string[] = [];
  for (const [name, line] of Object.entries(RUNS)) {
    const outDir = join(folder, 'out', name.replaceAll(/\W/g, '-'));
    await main([...line.replaceAll('FOLDER', folder).split(' '), '--out', outDir]);
    digests.push(`${name}: ${digest(outDir)}`);
  }
  await expect(`${digests.join('\n')}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('./golden.txt', import.meta.url)),
  );
}, 600_000);
