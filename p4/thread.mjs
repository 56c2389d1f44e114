// Registers the TypeScript loader, because a worker thread does not inherit the loader of the main thread.
import { workerData } from 'node:worker_threads';

if (workerData.module.endsWith('.ts')) (await import('tsx/esm/api')).register();
await import(workerData.module);
