import { asFields, asList } from '../files/check.ts';
import { LineProgram, type Program } from './line-program.ts';

export interface OpenedStudy {
  /** An SQLite file that stores finished trials. */
  readonly storage: string;
  readonly name: string;
  readonly seed: number;
  readonly directions: readonly ('minimize' | 'maximize')[];
  /** The parameters, in the format of `sammy_analysis.search`. */
  readonly space: readonly object[];
  /** The points to try first. */
  readonly first: readonly object[];
}

/** A finished trial: the values and attributes that were reported for its point. */
export interface FinishedTrial {
  readonly trial: number;
  readonly point: unknown;
  readonly values: readonly number[];
  readonly attributes: unknown;
}

export type OptunaProgram = Program;

/** Optuna in a Python process of its own: proposes points, and receives their results. */
export class Optuna {
  readonly #program: LineProgram;

  constructor(program: OptunaProgram) {
    this.#program = new LineProgram('optimizer', program, 'sammy_analysis.search');
  }

  /** Opens or creates the study in a file, and returns the number of its finished trials. */
  async open({ storage, name, seed, directions, space, first }: OpenedStudy): Promise<number> {
    const open = { storage, study: name, seed, directions, space, enqueue: first };
    const { opened } = await this.#program.ask({ open });
    return Number(asFields(opened, 'opened').finished);
  }

  async ask(): Promise<{ readonly trial: number; readonly point: unknown }> {
    const { trial, params } = await this.#program.ask({ ask: true });
    return { trial: Number(trial), point: params };
  }

  async tell(trial: number, values: readonly number[], attributes: object = {}): Promise<void> {
    await this.#program.ask({ tell: { trial, values, attributes } });
  }

  async trials(): Promise<FinishedTrial[]> {
    const { trials } = await this.#program.ask({ trials: true });
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
    this.#program.close();
  }
}
