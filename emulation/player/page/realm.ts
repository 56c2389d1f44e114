import vm from 'node:vm';

/** Of a realm's own constructors, those with which things are made that the page's scripts get. */
export type Own = Pick<
  typeof globalThis,
  'Promise' | 'Array' | 'ArrayBuffer' | 'Uint8Array' | 'Object' | 'JSON' | 'Date' | 'Math' | 'TypeError'
>;

/** Names that no parameter may have, or that every function has. */
const NOT_PASSED = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'globalThis']);
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** What a turn of the page calls. */
const TURN = '__turn';

/** The scripts of this process as they were compiled, by the names that they are passed: a page compiles none anew. */
const compiled = new Map<string, Map<string, vm.Script>>();

function compile(names: string, code: string, filename: string): vm.Script {
  const scripts = compiled.get(names) ?? new Map<string, vm.Script>();
  compiled.set(names, scripts);
  const script = scripts.get(code) ?? new vm.Script(`(function(${names}){${code}\n})`, { filename });
  scripts.set(code, script);
  return script;
}

/**
 * Where a page's scripts run: a V8 context of their own, so that pages of one process share nothing, with its own queue of
 * microtasks, which is emptied whenever it is left. Scripts get the page's globals, and the language's, as parameters of a
 * function around them, since the global object of a context of Node's is slow to ask: it is asked only for what a script
 * itself has put into `window`.
 */
export class Realm {
  readonly own: Own;
  /** The page's globals. */
  readonly window: Record<string, unknown> = {};
  readonly #context: vm.Context;
  readonly #language: Readonly<Record<string, unknown>>;
  readonly #turn = new vm.Script(`${TURN}()`);
  #action: (() => void) | undefined;

  constructor() {
    Object.defineProperty(this.window, TURN, { value: () => this.#action?.() });
    this.#context = vm.createContext(this.window, { microtaskMode: 'afterEvaluate' });
    const names = vm.runInContext('Object.getOwnPropertyNames(globalThis)', this.#context) as string[];
    const passed = names.filter((name) => name !== TURN && NAME.test(name) && !NOT_PASSED.has(name));
    this.#language = Object.fromEntries(
      passed.map((name) => [name, vm.runInContext(name, this.#context) as unknown]),
    );
    this.own = this.#language as unknown as Own;
  }

  /** Does something as an event of the page: what its promises lead to is done before this returns. */
  enter(action: () => void): void {
    this.#action = action;
    this.#turn.runInContext(this.#context);
  }

  /** Runs a script. */
  load(code: string, filename: string): void {
    const { window } = this;
    const globals = { ...this.#language, ...window, window, self: window, globalThis: window };
    const names = Object.keys(globals).filter((name) => NAME.test(name));
    const script = compile(names.join(), code, filename);
    const scripted = script.runInContext(this.#context) as (...values: unknown[]) => void;
    const values = names.map((name) => globals[name as keyof typeof globals] as unknown);
    this.enter(() => scripted.call(window, ...values));
  }
}
