/** Findings about what the distribution service refuses: the device, its registration, its installation key. */
import type { SyncState } from '@cardwire/protocol/connector-sync'
import { version } from '../../version.ts'
import type { KeyState } from '../ask-service.ts'
import type { Finding } from './finding.ts'

const setKey = 'set CARDWIRE_INSTALLATION_KEY to the key of this version'

const keyRefused: Finding = {
  level: 'bad',
  code: 'key-refused',
  what: 'the service rejects the installation key, which is wrong, replaced or revoked',
  remedy: `${setKey} (${version}); the administrator has it`,
}

const keyUsedUp: Finding = {
  level: 'bad',
  code: 'key-used-up',
  what: 'the service has reached today’s limit of new devices for this installation key or this address',
  remedy:
    'wait until tomorrow (UTC), or ask the administrator to raise DS_DEVICES_PER_KEY or DS_DEVICES_PER_ADDRESS',
}

/** For a connector that is not registered. `answer`: of the running connector, which has just tried to register. */
export function toUnregisteredFindings(
  answer: Pick<SyncState, 'code' | 'reason'> | undefined,
  key: KeyState,
): readonly Finding[] {
  const what = 'this connector is not registered with the service'
  const unregistered = { level: 'bad', code: 'unregistered', what } as const
  // The running connector may have another key than this terminal.
  if (answer !== undefined) {
    const refusal = toRefusalFinding({ standing: 'refused', ...answer })
    return [unregistered, ...(refusal ? [refusal] : [])]
  }
  if (key === 'refused') return [unregistered, keyRefused]
  if (key === 'used-up') return [unregistered, keyUsedUp]
  if (key === 'missing') {
    return [
      { ...unregistered, code: 'key-missing', remedy: `${setKey}, then start it: cardwire run` },
    ]
  }
  const remedy = 'start it: cardwire run'
  if (key === 'unknown') return [{ ...unregistered, remedy }]
  return [{ ...unregistered, what: `${what} yet, but its installation key is accepted`, remedy }]
}

/** undefined: the service does not refuse this connector. */
export function toRefusalFinding({
  standing,
  code,
  reason = 'the service gave no reason',
  device,
}: Pick<SyncState, 'standing' | 'code' | 'reason' | 'device'>): Finding | undefined {
  if (standing === 'good' || standing === 'unmanaged') return undefined
  switch (code) {
    case 'device-blocked':
      return {
        level: 'bad',
        code: 'device-blocked',
        what: 'the service has blocked this connector',
        remedy: `ask the administrator to unblock ${device === undefined ? 'it' : `device ${device}`}`,
      }
    case 'api-key-refused':
      return keyRefused
    case 'installation-key-missing':
      return {
        level: 'bad',
        code: 'key-missing',
        what: 'the service does not know this connector, and no installation key is set',
        remedy: `${setKey}, then start it: cardwire run`,
      }
    case 'version-unknown':
      return {
        level: 'bad',
        code: 'version-unknown',
        what: `the service does not know version ${version} of the connector`,
        remedy: 'ask the administrator to register this version, or install a different one',
      }
    case 'clock-skewed':
      return {
        level: 'bad',
        code: 'clock-skewed',
        what: 'the clocks of this computer and of the service are too far apart',
        remedy: 'correct the clock of this computer',
      }
    default:
      return {
        level: 'bad',
        code: 'not-synchronized',
        what: `this connector is not syncing: ${reason}`,
        remedy: 'try again: cardwire sync; if the problem remains, ask the administrator',
      }
  }
}
