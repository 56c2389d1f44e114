import { Optuna, type OptunaProgram } from '../../ground/programs/optuna.ts';
import { OBJECTIVES, type Objectives, type Relative } from './outcome.ts';
import { SPACE, type Parameter, type Point } from './space.ts';

export interface Trial {
  readonly trial: number;
  readonly point: Point;
  readonly objectives: Objectives;
  /** The results for each trace, in the order of the training half. */
  readonly traces: readonly Relative[];
}

export interface Study {
  /** An SQLite file that stores finished trials. */
  readonly storage: string;
  readonly seed: number;
  /** The points to try first. */
  readonly first: readonly Point[];
}

/** The name of the only study in the file. */
const NAME = 'search';

/** Asks Optuna for points of the search, and reports their objectives. */
export class Optimizer {
  readonly #optuna: Optuna;

  constructor(program: OptunaProgram) {
    this.#optuna = new Optuna(program);
  }

  open(study: Study): Promise<number> {
    const space: readonly Parameter[] = SPACE;
    const directions = OBJECTIVES.map(({ direction }) => direction);
    return this.#optuna.open({ ...study, name: NAME, directions, space });
  }

  async ask(): Promise<{ readonly trial: number; readonly point: Point }> {
    const { trial, point } = await this.#optuna.ask();
    return { trial, point: point as Point };
  }

  async tell(trial: number, objectives: Objectives, traces: readonly Relative[]): Promise<void> {
    const values = OBJECTIVES.map(({ name }) => objectives[name]);
    await this.#optuna.tell(trial, values, { traces });
  }

  async trials(): Promise<Trial[]> {
    return (await this.#optuna.trials()).map(({ trial, point, values, attributes }) => {
      const objectives = Object.fromEntries(
        OBJECTIVES.map(({ name }, index) => [name, Number(values[index])]),
      ) as Objectives;
      const { traces } = attributes as { readonly traces: readonly Relative[] };
      return { trial, point: point as Point, objectives, traces };
    });
  }

  close(): void {
    this.#optuna.close();
  }
}
