import { describe, expect, it } from 'vitest';
import { startLabProgram } from './program.ts';

describe('startLabProgram', () => {
  it('reports why a program cannot be started', async () => {
    const program = startLabProgram(
      ['no-such-command'],
      new URL('../../player/neighbors/udp/udp-sender.ts', import.meta.url),
    );
    await expect(program.expect('listening', 5)).rejects.toThrow(
      'udp-sender.ts ended early: spawn no-such-command ENOENT',
    );
    await program.stop();
  });

  it('reports why a program ended', async () => {
    const program = startLabProgram(
      [],
      new URL('../../player/neighbors/http/http-client.ts', import.meta.url),
      ['http://127.0.0.1:1'],
    );
    await expect(program.expect('ready', 10)).rejects.toThrow(
      /^http-client\.ts ended early: Error: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    );
  });

  it('stops waiting after the time limit', async () => {
    const program = startLabProgram([], new URL('../../player/neighbors/udp/udp-sender.ts', import.meta.url));
    await program.expect('listening', 10);
    await expect(program.expect('sent', 0.05)).rejects.toThrow(
      "udp-sender.ts did not send 'sent' within 0.05 s",
    );
    await program.stop();
    program.send({ type: 'stop' });
    await expect(program.expect('sent', 5)).rejects.toThrow('udp-sender.ts ended early: exit status 0');
  });
});
