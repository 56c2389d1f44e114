import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { buildEdge } from '../../edge/build.ts';
import { main as buildPlugin } from '../build.ts';
import { root } from '../steps.ts';
import { absoluteLinks } from './absolute-links.ts';
import { packedProblems, type Packed } from './check-packed.ts';
import { INSTALL_PAGES, publishedInstall } from './published-install.ts';
import { publishedManifest, publishedPyproject } from './published-manifest.ts';
import { PLACEHOLDER, readRepository, VARIABLE, type Repository } from './repository.ts';
import { readManifest, read, toldVersions } from './told-versions.ts';
import { agreedVersion, changelogEntry } from './versions.ts';

const commandLine = defineCommandLine({
  command: 'npm run release --',
  about: `Makes what a release publishes, into release/: the tarballs of npm, the folder of the Python package, source maps and the notes. It publishes nothing: .github/workflows/release.yml does, for a tag such as v0.1.0. It ends with status 1 where versions disagree, the changelog has no entry, or a tarball is too large or lacks a file. ${VARIABLE}=URL in the environment sets repository, homepage, bugs and every link of the READMEs (with --dry ${PLACEHOLDER}).`,
  options: {
    dry: { about: "leave nothing, ask neither for a repository nor for the changelog's date" },
    built: { about: 'take dist/ as it is, instead of building it' },
    told: { about: 'only change README.md and the guide to say that the package is on npm' },
  },
});
export const { help } = commandLine;

interface Published {
  /** The package's folder, relative to the root; '' is the root. */
  readonly folder: string;
  readonly most_bytes: number;
}

/**
 * The npm packages, and the maximum size of each tarball in bytes, because developers wait for the download. The first
 * package contains each player's adapter three times: as an ES module, for CommonJS and for a script tag.
 */
const PACKAGES: readonly Published[] = [
  { folder: '', most_bytes: 512_000 },
  { folder: 'edge', most_bytes: 83_000 },
];

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  if (values.told) {
    for (const path of INSTALL_PAGES) writeFileSync(join(root, path), publishedInstall(read(path)));
    return;
  }
  const given = process.env[VARIABLE];
  if (!given && !values.dry) throw new Error(`set ${VARIABLE}, such as ${PLACEHOLDER}, or try with --dry`);
  const repository = readRepository(given ?? PLACEHOLDER);
  const version = agreedVersion(toldVersions());
  const { date, notes } = changelogEntry(read('CHANGELOG.md'), version);
  if (date === null && !values.dry) throw new Error(`CHANGELOG.md: give ${version} its date`);
  if (!values.built) await buildPlugin();
  await buildEdge();

  const temporary = mkdtempSync(join(tmpdir(), 'dashjs-sammy-release-'));
  try {
    const out = join(temporary, 'release');
    mkdirSync(out);
    const problems = PACKAGES.flatMap((each) => packOne(each, repository, join(temporary, 'stage'), out));
    stagePython(repository, version, join(out, 'python'));
    writeFileSync(join(out, 'notes.md'), `${notes}\n`);
    if (problems.length > 0) throw new Error(problems.join('; '));
    if (values.dry) {
      console.log(`${version} can be released${date === null ? ' once CHANGELOG.md gives its date' : ''}.`);
      return;
    }
    keepMaps(join(out, 'source-maps'));
    rmSync(join(root, 'release'), { recursive: true, force: true });
    cpSync(out, join(root, 'release'), { recursive: true });
    console.log(`${version} is in ${join(root, 'release')}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Packs a package for publication, and returns the problems found. */
function packOne(
  { folder, most_bytes }: Published,
  repository: Repository,
  stage: string,
  out: string,
): string[] {
  const manifest = readManifest(folder);
  const staged = join(stage, folder || 'root');
  for (const { path } of npmPack(join(root, folder), '--dry-run').files) {
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    cpSync(join(root, folder, path), join(staged, path));
  }
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
  const published = publishedManifest(manifest, repository, folder);
  // `files` omits LICENSE and README.md, because npm always packs these two.
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const readme = publishedInstall(read(join(folder, 'README.md')));
  writeFileSync(join(staged, 'README.md'), absoluteLinks(readme, repository, folder, manifest.version));
  const packed = npmPack(staged, '--pack-destination', out);
  console.log(
    `${manifest.name}@${manifest.version}: ${(packed.size / 1000).toFixed(1)} kB, ${packed.files.length} files`,
  );
  return packedProblems(published, packed, most_bytes);
}

function npmPack(folder: string, ...args: string[]): Packed {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm pack in ${folder}: ${stderr.trim()}`);
  // npm prints a list up to version 11, and an object by package name since version 12.
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>);
  if (!packed) throw new Error(`npm pack in ${folder} packed nothing`);
  return packed;
}

/** Creates the folder from which `python -m build` makes the Python package. */
function stagePython(repository: Repository, version: string, out: string): void {
  const left = new Set(['tests', 'data', 'build', '__pycache__']);
  cpSync(join(root, 'analysis'), out, {
    recursive: true,
    filter: (path) => !left.has(basename(path)) && !/\.(ts|egg-info)$/.test(path),
  });
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  const toml = publishedPyproject(read('analysis/pyproject.toml'), repository);
  writeFileSync(join(out, 'pyproject.toml'), toml);
  const readme = absoluteLinks(read('analysis/README.md'), repository, 'analysis', version);
  writeFileSync(join(out, 'README.md'), readme);
}

/**
 * Copies the source maps to `out`. They are not in the tarball, because they are as large as everything else
 * together; developers add them to Sentry or DevTools to debug.
 */
function keepMaps(out: string): void {
  mkdirSync(out);
  for (const file of readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.map')))
    cpSync(join(root, 'dist', file), join(out, file));
}
