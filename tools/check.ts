import { quickSteps, runStages } from './steps.ts';

export const help = `
npm run check

The quick gate, under a minute: format, lint, types, the documentation's snippets, unit tests.
`;

export const main = (): Promise<void> => runStages([[quickSteps]]);
