/** An archive of Debian packages, from apt's own lists (sources.list(5)). */
export interface DebianSource {
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
  /** The keyring for the releases' signatures, if the list has a `Signed-By`. */
  readonly signedBy?: string;
}

/** The enabled binary archives of a list. `.sources` files use the deb822 format; others have one archive per line. */
export const parseSources = (file: string, text: string): DebianSource[] =>
  file.endsWith('.sources') ? parseDeb822(text) : parseLines(text);

function parseDeb822(text: string): DebianSource[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = new Map<string, string>();
    let last = '';
    for (const line of stanza.split('\n')) {
      if (line.startsWith('#')) continue;
      const [, name, value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
      // A line that begins with a space continues the previous field, such as an embedded key.
      if (name === undefined) fields.set(last, `${fields.get(last) ?? ''}\n${line}`);
      else fields.set((last = name.toLowerCase()), value.trim());
    }
    const words = (name: string) => (fields.get(name) ?? '').split(/\s+/).filter(Boolean);
    if (!words('types').includes('deb') || fields.get('enabled')?.toLowerCase() === 'no') return [];
    return [source(words('uris'), words('suites'), words('components'), fields.get('signed-by'))];
  });
}

function parseLines(text: string): DebianSource[] {
  return text.split('\n').flatMap((line) => {
    const [, options = '', uri, suite, components] =
      /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)/.exec(line) ?? [];
    if (uri === undefined || suite === undefined || components === undefined) return [];
    const signedBy = /(?:^|\s)signed-by=(\S+)/.exec(options)?.[1];
    return [source([uri], [suite], components.split(/\s+/).filter(Boolean), signedBy)];
  });
}

const source = (
  uris: readonly string[],
  suites: readonly string[],
  components: readonly string[],
  signedBy: string | undefined,
): DebianSource => ({ uris, suites, components, ...(signedBy !== undefined && { signedBy }) });

/** Whether one of the archives has `main` of a Debian suite. */
export const hasSuite = (sources: readonly DebianSource[], suite: string): boolean =>
  sources.some((each) => each.suites.includes(suite) && isDebian(each));

/**
 * Returns a deb822 entry for `suite` from this machine's Debian mirror; undefined if the machine has no Debian mirror.
 * `codename` is the machine's own suite.
 */
export function entryForSuite(
  sources: readonly DebianSource[],
  codename: string,
  suite: string,
): string | undefined {
  const own = sources.find((each) => each.suites.includes(codename) && isDebian(each));
  if (!own) return undefined;
  return [
    'Types: deb',
    `URIs: ${own.uris.join(' ')}`,
    `Suites: ${suite}`,
    'Components: main',
    ...(own.signedBy === undefined ? [] : [`Signed-By: ${own.signedBy}`]),
    '',
  ].join('\n');
}

/** Debian's own archive has `main` in a folder `debian` on every mirror, unlike other archives. */
const isDebian = ({ uris, components }: DebianSource): boolean =>
  components.includes('main') && uris.some((uri) => /\/debian(\.list)?\/?$/.test(uri));
