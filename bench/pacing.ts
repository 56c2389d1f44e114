import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { kbps, type Kbps } from '../src/units.ts';
import { timedGet, type TimedResponse } from '../edge/testing/timed-get.ts';

/**
 * Size of an object: a few seconds of video at a top rung's bitrate, and much more than loopback's unpaced first 640
 * kB.
 */
const OBJECT_BYTES = 4_000_000;

interface BenchServer {
  readonly get: (rtp: Kbps | null, agent: Agent) => Promise<TimedResponse>;
  /** CPU seconds (user and system) that the server process has used so far. */
  readonly cpu: () => Promise<number>;
}

async function withServer<Result>(congestionControl: string, use: (server: BenchServer) => Promise<Result>) {
  const file = fileURLToPath(new URL('pacing-server.ts', import.meta.url));
  const child = fork(file, [String(OBJECT_BYTES), congestionControl], { stdio: 'inherit' });
  const exited = once(child, 'exit').then(failed);
  exited.catch(() => undefined);
  const message = async () => {
    const [value] = (await Promise.race([once(child, 'message'), exited])) as [unknown];
    return value;
  };
  try {
    const url = String(await message());
    return await use({
      get: (rtp, agent) => timedGet(`${url}/1.m4s${rtp === null ? '' : `?CMCD=rtp%3D${rtp}`}`, { agent }),
      cpu: () => {
        child.send('cpu');
        return message().then(Number);
      },
    });
  } finally {
    if (child.connected) child.disconnect();
    await exited.catch(() => undefined);
  }
}

const failed = (): never => {
  throw new Error('the server of the benchmark ended; what it printed above says why');
};

export interface PacingAccuracy {
  readonly rtp_kbps: Kbps;
  /** Goodput at the client after the first megabyte. */
  readonly goodput_kbps: Kbps;
  /** Goodput divided by rtp. The target is 0.95 to 1.03. */
  readonly ratio: number;
}

/**
 * Measures how closely the kernel keeps to `rtp` for objects of 4 MB. All downloads run at once, each on a new
 * connection, and together take 87 Mbit/s, a few percent of loopback's capacity. The measurement takes 16 s, the
 * duration of the slowest download.
 */
export function benchPacing({ congestionControl = '' } = {}): Promise<PacingAccuracy[]> {
  const rates = [2000, 5000, 10_000, 20_000, 50_000].map(kbps);
  return withServer(congestionControl, ({ get }) =>
    Promise.all(
      rates.map(async (rtp_kbps) => {
        const agent = new Agent();
        const { goodput } = await get(rtp_kbps, agent);
        agent.destroy();
        const goodput_kbps = goodput ?? kbps(0);
        return { rtp_kbps, goodput_kbps, ratio: goodput_kbps / rtp_kbps };
      }),
    ),
  );
}

export interface PacingCost {
  readonly paced_cpu_s_per_gb: number;
  readonly unpaced_cpu_s_per_gb: number;
  /** CPU time of paced sending divided by CPU time of unpaced sending. */
  readonly ratio: number;
  /** Number of bytes sent with pacing; as many are sent without. */
  readonly bytes: number;
  readonly rtp_kbps: Kbps;
}

const CONNECTIONS = 40;
const ROUNDS = 3;

/**
 * Measures the CPU time (user and system) that the server process uses per GB. It sends the same objects over as many
 * connections, in turns paced at 10 Mbit/s each and unpaced. Part of the cost is not measured, because the kernel charges
 * the interrupts of its pacing timers to whichever process is running. The congestion control is Reno, because bbr, the
 * default of some kernels, would pace the unpaced connections too.
 */
export function benchCost({ congestionControl = 'reno' } = {}): Promise<PacingCost> {
  const rtp_kbps = kbps(10_000);
  return withServer(congestionControl, async ({ get, cpu }) => {
    const round = async (rtp: Kbps | null) => {
      const before = await cpu();
      // Use new connections each time, because a connection that was paced before keeps sending in small bursts.
      const agent = new Agent({ maxSockets: CONNECTIONS });
      await Promise.all(Array.from({ length: CONNECTIONS }, () => get(rtp, agent)));
      agent.destroy();
      return (await cpu()) - before;
    };
    await round(null);
    let [paced, unpaced] = [0, 0];
    for (let count = 0; count < ROUNDS; count++) {
      unpaced += await round(null);
      paced += await round(rtp_kbps);
    }
    const bytes = ROUNDS * CONNECTIONS * OBJECT_BYTES;
    return {
      paced_cpu_s_per_gb: paced / (bytes / 1e9),
      unpaced_cpu_s_per_gb: unpaced / (bytes / 1e9),
      ratio: paced / unpaced,
      bytes,
      rtp_kbps,
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  console.table(
    (await benchPacing()).map((row) => ({
      ...row,
      goodput_kbps: Math.round(row.goodput_kbps),
      ratio: round(row.ratio),
    })),
  );
  const { paced_cpu_s_per_gb, unpaced_cpu_s_per_gb, ratio } = await benchCost();
  console.table(
    [{ paced_cpu_s_per_gb, unpaced_cpu_s_per_gb, ratio }].map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)])),
    ),
  );
}
