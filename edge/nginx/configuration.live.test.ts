/**
 * The messages of nginx about a wrong configuration, a module of another version, and missing programs.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { describeWithNginx } from './live-nginx.ts';
import { missingNginxReason } from './module.ts';
import { findNginx } from './program.ts';
import { startNginx } from './server.ts';

describeWithNginx('configuration of the nginx module', (live) => {
  it('refuses a wrong configuration with one line', async () => {
    const refused = (directives: string) =>
      freePort().then((port) =>
        startNginx({ module: live.module, port, http: live.serveFiles(port, directives) }),
      );
    for (const value of ['0', '-1', '5x', '100000001', '99999999999999999999', '""']) {
      await expect(refused(`cmcd_pace on; cmcd_pace_floor ${value};`)).rejects.toThrow(
        /^nginx: cmcd_pace_floor is "[^"]*"; expected kbit\/s, a whole number from 1 to 100000000 in \S+:\d+$/,
      );
    }
    await expect(refused('cmcd_pace_floor 3000; cmcd_pace_ceiling 2000;')).rejects.toThrow(
      /^nginx: cmcd_pace_floor is 3000; expected at most cmcd_pace_ceiling, which is 2000 in \S+:\d+$/,
    );
    for (const value of [
      '',
      'nothing',
      'reno,reno',
      'paced=reno',
      'paced=reno,unpaced=',
      '"reno bbr"',
      're',
    ]) {
      await expect(refused(`cmcd_pace_congestion_control ${value || '""'};`)).rejects.toThrow(
        /^nginx: cmcd_pace_congestion_control is "[^"]*"; expected NAME or paced=NAME,unpaced=NAME, each NAME one of [a-z0-9_ -]+ \(net\.ipv4\.tcp_(available|allowed)_congestion_control\) in \S+:\d+$/,
      );
    }
    await expect(
      refused('cmcd_pace_congestion_control reno; cmcd_pace_congestion_control reno;'),
    ).rejects.toThrow(/^nginx: "cmcd_pace_congestion_control" directive is duplicate in \S+:\d+$/);
    await expect(refused('cmcd_pace maybe;')).rejects.toThrow(
      /^nginx: invalid value "maybe" in "cmcd_pace" directive, it must be "on" or "off" in \S+:\d+$/,
    );
    await expect(refused('cmcd_pace_ceiling 1; cmcd_pace_ceiling 2;')).rejects.toThrow(
      /^nginx: "cmcd_pace_ceiling" directive is duplicate in \S+:\d+$/,
    );
  });

  it('reports a module of another nginx version, a port in use, and missing headers', async () => {
    const foreign = join(live.directory, 'foreign.so');
    const bytes = await readFile(live.module);
    // ngx_module_t has nginx's version as a number: 1.22.1 is 1022001.
    const header = await readFile('/usr/share/nginx/src/src/core/nginx.h', 'utf8');
    const version = Number(/define nginx_version\s+(\d+)/.exec(header)?.[1]);
    const written = Buffer.alloc(8);
    written.writeBigUInt64LE(BigInt(version));
    const at = bytes.indexOf(written);
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt32LE(1_018_000, at);
    await writeFile(foreign, bytes);
    const port = await freePort();
    await expect(startNginx({ module: foreign, port, http: live.serveFiles(port) })).rejects.toThrow(
      new RegExp(`^nginx: module "${foreign}" version 1018000 instead of ${version} in `),
    );

    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    await expect(startNginx({ module: live.module, port, http: live.serveFiles(port) })).rejects.toThrow(
      `port ${port} is in use; choose another port`,
    );
    taken.close();

    expect(await missingNginxReason(findNginx(join(live.directory, 'nothing')))).toMatch(
      /^nginx's headers are not in \S+: sudo apt-get install nginx-dev/,
    );
  });
});
