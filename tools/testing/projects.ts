import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A test that says itself what machine it needs: a kernel's queues, namespaces, nginx, Varnish, Viceroy, Slurm, root. */
const LIVE = /\b(live|lab|nginx|chain|slurm|falco|vcl|tap)Lack\b|\bgetuid\b|skipIf\(/i;
/** What starts a program, a thread or a server, or opens a socket. */
const MACHINE =
  /['"](node:(child_process|worker_threads|net|dgram|http|https|http2|tls|cluster|os)|koffi|vite|playwright[^'"]*|@playwright\/test|esbuild)['"]/;
/** What another file in the same process would feel. */
const SHARED =
  /@vitest-environment|\bvi\.(mock|doMock|stubGlobal|stubEnv|useFakeTimers|resetModules)\b|process\.(env\.\w+ =|chdir)|globalThis\.\w+ =/;

const IMPORT = /(?:^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?|\bimport\(\s*)['"](\.[^'"]+)['"]/gm;

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** All that a file loads, or may. */
function loadedBy(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = file.endsWith('.ts') ? read(file) : '';
  seen.set(file, text);
  for (const [, from = ''] of text.matchAll(IMPORT)) loadedBy(join(dirname(file), from), seen);
  return seen;
}

export type ProjectName = 'pure' | 'process' | 'live';

/**
 * To which project a test belongs, by what it says and loads, so that a new one is in the right one without being listed:
 * `live` needs something of the machine, and is skipped where it lacks; `process` starts programs or servers, or changes what
 * all of a process share; `pure` only computes, so that its files run in one process, one after the other.
 */
export function projectOf(file: string): ProjectName {
  const text = read(file);
  if (LIVE.test(text)) return 'live';
  if (SHARED.test(text)) return 'process';
  return [...loadedBy(file).values()].some((each) => MACHINE.test(each)) ? 'process' : 'pure';
}

const ROOMS = ['src', 'edge', 'media', 'analysis', 'emulation', 'p4', 'system', 'tools', 'demo', 'bench'];

/** Every unit test, by its project, as paths from `root`. */
export function testsByProject(root: string): Record<ProjectName, string[]> {
  const tests: Record<ProjectName, string[]> = { pure: [], process: [], live: [] };
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NOT_OURS.has(entry.name)) visit(path);
      else if (entry.name.endsWith('.test.ts')) tests[projectOf(join(root, path))].push(path);
    }
  };
  for (const room of [...ROOMS, 'docs/.vitepress']) visit(room);
  return tests;
}
const NOT_OURS = new Set(['node_modules', 'dist', 'bin', 'pkg', 'cache']);
