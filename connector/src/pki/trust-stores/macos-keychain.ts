/** The keychains of macOS as trust stores, by the command `security`. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Run } from '../../system/run-command.ts'
import { withRootFile } from './root-file.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

/** Arguments of security(1) for each act. `file` holds the root, PEM. */
export const securityArguments = {
  /** Trusted as a root, for TLS alone; `-d` writes the settings of the machine, else those of the user. */
  install: (keychain: string, machine: boolean, file: string) => [
    'add-trusted-cert',
    ...(machine ? ['-d'] : []),
    ...['-r', 'trustRoot', '-p', 'ssl', '-k', keychain, file],
  ],
  removeTrust: (machine: boolean, file: string) => [
    'remove-trusted-cert',
    ...(machine ? ['-d'] : []),
    file,
  ],
  /** `-Z` takes the SHA-1 of the certificate in upper-case hexadecimal. */
  delete: (keychain: string, sha1: string) => ['delete-certificate', '-Z', sha1, keychain],
  find: (keychain: string) => ['find-certificate', '-a', '-Z', keychain],
  /** `-l`: the certificate is an authority; `-L`: nothing is fetched; `-q`: the exit status is the answer. */
  verify: (file: string) => ['verify-cert', '-q', '-l', '-L', '-p', 'ssl', '-c', file],
} as const

/** Exit status of security(1) for errSecItemNotFound, -25300 (SecBase.h): the last byte of it. */
const notFound = -25_300 & 0xff

/** The keychain of the user, or that of the machine, which needs an administrator. */
export function createMacosKeychain(
  scope: 'user' | 'machine',
  place: { readonly home: string; readonly run: Run; readonly uid: number | undefined },
): TrustStore {
  const machine = scope === 'machine'
  const keychain = machine
    ? '/Library/Keychains/System.keychain'
    : join(place.home, 'Library/Keychains/login.keychain-db')
  const security = (args: readonly string[]) => place.run('/usr/bin/security', args)
  const runOrThrow = async (args: readonly string[]) => {
    const { status, output } = await security(args)
    if (status !== 0) throw new Error(`security ${args[0]} failed: ${output.trim()}`)
  }
  /** Throws when the keychain cannot be read. */
  const holds = async (root: RootIdentity) => {
    const { status, output } = await security(securityArguments.find(keychain))
    if (status !== 0 && status !== notFound)
      throw new Error(`security find-certificate failed: ${output.trim()}`)
    return output.includes(sha1(root))
  }

  return {
    name: machine ? 'keychain:system' : 'keychain:login',
    scope,
    removes: 'any',
    findObstacle: async () =>
      machine && place.uid !== 0
        ? { reason: 'only an administrator may change it: use sudo' }
        : undefined,
    install: (root) =>
      withRootFile(root, (file) => runOrThrow(securityArguments.install(keychain, machine, file))),
    async uninstall(root) {
      if (!(await holds(root))) return
      // Trust settings first: they stay when the certificate is removed, and could not be named any more.
      await withRootFile(root, (file) => security(securityArguments.removeTrust(machine, file)))
      await runOrThrow(securityArguments.delete(keychain, sha1(root)))
    },
    async trusts(root) {
      if (!(await holds(root))) return false
      return withRootFile(root, async (file) => {
        const { status, output } = await security(securityArguments.verify(file))
        if (status === -1) throw new Error(`security verify-cert failed: ${output.trim()}`)
        return status === 0
      })
    },
  }
}

const sha1 = (root: RootIdentity) => createHash('sha1').update(root.der).digest('hex').toUpperCase()
