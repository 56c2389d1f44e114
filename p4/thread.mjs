// Registers the TypeScript loader: a worker thread does not inherit it from the main thread.
import { workerData } from 'node:worker_threads';

if (workerData.module.endsWith('.ts')) (await import('tsx/esm/api')).register();
await import(workerData.module);
