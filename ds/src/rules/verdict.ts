/** What a version has to do, given every version that is registered. The strictest rule wins. */
import type { Platform, Verdict } from '@cardwire/client/protocol'
import { compare } from 'semver'
import { latest } from './latest.ts'

interface Release {
  readonly id: string
  readonly recommended: boolean
  readonly mandatory: boolean
  readonly allowed: boolean
  readonly uris: readonly { readonly os: Platform }[]
}

interface Decision<R> {
  readonly action: Verdict['action']
  /** The version to go to: it is allowed and has an installer for the system. */
  readonly target?: R | undefined
}

/**
 * `installed` is the version of the connector, `os` its system. stop: its own version is not allowed, whatever else is
 * said. require: a newer one is mandatory. recommend: a newer one that can be installed there is recommended. A link
 * leads to the latest, of a recommendation to the newest that is recommended; a requirement without anything newer for
 * the system has none.
 */
export function judge<R extends Release>(
  installed: string,
  os: Platform,
  releases: readonly R[],
): Decision<R> {
  const own = releases.find(({ id }) => id === installed)
  if (own && !own.allowed) return { action: 'stop', target: latest(releases, os) }
  const newer = releases.filter(({ id }) => compare(id, installed) > 0)
  if (newer.some(({ mandatory }) => mandatory)) {
    return { action: 'require', target: latest(newer, os) }
  }
  const target = latest(
    newer.filter(({ recommended }) => recommended),
    os,
  )
  return target ? { action: 'recommend', target } : { action: 'none' }
}
