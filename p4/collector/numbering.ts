/**
 * Counts postcards that never arrived. Each switch numbers its postcards from 0, modulo 2^32, so each missing number is
 * a lost postcard. A postcard with a number below the expected one arrived late, and no longer counts as lost. The
 * number 0 means that the switch was restarted.
 */
export class Numbering {
  lost = 0;
  private readonly expected = new Map<number, number>();

  record(switchId: number, number: number): void {
    const expected = this.expected.get(switchId);
    if (expected !== undefined && number !== expected && number !== 0) {
      const ahead = (number - expected) >>> 0;
      if (ahead >= 2 ** 31) {
        this.lost = Math.max(0, this.lost - 1);
        return;
      }
      this.lost += ahead;
    }
    this.expected.set(switchId, (number + 1) >>> 0);
  }
}
