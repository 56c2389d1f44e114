import type { SessionSettings } from './session-settings.ts';
import { checkAnySettings, readManifest, type Manifest } from '../../harness/runs/manifest.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';

export type SessionManifest = Manifest<SessionSettings>;

export const readSessionManifest = (outDir: string): SessionManifest =>
  readManifest(outDir, checkSessionSettings);

function checkSessionSettings(value: unknown): SessionSettings {
  checkAnySettings(value);
  const experiment = asFields(value, 'experiment');
  const arms = asList(experiment.arms, 'experiment: arms');
  if (arms.length === 0) throw new Error('experiment: arms must contain at least the control');
  for (const arm of arms) asText(arm, 'experiment: an arm');
  checkLink(experiment.link, 'experiment: link');
  for (const each of asList(experiment.conditions ?? [], 'experiment: conditions')) {
    const condition = asFields(each, 'experiment: a condition');
    const name = asText(condition.name, 'experiment: the name of a condition');
    if (condition.link !== undefined) checkLink(condition.link, `experiment: link of ${name}`);
  }
  return value as SessionSettings;
}

function checkLink(value: unknown, what: string): void {
  const link = asFields(value, what);
  asNumber(link.rtt_ms, `${what}: rtt_ms`);
  asNumber(link.queue_bytes, `${what}: queue_bytes`);
  asText(asFields(link.rate, `${what}: rate`).kind, `${what}: kind of rate`);
}
