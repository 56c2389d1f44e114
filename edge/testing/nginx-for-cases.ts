import { freePort } from '../../system/free-port.ts';
import { paceDirectives, proxyTo } from '../nginx/location.ts';
import { ensureModule } from '../nginx/module.ts';
import type { NginxProgram } from '../nginx/program.ts';
import { startNginx, type Nginx } from '../nginx/server.ts';
import { originUrl } from './case-origin.ts';
import { paceCases } from './pace-cases.ts';

/** Starts nginx with a server for each configuration of edge/cases.json, and writes their ports into `ports`. */
export async function startNginxForCases(
  ports: Map<string, number>,
  listen: (port: number) => string,
  program?: NginxProgram,
): Promise<Nginx> {
  const module = await ensureModule(() => undefined, program && { nginx: program });
  for (const { config } of paceCases) ports.set(paceDirectives(config), 0);
  for (const directives of ports.keys()) ports.set(directives, await freePort());
  const servers = [...ports].map(
    ([directives, port]) => `server { ${listen(port)} ${directives} ${proxyTo(originUrl())} }`,
  );
  return startNginx({
    module,
    ...(program && { nginx: program }),
    port: [...ports.values()][0] ?? 0,
    // Large enough for the cases with far too long CMCD. The default of 8 kB suffices for players.
    http: `large_client_header_buffers 4 128k; ${servers.join('\n')}`,
  });
}
