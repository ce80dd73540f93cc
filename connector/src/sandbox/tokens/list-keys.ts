/** The certificates of a token, the keys that they belong to, and those of authorities beside them. */
import { createHash } from 'node:crypto'
import { CardError } from '../card-modules/card-error.ts'
import {
  type AuthorityRole,
  maxCertificateBytes,
  type Purpose,
} from '../card-modules/card-module.ts'
import { createPartReader, type PartReader } from '../card-modules/read-parts.ts'
import { attributes, objectClasses } from '../pkcs11/layout.ts'
import type { Pkcs11, Session } from '../pkcs11/pkcs11.ts'
import { readCertificateUse } from './certificate-use.ts'

export interface FoundKey {
  /** For pages: no two keys of a reader share one. */
  readonly id: string
  /** Which of the slots of the reader it is in. */
  readonly slotIndex: number
  /** CKA_ID. */
  readonly objectId: Uint8Array
  readonly certificate: Uint8Array
  readonly purpose: Purpose
  readonly alsoSigns: boolean
}

export interface FoundObjects {
  readonly keys: readonly FoundKey[]
  readonly authorities: readonly {
    readonly role: AuthorityRole
    readonly certificate: Uint8Array
  }[]
  readonly unread: readonly UnreadCertificate[]
}

/** One that cannot be read here. `value`: empty if the token does not give it. */
export interface UnreadCertificate {
  readonly objectId: Uint8Array
  readonly value: Uint8Array
}

/** One session for each slot, in their order. What cannot be read is left out; throws `card-mute` when nothing can be. */
export function listKeys(pkcs11: Pkcs11, sessions: readonly Session[]): FoundObjects {
  const reader = createPartReader()
  const found = sessions.map((session, slotIndex) =>
    readSlot({ pkcs11, session, reader }, slotIndex),
  )
  reader.requireAny()
  const keys = found.flatMap((objects) => objects.keys)
  return {
    keys: keys.map((key, at) => {
      const before = keys.slice(0, at).filter(({ id }) => id === key.id).length
      return before === 0 ? key : { ...key, id: `${key.id}-${before + 1}` }
    }),
    authorities: found.flatMap(({ authorities }) => authorities),
    unread: found.flatMap(({ unread }) => unread),
  }
}

interface SlotSource {
  readonly pkcs11: Pkcs11
  readonly session: Session
  readonly reader: PartReader
}

function readSlot(source: SlotSource, slotIndex: number): FoundObjects {
  const { pkcs11, session } = source
  const keyIds = new Set(
    [objectClasses.publicKey, objectClasses.privateKey].flatMap((objectClass) =>
      pkcs11.findObjects(session, objectClass).map((object) => {
        const [id] = pkcs11.readAttributes(session, object, [attributes.id])
        return toHex(id ?? new Uint8Array())
      }),
    ),
  )
  const { read, unread } = readCertificates(source)
  const isOfAuthority = ({ authority, objectId }: (typeof read)[number]) =>
    authority !== undefined && !keyIds.has(toHex(objectId))
  const keys = read
    .filter((one) => !isOfAuthority(one))
    .map(({ objectId, certificate, purpose, alsoSigns }) => ({
      ...{ id: toKeyId(objectId), slotIndex, objectId },
      ...{ certificate, purpose, alsoSigns },
    }))
  return {
    // No library promises an order.
    keys: keys.toSorted((one, other) => compare(toSortKey(one), toSortKey(other))),
    authorities: read.flatMap((one) =>
      isOfAuthority(one) && one.authority
        ? [{ role: one.authority, certificate: one.certificate }]
        : [],
    ),
    unread,
  }
}

function readCertificates({ pkcs11, session, reader }: SlotSource) {
  const types = [attributes.certificateType, attributes.id, attributes.value]
  const unread: UnreadCertificate[] = []
  const none = new Uint8Array()
  const read = pkcs11.findObjects(session, objectClasses.certificate).flatMap((object) =>
    reader.read(() => {
      const [type, objectId = none, certificate] = pkcs11.readAttributes(session, object, types)
      // CKC_X_509 is 0.
      const isOther = type?.some((byte) => byte !== 0)
      if (isOther) return undefined
      // Kept elsewhere (v2.40 §4.6.3).
      if (certificate?.length === 0) {
        unread.push({ objectId, value: certificate })
        return undefined
      }
      const isWhole = certificate && certificate.length <= maxCertificateBytes
      const use = isWhole && readCertificateUse(certificate)
      if (use) return { objectId, certificate, ...use }
      unread.push({ objectId, value: certificate ?? none })
      throw new CardError('card-mute', 'Cannot read a certificate of the token')
    }),
  )
  return { read, unread }
}

/** Characters that the id of a key has in a request. */
const maxIdLength = 60

/** As hex; one that is too long for a request, or missing, by what it is the id of. */
function toKeyId(objectId: Uint8Array): string {
  const id = toHex(objectId)
  if (id === '') return 'key'
  return id.length <= maxIdLength
    ? id
    : createHash('sha256').update(objectId).digest('hex').slice(0, 40)
}

const toSortKey = ({ id, certificate }: Pick<FoundKey, 'id' | 'certificate'>) =>
  `${id} ${toHex(certificate)}`
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
