/** A machine for tests: a home of its own, a clock that can be set, and the real certificates over them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createCertificates } from '../../src/certs/create-certificates.ts'
import type { CertificateServices } from '../../src/certs/services.ts'
import { openFolder } from '../../src/pki/folder.ts'
import { protect } from '../../src/pki/protection.ts'

export interface Entry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A folder that goes when the test ends. */
export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'cardwire-certs-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A machine with its own folder; anything can be replaced. */
export function machine(changes: Partial<CertificateServices> & { readonly path?: string } = {}) {
  const home = temporary()
  const path = changes.path ?? join(home, 'certificates')
  const log: Entry[] = []
  let now = Date.now()
  const add =
    (level: Entry['level']) =>
    (event: string, fields: Entry['fields'] = {}) =>
      void log.push({ level, event, fields })
  const services: CertificateServices = {
    folder: openFolder(path),
    clock: () => now,
    log: { info: add('info'), warn: add('warn'), error: add('error') },
    owner: 'tests@here',
    constraints: 'full',
    hosts: [],
    packageName: 'cardwire',
    protect: (options) => protect(path, options),
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
    travel: (days: number) => {
      now += days * 86_400_000
    },
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    remove: (name: string) => rmSync(join(path, name)),
    names: () => readdirSync(path).toSorted(),
    mode: (name: string) => (statSync(join(path, name)).mode & 0o777).toString(8),
  }
}
