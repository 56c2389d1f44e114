import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runQuietly } from '../../../system/run-quietly.ts';
import { FIRST_BEACON } from '../../testing/first-beacon.ts';
import { panels, queryOver, startObservedEdge, startPrometheus } from './observed-edge.ts';
import { findPrometheus } from './program.ts';

const found = findPrometheus();

interface Answer {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, queryOver(expr, '30s')]),
);

const closing: (() => unknown)[] = [];
const folder = mkdtempSync(join(tmpdir(), 'edge-prometheus-'));

/** Creates load of a session: paced and unpaced segments, failures, a download that the client aborts, and beacons. */
async function load(url: string, session: string): Promise<void> {
  const cmcd = encodeURIComponent(`rtp=6000,sid="${session}"`);
  await (await fetch(`${url}/1.m4s?CMCD=${cmcd}`)).arrayBuffer();
  await (await fetch(`${url}/manifest.mpd`)).arrayBuffer();
  await (await fetch(`${url}/broken`)).arrayBuffer();
  const leaving = new AbortController();
  const cut = await fetch(`${url}/2.m4s?CMCD=rtp%3D500`, { signal: leaving.signal });
  await cut.body?.getReader().read();
  leaving.abort();
  for (const sequence of [0, 1]) {
    const beacon = { ...FIRST_BEACON, session_id: session, unit: session, sequence, final: sequence === 1 };
    const body = JSON.stringify({ ...beacon, metrics: { rebuffer_count: 1 } });
    await fetch(`${url}/.sammy/v1/sessions`, { method: 'POST', body });
  }
}

describe.skipIf(found === undefined)(
  `a real Prometheus${found === undefined ? ': not there; apt-get install prometheus' : ''}`,
  () => {
    let address: string;
    let isOver = false;
    let loading: Promise<void>;
    /**
     * Repeats the load until `isOver`. A rate needs two scrapes of the same series, and the times of scrapes depend on
     * the machine.
     */
    const keepLoading = async (url: string): Promise<void> => {
      for (let round = 0; !isOver; round++) {
        const sessions = Array.from({ length: 6 }, (_, index) => `a-session-of-round-${round}-${index}`);
        await Promise.all(sessions.map((session) => load(url, session)));
        await sleep(500);
      }
    };
    const query = async (expression: string): Promise<Answer> =>
      (await (
        await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`)
      ).json()) as Answer;

    beforeAll(async () => {
      const onClose = (end: () => unknown) => void closing.push(end);
      const { url, operator } = await startObservedEdge(folder, '50%', onClose);
      address = await startPrometheus(found?.prometheus ?? '', operator, folder, onClose);
      loading = keepLoading(url);
    }, 180_000);
    afterAll(async () => {
      isOver = true;
      await loading;
      for (const close of closing.reverse()) await close();
      rmSync(folder, { recursive: true, force: true });
    });

    it.each(queries)('answers the dashboard’s query of %s: %s', async (_, expression) => {
      const finite = async () => {
        const { status, data } = await query(expression);
        expect(status).toBe('success');
        return data.result.map(({ value }) => Number(value[1])).filter(Number.isFinite);
      };
      await expect.poll(finite, { timeout: 30_000 }).not.toEqual([]);
    });

    it('shows both arms of a holdout side by side', async () => {
      const arms = async () => {
        const { data } = await query('sum by (experiment, arm) (dashjs_sammy_edge_arm_ended_sessions_total)');
        const found = data.result as unknown as { metric: { experiment: string; arm: string } }[];
        return found.map(({ metric }) => `${metric.experiment} ${metric.arm}`).sort();
      };
      await expect.poll(arms, { timeout: 30_000 }).toEqual(['holdout control', 'holdout treatment']);
    });

    it('evaluates every alert rule, and promtool tests that each fires and is silent', async () => {
      type Rules = { data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] } };
      const rules = async () => {
        const { data } = (await (await fetch(`${address}/api/v1/rules`)).json()) as Rules;
        return data.groups.flatMap((group) => group.rules);
      };
      await expect
        .poll(async () => (await rules()).map(({ health }) => health), { timeout: 90_000 })
        .toEqual((await rules()).map(() => 'ok'));
      const names = (await rules()).map(({ name }) => name);
      const { tests } = parse(read('alerts.test.yaml')) as {
        tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
      };
      const firing = tests
        .flatMap((test) => test.alert_rule_test)
        .filter((each) => each.exp_alerts.length > 0);
      expect(new Set(firing.map(({ alertname }) => alertname))).toEqual(new Set(names));
      await runQuietly(found?.promtool ?? '', [
        'test',
        'rules',
        join(import.meta.dirname, 'alerts.test.yaml'),
      ]);
    });
  },
);
