import { expect, it } from 'vitest';
import { paceLimits } from '../policy.ts';
import { readConfig, type StoreValues } from './config.ts';

const read = (values: StoreValues) => readConfig((key) => values[key] ?? null);

it('has no limits by default', () => {
  expect(read({ origin: 'https://cdn.example' })).toEqual({
    origin: 'https://cdn.example',
    limits: paceLimits(),
    allowed: [],
    credentialsOrigins: [],
    forwardHeaders: [],
    congestionControl: null,
    experiments: [],
    cluster: '{pop}',
    takesSessions: false,
    problems: [],
  });
});

it('forwards the named headers, except headers that the edge controls', () => {
  const { forwardHeaders, problems } = read({
    forward_headers: 'Authorization X-Token Host range CMCD-Object X-Sammy-Pace-Kbps a:b Content-Length',
  });
  expect(forwardHeaders).toEqual(['Authorization', 'X-Token']);
  expect(problems).toEqual([
    expect.stringMatching(
      /^forward_headers is 'Host', which cannot be forwarded; expected the name of a header/,
    ),
    expect.stringMatching(/^forward_headers is 'range', which is forwarded anyway;/),
    expect.stringMatching(/'CMCD-Object', which cannot/),
    expect.stringMatching(/'X-Sammy-Pace-Kbps', which cannot/),
    expect.stringMatching(/'a:b', which cannot/),
    expect.stringMatching(/'Content-Length', which cannot/),
  ]);
});

it('reads experiments, and has none if the configuration is invalid', () => {
  const experiment = { name: 'e', design: 'ab', from: '2026-11-22T00:00Z', allocation: 0.5, treatment: {} };
  const text = JSON.stringify({ version: 1, experiments: [experiment] });
  expect(read({ experiments: text, cluster: 'FRA' })).toMatchObject({
    experiments: [{ name: 'e' }],
    cluster: 'FRA',
    problems: [],
  });
  const broken = read({ experiments: text.replace('0.5', '5') });
  expect(broken.experiments).toEqual([]);
  expect(broken.problems).toEqual([
    'experiments: experiments[0].allocation is 5, expected a fraction from 0 to 1; no experiment runs',
  ]);
});

it('uses the POP as cluster by default, and runs no experiment with an invalid cluster', () => {
  const experiment = { name: 'e', design: 'ab', from: '2026-11-22T00:00Z', allocation: 0.5, treatment: {} };
  const experiments = JSON.stringify({ version: 1, experiments: [experiment] });
  for (const cluster of ['{pop}', '{pop}-AS{asn}', 'AS{asn}'])
    expect(read({ experiments, cluster })).toMatchObject({
      cluster,
      experiments: [{ name: 'e' }],
      problems: [],
    });
  for (const cluster of ['a b', '{as}', 'x"y']) {
    expect(read({ experiments, cluster })).toMatchObject({
      cluster: '{pop}',
      experiments: [],
      problems: [
        `cluster is '${cluster}'; expected a name with {pop} or {asn} in it; there is no experiment`,
      ],
    });
  }
});

it('accepts sessions only if enabled', () => {
  expect(read({ sessions: 'on' })).toMatchObject({ takesSessions: true, problems: [] });
  expect(read({ sessions: 'yes' })).toMatchObject({
    takesSessions: false,
    problems: ["sessions is 'yes'; expected on or off"],
  });
});

it('reads all values from text', () => {
  const config = read({
    floor_kbps: '1049',
    ceiling_kbps: ' 50000 ',
    allowed_origins: 'https://a.example  http://b.example:81',
    credentials_origins: 'https://Page.example:443 http://localhost:3000',
    pacing: 'on',
    congestion_control: 'reno',
  });
  expect(config.limits).toEqual(paceLimits({ floor_kbps: 1049, ceiling_kbps: 50_000 }));
  expect(config.allowed).toEqual(['https://a.example', 'http://b.example:81']);
  expect(config.credentialsOrigins).toEqual(['https://page.example', 'http://localhost:3000']);
  expect(config.congestionControl).toEqual({ paced: 'reno', unpaced: 'reno' });
});

// A running service cannot refuse a configuration: with an invalid value it serves unpaced, and reports it.
it.each<[StoreValues, string]>([
  [{ floor_kbps: 'fast' }, 'floor_kbps is NaN; expected kbit/s above 0 and at most 100000000'],
  [{ ceiling_kbps: '-1' }, 'ceiling_kbps is -1; expected kbit/s above 0 and at most 100000000'],
  [{ floor_kbps: '2', ceiling_kbps: '1' }, 'floor_kbps is 2; expected at most ceiling_kbps, which is 1'],
  [{ pacing: 'of' }, "pacing is 'of'; expected on or off"],
])('%j switches pacing off, with one line', (values, problem) => {
  const { limits, problems } = read(values);
  expect(limits).toEqual(paceLimits({ switchedOff: true }));
  expect(problems).toEqual([problem]);
});

it('reads separate congestion controls for paced and unpaced responses', () => {
  const { congestionControl, problems } = read({ congestion_control: 'paced=bbr,unpaced=cubic' });
  expect(congestionControl).toEqual({ paced: 'bbr', unpaced: 'cubic' });
  expect(problems).toEqual([]);
});

it.each(['warp', 'paced=bbr', 'paced=bbr,unpaced=warp', 'unpaced=cubic,paced=bbr'])(
  'ignores the congestion control %j, with one line',
  (text) => {
    const { limits, congestionControl, problems } = read({ congestion_control: text });
    expect({ limits, congestionControl }).toEqual({
      limits: paceLimits(),
      congestionControl: null,
    });
    expect(problems).toEqual([
      `congestion_control is '${text}'; expected NAME or paced=NAME,unpaced=NAME, each NAME one of cubic, reno, bbr`,
    ]);
  },
);

it('ignores invalid origins, and keeps the others', () => {
  const { allowed, limits, problems } = read({ allowed_origins: 'https//a.example https://b.example' });
  expect(allowed).toEqual(['https://b.example']);
  expect(limits.switchedOff).toBe(false);
  expect(problems).toEqual([
    "allowed origin 'https//a.example' is not usable; expected exactly http(s)://HOST[:PORT]",
  ]);
});

it('ignores invalid page addresses, so that a typo allows nothing', () => {
  const { credentialsOrigins, limits, problems } = read({
    credentials_origins: '* https://page.example null',
  });
  expect(credentialsOrigins).toEqual(['https://page.example']);
  expect(limits.switchedOff).toBe(false);
  expect(problems).toEqual(
    ['*', 'null'].map(
      (entry) =>
        `credentials_origins is '${entry}'; expected the origin of a page, exactly http(s)://HOST[:PORT]`,
    ),
  );
});

it('is switched off by any value except on', () =>
  expect(read({ pacing: 'off', floor_kbps: '1000' }).limits).toEqual(
    paceLimits({ switchedOff: true, floor_kbps: 1000 }),
  ));

it('reads the treatment of players without the plug-in; a typo means unpaced', () => {
  expect(read({ foreign_floor_kbps: '8000' }).limits).toEqual(paceLimits({ foreign_floor_kbps: 8000 }));
  expect(read({ foreign_players: 'unpaced' }).limits.pacesForeign).toBe(false);
  const { limits, problems } = read({ foreign_players: 'pacd' });
  expect(limits.pacesForeign).toBe(false);
  expect(problems).toEqual(["foreign_players is 'pacd'; expected paced or unpaced"]);
  expect(read({ foreign_floor_kbps: 'x' }).limits.switchedOff).toBe(true);
});
