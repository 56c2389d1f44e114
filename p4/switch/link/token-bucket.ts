/** The token bucket of a policer; it starts full. The caller chooses the unit of time. */
export class TokenBucket {
  private tokens: number;
  private at = 0;
  private readonly rate: number;
  private readonly burst: number;

  constructor(bytesPerTime: number, burstBytes: number) {
    this.rate = bytesPerTime;
    this.burst = burstBytes;
    this.tokens = burstBytes;
  }

  /** Removes the tokens of a packet. If there are too few, removes none and returns false. */
  take(now: number, bytes: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + (now - this.at) * this.rate);
    this.at = now;
    if (this.tokens < bytes) return false;
    this.tokens -= bytes;
    return true;
  }
}
