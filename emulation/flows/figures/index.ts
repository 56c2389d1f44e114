import type { BufferFigure } from './figure.ts';
import { figure4 } from './figure-4.ts';
import { figure7 } from './figure-7.ts';

/** All figures; to add one, add a file and a line here. */
export const figures: readonly BufferFigure[] = [figure4, figure7];
