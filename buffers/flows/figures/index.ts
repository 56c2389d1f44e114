import type { BufferFigure } from './figure.ts';
import { figure1 } from './figure-1.ts';
import { figure10 } from './figure-10.ts';
import { figure11 } from './figure-11.ts';
import { figure2 } from './figure-2.ts';
import { figure3 } from './figure-3.ts';
import { figure4 } from './figure-4.ts';
import { figure5 } from './figure-5.ts';
import { figure6 } from './figure-6.ts';
import { figure7 } from './figure-7.ts';
import { figure8 } from './figure-8.ts';
import { figure9 } from './figure-9.ts';

/** All figures, in the order of the paper. To add one, add a file and a line here. */
export const figures: readonly BufferFigure[] = [
  figure1,
  figure2,
  figure3,
  figure4,
  figure5,
  figure6,
  figure7,
  figure8,
  figure9,
  figure10,
  figure11,
];
