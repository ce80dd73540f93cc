/** Checks the settings of the machine, and its registry as a device of the service. */
import { existsSync } from 'node:fs'
import { readMachineState } from '../../registry/service/machine-state.ts'
import {
  readAdministratorSettings,
  readInstalledSettings,
  type SettingsPlace,
} from '../../system/settings-places.ts'
import type { CommandContext } from '../command-context.ts'
import { getServiceFolders } from '../registry.ts'
import { type Finding, formatDay } from './finding.ts'

type MachineState = NonNullable<Awaited<ReturnType<typeof readMachineState>>>

export async function checkMachine({ settings }: CommandContext): Promise<readonly Finding[]> {
  const { machine, managed } = readAdministratorSettings()
  const places = [...readInstalledSettings(), machine, managed]
  const folders = getServiceFolders(settings)
  const isNamed = places.some(({ values }) => Boolean(values['CARDWIRE_DS_URL']))
  const isManaged = isNamed && existsSync(folders.leaf)
  return [
    ...places.flatMap(toPlaceFindings),
    ...toMachineFindings(await readMachineState(folders), isManaged),
  ]
}

/** What of the settings of administrators does not count here. */
export function toPlaceFindings({ name, fault }: SettingsPlace): readonly Finding[] {
  if (fault === undefined) return []
  const [reason = '', remedy] = fault.split('; ')
  const code = 'machine-settings-ignored'
  const what = `${name} is ignored: ${reason}`
  if (remedy !== undefined) return [{ level: 'bad', code, what, remedy }]
  return [
    {
      level: 'note',
      code,
      what,
      remedy: 'if it is meant for this user, ask an administrator to make it readable',
    },
  ]
}

const restart =
  'ask an administrator to check its log (journalctl -u cardwire-registry) and restart it: systemctl restart cardwire-registry'

/** `isManaged`: whether the settings of the machine name a service, and the machine has a registry. */
export function toMachineFindings(
  state: MachineState | undefined,
  isManaged: boolean,
  now = Date.now(),
): readonly Finding[] {
  if (state === undefined) {
    if (!isManaged) return []
    const what =
      'the settings of this computer name a service, but its registry has not started to sync'
    return [{ level: 'note', code: 'machine-not-synchronized', what, remedy: restart }]
  }
  const { sync, keystore, faults } = state
  const device = sync.device === undefined ? 'not registered' : `device ${sync.device}`
  const whose = `the registry of this computer (${device} at ${sync.service})`
  return [
    sync.standing === 'refused' || sync.standing === 'unreachable'
      ? {
          level: sync.standing === 'refused' ? 'bad' : 'note',
          code: 'machine-not-synchronized',
          what: `${whose} is not syncing: ${sync.reason}`,
          remedy: `it retries automatically; if that does not help, ${restart}`,
        }
      : sync.lastGood === undefined
        ? {
            level: 'note',
            code: 'machine-not-synchronized',
            what: `${whose} has never synced`,
            remedy: restart,
          }
        : {
            level: 'good',
            code: 'machine-synchronized',
            what: `${whose} last synced at ${sync.lastGood}`,
          },
    ...(keystore ? [toKeystoreFinding(keystore, now)] : []),
    ...faults.map(
      ({ kind, detail }): Finding => ({
        level: 'bad',
        code: 'machine-fault',
        what: `the registry of this computer reports an error (${kind}): ${detail}`,
        remedy: 'ask the administrator of the service, who can also see this error',
      }),
    ),
  ]
}

function toKeystoreFinding(
  { names, until }: NonNullable<MachineState['keystore']>,
  now: number,
): Finding {
  const what = `the keystore that the registry of this computer serves (${names.join(', ')})`
  return Date.parse(until) > now
    ? {
        level: 'good',
        code: 'machine-keystore-good',
        what: `${what} is valid until ${formatDay(until)}`,
      }
    : {
        level: 'bad',
        code: 'machine-keystore-expired',
        what: `${what} has expired`,
        remedy: 'ask the administrator for a new one',
      }
}
