import type { LiveStatus } from './messages.ts';

/**
 * Packets received and copied, minus packets sent, dropped, lost or still inside the switch. 0 unless the switch
 * miscounts.
 */
export function unaccounted({ counts, ports }: Pick<LiveStatus, 'counts' | 'ports'>): number {
  const { received, copies, transmitted, failed } = counts;
  const { droppedInIngress, droppedInEgress, droppedInQueue, lostOnWire } = counts;
  const dropped = droppedInIngress + droppedInEgress + droppedInQueue + lostOnWire + failed;
  const inside = ports.reduce((sum, { waiting, onWire }) => sum + waiting + onWire, 0);
  return received + copies - transmitted - dropped - inside;
}

/** Number of packets that reached egress. Postcards are not counted. */
export const reachedEgress = ({ ports }: Pick<LiveStatus, 'ports'>, postcardPort: number): number =>
  ports.reduce((sum, { port, dequeued }) => (port === postcardPort ? sum : sum + dequeued), 0);
