/** A token of SoftHSM in a folder of its own, with keys and certificates that openssl has made. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const softHsmPath = '/usr/lib/softhsm/libsofthsm2.so'
export const tokenPin = 'letters & 1'
const soPin = '87654321'

const keyTypes = {
  'RSA-2048': ['RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'P-256': ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
} as const

/** What the certificate of a key is for. */
const usages = {
  authentication: ['keyUsage=critical,digitalSignature', 'extendedKeyUsage=clientAuth'],
  signature: ['keyUsage=critical,nonRepudiation'],
  both: ['keyUsage=critical,digitalSignature,nonRepudiation', 'extendedKeyUsage=clientAuth'],
  encryption: ['keyUsage=critical,keyEncipherment'],
} as const

export interface TokenKeyOptions {
  /** CKA_ID, hex. */
  readonly id: string
  readonly type: keyof typeof keyTypes
  readonly usage: keyof typeof usages
  readonly alwaysAuthenticates?: boolean
}

export interface SoftToken {
  readonly settings: { readonly SOFTHSM2_CONF: string }
  readonly library: { readonly os: 'UNIX'; readonly path: string; readonly sha256: string }
  /** Makes another token; resolves with the certificates of its keys by their ids, DER. */
  add(label: string, keys: readonly TokenKeyOptions[]): Promise<ReadonlyMap<string, Buffer>>
  remove(): Promise<void>
}

export async function readLibrary(path: string) {
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  return { os: 'UNIX', path, sha256 } as const
}

export async function createSoftToken(): Promise<SoftToken> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-softhsm-'))
  const file = (name: string) => join(folder, name)
  await mkdir(file('tokens'))
  const configuration = file('softhsm2.conf')
  await writeFile(
    configuration,
    `directories.tokendir = ${file('tokens')}\nobjectstore.backend = file\n`,
  )
  const settings = { SOFTHSM2_CONF: configuration }
  const options = { env: { ...process.env, ...settings } }
  const tool = (label: string, ...args: readonly string[]) =>
    run(
      'pkcs11-tool',
      ['--module', softHsmPath, '--token-label', label, '-l', '-p', tokenPin, ...args],
      options,
    )

  const addKey = async (
    label: string,
    { id, type, usage, alwaysAuthenticates }: TokenKeyOptions,
  ) => {
    const [key, certificate] = [file(`${id}.key`), file(`${id}.der`)]
    await run('openssl', ['genpkey', '-algorithm', ...keyTypes[type], '-out', key])
    await run('openssl', ['pkey', '-in', key, '-outform', 'DER', '-out', file(`${id}.pk8`)])
    const extensions = usages[usage].flatMap((extension) => ['-addext', extension])
    const subject = ['-subj', `/CN=Test ${usage}/O=Example`, '-days', '30']
    const form = ['-outform', 'DER', '-out', certificate]
    await run('openssl', ['req', '-x509', '-new', '-key', key, ...subject, ...extensions, ...form])
    const always = alwaysAuthenticates ? ['--always-auth'] : []
    await tool(
      label,
      '--write-object',
      file(`${id}.pk8`),
      '--type',
      'privkey',
      '--id',
      id,
      '--usage-sign',
      ...always,
    )
    await tool(label, '--write-object', certificate, '--type', 'cert', '--id', id)
    return [id, await readFile(certificate)] as const
  }

  return {
    settings,
    library: await readLibrary(softHsmPath),
    async add(label, keys) {
      const pins = ['--pin', tokenPin, '--so-pin', soPin]
      await run('softhsm2-util', ['--init-token', '--free', '--label', label, ...pins], options)
      const made = new Map<string, Buffer>()
      for (const key of keys) made.set(...(await addKey(label, key)))
      return made
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
