export { figure3 } from './figure-3.ts';
