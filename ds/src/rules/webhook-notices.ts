/** When the service notices something by itself: each notice has a key, with which it happens once. */
import type { Notice } from './webhook-events.ts'

const dayMs = 86_400_000

/** Before something ends, in days; 0: it has ended. */
const warningDays = [0, 1, 7, 30] as const
/** From so far ahead, in milliseconds. */
export const warningMs = 30 * dayMs
/** An end that is longer ago is no news. */
export const pastMs = dayMs

/** The warning that is due; undefined: none. */
const findWarning = (endsAt: number, now: number): number | undefined =>
  now - endsAt > pastMs ? undefined : warningDays.find((days) => endsAt - now <= days * dayMs)

interface Keystore {
  /** Of its configuration. */
  readonly id: string
  readonly version: string
  readonly expiresAt: number
}

export function noticeKeystore(
  { id, version, expiresAt }: Keystore,
  now: number,
): Notice | undefined {
  const days = findWarning(expiresAt, now)
  if (days === undefined) return undefined
  const at = new Date(expiresAt).toISOString()
  return {
    ...{ type: 'keystore.expiring', subject: `configurations/${id}`, key: `${at}/${days}` },
    data: { configuration: id, version, expiresAt: at, withinDays: days },
  }
}

/** Keys have no end of their own: after a year, another one should sign. */
const signingKeyMs = 365 * dayMs

interface SigningKey {
  readonly id: string
  readonly use: string
  readonly createdAt: number
}

export function noticeSigningKey(
  { id, use, createdAt }: SigningKey,
  now: number,
): Notice | undefined {
  const rotateBy = createdAt + signingKeyMs
  // One that is overdue is mentioned each month.
  const overdue = Math.floor((now - rotateBy) / warningMs)
  const days = overdue > 0 ? 0 : findWarning(rotateBy, now)
  if (days === undefined) return undefined
  return {
    ...{ type: 'signing-key.expiring', subject: `signing-keys/${id}` },
    key: overdue > 0 ? `overdue/${overdue}` : String(days),
    data: { signingKey: id, use, rotateBy: new Date(rotateBy).toISOString(), withinDays: days },
  }
}

/** Fewer devices with faults are accidents. */
const leastFaulty = 5

interface VersionFaults {
  readonly version: string
  readonly devices: number
  readonly faulty: number
}

const toDate = (now: number) => new Date(now).toISOString().slice(0, 10)

/** Once a day while the rate is that high. */
export function noticeFaults(
  { version, devices, faulty }: VersionFaults,
  rate: number,
  now: number,
): Notice | undefined {
  if (faulty < leastFaulty || faulty < devices * rate) return undefined
  return {
    ...{ type: 'device-faults.raised', subject: `versions/${version}`, key: toDate(now) },
    data: { version, devices, faulty },
  }
}

/** Once a day for each reason: strangers cause them at will, and the audit keeps everything. */
export const noticeRejection = (
  { reason, lastAt }: { readonly reason: string; readonly lastAt: number },
  now: number,
): Notice => ({
  ...{ type: 'registrations.rejected', subject: `registrations/${reason}`, key: toDate(now) },
  data: { reason, rejectedAt: new Date(lastAt).toISOString() },
})
