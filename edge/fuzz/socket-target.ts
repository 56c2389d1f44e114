import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler } from '../handler.ts';
import { directoryOrigin } from '../local/directory-origin.ts';
import { startEdge, type ResponseEvent } from '../local/server.ts';
import { timedGet } from '../testing/timed-get.ts';
import { paceLimits } from '../policy.ts';
import { fetchAsSent } from '../local/fetch-as-sent.ts';
import { urlOrigin } from '../url-origin.ts';
import { mountOrigins } from '../via.ts';

const SECRET = 'nobody may read this';
/**
 * Clients measure time in steps of 5 ms, or of one turn of the event loop if that takes longer. The edge runs in the same
 * process. If a busy machine suspends the process, that pause counts as one step, so a client does not leave before the
 * edge could respond.
 */
const STEP_MS = 5;
const toSteps = (time_ms: number): number => time_ms / STEP_MS;
/**
 * A client closes its side when it has received nothing for this long. The edge must then close the connection before
 * the deadline.
 */
const QUIET_STEPS = toSteps(500);
/** The time within which responses to further pipelined requests follow the first response, if at all. */
const QUIET_AFTERWARDS_STEPS = toSteps(30);
const DEADLINE_MS = 10_000;

export interface SocketTarget {
  /** Sends the bytes and checks the response. Resolves to the response; throws an Error that describes a defect. */
  tryInput(input: string): Promise<string>;
  /**
   * Checks that no forbidden server was contacted, and that another client is served unpaced. Call it between inputs.
   */
  tryWitness(): Promise<void>;
  /** Returns the number of connections that are still open although all clients have closed theirs. */
  leftOpen(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a local edge with files, a secret file outside of its folder, an allowed origin, and a server that it must
 * never contact.
 */
export async function startSocketTarget(): Promise<SocketTarget> {
  const directory = await mkdtemp(join(tmpdir(), 'edge-fuzz-'));
  const root = join(directory, 'root');
  await mkdir(join(root, 'film'), { recursive: true });
  await writeFile(join(directory, 'secret.txt'), SECRET);
  await writeFile(join(root, '.hidden'), SECRET);
  await symlink(join(directory, 'secret.txt'), join(root, 'link.txt'));
  for (const name of ['1.m4s', 'film/2.m4s']) await writeFile(join(root, name), Buffer.alloc(2000, 'm'));

  let trespasses = 0;
  const canary = await listening(
    createServer((_, response) => {
      trespasses += 1;
      response.end(SECRET);
    }),
  );
  const allowed = await listening(
    createServer((request, response) => {
      const away = request.url === '/redirect';
      response.writeHead(away ? 302 : 200, away ? { Location: `http://${canary.host}/x` } : {});
      response.end('allowed');
    }),
  );
  const warnings: string[] = [];
  const responses: ResponseEvent[] = [];
  const edge = await startEdge({
    handler: createHandler({
      origin: mountOrigins({
        main: await directoryOrigin(root),
        allowed: [`http://${allowed.host}`],
        setting: '--allow-origin',
        open: (url) => urlOrigin(url, { fetch: fetchAsSent }),
      }),
      limits: paceLimits(),
    }),
    onWarning: (line) => warnings.push(line),
    onResponse: (event) => {
      if (event.url === '/film/2.m4s?witness') responses.push(event);
    },
  });
  const witness = new Agent({ keepAlive: true, maxSockets: 1 });

  return {
    async tryInput(input) {
      const words = input.replaceAll('{canary}', canary.host).replaceAll('{allowed}', allowed.host);
      return checkHeard(await converse(edge.port, words));
    },

    async tryWitness() {
      const answer = await timedGet(`${edge.url}/film/2.m4s?witness`, { agent: witness });
      if (answer.status !== 200 || answer.bytes !== 2000) throw new Error('another client is not served');
      while (responses.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const seen = responses.pop();
      if (seen?.pace_kbps !== null || (seen.tcp && seen.tcp.max_pacing_rate !== null)) {
        throw new Error('another client is served slowly');
      }
      if (trespasses > 0) throw new Error('the edge contacted a forbidden server');
      if (warnings.length > 0) throw new Error(`the edge warned: ${warnings.splice(0).join('; ')}`);
    },

    async leftOpen() {
      witness.destroy();
      const deadline = performance.now() + DEADLINE_MS;
      while (edge.stats.connections > 0 && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return edge.stats.connections;
    },

    async close() {
      witness.destroy();
      await edge.close();
      for (const { server } of [canary, allowed]) {
        server.closeAllConnections();
        server.close();
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function listening(server: Server): Promise<{ server: Server; host: string }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/**
 * Sends the bytes, reads until nothing more arrives, and closes the client's side. Rejects if the edge does not close
 * the connection.
 */
function converse(port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const heard: Buffer[] = [];
    let steps = 0;
    let leavesAt = QUIET_STEPS;
    const clock = setInterval(() => {
      steps += 1;
      if (steps === leavesAt) socket.end();
      if (steps < toSteps(DEADLINE_MS)) return;
      socket.destroy();
      reject(new Error(`the connection is still open ${DEADLINE_MS / 1000} s after its client left`));
    }, STEP_MS);
    socket.on('data', (chunk) => {
      heard.push(chunk);
      leavesAt = steps + QUIET_AFTERWARDS_STEPS;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(clock);
      resolve(Buffer.concat(heard).toString('latin1'));
    });
    socket.write(Buffer.from(words, 'utf8'));
  });
}

function checkHeard(heard: string): string {
  if (heard === '') return heard;
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1];
  if (status === undefined) throw new Error(`the answer begins with ${JSON.stringify(heard.slice(0, 40))}`);
  if (heard.includes(SECRET)) throw new Error('the response contains the secret');
  for (const head of heard.split(/^(?=HTTP\/1\.1 )/m)) {
    const lines = head.split('\r\n\r\n', 1)[0] ?? '';
    if (/^x-(injected|sammy)/im.test(lines)) throw new Error('a header was injected');
  }
  return heard;
}
