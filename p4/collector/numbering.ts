/**
 * Finds the postcards that never arrived: each switch numbers its own, from 0 and modulo 2^32, so a gap is a loss.
 * A number from before the expected one came late, and fills the gap again; 0 is a switch that started anew.
 */
export class Numbering {
  lost = 0;
  private readonly expected = new Map<number, number>();

  see(switchId: number, number: number): void {
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
