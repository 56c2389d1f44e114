import { describe, expect, it } from 'vitest';
import { entryForSuite, hasSuite, parseSources } from './debian-sources.ts';

const DEB822 = `Types: deb
# a comment
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
`;

const LINES = `# a comment
deb [arch=amd64 signed-by=/etc/key.gpg] https://else.example/linux/debian bookworm stable
deb-src http://mirror.example/debian bookworm main
deb http://mirror.example/debian/ bookworm main non-free # the mirror
deb http://mirror.example/debian-security bookworm-security main
`;

describe('parseSources', () => {
  it('reads deb822 stanzas', () => {
    expect(parseSources('debian.sources', DEB822)).toEqual([
      {
        uris: ['http://mirror.example/debian'],
        suites: ['bookworm', 'bookworm-updates'],
        components: ['main', 'contrib'],
        signedBy: '/usr/share/keyrings/debian-archive-keyring.gpg',
      },
      {
        uris: ['http://mirror.example/debian-security'],
        suites: ['bookworm-security'],
        components: ['main'],
      },
    ]);
  });

  it('keeps an embedded key', () => {
    const text =
      'Types: deb\nURIs: http://a.example/debian\nSuites: x\nComponents: main\nSigned-By:\n -----BEGIN\n .\n';
    expect(parseSources('a.sources', text)[0]?.signedBy).toBe('\n -----BEGIN\n .\n');
  });

  it('reads one-line entries', () => {
    const sources = parseSources('sources.list', LINES);
    expect(sources.map(({ uris }) => uris[0])).toEqual([
      'https://else.example/linux/debian',
      'http://mirror.example/debian/',
      'http://mirror.example/debian-security',
    ]);
    expect(sources[0]?.signedBy).toBe('/etc/key.gpg');
    expect(sources[1]?.components).toEqual(['main', 'non-free']);
  });

  it('ignores disabled entries, and entries for source packages', () => {
    expect(parseSources('a.sources', `Enabled: no\n${DEB822.split('\n\n')[0] ?? ''}`)).toEqual([]);
    expect(parseSources('a.sources', DEB822.replaceAll('Types: deb', 'Types: deb-src'))).toEqual([]);
    expect(parseSources('sources.list', '')).toEqual([]);
  });
});

describe('entryForSuite', () => {
  it("uses the machine's own mirror and key", () => {
    expect(entryForSuite(parseSources('a.sources', DEB822), 'bookworm', 'bullseye')).toBe(
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: bullseye\nComponents: main\n' +
        'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n',
    );
    expect(entryForSuite(parseSources('sources.list', LINES), 'bookworm', 'bullseye')).toBe(
      'Types: deb\nURIs: http://mirror.example/debian/\nSuites: bullseye\nComponents: main\n',
    );
  });

  it('uses a list of mirrors', () => {
    const text = DEB822.replace(
      'http://mirror.example/debian\n',
      'mirror+file:///etc/apt/mirrors/debian.list\n',
    );
    expect(entryForSuite(parseSources('a.sources', text), 'bookworm', 'bullseye')).toContain(
      'URIs: mirror+file:///etc/apt/mirrors/debian.list\n',
    );
  });

  it('is undefined without a Debian mirror', () => {
    const ubuntu = 'deb http://mirror.example/ubuntu jammy main universe\n';
    expect(entryForSuite(parseSources('sources.list', ubuntu), 'jammy', 'bullseye')).toBeUndefined();
  });
});

describe('hasSuite', () => {
  it("finds a suite of Debian's own archive only", () => {
    const sources = parseSources('sources.list', LINES);
    expect(hasSuite(sources, 'bookworm')).toBe(true);
    expect(hasSuite(sources, 'bookworm-security')).toBe(false);
    expect(hasSuite(sources, 'bullseye')).toBe(false);
  });
});
