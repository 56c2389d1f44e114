import cluster from 'node:cluster';
import { pino, stdTimeFunctions } from 'pino';
import type { Lines } from './lines.ts';
import type { Stream } from './stream.ts';

/**
 * Writes one JSON object per line with pino, including time and level. Omits the query, because it may contain tokens.
 */
export function jsonLines(stream: Stream): Lines {
  const logger = pino(
    {
      level: 'info',
      base: { pid: process.pid, ...(cluster.worker && { worker: cluster.worker.id }) },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    stream,
  );
  return {
    line: (level, text) => logger[level](text),
    response(level, event) {
      const { url, tcp, duration_ms, first_byte_ms, ...rest } = event;
      logger[level](
        {
          ...rest,
          path: url.split('?', 1)[0],
          first_byte_ms: Math.round(first_byte_ms),
          duration_ms: Math.round(duration_ms),
          rtt_ms: tcp?.rtt ?? null,
        },
        'response',
      );
    },
  };
}
