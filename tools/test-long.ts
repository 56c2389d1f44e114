import { propertySteps, runStages } from './steps.ts';

export const help = `
npm run test:long

Every property with 10,000 cases instead of 1,000, of a seed that is printed; SEED=N tries those of another run again.
A quarter of an hour. The last line is 'N passed, N failed, N skipped'.
`;

export const main = (): Promise<void> => runStages([[propertySteps()]]);
