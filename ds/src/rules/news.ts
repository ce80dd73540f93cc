/** Which entries of the audit are news for devices that wait, and over how long those that are woken are spread. */
import { deleteSigningKey, dsOperations } from '@cardwire/protocol'

/** Whom an entry of the audit concerns. */
export type Audience =
  | { readonly kind: 'all' }
  | { readonly kind: 'device'; readonly id: string }
  /** The devices that ran this version at their last synchronization. */
  | { readonly kind: 'version'; readonly id: string }

export interface News {
  readonly sequence: number
  readonly audience: Audience
}

/** An entry of the audit, as far as it says whom it concerns. */
export interface NewsEntry {
  readonly sequence: number
  readonly kind: string
  readonly id: string
  readonly operation: string
  readonly fields: string
  /** Of the configuration that the entry is about; null: it is about something else, or there is none any longer. */
  readonly versionId: string | null
}

const all: Audience = { kind: 'all' }

/** Of devices, and of everyone who has an installation key: none of them wakes others. */
export const sentByDevices: ReadonlySet<string> = new Set(
  dsOperations
    .filter(({ access }) => access === 'device' || access === 'registration')
    .map(({ name }) => name),
)

/**
 * undefined: no device learns anything by it. What is no matter of minutes is no news either: a file of a version that is
 * not offered yet, a key that signs an overlap from now.
 */
export function findAudience({
  kind,
  id,
  operation,
  fields,
  versionId,
}: NewsEntry): Audience | undefined {
  // The version that a device brought is the only entry so far.
  if (sentByDevices.has(operation)) return undefined
  switch (kind) {
    case 'device':
      return { kind, id }
    case 'configuration':
      return versionId === null ? all : { kind: 'version', id: versionId }
    case 'version':
      return fields === 'installationApiKey' ? undefined : all
    case 'rollout':
    case 'group':
      return all
    case 'signing-key':
      return operation === deleteSigningKey.name ? all : undefined
    default:
      return undefined
  }
}

export const concerns = (audience: Audience, device: { id: string; version: string }): boolean =>
  audience.kind === 'all' ||
  (audience.kind === 'device' ? audience.id === device.id : audience.id === device.version)

/** Seconds over which devices are spread that are woken together, unless the rate needs more. */
const targetSpreadS = 45

/** Fewer devices than would fill these seconds at the highest rate take less time: a fifth of that rate is never a burden. */
const gentleShare = 1 / 5

/** Seconds in which so many devices synchronize, evenly, at not more than `maxRate` a second. */
export const findSpreadS = (devices: number, maxRate: number): number =>
  Math.max(devices / maxRate, Math.min(targetSpreadS, devices / (maxRate * gentleShare)))

/**
 * Seconds from one device that synchronizes to the next. `devices`: as many as have news at once, `busyS`: seconds that those
 * before them take.
 */
export const findGapS = (devices: number, busyS: number, maxRate: number): number =>
  busyS < targetSpreadS ? findSpreadS(devices, maxRate) / devices : 1 / maxRate
