/** Keystores that other programs made (`keystores/make.sh`). */
import { readFileSync } from 'node:fs'

/** The password of those that have one. */
export const filePassword = 'secret'

/** `open.p12` and `open-other.p12` open with any password. */
export const readKeystoreFile = (name = 'open.p12'): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`keystores/${name}`, import.meta.url)))

/** When the certificate in `open.p12` expires. */
export const openExpiry = '2126-11-04T07:16:47.000Z'
