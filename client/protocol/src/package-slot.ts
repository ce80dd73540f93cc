/**
 * The slot of a package: a range of fixed length in which the service writes the values of its devices as it serves the package
 * (docs/decisions/0070). Filled or not it is a settings file of the connector: the first line is a comment, then come lines
 * `NAME=value`, and line ends fill the rest.
 */

/** The length of every slot, in bytes. */
export const slotLength = 4096

/** The first line of every slot: bytes that do not begin with it are none. */
export const slotHeading = '# cardwire-slot-1'

/** What a device needs to register. */
export interface StampedValues {
  /** The address of the service. */
  readonly url: string
  /** The installation key of the version. */
  readonly installationKey: string
  /** Of the keys that sign the replies of the service (RFC 7638, SHA-256, base64url). */
  readonly fingerprints: readonly string[]
}

const names = {
  url: 'CARDWIRE_DS_URL',
  installationKey: 'CARDWIRE_INSTALLATION_KEY',
  fingerprints: 'CARDWIRE_DS_FINGERPRINTS',
} as const

/** The bytes of a slot; without values those of a package as it is built. undefined: the values are too long for it. */
export function writeSlot(values?: StampedValues): Uint8Array<ArrayBuffer> | undefined {
  const settings = values && [
    `${names.url}=${values.url}`,
    `${names.installationKey}=${values.installationKey}`,
    `${names.fingerprints}=${values.fingerprints.join(',')}`,
  ]
  const text = [slotHeading, ...(settings ?? []), ''].join('\n')
  const slot = new Uint8Array(slotLength).fill('\n'.charCodeAt(0))
  const { read } = new TextEncoder().encodeInto(text, slot)
  return read === text.length ? slot : undefined
}

/** Whether bytes begin as a slot does. */
export const isSlot = (bytes: Uint8Array): boolean =>
  bytes.length === slotLength &&
  new TextDecoder().decode(bytes.subarray(0, slotHeading.length + 1)) === `${slotHeading}\n`
