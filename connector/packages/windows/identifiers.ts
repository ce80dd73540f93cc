/** The identifiers of the package: made of names, so that the same sources make the same ones. */
import { createHash } from 'node:crypto'

/** Of every version of Cardwire, for ever: by it Windows knows an upgrade. It is also the name space of the others. */
export const upgradeCode = '{9D5C1B3E-6A5F-4E0B-8E0B-3C4E5B1D7A52}'

/** A UUID of version 5 (RFC 9562 §5.5), as Windows Installer writes one. */
export function createIdentifier(name: string): string {
  const space = Buffer.from(upgradeCode.replace(/[{}-]/g, ''), 'hex')
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex').toUpperCase()
  return `{${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}}`
}

/** Windows compares three numbers alone: what follows them is not part of its version. */
export const toProductVersion = (version: string) => version.replace(/-.*$/, '')
