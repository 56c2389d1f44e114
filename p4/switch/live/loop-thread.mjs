// A thread knows TypeScript only if it is told, whatever runs the main one.
import { register } from 'tsx/esm/api';

register();
await import('./loop.ts');
