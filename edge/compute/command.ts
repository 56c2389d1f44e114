import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { MOST_PORT, required, wholeNumber } from '../../system/command-line/parsers.ts';
import { ensureChain } from '../chain.ts';
import { firstEndingSignal } from '../../system/ending-signals.ts';
import { progressPrinter } from '../../system/progress.ts';
import { startVarnish } from '../vcl/varnish.ts';
import { checkReachable } from '../url-origin.ts';
import { ensureWasm } from './build.ts';
import { startViceroy } from './viceroy.ts';

const commandLine = defineCommandLine({
  command: 'npm run edge:compute --',
  usage: '--origin URL --port N [options]',
  about:
    "Builds the edge as a Fastly Compute service and serves it in Viceroy, Fastly's local server. The first time it installs both into the project's cache, which takes about ten minutes. Prints the service's log, one line per media request. Its config store is a JSON file, which can be edited while it runs: see docs/edge/operate.md.",
  options: {
    origin: {
      valueName: 'URL',
      about: 'the web server that has the content: http(s)://HOST[:PORT][/PATH]',
    },
    port: { valueName: 'N', about: 'where Viceroy listens, on 127.0.0.1', parse: wholeNumber(1, MOST_PORT) },
    'varnish-port': {
      valueName: 'N',
      about: 'also run Varnish before it, with edge/vcl/varnish.vcl, which paces its clients',
      parse: wholeNumber(1, MOST_PORT),
    },
    build: { about: 'only compile edge/compute/bin/main.wasm, as fastly compute publish does' },
    install: { about: 'only install and build all that this command and its tests need, Varnish included' },
  },
});
export const { help } = commandLine;

export async function main(args: string[]): Promise<void> {
  const options = commandLine.parse(args).values;
  const progress = progressPrinter();
  if (options.build) {
    const wasm = await ensureWasm(progress).finally(() => progress.end());
    console.log(wasm);
    return;
  }
  if (options.install) {
    const missing = await ensureChain(progress).finally(() => progress.end());
    if (missing !== null) throw new Error(missing);
    return;
  }
  const origin = required('origin', options.origin);
  const port = required('port', options.port);
  const varnishPort = options['varnish-port'];
  await checkReachable(origin);

  const viceroy = await startViceroy({
    origin,
    port,
    onLog: (line) => console.log(line),
    onProgress: progress,
  }).finally(() => progress.end());
  try {
    console.log(`serving ${origin} at ${viceroy.url}; its config store is ${viceroy.configFile}`);
    if (varnishPort === undefined) {
      await firstEndingSignal();
      return;
    }
    const varnish = await startVarnish({
      port: varnishPort,
      backendPort: viceroy.port,
      origin,
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
