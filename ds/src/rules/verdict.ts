/** Whether a connector has to stop or update, given every registered version. The strictest rule wins. */
import type { Platform, Verdict } from '@cardwire/client/protocol'
import { compare } from 'semver'
import { findLatest } from './latest-version.ts'

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
export function decideVerdict<R extends Release>(
  installed: string,
  os: Platform,
  releases: readonly R[],
): Decision<R> {
  const own = releases.find(({ id }) => id === installed)
  if (own && !own.allowed) return { action: 'stop', target: findLatest(releases, os) }
  const newer = releases.filter(({ id }) => compare(id, installed) > 0)
  if (newer.some(({ mandatory }) => mandatory)) {
    return { action: 'require', target: findLatest(newer, os) }
  }
  const target = findLatest(
    newer.filter(({ recommended }) => recommended),
    os,
  )
  return target ? { action: 'recommend', target } : { action: 'none' }
}
