/**
 * Streams of one HTTP/2 connection: they share the socket's pace, and each has its own part of it.
 */
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { describeWithNginx, VIDEO_BYTES } from './live-nginx.ts';

describeWithNginx('pacing of HTTP/2 streams by the nginx module', (live) => {
  it("sets an HTTP/2 connection over TLS to the sum of its streams' paces, and subtracts ended ones", async () => {
    const { port } = await live.start(
      (port) => `server { listen 127.0.0.1:${port} ssl http2; root ${live.directory}; cmcd_pace on;
        ssl_certificate ${live.directory}/cert.pem; ssl_certificate_key ${live.directory}/key.pem; }`,
    );
    const session = connect(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 1_000_000 },
    });
    try {
      const slow = streamGet(session, '/1.m4s?CMCD=rtp%3D4000', {
        Range: 'bytes=0-999999',
      });
      expect(await slow.receipt).toMatchObject({ pace_kbps: 4000 });
      const fast = streamGet(session, '/1.m4s?CMCD=rtp%3D16000');
      expect(await fast.receipt).toMatchObject({
        pace_kbps: 16_000,
        socket_pace_kbps: 20_000,
      });
      const [slowly, fastly] = await Promise.all([slow.whole, fast.whole]);
      // At 4 and 16 Mbit/s both take 2 s; shared in equal parts, the socket would give the slow one 10 Mbit/s.
      expect(slowly.time_ms).toBeGreaterThan(1400);
      expect(fastly.time_ms).toBeGreaterThan(1400);
      expect(fastly.bytes).toBe(VIDEO_BYTES);
      // Once the client has received them, their paces no longer count.
      await expect
        .poll(
          async () =>
            (
              await streamGet(session, '/1.m4s?CMCD=rtp%3D5000', {
                Range: 'bytes=0-9',
              }).receipt
            ).socket_pace_kbps ?? 5000,
          { timeout: 10_000 },
        )
        .toBe(5000);
      // A response without a pace is not slowed down.
      const free = await streamGet(session, '/1.m4s').whole;
      expect(free.time_ms).toBeLessThan(fastly.time_ms / 3);
    } finally {
      session.destroy();
    }
  }, 30_000);

  it('delivers streams that share a connection if nginx forwards an origin’s bytes unbuffered', async () => {
    const origin = await live.start((port) => live.serveFiles(port, 'cmcd_pace off;'));
    const { port } = await live.start(
      (port) => `server { listen 127.0.0.1:${port} http2; cmcd_pace on;
        location / { proxy_pass ${origin.url}; proxy_buffering off; } }`,
    );
    const session = connect(`http://127.0.0.1:${port}`);
    try {
      const range = { Range: 'bytes=0-499999' };
      const streams = [2000, 6000].map((rtp) => streamGet(session, `/1.m4s?CMCD=rtp%3D${rtp}`, range));
      const [slowly, fastly] = await Promise.all(streams.map(({ whole }) => whole));
      expect([slowly?.bytes, fastly?.bytes]).toEqual([500_000, 500_000]);
      // A megabyte at the 8 Mbit/s of both takes a second.
      expect(Math.max(slowly?.time_ms ?? 0, fastly?.time_ms ?? 0)).toBeGreaterThan(500);
    } finally {
      session.destroy();
    }
  }, 30_000);

  it.each([
    ['from disk', '/1.m4s'],
    ['that an unbuffered origin has redirected to disk', '/accel/1.m4s'],
  ])(
    'lets no stream %s wait behind another of its connection, with any paces',
    async (_, path) => {
      const origin = await live.start(
        (port) => `server { listen 127.0.0.1:${port};
        location / { add_header X-Accel-Redirect /inside/1.m4s; return 200; } }`,
      );
      const { port } = await live.start(
        (port) => `server { listen 127.0.0.1:${port} http2; root ${live.directory}; cmcd_pace on;
        location /accel/ { proxy_pass ${origin.url}; proxy_buffering off; }
        location /inside/ { internal; alias ${live.directory}/; } }`,
      );
      const window = 2 ** 24;
      const session = connect(`http://127.0.0.1:${port}`, {
        settings: { initialWindowSize: window },
      });
      session.once('connect', () => session.setLocalWindowSize(window));
      try {
        // Each body takes two seconds at its pace; the client reads as fast as it can.
        const slow = streamGet(session, `${path}?CMCD=rtp%3D1600`, {
          Range: 'bytes=0-399999',
        });
        const fast = streamGet(session, `${path}?CMCD=rtp%3D14400`, {
          Range: 'bytes=0-3599999',
        });
        const [slowly, fastly] = await Promise.all([slow.whole, fast.whole]);
        expect([slowly.bytes, fastly.bytes]).toEqual([400_000, 3_600_000]);
        // One second's worth may arrive early. On a busy machine, pieces arrive late, and the slow stream has more
        // pieces.
        expect(slowly.time_ms / fastly.time_ms).toBeGreaterThan(0.3);
        expect(slowly.time_ms / fastly.time_ms).toBeLessThan(2.5);
      } finally {
        session.destroy();
      }
    },
    30_000,
  );

  it('survives canceled HTTP/2 streams and connections, with AddressSanitizer', async () => {
    const { url, complaints } = await live.startSanitized(
      (port) => `server { listen 127.0.0.1:${port} http2; root ${live.directory}; cmcd_pace on; }`,
    );
    for (let round = 0; round < 4; round++) {
      const session = connect(url);
      session.on('error', () => undefined);
      const streams = Array.from({ length: 60 }, (_, index) => {
        const query = index % 7 === 0 ? '' : `?CMCD=rtp%3D${1000 * (index + 1)}`;
        const stream = session.request({
          ':path': `/${index % 5 === 0 ? 2 : 1}.m4s${query}`,
          Range: `bytes=0-${index * 999}`,
        });
        stream.on('error', () => undefined).resume();
        // Some streams are aborted before the response, some during it, and some not at all.
        if (index % 4 === 1) setTimeout(() => stream.close(8), index * 2);
        return new Promise((resolve) => stream.once('close', resolve));
      });
      if (round % 2 === 0) await Promise.all(streams);
      else await Promise.race(streams);
      session.destroy();
    }
    const after = connect(url);
    const whole = await streamGet(after, '/1.m4s?CMCD=rtp%3D90000').whole;
    after.destroy();
    expect(whole.bytes).toBe(VIDEO_BYTES);
    expect(complaints()).toEqual([]);
  }, 60_000);
});

/** Sends a request on a new stream, and measures the time to the last byte. */
function streamGet(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  const began = performance.now();
  const stream = session.request({ ':path': path, ...headers });
  const receipt = once(stream, 'response').then(([fields]) =>
    parseReceipt((name) => {
      const value = (fields as Record<string, string | string[] | undefined>)[name.toLowerCase()];
      return value === undefined ? null : String(value);
    }),
  );
  const whole = (async () => {
    let bytes = 0;
    await receipt;
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length;
    return { bytes, time_ms: performance.now() - began };
  })();
  return { receipt, whole };
}
