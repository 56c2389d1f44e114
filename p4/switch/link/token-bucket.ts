/** A policer's token bucket, full at first; the caller chooses the unit of time. */
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

  /** Takes the tokens of a packet; false if there are too few, and then it takes none. */
  take(now: number, bytes: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + (now - this.at) * this.rate);
    this.at = now;
    if (this.tokens < bytes) return false;
    this.tokens -= bytes;
    return true;
  }
}
