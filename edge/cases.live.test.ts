import { afterAll } from 'vitest';
import { paceDirectives } from './nginx/location.ts';
import { missingNginxReason } from './nginx/module.ts';
import type { Nginx } from './nginx/server.ts';
import { expectReceiptOfNginx } from './testing/case-answers.ts';
import { useCaseOrigin } from './testing/case-origin.ts';
import { send } from './testing/case-requests.ts';
import { startNginxForCases } from './testing/nginx-for-cases.ts';
import { testCases } from './testing/test-cases.ts';

const missing = await missingNginxReason();
let nginx: Nginx | undefined;
/** The port of the nginx server for each configuration of edge/cases.json, by its directives. */
const nginxPorts = new Map<string, number>();

useCaseOrigin(async () => {
  if (missing === null) nginx = await startNginxForCases(nginxPorts, (port) => `listen 127.0.0.1:${port};`);
});
afterAll(() => nginx?.close());

testCases('nginx', missing, async (given) => {
  const answer = await send(nginxPorts.get(paceDirectives(given.config)) ?? 0, given);
  expectReceiptOfNginx(given, answer);
});
