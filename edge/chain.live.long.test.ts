import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect } from 'node:http2';
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { assignUnits } from '../src/testing/assign-units.ts';
import { readAssignment } from '../src/experiment/reported-assignment.ts';
import { parseReceipt } from '../src/wire/receipt.ts';
import { CLIENT_AS_HEADER } from './cluster.ts';
import { ensureWasm } from './compute/build.ts';
import { startViceroy } from './compute/viceroy.ts';
import { missingChainReason, startChain, type Chain } from './chain.ts';
import { congestionControls } from './local/kernel/socket-options.ts';
import { runQuietly } from '../system/run-quietly.ts';
import { socketPaces } from './testing/socket-paces.ts';
import { startVarnish } from './vcl/varnish.ts';
import { FIRST_BEACON } from './testing/first-beacon.ts';

/**
 * Tests Varnish in front of the compiled Compute service: sockets, settings and failures, which edge/cases.json does
 * not cover.
 */
const missing = await missingChainReason();
const { available } = await congestionControls();

let answer: RequestListener;
let origin: Server;
let chain: Chain;
const media: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': 5 }).end('media');
};

describe.skipIf(missing !== null)(`the chain${missing === null ? '' : ` (${missing})`}`, () => {
  beforeAll(async () => {
    answer = media;
    origin = createServer((message, response) => answer(message, response)).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    chain = await startChain({ origin: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` });
  }, 240_000);
  afterAll(async () => {
    await chain.close();
    origin.closeAllConnections();
    origin.close();
  });
  afterEach(async () => {
    answer = media;
    await chain.configure({});
  });

  it('sets exactly the pace in the receipt on the socket, and releases it for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    const requestedPace = async (query: string) => {
      const { response, clientPort } = await ask(`/1.m4s${query}`, agent);
      ports.add(clientPort);
      const [inKernel] = await socketPaces(chain.varnish.port, [clientPort]);
      return { inKernel, receipt: parseReceipt((name) => header(response, name)) };
    };
    for (const [rtp, steps] of [
      [300, 37],
      [5000, 611],
      [90_000, 10_987],
    ] as const) {
      const { inKernel, receipt } = await requestedPace(`?CMCD=io.github.dashjs-sammy%2Crtp%3D${rtp}`);
      // Multiples of 1 KB/s (1,024 bytes/s, 8.192 kbit/s), rounded up.
      expect(receipt.pace_kbps).toBeCloseTo(steps * 8.192, 3);
      expect(inKernel).toBeCloseTo(steps * 8.192, 2);
      const after = await requestedPace('');
      expect(after.receipt.pace_kbps).toBeNull();
      // The pace that releases the socket: 2,097,151 KB/s (1,024 bytes/s, 8.192 kbit/s).
      expect(after.inKernel).toBeCloseTo(17_179_860.992, 2);
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it("sets the socket of an HTTP/2 connection to the plug-in's latest sum, and gives each response its own pace", async () => {
    const session = connect(chain.url);
    await once(session, 'connect');
    const clientPort = session.socket.localPort ?? 0;
    const requestedPace = async (cmcd: string) => {
      const stream = session.request({ ':path': `/1.m4s?CMCD=${encodeURIComponent(cmcd)}` });
      const [headers] = (await once(stream, 'response')) as [Record<string, string | undefined>];
      const [inKernel] = await socketPaces(chain.varnish.port, [clientPort]);
      stream.resume();
      return { inKernel, receipt: parseReceipt((name) => headers[name.toLowerCase()]) };
    };
    const mark = 'io.github.dashjs-sammy';
    const video = await requestedPace(`${mark},${mark}-sum=3300,rtp=3300`);
    // 3,300 kbit/s = 402.83 KB/s (1,024 bytes), and 6,400 kbit/s = 781.25 KB/s. Both are rounded up.
    expect(video.inKernel).toBeCloseTo(403 * 8.192, 2);
    expect(video.receipt.socket_pace_kbps).toBeUndefined();
    const audio = await requestedPace(`${mark},${mark}-sum=6400,rtp=3100`);
    expect(audio.inKernel).toBeCloseTo(782 * 8.192, 2);
    expect(audio.receipt.pace_kbps).toBeCloseTo(379 * 8.192, 3);
    expect(audio.receipt.socket_pace_kbps).toBeCloseTo(782 * 8.192, 3);
    const lying = await requestedPace(`${mark},${mark}-sum=100,rtp=3300`);
    expect(lying.inKernel).toBeGreaterThan(1e6);
    expect(lying.receipt).toMatchObject({ pace_kbps: null, reason: 'refused:sum-below-rtp' });
    session.destroy();
  });

  it('does not pace an HTTP/2 connection without a sum from the plug-in', async () => {
    const session = connect(chain.url);
    const stream = session.request({ ':path': '/1.m4s?CMCD=rtp%3D5000' });
    const [headers] = (await once(stream, 'response')) as [Record<string, string | undefined>];
    expect(parseReceipt((name) => headers[name.toLowerCase()])).toMatchObject({
      pace_kbps: null,
      reason: 'shared-connection',
    });
    session.destroy();
  });

  it.skipIf(!['reno', 'bbr'].every((name) => available.includes(name)))(
    'sets the congestion control of each response, on one connection',
    async () => {
      await chain.configure({ congestion_control: 'paced=reno,unpaced=bbr' });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set<number>();
      const inKernel = async (query: string) => {
        const { clientPort, response } = await ask(`/1.m4s${query}`, agent);
        ports.add(clientPort);
        expect(header(response, 'X-Sammy-Congestion-Control')).toBeNull();
        const sockets = await runQuietly('ss', ['-tinHO', 'sport', '=', `:${chain.varnish.port}`]);
        const socket = sockets.split('\n').find((line) => line.includes(`:${clientPort} `)) ?? '';
        return available.filter((name) => socket.includes(` ${name} `));
      };
      expect(await inKernel('?CMCD=rtp%3D90000')).toEqual(['reno']);
      expect(await inKernel('')).toEqual(['bbr']);
      expect(await inKernel('?CMCD=rtp%3D90000')).toEqual(['reno']);
      expect(ports.size).toBe(1);
      agent.destroy();
    },
  );

  it('applies a changed setting to the next request, without a restart', async () => {
    const reason = async () => {
      const { response } = await ask('/1.m4s?CMCD=rtp%3D5000');
      return parseReceipt((name) => header(response, name)).reason;
    };
    expect(await reason()).toBe('requested');
    await chain.configure({ floor_kbps: '6000' });
    expect(await reason()).toBe('floor');
    await chain.configure({ pacing: 'off' });
    expect(await reason()).toBe('switched-off');
    await chain.configure({ ceiling_kbps: 'a lot' });
    expect(await reason()).toBe('switched-off');
    // Viceroy writes its log to a pipe, which may be read later than the response.
    await expect
      .poll(() => chain.log)
      .toContain('{"problem":"ceiling_kbps is NaN; expected kbit/s above 0 and at most 100000000"}');
    await chain.configure({ allowed_origins: 'https//typo.example' });
    expect(await reason()).toBe('requested');
    await expect
      .poll(() => chain.log.join('\n'))
      .toMatch(/allowed origin 'https\/\/typo.example' is not usable/);
    await chain.configure({ origin: 'htp://typo' });
    expect(await reason()).toBe('requested');
    await chain.configure({});
    expect(await reason()).toBe('requested');
  });

  it('logs one line per media request', async () => {
    chain.log.length = 0;
    await ask('/v/7.m4s?a=1&CMCD=rtp%3D5000%2Csid%3D%22secret%22');
    answer = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/dash+xml' }).end('<MPD/>');
    await ask('/manifest.mpd');
    await expect.poll(() => chain.log.length).toBe(1);
    const { duration_ms, ...line } = JSON.parse(chain.log[0] ?? '') as Record<string, unknown>;
    expect(duration_ms).toBeTypeOf('number');
    expect(line).toEqual({
      method: 'GET',
      path: '/v/7.m4s',
      range: null,
      status: 200,
      asked_kbps: 5000,
      pace_kbps: 5000,
      reason: 'requested',
      congestion_control: null,
      length_bytes: 5,
    });
  });

  it('writes the row of a beacon to its own log endpoint, if enabled', async () => {
    const beacon = JSON.stringify({ ...FIRST_BEACON, arm: 'treatment' });
    const send = async (body: string) =>
      (await fetch(`${chain.url}/.sammy/v1/sessions`, { method: 'POST', body })).status;
    expect(await send(beacon)).toBe(405);
    const experiment = { name: 'e', design: 'ab', from: '2020-01-01T00:00Z', allocation: 1, treatment: {} };
    const experiments = JSON.stringify({ version: 1, experiments: [experiment] });
    await chain.configure({ sessions: 'on', cluster: 'link-1', experiments });
    expect([await send('{'), await send('x'.repeat(20_000)), await send(beacon)]).toEqual([400, 413, 204]);
    await expect.poll(() => chain.sessions.length).toBe(1);
    expect(JSON.parse(chain.sessions[0] ?? '')).toMatchObject({
      schema_version: 1,
      session_id: '0123456789abcdef',
      unit: 'viewer-1',
      experiment: 'e',
      cluster: 'link-1',
      arm: 'treatment',
      played_s: 0,
    });
    expect((await ask('/1.m4s')).body).toBe('media');
  });

  it("uses VCL's autonomous system in the cluster name, but never a client's", async () => {
    const experiment = { name: 'e', design: 'ab', from: '2020-01-01T00:00Z', allocation: 1, treatment: {} };
    const experiments = JSON.stringify({ version: 1, experiments: [experiment] });
    await chain.configure({ cluster: '{pop}-AS{asn}', experiments });
    const clusterAt = async (port: number) => {
      const headers = { [CLIENT_AS_HEADER]: '64496' };
      const url = `http://127.0.0.1:${port}/1.m4s?CMCD=sid%3D%22viewer-1%22`;
      const answer = await fetch(url, { headers });
      await answer.text();
      return readAssignment(answer.headers.get('Server-Timing'))?.cluster;
    };
    // A client that bypasses VCL is in the position of VCL, so its header counts.
    expect(await clusterAt(chain.viceroy.port)).toMatch(/^[A-Z\d]+-AS64496$/i);
    // Varnish does not know autonomous systems.
    expect(await clusterAt(chain.varnish.port)).toMatch(/^[A-Z\d]+-AS0$/i);
  });

  it('answers an error that a page may read while the origin is down, and recovers afterwards', async () => {
    const { port } = origin.address() as AddressInfo;
    origin.closeAllConnections();
    origin.close();
    await once(origin, 'close');
    const { response } = await ask('/1.m4s?CMCD=rtp%3D5000');
    expect(response.statusCode).toBe(502);
    expect(header(response, 'Access-Control-Allow-Origin')).toBe('*');
    expect(parseReceipt((name) => header(response, name))).toMatchObject({
      pace_kbps: null,
      reason: 'error-response',
    });
    origin = createServer((message, again) => answer(message, again)).listen(port, '127.0.0.1');
    await once(origin, 'listening');
    expect((await ask('/1.m4s')).response.statusCode).toBe(200);
  });

  it('answers 504 after waiting 10 s for a silent origin', async () => {
    answer = () => undefined;
    const { response, body } = await ask('/1.m4s?CMCD=rtp%3D5000');
    expect(response.statusCode).toBe(504);
    expect(body).toMatch(/did not answer within 10 s/);
  });

  it.each<[string, (socket: Socket) => void]>([
    [
      'less',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\nContent-Type: video/mp4\r\n\r\nmedia');
        setTimeout(() => socket.destroy(), 100);
      },
    ],
    [
      'more',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: video/mp4\r\n\r\nmedia and more');
        setTimeout(() => socket.destroy(), 100);
      },
    ],
  ])(
    'an origin that sends %s than its Content-Length says harms that response at most',
    async (what, send) => {
      answer = (message) => send(message.socket);
      const first = await ask('/1.m4s?CMCD=rtp%3D5000');
      // A body that is too short is aborted, so that the player notices the failure. A body that is too long is
      // truncated.
      expect(first.complete).toBe(what === 'more');
      expect('media').toContain(first.body);
      answer = media;
      for (let count = 0; count < 5; count++) {
        expect(await ask('/1.m4s?CMCD=rtp%3D5000')).toMatchObject({ complete: true, body: 'media' });
      }
    },
  );
});

it.skipIf(missing !== null)(
  'serves content unpaced without a config store',
  async () => {
    const content = createServer(media).listen(0, '127.0.0.1');
    await once(content, 'listening');
    const log: string[] = [];
    const viceroy = await startViceroy({
      origin: `http://127.0.0.1:${(content.address() as AddressInfo).port}`,
      linkStore: false,
      onLog: (line) => log.push(line),
    });
    try {
      const { response, body } = await ask('/1.m4s?CMCD=rtp%3D5000', undefined, viceroy.url);
      expect([response.statusCode, body]).toEqual([200, 'media']);
      expect(header(response, 'X-Sammy-Pace-Reason')).toBe('switched-off');
      await expect.poll(() => log[0]).toMatch(/the config store 'sammy' cannot be read/);
    } finally {
      await viceroy.close();
      content.close();
    }
  },
  240_000,
);

it.skipIf(missing !== null)('does not pace, and reports it, if the socket is not the client’s', async () => {
  const policy = createServer(({ method }, response) =>
    method === 'OPTIONS'
      ? response.writeHead(204).end()
      : response
          .writeHead(200, { 'X-Sammy-Pace-Kbps': '5000', 'X-Sammy-Pace-Reason': 'requested' })
          .end('media'),
  ).listen(0, '127.0.0.1');
  await once(policy, 'listening');
  const backendPort = (policy.address() as AddressInfo).port;
  const varnish = await startVarnish({ backendPort, behindProxy: true });
  try {
    // Send the line of the PROXY protocol, version 1, like a TLS terminator.
    const receiptFor = async (client: string) => {
      const socket = connectTcp(varnish.port, '127.0.0.1');
      socket.write(`PROXY TCP4 ${client} 127.0.0.1 40000 443\r\nGET /1.m4s HTTP/1.1\r\nHost: edge\r\n\r\n`);
      const [heard] = (await once(socket, 'data')) as [Buffer];
      const paces = await socketPaces(varnish.port, [socket.localPort ?? 0]);
      socket.destroy();
      const lines = heard.toString('latin1').split('\r\n');
      const receipt = parseReceipt((name) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2),
      );
      return { paces, receipt };
    };
    const { paces, receipt } = await receiptFor('192.0.2.7');
    expect(receipt).toMatchObject({ pace_kbps: null, reason: 'not-client-socket' });
    expect(Math.min(...paces)).toBeGreaterThan(1e6);
    expect((await receiptFor('127.0.0.1')).receipt).toMatchObject({ reason: 'requested' });
  } finally {
    await varnish.close();
    policy.close();
  }
});

interface ChainAnswer {
  readonly response: IncomingMessage;
  readonly body: string;
  readonly complete: boolean;
  readonly clientPort: number;
}

async function ask(target: string, agent = new Agent(), url = chain.url): Promise<ChainAnswer> {
  const request = get(url + target, { agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const clientPort = response.socket.localPort ?? 0;
  let body = '';
  response.setEncoding('utf8').on('data', (text: string) => (body += text));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return { response, body, complete: response.complete, clientPort };
}

const header = ({ headers }: IncomingMessage, name: string): string | null => {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
};

it.skipIf(missing !== null)(
  'assigns 10,000 units in Compute as in Node',
  async () => {
    const wasm = await ensureWasm(() => undefined, 'bench-service.ts');
    const viceroy = await startViceroy({ origin: 'http://127.0.0.1:9', wasm });
    try {
      const assigned: unknown = await (await fetch(`${viceroy.url}/assign`)).json();
      expect(assigned).toEqual(assignUnits());
    } finally {
      await viceroy.close();
    }
  },
  240_000,
);
