import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { lineOf } from '../../../system/line-of.ts';
import { asFields, asList, asText } from '../files/check.ts';

export interface OpenedStudy {
  /** A file of SQLite, in which finished trials are kept. */
  readonly storage: string;
  readonly name: string;
  readonly seed: number;
  readonly directions: readonly ('minimize' | 'maximize')[];
  /** Parameters, as `sammy_analysis.search` describes them. */
  readonly space: readonly object[];
  /** The points that are tried first. */
  readonly first: readonly object[];
}

/** A finished trial; its point and attributes are as they were told. */
export interface ToldTrial {
  readonly trial: number;
  readonly point: unknown;
  readonly values: readonly number[];
  readonly attributes: unknown;
}

/** The command that starts the program. */
export interface OptunaProgram {
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Optuna, in a Python process of its own: it proposes points, and is told what they are worth. */
export class Optuna {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #said = '';

  constructor({ python, env }: OptunaProgram) {
    this.#child = spawn(python, ['-m', 'sammy_analysis.search'], { env, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#child.once('error', (error) => this.#ended(error.message));
    this.#child.once('close', (status) => this.#ended(`status ${status ?? 'unknown'}`));
    // What is written to a process that has ended is answered by its end.
    this.#child.stdin.on('error', () => undefined);
  }

  /** Opens a study of a file, and tells how many finished trials it has. */
  async open({ storage, name, seed, directions, space, first }: OpenedStudy): Promise<number> {
    const open = { storage, study: name, seed, directions, space, enqueue: first };
    const { opened } = await this.#ask({ open });
    return Number(asFields(opened, 'opened').finished);
  }

  async ask(): Promise<{ readonly trial: number; readonly point: unknown }> {
    const { trial, params } = await this.#ask({ ask: true });
    return { trial: Number(trial), point: params };
  }

  async tell(trial: number, values: readonly number[], attributes: object = {}): Promise<void> {
    await this.#ask({ tell: { trial, values, attributes } });
  }

  async trials(): Promise<ToldTrial[]> {
    const { trials } = await this.#ask({ trials: true });
    return asList(trials, 'trials').map((each) => {
      const { trial, params, values, attributes } = asFields(each, 'a trial');
      return {
        trial: Number(trial),
        point: params,
        values: asList(values, 'values').map(Number),
        attributes,
      };
    });
  }

  close(): void {
    this.#child.stdin.end();
  }

  async #ask(question: unknown): Promise<Readonly<Record<string, unknown>>> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#child.exitCode === null) this.#child.stdin.write(`${JSON.stringify(question)}\n`);
      else this.#ended(`status ${this.#child.exitCode}`);
    });
    const said = asFields(JSON.parse(line), "the optimiser's answer");
    if (said.error !== undefined) throw new Error(`the optimiser: ${lineOf(asText(said.error, 'error'))}`);
    return said;
  }

  #ended(how: string): void {
    const last = this.#said.trim().split('\n').at(-1) ?? '';
    const error = new Error(`the optimiser ended with ${how}${last === '' ? '' : `: ${last}`}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
