import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { lineOf } from '../../../system/line-of.ts';
import { asFields, asList, asText } from '../../ground/files/check.ts';
import { OBJECTIVES, type Objectives, type Relative } from './outcome.ts';
import { SPACE, type Parameter, type Point } from './space.ts';

/** A finished trial. */
export interface Trial {
  readonly trial: number;
  readonly point: Point;
  readonly objectives: Objectives;
  /** By trace, in the order of the training half. */
  readonly traces: readonly Relative[];
}

export interface Study {
  /** A file of SQLite, in which finished trials are kept. */
  readonly storage: string;
  readonly seed: number;
  /** The points that are tried first. */
  readonly first: readonly Point[];
}

/** The one study of a file. */
const NAME = 'search';

/** The command that starts the program. */
export interface Program {
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Optuna, in a Python process of its own: it proposes points, and is told what they are worth. */
export class Optimizer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #said = '';

  constructor({ python, env }: Program) {
    this.#child = spawn(python, ['-m', 'sammy_analysis.search'], { env, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#child.once('error', (error) => this.#ended(error.message));
    this.#child.once('close', (status) => this.#ended(`status ${status ?? 'unknown'}`));
    // What is written to a process that has ended is answered by its end.
    this.#child.stdin.on('error', () => undefined);
  }

  /** Opens the study, and tells how many finished trials it has. */
  async open({ storage, seed, first }: Study): Promise<number> {
    const space: readonly Parameter[] = SPACE;
    const directions = OBJECTIVES.map(({ direction }) => direction);
    const open = { storage, study: NAME, seed, directions, space, enqueue: first };
    const { opened } = await this.#ask({ open });
    return Number(asFields(opened, 'opened').finished);
  }

  async ask(): Promise<{ readonly trial: number; readonly point: Point }> {
    const { trial, params } = await this.#ask({ ask: true });
    return { trial: Number(trial), point: params as Point };
  }

  async tell(trial: number, objectives: Objectives, traces: readonly Relative[]): Promise<void> {
    const values = OBJECTIVES.map(({ name }) => objectives[name]);
    await this.#ask({ tell: { trial, values, attributes: { traces } } });
  }

  async trials(): Promise<Trial[]> {
    const { trials } = await this.#ask({ trials: true });
    return asList(trials, 'trials').map((each) => {
      const { trial, params, values, attributes } = asFields(each, 'a trial');
      const numbers = asList(values, 'values');
      const objectives = Object.fromEntries(
        OBJECTIVES.map(({ name }, index) => [name, Number(numbers[index])]),
      ) as Objectives;
      const { traces } = attributes as { readonly traces: readonly Relative[] };
      return { trial: Number(trial), point: params as Point, objectives, traces };
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
