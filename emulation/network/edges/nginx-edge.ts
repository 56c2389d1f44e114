import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge } from '../../../edge/local/server.ts';
import { PROXY_CONF, startNginx } from '../../../edge/nginx/server.ts';
import { ensureModule, ensureNginx } from '../../../edge/nginx/module.ts';
import { nginxVersion } from '../../../edge/nginx/program.ts';
import { closeTogether } from '../../../system/close-together.ts';
import { freePort } from '../../../system/free-port.ts';
import type { LabEdge } from './edge.ts';
import { LOG_FORMAT, readResponses } from './nginx-log.ts';

const LOG = 'responses.log';

/** The distribution's nginx with the module, in front of a Node server that serves the video without pacing. */
export const nginxEdge: LabEdge = {
  async prepare(onProgress) {
    const missing = await ensureNginx(onProgress);
    if (missing !== null) throw new Error(`--edge nginx: ${missing}`);
    await ensureModule(onProgress);
    return `nginx ${await nginxVersion()}`;
  },
  start: (origin, { congestionControl }) =>
    closeTogether(async (onClose) => {
      const film = await startEdge({ handler: origin });
      onClose(() => film.close());
      const port = await freePort();
      const nginx = await startNginx({
        module: await ensureModule(() => undefined),
        port,
        http: nginxConfiguration(port, film.port, congestionControl),
      });
      onClose(() => nginx.close());
      return {
        port,
        scheme: 'http' as const,
        responses: async () => readResponses(await readFile(join(nginx.folder, LOG), 'utf8')),
      };
    }),
};

/** The configuration of docs/edge/nginx.md in front of an origin. A segment is buffered in memory, never in a file. */
const nginxConfiguration = (port: number, originPort: number, congestionControl: string): string => `
  upstream film { server 127.0.0.1:${originPort}; keepalive 8; }
  ${LOG_FORMAT}
  server {
    listen 0.0.0.0:${port};
    cmcd_pace on;
    cmcd_pace_congestion_control ${congestionControl};
    set $sent_before $cmcd_pace_sent_bytes;
    set $retransmitted_before $cmcd_pace_retransmitted_bytes;
    access_log {folder}/${LOG} lab;
    location / {
      proxy_pass http://film$cmcd_pace_request_uri;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffers 32 64k;
      proxy_busy_buffers_size 128k;
      proxy_max_temp_file_size 0;
      include ${PROXY_CONF};
    }
  }`;
