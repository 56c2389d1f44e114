import type { BeaconOutcome } from '../sessions/sessions-route.ts';

export class BeaconCounts {
  readonly outcomes: Partial<Record<BeaconOutcome, number>> = {};

  note(outcome: BeaconOutcome): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }
}
