export { figure2_11 } from './figure-2-11.ts';
export { figure2_12 } from './figure-2-12.ts';
export { figureC1 } from './figure-c-1.ts';
export { table2_1 } from './table-2-1.ts';
