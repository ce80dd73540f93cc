/** Whether a connector has to stop or update, given every registered version. The strictest rule wins. */
import type { Platform, Verdict } from '@cardwire/client/protocol'
import { compare } from 'semver'
import { findHighest, findLatest } from './latest-version.ts'

interface Release {
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
  readonly uris: readonly { readonly os: Platform }[]
}

interface Decision<R> {
  readonly action: Verdict['action']
  /** The version to update to: it is allowed and has an installer for the system. */
  readonly target?: R | undefined
}

/**
 * `installed` is the version of the connector, `os` its system. stop: its own version is not allowed, whatever other
 * rules apply. require: a newer one is mandatory. recommend: a newer one with an installer for the system is recommended.
 * The target is the latest version, for a recommendation the latest recommended one; a requirement has none when no newer
 * version has an installer for the system.
 */
type Decide<R> = (installed: string, os: Platform) => Decision<R>

/** For any number of devices: a decision compares three versions, however many there are. */
export function prepareVerdicts<R extends Release>(releases: readonly R[]): Decide<R> {
  const byId = new Map(releases.map((release) => [release.id, release]))
  const mandatory = findHighest(releases.filter((release) => release.mandatory))
  const findLatestFor = prepareLatest(releases)
  const findRecommendedFor = prepareLatest(releases.filter((release) => release.recommended))
  return (installed, os) => {
    const ifNewer = (release: R | undefined) =>
      release && compare(release.id, installed) > 0 ? release : undefined
    if (byId.get(installed)?.allowed === false) return { action: 'stop', target: findLatestFor(os) }
    if (ifNewer(mandatory)) return { action: 'require', target: ifNewer(findLatestFor(os)) }
    const target = ifNewer(findRecommendedFor(os))
    return target ? { action: 'recommend', target } : { action: 'none' }
  }
}

/** Looks for the latest version of a system when it is asked for first. */
function prepareLatest<R extends Release>(releases: readonly R[]) {
  const found = new Map<Platform, R | undefined>()
  return (os: Platform): R | undefined => {
    if (!found.has(os)) found.set(os, findLatest(releases, os))
    return found.get(os)
  }
}

/** The same for one device. */
export const decideVerdict = <R extends Release>(
  installed: string,
  os: Platform,
  releases: readonly R[],
): Decision<R> => prepareVerdicts(releases)(installed, os)
