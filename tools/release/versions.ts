/** The version stated in each file, by the file's name. */
export type Versions = Readonly<Record<string, string | undefined>>;

/** Returns the version if all files state the same. Throws an Error that names the files that differ. */
export function agreedVersion(versions: Versions): string {
  const entries = Object.entries(versions);
  const version = entries[0]?.[1];
  if (!version || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${entries[0]?.[0] ?? 'nothing'} has no version such as 1.2.3`);
  const others = entries.filter(([, other]) => other !== version);
  if (others.length > 0)
    throw new Error(
      `package.json has version ${version}, but ${others.map(([name, other]) => `${name} ${other ?? 'none'}`).join(', ')}`,
    );
  return version;
}

/** The entry of a version in CHANGELOG.md. */
export interface Entry {
  /** The date, such as 2026-11-23; null while the entry says `Unreleased`. */
  readonly date: string | null;
  readonly notes: string;
}

/** Returns the entry `## [VERSION] - DATE`. Throws an Error if the entry is missing or empty. */
export function changelogEntry(changelog: string, version: string): Entry {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.startsWith(`[${version}]`));
  if (found === undefined) throw new Error(`CHANGELOG.md has no entry '## [${version}] - DATE'`);
  const [heading = '', ...lines] = found.split('\n');
  const when = heading
    .slice(version.length + 2)
    .replace(/^ - /, '')
    .trim();
  if (when !== 'Unreleased' && !/^\d{4}-\d\d-\d\d$/.test(when))
    throw new Error(
      `CHANGELOG.md: the entry of ${version} has '${when}' where a date as 2026-01-31 should be`,
    );
  const notes = lines.join('\n').trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return { date: when === 'Unreleased' ? null : when, notes };
}
