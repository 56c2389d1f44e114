import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { nodeRequest, originForm } from './node-request.ts';

it.each([
  [['Host: a'], 'http://a/1.m4s'],
  [['Host: a', 'HOST: a'], 'the request has two Host lines'],
  [['Host: a', 'Host: b'], 'the request has two Host lines'],
])('converts a request with %j', async (lines, expected) => {
  const server = createServer((message, response) => {
    let outcome: string;
    try {
      outcome = nodeRequest(message, new AbortController().signal).url;
    } catch (error) {
      outcome = error instanceof Error ? error.message : String(error);
    }
    response.end(outcome);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  client.write(`${['GET /1.m4s HTTP/1.1', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  let text = '';
  for await (const chunk of client) text += String(chunk);
  expect(text.split('\r\n\r\n')[1]).toBe(expected);
  server.close();
});

it('creates a failing body for a request whose client has disconnected', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"v');
  const [message] = (await once(server, 'request')) as [IncomingMessage];
  client.destroy();
  await new Promise((resolve) => message.once('close', resolve).on('error', () => undefined));
  const { body } = nodeRequest(message, new AbortController().signal);
  await expect(body?.getReader().read()).rejects.toThrow('the client has gone');
  server.close();
});

it.each([
  ['http://user:secret@edge/1.m4s?a=1', '/1.m4s?a=1'],
  ['ftp://user:secret@edge', '/'],
  ['HTTP://a', '/'],
  ['/1.m4s?u=http://a@b/', '/1.m4s?u=http://a@b/'],
  ['*', '*'],
])('reduces the target %s to %s, also for the log', (url, expected) => {
  expect(originForm({ url })).toBe(expected);
});
