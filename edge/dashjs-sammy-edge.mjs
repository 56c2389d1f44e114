#!/usr/bin/env node
// The program of the package `dashjs-sammy-edge`.
import { existsSync } from 'node:fs';

if (existsSync(new URL('build.ts', import.meta.url))) {
  process.argv.splice(2, 0, 'edge');
  await import(new URL('../tools/run.mjs', import.meta.url).href);
} else {
  await import(new URL('dist/main.js', import.meta.url).href);
}
