import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificate } from './http-server.ts';

/** Creates a self-signed certificate for localhost with openssl, for tests. It is valid for a day. */
export async function selfSigned(): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), 'self-signed-'));
  const cert = join(directory, 'cert.pem');
  const key = join(directory, 'key.pem');
  try {
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-days', '1', '-nodes', '-keyout', key, '-out', cert],
      ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ]);
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  } catch (error) {
    throw new Error('openssl is needed for a test certificate; install it (apt-get install openssl)', {
      cause: error,
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
