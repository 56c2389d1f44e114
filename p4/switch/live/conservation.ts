import type { LiveStatus } from './messages.ts';

/** What came in, and copies, less what left, was dropped, or waits still: 0, wherever the packets were lost. */
export function unaccounted({ counts, ports }: Pick<LiveStatus, 'counts' | 'ports'>): number {
  const { received, copies, transmitted, droppedInIngress, droppedInEgress, droppedInQueue, failed } = counts;
  const waiting = ports.reduce((sum, port) => sum + port.waiting, 0);
  return (
    received + copies - transmitted - droppedInIngress - droppedInEgress - droppedInQueue - failed - waiting
  );
}

/** Packets that reached egress and were no postcards themselves. */
export const reachedEgress = ({ ports }: Pick<LiveStatus, 'ports'>, postcardPort: number): number =>
  ports.reduce((sum, { port, dequeued }) => (port === postcardPort ? sum : sum + dequeued), 0);
