/** Where a machine stands: following its service, kept out by the rules, or astray. */
import type { Machine } from './machine.ts'
import type { ServiceProcess } from './service-process.ts'
import { revisionOf } from './stored-rows.ts'
import type { World } from './world.ts'

interface DeviceRow {
  readonly id: string
  readonly blocked: number
}

export const readDevices = (service: ServiceProcess): ReadonlyMap<string, DeviceRow> =>
  new Map(
    service
      .storage()
      .connection.query<DeviceRow, []>('SELECT id, blocked FROM devices')
      .all()
      .map((row) => [row.id, row]),
  )

/** `back`: it follows its service again; `out`: the rules keep it out, and it stands where they want it. */
type Place =
  | { readonly kind: 'back' | 'out' }
  | { readonly kind: 'astray'; readonly reason: string }

export function placeOf(
  { administrators, model }: World,
  machine: Machine,
  devices: ReadonlyMap<string, DeviceRow>,
  /** When the faults ended. */
  endedAt: number,
): Place {
  const { installed } = machine
  const astray = (reason: string): Place => ({ kind: 'astray', reason })
  // Its user starts it again and again, and it ends each time.
  if (administrators.verdictOf(installed.version) !== 'none') return { kind: 'out' }
  const connector = machine.connector()
  const row = devices.get(machine.state()?.device ?? '')
  const isKeptOut = row ? row.blocked === 1 : !administrators.isValid(installed)
  // What it was told last may be that it must not run, and nobody tells it otherwise.
  if (connector === undefined) {
    return isKeptOut ? { kind: 'out' } : astray('its connector does not run')
  }
  const status = connector.status()
  const code = 'code' in status ? status.code : status.kind
  if (code === 'device-blocked') return { kind: 'out' }
  if (row?.blocked === 1) return astray(`it is blocked, and stands at ${code}`)
  if (isKeptOut) {
    if (code === 'api-key-refused') return { kind: 'out' }
    return astray(`its installation key is none any more, and it stands at ${code}`)
  }
  if (status.kind !== 'good') {
    return astray(`it stands at ${code}: ${'reason' in status ? status.reason : ''}`)
  }
  if (machine.facts.synchronisedAt < endedAt) return astray('it has not synchronised since')
  const policy = connector.policy()
  const revision = policy ? revisionOf(policy) : 0
  const wanted = model.inForce.get(installed.version) ?? 0
  if (revision < wanted) return astray(`it follows ${revision}, and ${wanted} is in force`)
  if (policy?.verdict.action !== 'none') return astray(`its verdict is ${policy?.verdict.action}`)
  const waiting = connector.counters.list().length
  if (waiting > 0) return astray(`${waiting} of its counts have not come through`)
  return { kind: 'back' }
}

export const isLockedOut = (machine: Machine) => {
  const status = machine.connector()?.status()
  return status?.kind === 'refused' && status.code === 'reply-refused'
}
