import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { root } from '../tools/steps.ts';
import { freePort } from '../system/free-port.ts';
import { selfSigned } from '../edge/local/self-signed.ts';
import { runQuietly } from '../system/run-quietly.ts';
import { ensureModule, missingNginxReason } from '../edge/nginx/module.ts';
import { ensureNginxOfTrixie } from '../edge/nginx/program.ts';
import { startNginx } from '../edge/nginx/server.ts';
import { curlHttp3, type CurlResponse } from '../edge/check/curl-http3.ts';
import { mostWithinMillisecond } from './nginx/bursts.ts';
import { inNamespace, VETH, withVethLink } from './veth-link.ts';

const RATES_KBPS = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
const BURST_RATE_KBPS = 10_000;
/**
 * The client's receive buffer: minimum, initial and maximum size in bytes. It is large so that only the sender is
 * measured: on a busy machine the client waits for a processor, and meanwhile a window of the kernel's default size,
 * which follows the round trip, would fill up.
 */
const RECEIVE_BUFFER = '4096 8388608 16777216';

const SECONDS = 8;

const commandLine = defineCommandLine({
  command: 'npm run bench -- nginx',
  about:
    'Measures how closely and how smoothly the nginx module keeps to rtp, over a veth with an MTU of 1500 between two network namespaces. Needs root, ip and Python 3.',
  options: {
    seconds: { valueName: 'S', about: `of each measurement (${SECONDS})`, parse: wholeNumber(1) },
    // Reno is the default, because bbr falls below its pace on a busy machine. A probable cause, which has not been
    // verified, is that bbr's window, two round trips of data and a few packets, covers only some milliseconds.
    'congestion-control': { valueName: 'NAME', about: 'of the server (reno)' },
    http3: { about: "Debian 13's nginx over QUIC instead, by its curl; it is downloaded" },
    // `rerun` passes this option.
    client: { valueName: 'NAMESPACE', about: '', isInternal: true },
  },
});
export const { help } = commandLine;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Runs this program again in the server's namespace. */
async function rerun(server: string, args: string[]): Promise<void> {
  const node = ['--import', 'tsx', join(root, 'tools/main.ts'), 'bench', 'nginx', ...args];
  const child = spawn(...inNamespace(server, process.execPath, node), { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const missing =
    process.getuid?.() === 0 ? await missingNginxReason() : 'only root can make network namespaces';
  if (missing !== null) throw new Error(missing);
  const { client: namespace, seconds = SECONDS, http3 = false } = values;
  if (namespace === undefined) {
    // Download nginx here, because the server's namespace has no access to the internet.
    if (http3) await ensureNginxOfTrixie((step) => console.error(step.task));
    const link = { congestionControl: values['congestion-control'] ?? 'reno', receiveBuffer: RECEIVE_BUFFER };
    await withVethLink(link, (server, client) =>
      rerun(server, ['--seconds', String(seconds), '--client', client, ...(http3 ? ['--http3'] : [])]),
    );
    return;
  }
  if (http3) return benchHttp3(namespace, seconds);
  const module = await ensureModule((step) => console.error(step.task));
  const folder = await mkdtemp(join(tmpdir(), 'nginx-bench-'));
  const [plain, secure] = [await freePort(), await freePort()];
  try {
    const { cert, key } = await selfSigned();
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    await writeFile(join(folder, 'film'), '');
    await truncate(join(folder, 'film'), (Math.max(...RATES_KBPS) / 8) * 1000 * seconds);
    const nginx = await startNginx({
      module,
      port: plain,
      http: `
          server {
            listen 127.0.0.1:${plain}; listen ${VETH.server}:${plain}; listen ${VETH.server}:${secure} ssl http2;
            ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
            root ${folder}; cmcd_pace on;
          }`,
    });
    const client = async (kind: string, rates: readonly number[]) => {
      const port = kind === 'http' ? plain : secure;
      const node = [process.execPath, '--import', 'tsx', here('nginx/client.ts')];
      const args = [kind, VETH.server, String(port), String(seconds), ...rates.map(String)];
      const said = await runQuietly('ip', ['netns', 'exec', namespace, ...node, ...args]);
      return JSON.parse(said) as Record<string, number>;
    };
    try {
      const rows: Record<string, Record<string, number>> = {};
      for (const kind of ['http', 'https', 'h2']) rows[kind] = rounded(await client(kind, RATES_KBPS));
      console.log('goodput over rtp, kbit/s, all rates at once');
      console.table(rows);
      console.log(
        'two streams of one HTTP/2 connection, each over its own rtp',
        rounded(await client('h2-shared', [2000, 18_000])),
      );
      for (const [kind, port] of [
        ['http', plain],
        ['https', secure],
        ['h2', secure],
      ] as const) {
        const [bursts] = await Promise.all([
          mostWithinMillisecond(port, seconds),
          client(kind, [BURST_RATE_KBPS]),
        ]);
        console.log(`${kind}: most within 1 ms at ${BURST_RATE_KBPS} kbit/s, bytes and packets`, bursts);
      }
    } finally {
      await nginx.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchHttp3(namespace: string, seconds: number): Promise<void> {
  const { nginx: program, curl } = await ensureNginxOfTrixie((step) => console.error(step.task));
  const module = await ensureModule((step) => console.error(step.task), { nginx: program });
  const folder = await mkdtemp(join(tmpdir(), 'nginx-bench-'));
  const port = await freePort();
  const inside = ['ip', 'netns', 'exec', namespace, ...curl];
  const asked = (rate_kbps: number) => ({
    url: `https://${VETH.server}:${port}/film?CMCD=rtp%3D${rate_kbps}`,
    headers: [['Range', `bytes=0-${(rate_kbps / 8) * 1000 * seconds - 1}`]] as const,
  });
  const over = (rates: readonly number[], responses: readonly CurlResponse[]) =>
    rounded(Object.fromEntries(rates.map((rate, index) => [rate, (responses[index]?.goodput ?? 0) / rate])));
  try {
    const { cert, key } = await selfSigned();
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    await writeFile(join(folder, 'film'), '');
    await truncate(join(folder, 'film'), (Math.max(...RATES_KBPS) / 8) * 1000 * seconds);
    const nginx = await startNginx({
      nginx: program,
      module,
      port,
      http: `server {
          listen 127.0.0.1:${port} ssl; listen ${VETH.server}:${port} quic;
          ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
          root ${folder}; cmcd_pace on;
        }`,
    });
    try {
      const apart = await Promise.all(RATES_KBPS.map((rate) => curlHttp3(inside, [asked(rate)])));
      console.log('goodput over rtp, kbit/s, all rates at once', over(RATES_KBPS, apart.flat()));
      const two = [2000, 18_000];
      const shared = await curlHttp3(inside, two.map(asked), { at_once: true });
      // curl reports transfers in the order in which they end.
      const sorted = shared.toSorted((a, b) => a.bytes - b.bytes);
      console.log('two streams of one connection, each over its own rtp', over(two, sorted));
      for (const rate of [BURST_RATE_KBPS, 2 * BURST_RATE_KBPS]) {
        const [bursts] = await Promise.all([
          mostWithinMillisecond(port, seconds),
          curlHttp3(inside, [asked(rate)]),
        ]);
        console.log(`most within 1 ms at ${rate} kbit/s, bytes and packets`, bursts);
      }
    } finally {
      await nginx.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rounded = (ratios: Record<string, number>) =>
  Object.fromEntries(Object.entries(ratios).map(([rate, ratio]) => [rate, Math.round(ratio * 1000) / 1000]));
