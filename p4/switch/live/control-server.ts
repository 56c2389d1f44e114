import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { LiveSwitch } from './live.ts';

const MAX_READ = 65_536;

/**
 * Serves the state of a running switch on loopback, as JSON: `/` returns its counts; `/register/NAME?from=0&count=1`
 * and `/counter/NAME/INDEX` read; `PUT /register/NAME?index=0&value=5` writes a register.
 */
export async function serveControl(device: LiveSwitch, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(device, request.method ?? 'GET', request.url ?? '/')
      .then((result) => {
        response.end(
          `${JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
        );
      })
      .catch((error: unknown) => {
        response.statusCode = 400;
        response.end(
          `${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`,
        );
      });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function answer(device: LiveSwitch, method: string, asked: string): Promise<unknown> {
  const url = new URL(asked, 'http://localhost');
  const [, what = '', name = '', index = '0'] = url.pathname.split('/');
  const number = (key: string, fallback: number): number => {
    const value = Number(url.searchParams.get(key) ?? fallback);
    if (!Number.isInteger(value) || value < 0) throw new Error(`${key} must be a whole number`);
    return value;
  };
  if (what === '') return device.status();
  if (what === 'register' && method === 'PUT') {
    await device.writeRegister(name, number('index', 0), BigInt(number('value', 0)));
    return { written: true };
  }
  if (what === 'register')
    return device.register(name, number('from', 0), Math.min(MAX_READ, number('count', 1)));
  if (what === 'counter') return device.counter(name, Number(index));
  throw new Error(`there is no '${what}'; ask for /, /register/NAME or /counter/NAME/INDEX`);
}
