import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOwnFolder, startProgram } from '../../system/background-program.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { findNginx, type NginxProgram } from './program.ts';

/** The file that proxied locations include. */
export const PROXY_CONF = fileURLToPath(new URL('proxy.conf', import.meta.url));

export interface NginxOptions {
  readonly module: string;
  /** The text within `http { }`. `{folder}` is replaced by a folder that exists while nginx runs. */
  readonly http: string;
  /** The port on which nginx must listen before `startNginx` resolves. */
  readonly port: number;
  readonly workers?: number;
  /** The nginx to run. By default, this machine's nginx. */
  readonly nginx?: NginxProgram;
  /** Directives of the main context. */
  readonly main?: string;
  /** A library to load first: libasan, for a module that is built with AddressSanitizer. */
  readonly preload?: string;
  readonly onLine?: (line: string) => void;
}

export interface Nginx {
  readonly pid: number;
  readonly folder: string;
  /** Starts new workers with this configuration. The old workers finish their responses. */
  reload(http?: string): Promise<void>;
  close(): Promise<void>;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Runs nginx in the foreground with the module, on loopback and in its own folder. Throws a one-line Error if the
 * configuration is invalid, the module is for another nginx, or the port is in use.
 */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { command: nginx } = options.nginx ?? findNginx() ?? {};
  if (nginx === undefined) throw new Error('nginx is not installed');
  await checkFree(options.port);
  return inOwnFolder('nginx', async (folder) => {
    const file = join(folder, 'nginx.conf');
    const args = ['-p', folder, '-c', file, '-e', 'stderr'];
    const configure = async (http: string): Promise<void> => {
      await writeFile(file, configuration({ ...options, http }, folder));
      await checkConfiguration(nginx, args, options.preload);
    };
    await configure(options.http);
    const { port, onLine } = options;
    const program = await startProgram(...createCommand(options.preload, nginx, args), {
      port,
      ...(onLine && { onLine }),
    });
    return {
      ...program,
      folder,
      async reload(http = options.http) {
        await configure(http);
        process.kill(program.pid, 'SIGHUP');
      },
    };
  });
}

/**
 * Returns the command. setpriv makes the kernel kill nginx if this process ends. setpriv and env replace themselves by
 * nginx, so the child's process id is nginx's.
 */
const createCommand = (
  preload: string | undefined,
  nginx: readonly string[],
  args: string[],
): [string, string[]] => [
  'setpriv',
  [
    '--pdeathsig=TERM',
    ...(preload === undefined ? [] : ['env', `LD_PRELOAD=${preload}`, 'ASAN_OPTIONS=detect_leaks=0']),
    ...nginx,
    ...args,
  ],
];

function configuration({ module, http, main = '', workers = 1 }: NginxOptions, folder: string): string {
  return `
daemon off;
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_processes ${workers};
${process.getuid?.() === 0 ? 'user root;' : ''}
load_module ${module};
${main}
events { worker_connections 4096; }
http {
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  sendfile on;
  types { video/mp4 mp4 m4s; audio/mp4 m4a; application/dash+xml mpd; text/plain txt; }
  default_type application/octet-stream;
  ${http.replaceAll('{folder}', folder)}
}
`;
}

async function checkConfiguration(nginx: readonly string[], args: string[], preload?: string): Promise<void> {
  const [program, all] = createCommand(preload, nginx, [...args, '-t', '-q']);
  const said = await runQuietly('sh', ['-c', '"$@" 2>&1 || true', 'sh', program, ...all]);
  const complaint = said.split('\n').find((line) => line.includes('[emerg]'));
  if (complaint !== undefined)
    throw new Error(`nginx: ${complaint.replace(/^.*\[emerg\] (\d+#\d+: )?/, '')}`);
}

async function checkFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    throw new Error(`port ${port} is in use; choose another port`);
  }
  server.close();
  await once(server, 'close');
}
