import { expect, it, describe } from 'vitest';
import { transferInside, findTransferProblem } from './check-machine.ts';
import { findKernel } from './ensure-kernel.ts';
import { DEFAULT_KERNEL } from './kernels.ts';
import { runInside } from './run-inside.ts';

it('rejects a transfer that is faster than the link, or much slower', () => {
  // Without headers, 40 Mbit/s are 40 x 1448 / 1514 = 38.26 Mbit/s.
  expect(findTransferProblem({ ms: 4185, mbps: 38.2 })).toBeNull();
  expect(findTransferProblem({ ms: 4180, mbps: 38.3 })).toContain('expected 37.7 to 38.26');
  expect(findTransferProblem({ ms: 4300, mbps: 37.2 })).toContain('at 37.20 Mbit/s');
});

const kernel = findKernel(DEFAULT_KERNEL);

// Skipped if the kernel has not been built (`npm run lab -- machine`), because that takes minutes.
describe.skipIf(kernel === undefined)('a machine whose clock is virtual', () => {
  const inside = async (script: string, options: Parameters<typeof runInside>[2] = {}) => {
    const printed = { stdout: '', stderr: '' };
    const ended = await runInside(kernel ?? '', ['sh', '-c', script], {
      ...options,
      onOutput: (stream, chunk) => (printed[stream] += chunk.toString()),
    });
    return { ...ended, ...printed };
  };

  it("waits ten hours within seconds, and returns the command's output and exit status", async () => {
    const ended = await inside('date +%s; sleep 36000; date +%s; echo no >&2; exit 3', {
      start_s: 1_000_000_000,
    });
    expect(ended).toMatchObject({ status: 3, stderr: 'no\n' });
    const [began = 0, later = 0] = ended.stdout.trim().split('\n').map(Number);
    expect(Math.abs(began - 1_000_000_000)).toBeLessThan(5);
    expect(later - began).toBe(36_000);
  }, 120_000);

  it('gives the command its folder, environment and arguments', async () => {
    const ended = await inside('pwd; echo "$FILM"; echo out | wc -l', {
      cwd: '/usr',
      env: { FILM: "a b's\n" },
    });
    expect(ended.stdout).toBe("/usr\na b's\n\n1\n");
  }, 120_000);

  it('has the same random numbers each time, even after its kernel has reseeded', async () => {
    const numbers = () => inside('for at in 1 2 3; do od -An -N8 -tx1 /dev/urandom; sleep 2; done');
    const { stdout } = await numbers();
    expect(new Set(stdout.trim().split('\n')).size).toBe(3);
    expect((await numbers()).stdout).toBe(stdout);
  }, 120_000);

  it('transfers at the same, calculated rate each time', async () => {
    const first = await transferInside(kernel ?? '');
    expect(findTransferProblem(first)).toBeNull();
    const second = await transferInside(kernel ?? '');
    expect(Math.abs(second.ms / first.ms - 1)).toBeLessThan(0.001);
  }, 240_000);

  it('reports a busy loop that waits for time to pass, and a command that does not end', async () => {
    await expect(inside('while :; do :; done', { standstill_cpu_s: 5 })).rejects.toThrow(
      "the machine's clock has stood still",
    );
    await expect(inside('sleep infinity', { within_s: 600 })).rejects.toThrow(
      "had not ended when the machine's clock had gone on by 600 s",
    );
  }, 240_000);

  it("reports the kernel's output if it does not start", async () => {
    await expect(inside('true', { memory_mib: 1 })).rejects.toThrow("the machine's kernel did not start");
  }, 120_000);
});
