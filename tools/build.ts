import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const help = `
npm run build

Builds the plug-in into dist/: ES module, CommonJS, UMD for a script tag, and type declarations.
`;

const root = fileURLToPath(new URL('..', import.meta.url));

export async function main(): Promise<void> {
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  const tsc = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    { cwd: root, stdio: 'inherit' },
  );
  if (tsc.status !== 0) throw new Error('the type declarations could not be built; see the errors above');
}
