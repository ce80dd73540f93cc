/** A PKCS #11 library in memory: one token, and keys of P-256 with the certificates that a test gives them. */
import type { KeyObject } from 'node:crypto'
import { toRawSignature } from '../../src/sandbox/card-modules/signature.ts'
import { attributes, flags, mechanisms, objectClasses } from '../../src/sandbox/pkcs11/layout.ts'
import type { Pkcs11 } from '../../src/sandbox/pkcs11/pkcs11.ts'
import { createTokenWorker } from '../../src/sandbox/tokens/token-worker.ts'
import { signChallenge } from '../../src/sandbox/virtual-card/sign-challenge.ts'
import type { CardRequest, CardResult } from '../../src/system/ipc/card-messages.ts'

export interface MemoryKey {
  /** CKA_ID. */
  readonly id: number
  readonly privateKey: KeyObject
  /** DER; several of one key have its CKA_ID each. */
  readonly certificates: readonly Uint8Array[]
}

export function createTokenProcess(
  keys: readonly MemoryKey[],
): (request: CardRequest, pin: Uint8Array) => CardResult {
  const certificates = keys.flatMap(({ id, certificates: all }) =>
    all.map((value) => ({ id, value })),
  )
  const work = createTokenWorker(() => createLibrary(keys, certificates))
  const library = { path: '/lib', sha256: '', isNamedByRoot: false, isOwn: false }
  return (request, pin) => work({ ...request, library }, pin)
}

function createLibrary(
  keys: readonly MemoryKey[],
  certificates: readonly { readonly id: number; readonly value: Uint8Array }[],
): Pkcs11 {
  return {
    listSlots: () => [1n],
    readSlot: () => ({ description: 'A reader', flags: 0 }),
    readToken: () => ({
      ...{ label: 'Memory', manufacturer: '', model: '', serialNumber: '1' },
      flags: flags.tokenInitialized | flags.tokenLoginRequired,
      numbers: [],
      ...{ hardwareVersion: '1.0', firmwareVersion: '1.0' },
    }),
    listMechanisms: () => [mechanisms.ecdsa],
    open: () => 1n,
    close: () => undefined,
    login: () => undefined,
    logout: () => undefined,
    findObjects: (_, objectClass, id) => {
      if (objectClass === objectClasses.certificate) return certificates.map((_, at) => BigInt(at))
      if (objectClass !== objectClasses.privateKey) return []
      return keys.flatMap((key, at) => (!id || key.id === id[0] ? [1000n + BigInt(at)] : []))
    },
    readAttributes: (_, object, types) =>
      types.map((type) => {
        const key = keys[Number(object) - 1000]
        const certificate = certificates[Number(object)]
        if (type === attributes.id) return Uint8Array.of(key?.id ?? certificate?.id ?? 0)
        if (type === attributes.certificateType) return new Uint8Array(8)
        return type === attributes.value ? certificate?.value : undefined
      }),
    sign: (_, object, { data }) => {
      const key = keys[Number(object) - 1000]
      if (!key) throw new Error('Expected a key')
      // The algorithm identifier of P-256 (SP 800-78-4, table 6-2).
      return toRawSignature(signChallenge(key.privateKey, 0x11, data) ?? data, 32)
    },
  }
}
