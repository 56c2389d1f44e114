import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate as lint } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../local/operating/settings.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

describe('the Dockerfile', () => {
  const text = read('Dockerfile');

  it('passes a linter, copies only the package, and does not run as root', () => {
    expect(lint(text)).toEqual([]);
    expect([...text.matchAll(/^COPY (\S+) /gm)].map(([, copied]) => copied)).toEqual([
      'dashjs-sammy-edge-*.tgz',
    ]);
    expect(text).toMatch(/^USER node$/m);
  });

  it('starts the edge with existing options', async () => {
    const words = (name: string) =>
      JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(text)?.[1] ?? '[]') as string[];
    const [program, ...args] = [...words('ENTRYPOINT'), ...words('CMD')];
    expect(program).toBe('dashjs-sammy-edge');
    expect(await readSettings(args)).toMatchObject({
      port: 8080,
      logFormat: 'json',
      // With --network host, any other address would belong to the machine.
      operator: { host: '127.0.0.1', port: 9464 },
    });
  });
});

describe('the Kubernetes manifest', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as unknown);
  type Given<Kind extends abstract new (...args: never[]) => unknown> = ConstructorParameters<Kind>[0];
  const [config, deployment, service] = documents as [
    NonNullable<Given<typeof ConfigMap>>,
    NonNullable<Given<typeof Deployment>>,
    NonNullable<Given<typeof Service>>,
  ];

  it("is valid by Kubernetes's schema", () => {
    expect(documents).toHaveLength(3);
    expect(() => new ConfigMap(config).validate()).not.toThrow();
    expect(() => new Deployment(deployment).validate()).not.toThrow();
    expect(() => new Service(service).validate()).not.toThrow();
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } } as unknown;
    expect(() => new Deployment(wrong as typeof deployment).validate()).toThrow(/replicas/);
  });

  it('has a valid edge configuration and selector, and does not run as root', async () => {
    const options = JSON.parse(config.data?.['edge.json'] ?? '') as Record<string, string>;
    // The kubelet requests /healthz at the pod's address, which no Service exposes.
    expect(options['operator-host']).toBe('0.0.0.0');
    expect(deployment.spec?.template.spec?.hostNetwork).toBeUndefined();
    expect(service.spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    expect((await readSettings([...args, '--port', '8080'])).live.limits.switchedOff).toBe(false);
    const pod = deployment.spec?.template;
    expect(pod?.metadata?.labels).toEqual(service.spec?.selector);
    expect(pod?.spec?.containers[0]?.securityContext?.runAsNonRoot).toBe(true);
  });
});

it('has a systemd unit that reloads with SIGHUP and starts the edge with valid options', async () => {
  const unit = read('dashjs-sammy-edge.service');
  const [, program, ...words] = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  expect(program).toBe('dashjs-sammy-edge');
  const args = words.filter((word, index) => word !== '--config' && words[index - 1] !== '--config');
  expect(await readSettings(['--origin', '/var/www', ...args])).toMatchObject({ port: 8080 });
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit).toMatch(/^DynamicUser=yes$/m);
});

it('has a configuration of Prometheus that reads the alerts', () => {
  const { rule_files } = parse(read('prometheus/prometheus.yml')) as { rule_files: string[] };
  expect(rule_files).toEqual(['alerts.yaml']);
});
