/** Whether a connector has to stop or update, given every registered version. The strictest rule wins. */
import type { Platform, Verdict } from '@cardwire/protocol'
import { compare } from 'semver'
import { findHighest, findLatest } from './latest-version.ts'

interface Release {
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
  readonly uris: readonly { readonly os: Platform }[]
  /** A rollout gives it to the device. */
  readonly isRolledOut?: boolean
}

interface Decision<R> {
  readonly action: Verdict['action']
  /** The version to update to: it is allowed and has an installer for the system. */
  readonly target?: R | undefined
}

/**
 * `installed` is the version of the connector, `os` its system. stop: its own version is not allowed, whatever other
 * rules apply. require: a newer one is mandatory. recommend: a newer one with an installer for the system is recommended.
 * The target is the latest version, for a recommendation the latest recommended one. A version that a rollout requires is the
 * target itself, because the rollout judges that one. There is none where the latest version of the system would itself have to
 * update; then a connector that has to stop or update has nothing to update to.
 */
type Decide<R> = (installed: string, os: Platform) => Decision<R>

/** For any number of devices: a decision compares three versions, however many there are. */
export function prepareVerdicts<R extends Release>(releases: readonly R[]): Decide<R> {
  const byId = new Map(releases.map((release) => [release.id, release]))
  const findLatestFor = prepare((os) => findLatest(releases, os))
  const findRequiredFor = prepare((os) => findRequired(releases, findLatestFor(os)))
  const recommended = releases.filter((release) => release.recommended)
  const findRecommendedFor = prepare((os) => findLatest(recommended, os))
  return (installed, os) => {
    const ifNewer = (release: R | undefined) =>
      release && compare(release.id, installed) > 0 ? release : undefined
    const required = findRequiredFor(os)
    const latest = findLatestFor(os)
    const target = latest && required && compare(latest.id, required.id) < 0 ? undefined : latest
    if (byId.get(installed)?.allowed === false) return { action: 'stop', target }
    if (ifNewer(required)) {
      const isOwnTarget = required?.isRolledOut && required.uris.some((uri) => uri.os === os)
      return { action: 'require', target: isOwnTarget ? required : target }
    }
    const suggested = ifNewer(findRecommendedFor(os))
    return suggested ? { action: 'recommend', target: suggested } : { action: 'none' }
  }
}

/**
 * The mandatory version that counts for a system. One that is not allowed any more counts only while a later version is
 * there: else going back to an earlier version would stop all devices that have it.
 */
const findRequired = <R extends Release>(releases: readonly R[], latest: R | undefined) =>
  findHighest(
    releases.filter(
      ({ mandatory, allowed, id }) =>
        mandatory && (allowed || (latest && compare(latest.id, id) > 0)),
    ),
  )

/** Finds a version of a system when it is asked for first. */
function prepare<R>(find: (os: Platform) => R | undefined) {
  const found = new Map<Platform, R | undefined>()
  return (os: Platform): R | undefined => {
    if (!found.has(os)) found.set(os, find(os))
    return found.get(os)
  }
}

/** The same for one device. */
export const decideVerdict = <R extends Release>(
  installed: string,
  os: Platform,
  releases: readonly R[],
): Decision<R> => prepareVerdicts(releases)(installed, os)
