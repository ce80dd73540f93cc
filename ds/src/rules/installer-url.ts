/** Where an installer is downloaded from this service. */
import { type Platform, platforms } from '@cardwire/client/protocol'

/** The same for a device that is registered: with the bytes whose digest the version has, and nothing stamped into them. */
export const createUpdateUrl = (url: string, os: Platform, version: string): string =>
  `${createInstallerUrl(url, os, version)}?stamp=off`

/** `url` is the public address of the service, without a slash at its end. */
export const createInstallerUrl = (url: string, os: Platform, version: string): string =>
  `${url}/v3/downloads/installers/${platforms[os]}/versions/${encodeURIComponent(version)}`
