import { algorithm1 } from '../../pace/algorithm-1.ts';
import { belowNetwork } from '../../pace/below-network.ts';
import type { PaceInput, PacePolicy } from '../../pace/pace.ts';
import type { Rung } from '../../film/ladder.ts';
import type { Kbps } from '../../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrSession, AbrState } from '../abr.ts';
import { CAREFUL } from '../careful.ts';

/** The services that the planner needs from a page: a loader and a clock. */
export interface LatePlannerEnvironment {
  /** Loads the planner. Called at most once per session. */
  readonly load: () => PromiseLike<AbrAlgorithm & PacePolicy>;
  /** Monotonic time, ms. */
  readonly now: () => number;
}

/** The planner is loaded when the buffer level reaches this, s, or half of the buffer target. */
const LOAD_BUFFER_S = 8;
/**
 * A choice that takes longer than this, ms, is slow: it may delay the page's other work. A frame at 60 Hz lasts 16.7
 * ms.
 */
const SLOW_MS = 5;
/**
 * After this many slow choices in a row, the processor is too slow for plans. A single slow choice may be due to other
 * work of the page.
 */
const MAX_SLOW_IN_A_ROW = 2;
/** The defaults of the options `c0` and `c1` (Sammy §5). */
const MULTIPLIERS = { c0: 3.2, c1: 2.8 };

/**
 * The planner, loaded when 8 s are buffered, so that its code and model do not delay the page's start. The default
 * algorithm chooses until then, and for the rest of a session if the planner cannot be loaded or took too long for two
 * choices in a row. Each choice's reason names the cause.
 */
export function latePlanner(environment: LatePlannerEnvironment): AbrAlgorithm & PacePolicy {
  /** The pace policies of the states for which the planner chose. */
  const policies = new WeakMap<AbrState, PacePolicy>();
  const otherwise = belowNetwork(algorithm1(MULTIPLIERS));
  return {
    name: 'planner',
    session: (options) =>
      new LateSession(
        CAREFUL.session(options),
        async () => {
          const planner = await environment.load();
          return { session: planner.session(options), policy: planner };
        },
        { now: environment.now, policies },
      ),
    choosePace(input) {
      const { phase, state, rung, abr } = input;
      if (phase !== 'playing') return otherwise.choosePace(input);
      // `abr` may wrap this algorithm's session. This call makes that session record the policy for the state.
      const required = abr.requiredThroughput(state, rung);
      // The policy asks again, and the planner's answer takes a search.
      const known: PaceInput['abr'] = {
        requiredThroughput: (at, other) =>
          at === state && other === rung ? required : abr.requiredThroughput(at, other),
      };
      return (policies.get(state) ?? otherwise).choosePace({ ...input, abr: known });
    },
  };
}

interface Loaded {
  readonly session: AbrSession;
  readonly policy: PacePolicy;
}

interface SessionContext extends Pick<LatePlannerEnvironment, 'now'> {
  readonly policies: WeakMap<AbrState, PacePolicy>;
}

class LateSession implements AbrSession {
  readonly #default: AbrSession;
  readonly #load: () => Promise<Loaded>;
  readonly #context: SessionContext;
  #planner: Loaded | undefined;
  #hasBegun = false;
  /** Why the default algorithm chooses. */
  #reason = 'before the planner';
  /** The events that the planner's session has yet to receive; undefined if it needs none. */
  #events: AbrEvent[] | undefined = [];
  #choices = 0;
  #slowInARow = 0;

  constructor(byDefault: AbrSession, load: () => Promise<Loaded>, context: SessionContext) {
    this.#default = byDefault;
    this.#load = load;
    this.#context = context;
  }

  observe(event: AbrEvent): void {
    this.#default.observe?.(event);
    this.#planner?.session.observe?.(event);
    this.#events?.push(event);
  }

  choose(state: AbrState): AbrChoice {
    if (this.#planner) return this.#plan(state, this.#planner);
    if (state.buffer >= Math.min(LOAD_BUFFER_S, state.bufferTarget / 2)) this.#begin();
    const { rung, reason } = this.#default.choose(state);
    return { rung, reason: `default, ${this.#reason}: ${reason}` };
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const planner = this.#planner;
    if (planner) this.#context.policies.set(state, planner.policy);
    return (planner?.session ?? this.#default).requiredThroughput(state, rung);
  }

  #plan(state: AbrState, { session }: Loaded): AbrChoice {
    const since = this.#context.now();
    const choice = session.choose(state);
    // The first choice does not count as slow, because the browser compiles the code during the first choice.
    const isSlow = this.#choices++ > 0 && this.#context.now() - since > SLOW_MS;
    this.#slowInARow = isSlow ? this.#slowInARow + 1 : 0;
    if (this.#slowInARow >= MAX_SLOW_IN_A_ROW) this.#stop('the planner is too slow');
    return choice;
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#load()
      .then((planner) => {
        for (const event of this.#events ?? []) planner.session.observe?.(event);
        this.#events = undefined;
        this.#planner = planner;
      })
      .catch((error: unknown) => {
        this.#stop(`no planner (${error instanceof Error ? error.message : String(error)})`);
      });
  }

  #stop(reason: string): void {
    this.#planner = undefined;
    this.#reason = reason;
    this.#events = undefined;
  }
}
