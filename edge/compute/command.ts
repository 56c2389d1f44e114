import { parseOptions } from '../../system/command-line/parse-options.ts';
import { ensureChain } from '../chain.ts';
import { firstEndingSignal } from '../../system/ending-signals.ts';
import { progressPrinter } from '../../system/progress.ts';
import { startVarnish } from '../vcl/varnish.ts';
import { checkReachable } from '../url-origin.ts';
import { ensureWasm } from './build.ts';
import { startViceroy } from './viceroy.ts';

export const help = `
npm run edge:compute -- --origin URL --port N [--varnish-port N]
npm run edge:compute -- --build
npm run edge:compute -- --install

Builds the edge as a Fastly Compute service and serves it in Viceroy, Fastly's local server. The first time it
installs both into the project's cache, which takes about ten minutes. Prints the service's log, one line per
media request. Its config store is a JSON file, which can be edited while it runs: see docs/edge/operate.md.

  --origin URL        the web server that has the content: http(s)://HOST[:PORT][/PATH]
  --port N            where Viceroy listens, on 127.0.0.1
  --varnish-port N    also run Varnish before it, with edge/vcl/varnish.vcl, which paces its clients
  --build             only compile edge/compute/bin/main.wasm, as fastly compute publish does
  --install           only install and build all that this command and its tests need, Varnish included
`;

export async function main(args: string[]): Promise<void> {
  const options = parseOptions({
    args,
    options: {
      origin: { type: 'string' },
      port: { type: 'string' },
      'varnish-port': { type: 'string' },
      build: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
    },
  }).values;
  const progress = progressPrinter();
  if (options.build) {
    const wasm = await ensureWasm(progress).finally(() => progress.end());
    console.log(wasm);
    return;
  }
  if (options.install) {
    const lack = await ensureChain(progress).finally(() => progress.end());
    if (lack !== null) throw new Error(lack);
    return;
  }
  if (options.origin === undefined) throw new Error('--origin is missing; give an http(s) URL');
  const port = readPort('--port', options.port);
  const varnishPort = options['varnish-port'] && readPort('--varnish-port', options['varnish-port']);
  await checkReachable(options.origin);

  const viceroy = await startViceroy({
    origin: options.origin,
    port,
    onLog: (line) => console.log(line),
    onProgress: progress,
  }).finally(() => progress.end());
  try {
    console.log(`serving ${options.origin} at ${viceroy.url}; its config store is ${viceroy.configFile}`);
    if (!varnishPort) {
      await firstEndingSignal();
      return;
    }
    const varnish = await startVarnish({
      port: varnishPort,
      backendPort: viceroy.port,
      origin: options.origin,
      onProgress: progress,
    }).finally(() => progress.end());
    console.log(`paced by Varnish at ${varnish.url}`);
    try {
      await firstEndingSignal();
    } finally {
      await varnish.close();
    }
  } finally {
    await viceroy.close();
  }
}

function readPort(option: string, text: string | undefined): number {
  const port = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new Error(
      `${option} is ${text === undefined ? 'missing' : `'${text}'`}; give a number from 1 to 65535`,
    );
  }
  return port;
}
