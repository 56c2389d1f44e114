import { printChecks } from '../emulation/host/setup/check.ts';
import { checks } from './setup/checks.ts';

export const help = `
Shows what this machine has, what is missing, what does not work without it, and the command that installs it.

    npm run doctor

Exits with status 1 only if something is missing that npm start or npm test needs.
npm run lab -- doctor checks what the lab needs.
`;

export const main = (): Promise<void> => printChecks(checks, 'npm start and npm test need');
