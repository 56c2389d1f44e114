export { figure2 } from './figure-2.ts';
export { figure3 } from './figure-3.ts';
export { figure5 } from './figure-5.ts';
export { figure6 } from './figure-6.ts';
export { figure7 } from './figure-7.ts';
export { table2 } from './table-2.ts';
export { table3 } from './table-3.ts';
