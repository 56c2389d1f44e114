import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { collect, summary } from './collect.ts';
import { startCollector } from './collector.ts';
import { parseUdpDrops } from './kernel-drops.ts';
import { POSTCARD_BYTES } from './postcard.ts';

const host = '127.0.0.1';

function card(number: number): Buffer {
  const buffer = Buffer.alloc(POSTCARD_BYTES);
  buffer[0] = 1;
  buffer.writeUInt32BE(number, 84);
  return buffer;
}

async function sender(
  port: number,
): Promise<{ send: (datagram: Buffer) => Promise<void>; close: () => void }> {
  const socket = createSocket('udp4');
  // A closed collector refuses datagrams, which causes errors here.
  socket.on('error', () => undefined);
  socket.connect(port, host);
  await once(socket, 'connect');
  return {
    send: (datagram) => new Promise((resolve) => socket.send(datagram, () => resolve())),
    close: () => void socket.close(),
  };
}

test('receives postcards and counts invalid datagrams by reason', async () => {
  const numbers: number[] = [];
  const collector = await startCollector({ port: 0, host, onPostcard: ({ number }) => numbers.push(number) });
  const { send, close } = await sender(collector.port);
  const wrong = card(0);
  wrong[0] = 9;
  const reserved = card(0);
  reserved[1] = 0x40;
  for (const datagram of [card(10), Buffer.alloc(0), Buffer.alloc(3000), wrong, reserved, card(12)])
    await send(datagram);
  // A busy kernel delivers datagrams late.
  await vi.waitFor(() => expect(numbers).toEqual([10, 12]), 10_000);
  const stats = await collector.close();
  close();
  expect(stats).toMatchObject({
    received: 2,
    malformed: { length: 2, version: 1, reserved: 1 },
    lost: 1,
    droppedByKernel: 0,
  });
  expect(await collector.close()).toEqual(stats);
});

test('loses none of 5000 postcards that arrive while the process is busy', async () => {
  const collector = await startCollector({ port: 0, host, onPostcard: () => undefined });
  const { send, close } = await sender(collector.port);
  await Promise.all(Array.from({ length: 5000 }, (_, at) => send(card(at))));
  const arrived = (): number => collector.stats().received + collector.stats().droppedByKernel;
  await vi.waitFor(() => expect(arrived()).toBe(5000), 10_000);
  const { received, lost, receiveBufferBytes } = await collector.close();
  close();
  // Without root, the kernel may limit the buffer.
  if (receiveBufferBytes > 8e6) expect({ received, lost }).toEqual({ received: 5000, lost: 0 });
});

test('close receives waiting postcards, and ends although more are sent', async () => {
  const collector = await startCollector({ port: 0, host, onPostcard: () => undefined });
  const { send, close } = await sender(collector.port);
  await Promise.all(Array.from({ length: 100 }, (_, at) => send(card(at))));
  let sent = 100;
  const endless = setInterval(() => void send(card(sent++)));
  const { received } = await collector.close();
  clearInterval(endless);
  close();
  expect(received).toBeGreaterThanOrEqual(100);
  expect(sent).toBeGreaterThan(100);
});

describe('start errors', () => {
  test('the port is in use', async () => {
    const first = await startCollector({ port: 0, host, onPostcard: () => undefined });
    await expect(startCollector({ port: first.port, host, onPostcard: () => undefined })).rejects.toThrow(
      `postcards cannot be received at 127.0.0.1 port ${first.port}: another program has it`,
    );
    await first.close();
  });

  test('the address is not local', async () => {
    const start = startCollector({ port: 0, host: '192.0.2.1', onPostcard: () => undefined });
    await expect(start).rejects.toThrow('this machine does not have the address');
  });
});

test("counts the kernel's drops for the sockets of one port", () => {
  // proc_net_udp(5): sl, local and remote address, state, queues, timer, retransmissions, uid, timeout, inode, ...
  const line = (port: string, drops: number): string =>
    `  12: 0100007F:${port} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 999 2 0000000000000000 ${drops}`;
  const table = [
    '  sl  local_address rem_address ... drops',
    line('1F90', 7),
    line('1F91', 100),
    line('1F90', 1),
    '',
  ].join('\n');
  expect(parseUdpDrops(table, 8080)).toBe(8);
  expect(parseUdpDrops(table, 80)).toBe(0);
});

describe('npm run p4 -- collect', () => {
  test('keeps and counts the postcards that arrived before an interruption', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'p4-collect-'));
    const path = join(folder, 'cards.csv');
    const probe = await startCollector({ port: 0, onPostcard: () => undefined });
    const { port } = probe;
    await probe.close();
    try {
      const interrupt = new AbortController();
      const running = collect(port, path, interrupt.signal);
      const { send, close } = await sender(port);
      // The file is created after the port is open.
      await vi.waitFor(() => expect(existsSync(path)).toBe(true), 5000);
      for (const datagram of [card(1), card(2), Buffer.alloc(1)]) await send(datagram);
      // Wait, because a busy kernel delivers datagrams late, and the process does not report their arrival.
      await new Promise((resolve) => setTimeout(resolve, 200));
      interrupt.abort();
      const stats = await running;
      close();
      expect(summary(stats)).toMatch(/^2 received, 0 lost .*, 1 malformed \(1 of another length/);
      expect(
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => /^[0-9]/.test(line)),
      ).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('fails with a reason if the file cannot be written', async () => {
    const never = new AbortController().signal;
    await expect(collect(0, '/dev/null/x', never)).rejects.toThrow(
      "the file '/dev/null/x' cannot be written",
    );
  });
});
