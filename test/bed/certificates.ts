/** Certificates for servers of a test, each by a root that is made for it, and databases of browsers that trust roots. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Identity {
  /** All three are PEM. */
  readonly root: string
  readonly key: string
  readonly cert: string
}

/** For these host names, by a root that is made for it. */
export async function createIdentity(...names: string[]): Promise<Identity> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-certificate-'))
  const file = (name: string): string => join(folder, name)
  const requestOptions = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
  ]
  try {
    await run('openssl', [
      ...[...requestOptions, '-subj', '/CN=Root of a test', '-days', '2'],
      ...['-addext', 'keyUsage=critical,keyCertSign'],
      ...['-keyout', file('root.key'), '-out', file('root.pem')],
    ])
    await run('openssl', [
      ...[...requestOptions, '-subj', `/CN=${names[0]}`, '-days', '2'],
      ...['-CA', file('root.pem'), '-CAkey', file('root.key')],
      ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...['-addext', 'extendedKeyUsage=serverAuth'],
      ...['-keyout', file('key.pem'), '-out', file('cert.pem')],
    ])
    const [root = '', key = '', cert = ''] = await Promise.all(
      ['root.pem', 'key.pem', 'cert.pem'].map((name) => readFile(file(name), 'utf8')),
    )
    return { root, key, cert }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes an NSS database in which these roots are trusted for servers. */
export async function trustRoots(database: string, roots: readonly string[]): Promise<void> {
  await mkdir(database, { recursive: true, mode: 0o700 })
  await run('certutil', ['-N', '--empty-password', '-d', `sql:${database}`])
  for (const [at, pem] of roots.entries()) {
    const file = join(database, `root-${at}.pem`)
    await writeFile(file, pem)
    const name = `root ${at}`
    await run('certutil', ['-A', '-d', `sql:${database}`, '-n', name, '-t', 'C,,', '-i', file])
  }
}
