/** Where an installer is downloaded from this service. */
import { type Platform, platforms } from '@cardwire/protocol'

/** The same for a device that is registered: with the bytes whose digest the version has, and nothing stamped into them. */
export const createUpdateUrl = (
  url: string,
  os: Platform,
  version: string,
  choice: PackageChoice = {},
): string => createUrl(url, os, version, { ...choice, stamp: 'off' })

/** `url` is the public address of the service, without a slash at its end. */
export const createInstallerUrl = (
  url: string,
  os: Platform,
  version: string,
  choice: PackageChoice = {},
): string => createUrl(url, os, version, choice)

function createUrl(
  url: string,
  os: Platform,
  version: string,
  query: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(query).toString()
  const path = `/v3/downloads/installers/${platforms[os]}/versions/${encodeURIComponent(version)}`
  return `${url}${path}${search && `?${search}`}`
}

/** Which of the packages for a system it is; nothing: the one that is registered. */
export type PackageChoice =
  | { readonly architecture: string; readonly format: string }
  | Readonly<Record<string, never>>
