import { onEndingSignal } from '../../../system/ending-signals.ts';
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
  let terms = 0;
  const ended = new Promise<void>((resolve, reject) => {
    // The listeners stay: a further signal must not kill the process before it has said what was under way.
    onEndingSignal((signal) => {
      if (signal === 'SIGTERM') terms += 1;
      if (signal === 'SIGINT' || terms > 1) {
        resolve();
        return;
      }
      // A terminal that closes may send several SIGHUP, and npm's launcher then a SIGTERM: none of these hurries.
      if (isDraining) return;
      isDraining = true;
      service.drain(drain).then(resolve, reject);
    });
  });
  const lack = () => (isDraining ? 'draining' : service.isServing() ? null : 'no worker serves');
  try {
    if (port !== undefined) {
      const metrics = () => printMetrics(service.snapshot());
      server = await startOperatorServer({ host, port, lack, metrics });
      console.log(`/healthz and /metrics at ${server.url}`);
    }
    await ended;
  } finally {
    await service.close();
    server?.close();
  }
  console.log(summaryOf(service.snapshot()));
}
