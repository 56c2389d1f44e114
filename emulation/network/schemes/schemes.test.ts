import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { schemeNamed, schemes, defaultSchemes } from './index.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../../docs/lab/pantheon.md');
const log = read('../../../docs/results/log/pantheon.md');

it('schemes have unique names that are valid for folders', () => {
  const names = schemes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9-]+$/);
});

it('at least 12 schemes of five families run by default', () => {
  expect(defaultSchemes.length).toBeGreaterThanOrEqual(12);
  expect(new Set(defaultSchemes.map(({ family }) => family)).size).toBeGreaterThanOrEqual(5);
});

it.each(schemes.map((scheme) => [scheme.name, scheme] as const))(
  'the page has %s with its family, license and source',
  (name, { family, license, source }) => {
    const row = page.split('\n').find((line) => line.includes(`\`${name}\``) && line.startsWith('|'));
    expect(row).toContain(`| ${family} `);
    expect(row).toContain(license);
    expect(row).toContain(source);
  },
);

it('every command contains the address or the port of its flow, and only programs that the scheme needs', () => {
  for (const { name, needs, receiver, sender } of schemes) {
    const known = [...Object.keys(needs.apt ?? {}), needs.transport, needs.go];
    const program = (asked: string): string => {
      expect(known, name).toContain(asked);
      return `/bin/${asked}`;
    };
    const flow = { address: '10.1.2.3', port: 5009, program, congestionControl: (asked: string) => asked };
    for (const words of [receiver(flow), sender(flow)]) expect(words.join(' '), name).toContain('5009');
  }
});

it('an unknown scheme is reported, with a similar name', () => {
  expect(() => schemeNamed('cubik')).toThrow(/^no scheme 'cubik'.*cubic/);
});

it("the log states the wrappers' lines: the lowest, the highest, and the median of the default schemes", () => {
  const countLines = (path: string): number => read(path).trimEnd().split('\n').length;
  // The wrapper of a scheme is the complete file that defines the scheme, and its Go program if it has one.
  const file = { TCP: 'tcp.ts', uTP: 'go-flows.ts', RTP: 'go-flows.ts', SRT: 'srt.ts' } as const;
  const lines = defaultSchemes
    .map(({ name, family, needs }) => {
      const quic = name.startsWith('ngtcp2-') ? 'ngtcp2.ts' : 'quinn.ts';
      const go = needs.go === undefined ? 0 : countLines(`programs/${needs.go}/main.go`);
      return countLines(family === 'QUIC' ? quic : file[family]) + go;
    })
    .sort((a, b) => a - b);
  const median = lines[Math.floor(lines.length / 2)];
  expect(log).toContain(
    `has ${lines[0]} to ${lines.at(-1)} lines; the median of the ${lines.length} schemes is ${median}`,
  );
});
