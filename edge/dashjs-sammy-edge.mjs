#!/usr/bin/env node
// What `npx dashjs-sammy-edge` runs. The package has the built edge. A checkout may have none, or an old one, so that there the
// edge runs from source, as by `npm run edge`.
import { existsSync } from 'node:fs';

if (existsSync(new URL('build.ts', import.meta.url))) {
  process.argv.splice(2, 0, 'edge');
  await import(new URL('../tools/run.mjs', import.meta.url).href);
} else {
  await import(new URL('dist/main.js', import.meta.url).href);
}
