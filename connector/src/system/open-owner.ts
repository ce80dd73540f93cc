/** Whose process is at the other end of a connection, by the platform. */
import { linuxOwner } from './linux-owner.ts'
import type { OwnerOf } from './owner.ts'
import { windowsOwner } from './windows-owner.ts'

/** The look-up of this system; macOS tells only an administrator. */
export function openOwner(): OwnerOf {
  if (process.platform === 'linux') return linuxOwner()
  if (process.platform === 'win32') return windowsOwner()
  return async () => ({ kind: 'unknown' })
}
