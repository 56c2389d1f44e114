import { runQuietly } from '../../system/run-quietly.ts';
import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../p4/switch/live/missing-live-reason.ts';
import { buildTransport, crateFolder, missingToolchain, targetFolder } from '../../transport/build.ts';
import { compareOverUdp, formatTable } from './over-udp.ts';

const missing = missingToolchain();
const missingReason = missing ?? missingLiveReason();
const skipped = missingReason === undefined ? '' : ` (skipped: ${missingReason})`;
const BUILD_MS = 20 * 60_000;

describe.skipIf(missing)(`the crate${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  const cargo = async (...args: string[]) =>
    await runQuietly('cargo', args, {
      cwd: crateFolder,
      env: { ...process.env, CARGO_TARGET_DIR: targetFolder() },
    });

  it(
    'passes its own tests',
    async () => {
      expect(await cargo('test', '--release', '--locked', '--quiet')).toMatch(
        /test result: ok\. [1-9]\d* passed/,
      );
    },
    BUILD_MS,
  );

  it('is formatted', async () => {
    await cargo('fmt', '--check');
  });

  it(
    'has no warnings',
    async () => await cargo('clippy', '--all-targets', '--locked', '--quiet', '--', '-D', 'warnings'),
    BUILD_MS,
  );
});

describe.skipIf(missingReason)(`over UDP${skipped}`, () => {
  it(
    'has about the same throughput as in virtual time',
    async () => {
      const program = await buildTransport(() => undefined);
      const asked = { program, controller: 'indigo', seconds: 10 };
      const table = formatTable(await compareOverUdp(asked, () => undefined));
      expect(Number(/^(\d+) of 10 within/m.exec(table)?.[1]), table).toBeGreaterThanOrEqual(8);
    },
    BUILD_MS,
  );
});
