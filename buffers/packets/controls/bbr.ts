import { AckAggregation } from './ack-aggregation.ts';
import type { Ack, CongestionControl } from './congestion-control.ts';
import type { DeliveryRate } from './delivery-rate.ts';
import { PolicerSampling } from './policer-sampling.ts';
import type { TcpState } from './tcp-state.ts';
import { WindowedMax } from './windowed-max.ts';

type Mode = 'startup' | 'drain' | 'probe-bandwidth' | 'probe-rtt';

/** The gain at startup, 2 / ln 2: the lowest gain that doubles the rate in each round. */
const HIGH_GAIN = 2.885;
const WINDOW_GAIN = 2;
/** Pacing gains of the cycle, each for one minimum round trip: probe, drain, then cruise. */
const CYCLE = [1.25, 0.75, 1, 1, 1, 1, 1, 1] as const;
/** Number of phases at which a cycle may start at random: all but the draining phase. */
const CYCLE_STARTS = 7;
/** The ratio of the pace to the measured bandwidth. */
const MARGIN = 0.99;
const BANDWIDTH_ROUNDS = 10;
const LEAST_RTT_WINDOW_MS = 10_000;
const PROBE_RTT_MS = 200;
const LEAST_WINDOW = 4;
/** The pipe counts as full when the bandwidth has grown by less than this factor in three rounds. */
const FULL_GROWTH = 1.25;
const FULL_ROUNDS = 3;
const INITIAL_RTT_MS = 1;
const INITIAL_DELIVERED = 10;

/** BBR's inputs from its sender, in addition to the shared state. */
export interface BbrWorld {
  readonly rate: DeliveryRate;
  readonly random: () => number;
  /** Returns the number of packets that segmentation offload sends at once at this pace. */
  readonly burstAt: (pacingRate: number) => number;
}

/** The kernel's first version of BBR (`tcp_bbr.c` of Linux 5.5), for a sender that always has data. */
export class Bbr implements CongestionControl {
  readonly ownsWindow = true;
  readonly #tcp: TcpState;
  readonly #world: BbrWorld;
  readonly #bandwidths = new WindowedMax(BANDWIDTH_ROUNDS);
  readonly #aggregation = new AckAggregation();
  readonly #policer = new PolicerSampling();
  #mode: Mode = 'startup';
  #paceGain = HIGH_GAIN;
  #windowGain = HIGH_GAIN;
  #round = 0;
  #roundEndsAt = 0;
  #roundStarts = false;
  #phase = 0;
  #phaseSince_ms = 0;
  #fullBandwidth = 0;
  #fullRounds = 0;
  #isFull = false;
  #leastRtt_ms = Infinity;
  #leastRttSince_ms: number;
  #probeUntil_ms: number | undefined;
  #probedARound = false;
  #windowBefore = 0;
  #phaseBefore: TcpState['phase'] = 'open';
  #conserves = false;
  #hasPace = false;

  constructor(tcp: TcpState, world: BbrWorld) {
    this.#tcp = tcp;
    this.#world = world;
    this.#leastRttSince_ms = tcp.now_ms();
    this.#leastRtt_ms = tcp.leastRtt_ms;
    tcp.pacingRate = (HIGH_GAIN * MARGIN * tcp.window) / INITIAL_RTT_MS;
  }

  /** Saves the window, to restore it after the recovery. BBR has no threshold. */
  thresholdAfterLoss(): number {
    this.#saveWindow();
    return this.#tcp.threshold;
  }

  acked(ack: Ack): void {
    this.#measureBandwidth(ack);
    this.#aggregation.update(ack, {
      delivered_ms: this.#world.rate.delivered_ms,
      bandwidth: this.#bandwidth,
      roundStarts: this.#roundStarts,
      window: this.#tcp.window,
    });
    if (this.#mode === 'probe-bandwidth' && this.#phaseIsOver(ack)) this.#nextPhase();
    this.#checkFull(ack);
    this.#checkDrain();
    this.#measureRtt(ack);
    this.#setGains();
    this.#setPace();
    this.#setWindow(ack);
  }

  timedOut(): void {
    this.#phaseBefore = 'timeout';
    this.#fullBandwidth = 0;
    this.#roundStarts = true;
    this.#samplePolicer(undefined, 1);
  }

  /** The estimated bandwidth in packets per ms. */
  get #bandwidth(): number {
    return this.#policer.rate ?? this.#bandwidths.value;
  }

  get #burst(): number {
    return this.#world.burstAt(this.#tcp.pacingRate);
  }

  #measureBandwidth({ rate, lost, deliveredInAll }: Ack): void {
    this.#roundStarts = false;
    if (!rate) return;
    if (rate.deliveredBefore >= this.#roundEndsAt) {
      this.#roundEndsAt = deliveredInAll;
      this.#round++;
      this.#roundStarts = true;
      this.#conserves = false;
    }
    this.#samplePolicer(rate, lost);
    const bandwidth = rate.packets / rate.interval_ms;
    if (!rate.held || bandwidth >= this.#bandwidths.value) this.#bandwidths.add(this.#round, bandwidth);
  }

  #samplePolicer(rate: Ack['rate'], lost: number): void {
    const { delivered, delivered_ms } = this.#world.rate;
    const ended = this.#policer.update({
      lost,
      lostInAll: this.#tcp.lost,
      delivered,
      delivered_ms,
      held: rate?.held ?? false,
      roundStarts: this.#roundStarts,
      mayEnd: this.#mode === 'probe-bandwidth',
    });
    if (ended) this.#startCycle();
  }

  /** Returns the packets in flight that fill the path at this gain, plus an allowance for batching at both ends. */
  #inFlightAt(gain: number): number {
    return this.#withBudget(this.#bdp(this.#bandwidths.value, gain));
  }

  #bdp(bandwidth: number, gain: number): number {
    if (this.#leastRtt_ms === Infinity) return INITIAL_DELIVERED;
    return Math.ceil(bandwidth * this.#leastRtt_ms * gain);
  }

  /**
   * Adds room for three bursts (in the sender's queue, the sender's interface and the receiver's interface), rounds up
   * to an even number, and adds two packets while BBR probes for more bandwidth.
   */
  #withBudget(window: number): number {
    const even = 2 * Math.ceil((window + 3 * this.#burst) / 2);
    return even + (this.#mode === 'probe-bandwidth' && this.#phase === 0 ? 2 : 0);
  }

  /** Estimates the packets in flight at the time when the next burst leaves. */
  #inFlightThen(inFlight: number): number {
    const wait_ms = Math.max(0, this.#tcp.nextBurst_ms - this.#tcp.now_ms());
    const then = this.#paceGain > 1 ? inFlight + this.#burst : inFlight;
    return Math.max(0, then - Math.floor(this.#bandwidth * wait_ms));
  }

  #phaseIsOver({ inFlightBefore, lost }: Ack): boolean {
    const isLong = this.#world.rate.delivered_ms - this.#phaseSince_ms > this.#leastRtt_ms;
    if (this.#paceGain === 1) return isLong;
    const inFlight = this.#inFlightThen(inFlightBefore);
    if (this.#paceGain > 1) return isLong && (lost > 0 || inFlight >= this.#inFlightAt(this.#paceGain));
    return isLong || inFlight <= this.#inFlightAt(1);
  }

  #nextPhase(): void {
    this.#phase = (this.#phase + 1) % CYCLE.length;
    this.#phaseSince_ms = this.#world.rate.delivered_ms;
  }

  #startCycle(): void {
    this.#mode = 'probe-bandwidth';
    this.#phase = CYCLE.length - 1 - Math.floor(this.#world.random() * CYCLE_STARTS);
    this.#nextPhase();
  }

  #checkFull({ rate }: Ack): void {
    if (this.#isFull || !this.#roundStarts || rate?.held) return;
    if (this.#bandwidths.value >= this.#fullBandwidth * FULL_GROWTH) {
      this.#fullBandwidth = this.#bandwidths.value;
      this.#fullRounds = 0;
      return;
    }
    this.#fullRounds++;
    this.#isFull = this.#fullRounds >= FULL_ROUNDS;
  }

  #checkDrain(): void {
    if (this.#mode === 'startup' && this.#isFull) this.#mode = 'drain';
    if (this.#mode === 'drain' && this.#inFlightThen(this.#tcp.inFlight) <= this.#inFlightAt(1))
      this.#startCycle();
  }

  #measureRtt({ rtt_ms }: Ack): void {
    const now = this.#tcp.now_ms();
    const isOld = now > this.#leastRttSince_ms + LEAST_RTT_WINDOW_MS;
    if (rtt_ms !== undefined && (rtt_ms <= this.#leastRtt_ms || isOld)) {
      this.#leastRtt_ms = rtt_ms;
      this.#leastRttSince_ms = now;
    }
    if (isOld && this.#mode !== 'probe-rtt') {
      this.#mode = 'probe-rtt';
      this.#saveWindow();
      this.#probeUntil_ms = undefined;
    }
    if (this.#mode === 'probe-rtt') this.#probeRtt(now);
  }

  #probeRtt(now: number): void {
    const { rate } = this.#world;
    rate.hold(this.#tcp.inFlight);
    if (this.#probeUntil_ms === undefined) {
      if (this.#tcp.inFlight > LEAST_WINDOW) return;
      this.#probeUntil_ms = now + PROBE_RTT_MS;
      this.#probedARound = false;
      this.#roundEndsAt = rate.delivered;
      return;
    }
    this.#probedARound ||= this.#roundStarts;
    if (!this.#probedARound || now <= this.#probeUntil_ms) return;
    this.#leastRttSince_ms = now;
    this.#tcp.window = Math.max(this.#tcp.window, this.#windowBefore);
    if (this.#isFull) this.#startCycle();
    else this.#mode = 'startup';
  }

  #setGains(): void {
    switch (this.#mode) {
      case 'startup':
        this.#paceGain = this.#windowGain = HIGH_GAIN;
        return;
      case 'drain':
        this.#paceGain = 1 / HIGH_GAIN;
        this.#windowGain = HIGH_GAIN;
        return;
      case 'probe-bandwidth':
        this.#paceGain = this.#policer.rate !== undefined ? 1 : (CYCLE[this.#phase] ?? 1);
        this.#windowGain = WINDOW_GAIN;
        return;
      case 'probe-rtt':
        this.#paceGain = this.#windowGain = 1;
    }
  }

  #setPace(): void {
    const { srtt_ms, window } = this.#tcp;
    if (!this.#hasPace && srtt_ms > 0) {
      this.#hasPace = true;
      this.#tcp.pacingRate = (HIGH_GAIN * MARGIN * window) / srtt_ms;
    }
    const pace = this.#bandwidth * this.#paceGain * MARGIN;
    if (this.#isFull || pace > this.#tcp.pacingRate) this.#tcp.pacingRate = pace;
  }

  #saveWindow(): void {
    const { window } = this.#tcp;
    const isGood = this.#phaseBefore === 'open' && this.#mode !== 'probe-rtt';
    this.#windowBefore = isGood ? window : Math.max(this.#windowBefore, window);
  }

  #setWindow(ack: Ack): void {
    if (ack.delivered > 0) this.#tcp.window = this.#windowAfter(ack);
    if (this.#mode === 'probe-rtt') this.#tcp.window = Math.min(this.#tcp.window, LEAST_WINDOW);
  }

  #windowAfter({ delivered, lost, deliveredInAll }: Ack): number {
    const window = this.#windowInRecovery(delivered, lost);
    if (this.#conserves) return Math.max(window, this.#tcp.inFlight + delivered);
    const bandwidth = this.#bandwidth;
    const more = this.#isFull ? this.#aggregation.room(bandwidth) : 0;
    const aim = this.#withBudget(this.#bdp(bandwidth, this.#windowGain) + more);
    if (this.#isFull) return Math.max(LEAST_WINDOW, Math.min(window + delivered, aim));
    const grows = window < aim || deliveredInAll < INITIAL_DELIVERED;
    return Math.max(LEAST_WINDOW, grows ? window + delivered : window);
  }

  /**
   * Returns the window during recovery. In the first round, BBR sends as many packets as arrive. After the recovery,
   * the previous window returns.
   */
  #windowInRecovery(delivered: number, lost: number): number {
    const { phase, inFlight } = this.#tcp;
    let window = lost > 0 ? Math.max(1, this.#tcp.window - lost) : this.#tcp.window;
    if (phase === 'recovery' && this.#phaseBefore !== 'recovery') {
      this.#conserves = true;
      this.#roundEndsAt = this.#world.rate.delivered;
      window = inFlight + delivered;
    } else if (phase === 'open' && this.#phaseBefore !== 'open') {
      window = Math.max(window, this.#windowBefore);
      this.#conserves = false;
    }
    this.#phaseBefore = phase;
    return window;
  }
}
