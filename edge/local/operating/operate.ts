import { once } from 'node:events';
import { printMetrics } from './metrics.ts';
import { startOperatorServer, type OperatorServer } from './operator-server.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';
import { summaryOf } from './snapshot.ts';

/** Serves health and metrics, if asked for, until the process gets a signal to end and the service has ended. */
export async function operate(service: Service, { operator, drain }: Settings): Promise<void> {
  let isDraining = false;
  let server: OperatorServer | undefined;
  const { host, port } = operator;
  // Without a listener, a further signal would kill the process before it has said what was under way.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const lack = () => (isDraining ? 'draining' : service.isServing() ? null : 'no worker serves');
  try {
    if (port !== undefined) {
      const metrics = () => printMetrics(service.snapshot());
      server = await startOperatorServer({ host, port, lack, metrics });
      console.log(`/healthz and /metrics at ${server.url}`);
    }
    const drained = once(process, 'SIGTERM').then(() => {
      isDraining = true;
      return Promise.race([service.drain(drain), once(process, 'SIGTERM')]);
    });
    await Promise.race([once(process, 'SIGINT'), drained]);
  } finally {
    await service.close();
    server?.close();
  }
  console.log(summaryOf(service.snapshot()));
}
