import vm from 'node:vm';

/** The constructors of a page's JavaScript context that other modules use to create objects for the page's scripts. */
export type Builtins = Pick<
  typeof globalThis,
  'Promise' | 'Array' | 'ArrayBuffer' | 'Uint8Array' | 'Object' | 'JSON' | 'Date' | 'Math' | 'TypeError'
>;

/** Names that cannot be parameters, or that exist in every function. */
const NOT_PASSED = new Set(['undefined', 'NaN', 'Infinity', 'eval', 'globalThis']);
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The name of the function through which Node runs an event of the page. */
const TURN = '__turn';

/** This process's compiled scripts, by the names of their parameters, so that each script is compiled only once. */
const compiled = new Map<string, Map<string, vm.Script>>();

function compile(names: string, code: string, filename: string): vm.Script {
  const scripts = compiled.get(names) ?? new Map<string, vm.Script>();
  compiled.set(names, scripts);
  const script = scripts.get(code) ?? new vm.Script(`(function(${names}){${code}\n})`, { filename });
  scripts.set(code, script);
  return script;
}

/**
 * Runs a page's scripts in a V8 context of their own, so that pages of one process share nothing. The context has its
 * own microtask queue, which is drained whenever the context is left. Scripts receive the page's and the language's
 * globals as parameters of an enclosing function, because access to the global object of a Node context is slow; the
 * global object is used only for names that a script itself has put into `window`.
 */
export class ScriptContext {
  readonly own: Builtins;
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
    this.own = this.#language as unknown as Builtins;
    // A browser's `window` also has the language's globals. They are inherited, so that the page's own `Date` can
    // replace the standard `Date`.
    Object.setPrototypeOf(this.window, this.#language);
  }

  /** Runs an action as an event of the page. All reactions of the page's promises run before this returns. */
  enter(action: () => void): void {
    this.#action = action;
    this.#turn.runInContext(this.#context);
  }

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
