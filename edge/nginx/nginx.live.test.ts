/**
 * How nginx with the module paces responses over HTTP/1.1, and what it reports. The other live tests in this folder
 * have one subject each: HTTP/2, origins and caches, congestion controls, and wrong configurations.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CHANGE_KEY, CHANGE_OFFER, CHANGE_PATH, FLOOR_KEY, PLUGIN_KEY } from '../../src/wire/rtp.ts';
import { readTcpState } from '../../src/wire/tcp-state.ts';
import { PACKET_BYTES, paceAtMost, timedGet } from '../testing/timed-get.ts';
import { describeWithNginx, readReceipt, VIDEO_BYTES } from './live-nginx.ts';

describeWithNginx('pacing by the nginx module', (live) => {
  it('paces responses on request, and releases the connection with the next other request', async () => {
    const { url } = await live.start((port) => live.serveFiles(port));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const paced = await timedGet(`${url}/1.m4s?CMCD=rtp%3D6000`, { agent });
    const released = await timedGet(`${url}/1.m4s`, { agent });
    const again = await timedGet(`${url}/1.m4s`, {
      agent,
      headers: { 'CMCD-Status': 'rtp=20000' },
    });
    agent.destroy();

    expect(readReceipt(paced)).toMatchObject({
      pace_kbps: 6000,
      reason: 'requested',
    });
    expect(readReceipt(released)).toMatchObject({
      pace_kbps: null,
      reason: 'no-rtp',
    });
    expect(readReceipt(again)).toMatchObject({
      pace_kbps: 20_000,
      reason: 'requested',
    });
    for (const { bytes } of [paced, released, again]) expect(bytes).toBe(VIDEO_BYTES);
    // All three responses came over one connection.
    expect(readReceipt(again).connection).toBe(readReceipt(paced).connection);

    expect(paceAtMost(paced)).toBeLessThan(6000 * 1.05);
    expect(paced.goodput).toBeGreaterThan(6000 * 0.5);
    expect(paceAtMost(again, PACKET_BYTES)).toBeLessThan(20_000 * 1.05);
    // At least 30 Mbit/s, far below the throughput of loopback.
    expect(released.goodput).toBeGreaterThan(5 * 6000);
  }, 30_000);

  it("reports the kernel's statistics of the connection, and lets any page read them", async () => {
    const { url } = await live.start((port) => live.serveFiles(port));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await timedGet(`${url}/1.m4s?CMCD=rtp%3D900000`, { agent });
    const second = await timedGet(`${url}/1.m4s?CMCD=rtp%3D900000`, {
      agent,
    });
    agent.destroy();
    const receipt = readReceipt(second);
    expect(receipt.sent_bytes).toBeGreaterThanOrEqual(VIDEO_BYTES + (readReceipt(first).sent_bytes ?? 0));
    expect(receipt.rtt_ms).toBeGreaterThan(0);
    expect(receipt.min_rtt_ms).toBeLessThanOrEqual(receipt.rtt_ms ?? 0);
    expect(receipt.cwnd_packets).toBeGreaterThan(0);
    expect(receipt.etp_kbps).toBeGreaterThan(0);
    const { state, refused } = readTcpState(receipt);
    expect(refused).toEqual([]);
    expect(state.in_flight_packets).toBeGreaterThanOrEqual(0);
    expect(state.delivery_bytes_per_s).toBeGreaterThan(0);
    expect(state.app_limited).toBeTypeOf('boolean');
    expect(receipt.retransmitted_bytes).toBeGreaterThanOrEqual(0);
    const available = await readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8');
    expect(available.trim().split(' ')).toContain(receipt.congestion_control);
    expect(second.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date',
      'timing-allow-origin': '*',
    });
  });

  it('paces a response with a floor as any other, and accepts no change of its pace', async () => {
    const { url } = await live.start((port) => live.serveFiles(port));
    const cmcd = (rtp: number) => {
      const keys = [PLUGIN_KEY, `rtp=${rtp}`, `${FLOOR_KEY}=1000`, `${CHANGE_KEY}="${'a'.repeat(32)}"`];
      return `?CMCD=${encodeURIComponent(keys.join(','))}`;
    };
    const headers = { Range: 'bytes=0-999999' };
    // The response takes 1.3 s at this pace, and would take a tenth of it after a change.
    const [paced, refused] = await Promise.all([
      timedGet(`${url}/1.m4s${cmcd(6000)}`, { headers }),
      fetch(url + CHANGE_PATH + cmcd(60_000), { method: 'POST' }),
    ]);
    expect(readReceipt(paced)).toMatchObject({ pace_kbps: 6000, reason: 'requested' });
    expect(paced.headers['server-timing']).not.toContain(CHANGE_OFFER);
    expect(paceAtMost(paced)).toBeLessThan(6000 * 1.05);
    expect(refused.status).toBe(404);
  });

  it('does nothing where it is not enabled, except to release a paced connection', async () => {
    const { url } = await live.start((port) =>
      live.serveFiles(port, 'location /1.m4s { if ($arg_a) { cmcd_pace on; } }'),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { Range: 'bytes=0-999999' };
    const paced = await timedGet(`${url}/1.m4s?a=1&CMCD=rtp%3D4000`, {
      agent,
      headers,
    });
    const foreign = await timedGet(`${url}/1.m4s?CMCD=rtp%3D4000`, { agent });
    agent.destroy();
    expect(readReceipt(paced).pace_kbps).toBe(4000);
    expect(readReceipt(foreign)).toEqual({});
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    expect(foreign.goodput).toBeGreaterThan(5 * 4000);
  }, 30_000);

  it("uses nginx's own limit as a ceiling, and reports it", async () => {
    const { url } = await live.start(
      (port) => `server {
        listen 127.0.0.1:${port}; root ${live.directory}; cmcd_pace on;
        location /limited/ { alias ${live.directory}/; limit_rate 250k; }
        location /later/ { alias ${live.directory}/; limit_rate 250k; limit_rate_after 1m; }
        location /least/ { alias ${live.directory}/; limit_rate 100; }
      }`,
    );
    const told = async (path: string, rtp: number) => {
      const headers = { Range: 'bytes=0-9' };
      const { pace_kbps, reason } = readReceipt(
        await timedGet(`${url}${path}/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D${rtp}`, { headers }),
      );
      return [pace_kbps, reason];
    };
    // 250 times 1,024 bytes/s.
    expect(await told('/limited', 20_000)).toEqual([2048, 'ceiling']);
    expect(await told('/limited', 1500)).toEqual([1500, 'requested']);
    expect(await told('/limited', 0)).toEqual([null, 'refused:not-positive']);
    expect(await told('/later', 20_000)).toEqual([20_000, 'requested']);
    // 100 bytes/s are less than 1 kbit/s, which is the lowest pace of a receipt.
    expect(await told('/least', 20_000)).toEqual([1, 'ceiling']);
  });

  it('answers 304 and ranges with a verdict, errors without a pace', async () => {
    const { url } = await live.start((port) => live.serveFiles(port));
    const ask = (headers: Record<string, string>, path = '/1.m4s') =>
      timedGet(`${url}${path}?CMCD=rtp%3D50000`, { headers });
    const whole = await ask({});
    const unchanged = await ask({
      'If-None-Match': String(whole.headers.etag),
    });
    expect(unchanged.status).toBe(304);
    expect(readReceipt(unchanged)).toMatchObject({
      pace_kbps: 50_000,
      reason: 'requested',
    });
    const part = await ask({ Range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, bytes: 10 });
    expect(part.headers['content-range']).toBe(`bytes 10-19/${VIDEO_BYTES}`);
    expect(readReceipt(part)).toMatchObject({
      pace_kbps: 50_000,
      reason: 'requested',
    });
    for (const failed of [await ask({ Range: `bytes=${VIDEO_BYTES}-` }), await ask({}, '/2.m4s')]) {
      expect(readReceipt(failed)).toMatchObject({
        pace_kbps: null,
        reason: 'error-response',
      });
    }
  });

  it('answers thousands of ranges with the whole file or parts, with AddressSanitizer', async () => {
    const { url, complaints } = await live.startSanitized(
      (port) =>
        `large_client_header_buffers 4 64k; server { listen 127.0.0.1:${port}; root ${live.directory}; cmcd_pace on; }`,
    );
    const ask = (range: string) =>
      timedGet(`${url}/1.m4s?CMCD=rtp%3D90000`, {
        headers: { Range: range },
      });
    const of = (count: number, range: (index: number) => string) =>
      `bytes=${Array.from({ length: count }, (_, index) => range(index)).join()}`;
    const single = await ask(of(4000, (index) => `${index * 2}-${index * 2}`));
    expect([single.status, readReceipt(single).pace_kbps]).toEqual([206, 90_000]);
    expect(single.headers['content-type']).toContain('multipart/byteranges');
    // nginx responds with the complete file to ranges that are longer in total than the file.
    const overlapping = await ask(of(4000, (index) => `${index}-`));
    expect([overlapping.status, overlapping.bytes]).toEqual([200, VIDEO_BYTES]);
    expect(readReceipt(overlapping).pace_kbps).toBe(90_000);
    expect((await ask(of(4000, () => `${VIDEO_BYTES}-`))).status).toBe(416);
    expect((await ask('bytes=0-9')).bytes).toBe(10);
    expect(complaints()).toEqual([]);
  }, 60_000);

  it('reloads under load: open responses keep their pace, later ones have the new settings', async () => {
    const { url, nginx, port } = await live.start((port) => live.serveFiles(port), {
      workers: 2,
    });
    const downloads = Array.from({ length: 12 }, () => timedGet(`${url}/1.m4s?CMCD=rtp%3D16000`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await nginx.reload(live.serveFiles(port, 'cmcd_pace on; cmcd_pace_ceiling 8000;'));
    await expect
      .poll(
        async () =>
          readReceipt(
            await timedGet(`${url}/1.m4s?CMCD=rtp%3D16000`, {
              headers: { Range: 'bytes=0-1' },
            }),
          ).reason,
        { timeout: 10_000 },
      )
      .toBe('ceiling');
    for (const download of await Promise.all(downloads)) {
      expect(download.bytes).toBe(VIDEO_BYTES);
      expect(readReceipt(download).pace_kbps).toBe(16_000);
      expect(paceAtMost(download)).toBeLessThan(16_000 * 1.05);
    }
    expect(processRuns(nginx.pid)).toBe(true);
  }, 30_000);

  it('does not take a client that receives at a low pace for one that does not read', async () => {
    await writeFile(join(live.directory, 'large.m4s'), Buffer.alloc(12_000_000));
    const { url } = await live.start((port) =>
      live.serveFiles(
        port,
        'cmcd_pace on; send_timeout 12s; location = /metrics { cmcd_pace_metrics; cmcd_pace off; }',
      ),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // A fast response lets the kernel's send buffer grow to its limit, usually 4 MB, which is 84 s at 400 kbit/s.
    await timedGet(`${url}/large.m4s`, { agent });
    const asked = get(`${url}/large.m4s?CMCD=${PLUGIN_KEY}%2Crtp%3D400`, { agent });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).resume();
    // nginx gives up 12 s after the kernel has taken something.
    await sleep(16_000);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    agent.destroy();
    expect(metrics).toContain('incomplete_responses_total{cut_by="client"} 0');
  }, 40_000);

  it('writes variables for the log', async () => {
    const { url, nginx } = await live.start(
      (port) => `
        log_format pace '$cmcd_pace_asked_kbps $cmcd_pace_kbps $cmcd_pace_socket_kbps $cmcd_pace_reason '
                        '$cmcd_pace_args $cmcd_pace_request_uri $cmcd_pace_retransmitted_bytes $cmcd_pace_sent_bytes';
        server { listen 127.0.0.1:${port}; root ${live.directory}; cmcd_pace on; cmcd_pace_ceiling 700000; access_log {folder}/access.log pace; }`,
    );
    const headers = { Range: 'bytes=0-1' };
    await timedGet(`${url}/1.m4s?x=1&CMCD=rtp%3D900000`, { headers });
    await timedGet(`${url}/%31.m4s?CMCD=rtp%3D1&CMCDx&%43MCD=rtp%3D2`, { headers });
    const lines = async () => (await readFile(join(nginx.folder, 'access.log'), 'utf8')).trim().split('\n');
    await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBe(2);
    expect(await lines()).toEqual([
      expect.stringMatching(/^900000 700000 700000 ceiling x=1 \/1\.m4s\?x=1 0 [1-9]\d*$/),
      expect.stringMatching(/^- - - refused:disagreeing CMCDx \/%31\.m4s\?CMCDx 0 [1-9]\d*$/),
    ]);
  });
});

const processRuns = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
