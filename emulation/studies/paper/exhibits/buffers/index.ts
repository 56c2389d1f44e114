export { figure10 } from './figure-10.ts';
export { figure3 } from './figure-3.ts';
export { figure5 } from './figure-5.ts';
