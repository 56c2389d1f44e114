import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { MOST_PORT, required, wholeNumber } from '../../system/command-line/parsers.ts';
import { firstEndingSignal } from '../../system/ending-signals.ts';
import { progressPrinter } from '../../system/progress.ts';
import { checkReachable } from '../url-origin.ts';
import { ONLY_READING, paceDirectives, proxyTo } from './location.ts';
import { ensureModule, ensureNginx } from './module.ts';
import { startNginx } from './server.ts';

const commandLine = defineCommandLine({
  command: 'npm run edge:nginx --',
  usage: '--origin DIR|URL --port N [options]',
  about:
    "Compiles ngx_http_cmcd_pace_module for this machine's nginx, and serves content through it on 127.0.0.1. It needs nginx and its headers, Debian's nginx and nginx-dev: as root it installs them. See docs/edge/nginx.md.",
  options: {
    origin: {
      valueName: 'DIR|URL',
      about: 'a folder, or the web server that has the content: http(s)://HOST[:PORT]',
    },
    port: { valueName: 'N', about: 'where nginx listens, on 127.0.0.1', parse: wholeNumber(1, MOST_PORT) },
    'floor-kbps': { valueName: 'N', about: 'no pace below this' },
    'ceiling-kbps': { valueName: 'N', about: 'no pace above this' },
    pacing: { valueName: 'on|off', about: 'off: everything is served unpaced' },
    build: { about: 'only compile; prints where the module is, for load_module' },
    install: {
      about: 'only install nginx, its headers and a compiler with apt, as root, then compile',
    },
  },
});
export const { help } = commandLine;

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const serving = !values.build && !values.install;
  const origin = serving ? await readOrigin(required('origin', values.origin)) : '';
  const port = serving ? required('port', values.port) : 0;

  const progress = progressPrinter();
  const prepare = async (): Promise<string> => {
    const missing = await ensureNginx(progress);
    if (missing !== null) throw new Error(missing);
    return ensureModule(progress);
  };
  const module = await prepare().finally(() => progress.end());
  if (!serving) {
    console.log(module);
    return;
  }

  const directives = paceDirectives({
    ...(values['floor-kbps'] !== undefined && {
      floor_kbps: values['floor-kbps'],
    }),
    ...(values['ceiling-kbps'] !== undefined && {
      ceiling_kbps: values['ceiling-kbps'],
    }),
    ...(values.pacing !== undefined && { pacing: values.pacing }),
  });
  const nginx = await startNginx({
    module,
    port,
    onLine: (line) => console.error(line),
    http: `
      log_format pace '$request_method $uri $status $body_bytes_sent B, asked $cmcd_pace_asked_kbps kbit/s, '
                      'paced $cmcd_pace_kbps kbit/s: $cmcd_pace_reason';
      access_log {folder}/access.log pace;
      server { listen 127.0.0.1:${port}; ${directives} ${origin} }`,
  });
  console.log(`serving ${values.origin} at http://127.0.0.1:${port}; its log is ${nginx.folder}/access.log`);
  await firstEndingSignal();
  await nginx.close();
}

async function readOrigin(origin: string): Promise<string> {
  if (/^https?:\/\//.test(origin)) {
    await checkReachable(origin);
    return proxyTo(origin.replace(/\/+$/, ''));
  }
  if (!existsSync(origin))
    throw new Error(`--origin is '${origin}', which does not exist; give a folder or a URL`);
  if (/["$\\]/.test(origin))
    throw new Error(`--origin is '${origin}'; nginx does not support folder names with ", $ or \\`);
  return `root "${resolve(origin)}"; location / { ${ONLY_READING} }`;
}
