/** Certificates for tests: the real service with a home of its own and a clock that can be set. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { takeRootKeys } from '../../../test/bed/root-keys.ts'
import type { CertificateServices } from '../../src/certificates/certificate-services.ts'
import { createCertificates } from '../../src/certificates/create-certificates.ts'
import { openCertificateFolder } from '../../src/pki/certificate-folder.ts'
import { checkFolderAccess } from '../../src/pki/protection.ts'

export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Creates a folder that is removed when the test ends. */
export function createTemporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cardwire-certs-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Creates certificates in a folder of their own; each service can be replaced. */
export function createCertificateSetup(
  changes: Partial<CertificateServices> & { readonly path?: string } = {},
) {
  const home = createTemporaryFolder()
  const path = changes.path ?? join(home, 'certificates')
  const log: LogEntry[] = []
  let now = Date.now()
  const add =
    (level: LogEntry['level']) =>
    (event: string, fields: LogEntry['fields'] = {}) =>
      void log.push({ level, event, fields })
  const services: CertificateServices = {
    folder: openCertificateFolder(path),
    clock: () => now,
    isClockTrusted: () => true,
    log: { info: add('info'), warn: add('warn'), error: add('error') },
    owner: 'tests@here',
    constraints: 'full',
    makeRootKeys: takeRootKeys,
    hosts: [],
    packageName: 'cardwire',
    checkAccess: (options) => checkFolderAccess(path, options),
    stores: async () => [],
    serviceRoot: async () => undefined,
    lookup: async () => [],
    servedOn: () => undefined,
    ...changes,
  }
  return {
    home,
    path,
    log,
    services,
    certificates: createCertificates(services),
    /** Moves the clock, in days. */
    advanceDays: (days: number) => {
      now += days * 86_400_000
    },
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    remove: (name: string) => rmSync(join(path, name)),
    names: () => readdirSync(path).toSorted(),
    mode: (name: string) => (statSync(join(path, name)).mode & 0o777).toString(8),
  }
}
