/** The trust stores of a machine, by its platform: those of a person, or those of every account. */
import { readFile } from 'node:fs/promises'
import { firefoxPolicy, firefoxPolicyFile } from './firefox-policy.ts'
import { distributionOf, linuxAnchors } from './linux-anchors.ts'
import { macosKeychain } from './macos-keychain.ts'
import { nssStores } from './nss.ts'
import type { Run } from './run.ts'
import type { TrustStore } from './trust-store.ts'
import { windowsStore } from './windows.ts'

export interface Machine {
  readonly platform: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly run: Run
  /** The user's number where the system has such. */
  readonly uid: number | undefined
}

/** Whom a root is for: `user`, the person alone; `machine`, every account, only when asked for. */
export type Scope = TrustStore['scope']

/** The stores of one scope. Asked again each time: browser profiles come and go. */
export async function storesOf(machine: Machine, scope: Scope): Promise<readonly TrustStore[]> {
  if (machine.platform === 'win32') return [windowsStore(scope)]
  if (machine.platform === 'darwin') return [macosKeychain(scope, machine)]
  if (scope === 'user') return nssStores(machine)
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return [linuxAnchors(distributionOf(osRelease), machine.run), firefoxPolicy(firefoxPolicyFile)]
}
