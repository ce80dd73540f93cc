/** Finds the trust stores of a machine, by its platform: those of a user, or those of every account. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '../../system/run-command.ts'
import {
  chromiumPolicyFolders,
  chromiumPolicyName,
  createChromiumPolicy,
} from './chromium-policy.ts'
import { createFirefoxPolicy, firefoxPolicyFile } from './firefox-policy.ts'
import { createLinuxAnchors, findDistribution } from './linux-anchors.ts'
import { createMacosKeychain } from './macos-keychain.ts'
import { findNssStores } from './nss.ts'
import type { TrustStore } from './trust-store.ts'
import { createWindowsStore } from './windows.ts'

export interface TrustEnvironment {
  readonly platform: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly run: Run
  /** The user's number where the system has such. */
  readonly uid: number | undefined
  /** Whether the browsers that have such policies are told by them, too. */
  readonly browserPolicies?: boolean
}

/** `user`: this user alone; `machine`: every account, only on request. */
export type Scope = TrustStore['scope']

/** The stores of one scope. Searched each time: browser profiles come and go. */
export async function findTrustStores(
  machine: TrustEnvironment,
  scope: Scope,
): Promise<readonly TrustStore[]> {
  if (machine.platform === 'win32') return [createWindowsStore(scope)]
  if (machine.platform === 'darwin') return [createMacosKeychain(scope, machine)]
  if (scope === 'user') return findNssStores(machine)
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return [
    createLinuxAnchors(findDistribution(osRelease), machine.run),
    createFirefoxPolicy(firefoxPolicyFile),
    ...findChromiumPolicies(machine.browserPolicies ?? false),
  ]
}

/** What is there already is kept right, and can be removed, when nobody wants it any more. */
const findChromiumPolicies = (areWanted: boolean) =>
  Object.entries(chromiumPolicyFolders)
    .filter(([, folder]) => areWanted || existsSync(join(folder, chromiumPolicyName)))
    .map(([browser, folder]) => createChromiumPolicy(browser, folder))
