/** PKCS #11: the port, and its one implementation over a library. What a library says about lengths is never believed. */
import { CardError } from '../card-modules/card-error.ts'
import { codes, Pkcs11Error } from './codes.ts'
import { attributes, type Call, flags, type Layout, textBytes } from './layout.ts'
import type { Native, Value } from './native.ts'
import {
  allocate,
  packFields,
  packUlongs,
  readFieldLength,
  readText,
  readUlong,
} from './structures.ts'

export type Slot = bigint
export type Session = bigint
export type ObjectHandle = bigint

export interface SlotInfo {
  readonly description: string
  readonly flags: number
}

export interface TokenFields {
  readonly label: string
  readonly manufacturer: string
  readonly model: string
  readonly serialNumber: string
  readonly flags: number
  /** In the order of CK_TOKEN_INFO: four of sessions, the longest and the shortest PIN, four of memory. */
  readonly numbers: readonly bigint[]
  /** `2.6`. */
  readonly hardwareVersion: string
  readonly firmwareVersion: string
}

export interface Mechanism {
  readonly type: number
  /** Each a CK_ULONG. */
  readonly parameters?: readonly number[]
}

export interface SignOptions {
  readonly mechanism: Mechanism
  readonly data: Uint8Array
  /** Called when the signature has begun: where a key wants its PIN each time. */
  readonly onBegun?: () => void
}

/** Calls throw a Pkcs11Error when the library refuses them, and a CardError when what it answers cannot be. They block. */
export interface Pkcs11 {
  /** Those with a token. */
  listSlots(): readonly Slot[]
  readSlot(slot: Slot): SlotInfo
  readToken(slot: Slot): TokenFields
  listMechanisms(slot: Slot): readonly number[]
  /** For reading and signing. */
  open(slot: Slot): Session
  close(session: Session): void
  /** undefined: the user enters the PIN at the token. */
  login(session: Session, user: number, pin: Uint8Array | undefined): void
  logout(session: Session): void
  findObjects(session: Session, objectClass: number, id?: Uint8Array): readonly ObjectHandle[]
  /** In the order of the types; undefined: the object does not have it, or does not give it. */
  readAttributes(
    session: Session,
    object: ObjectHandle,
    types: readonly number[],
  ): readonly (Uint8Array | undefined)[]
  sign(session: Session, key: ObjectHandle, options: SignOptions): Uint8Array
}

/** What a library may answer. A certificate has two thousand bytes, a signature by RSA-4096 512. */
const limits = { slots: 64, objects: 500, mechanisms: 1000, attribute: 16_384, signature: 1024 }

/** Initializes the library. */
export function openPkcs11(native: Native, layout: Layout): Pkcs11 {
  const call = (name: Call, ...values: readonly Value[]): void => {
    const code = native(name, ...values)
    if (code !== codes.CKR_OK) throw new Pkcs11Error(name, code)
  }
  /** What fills a list: asked for the length first, then for the list. */
  const list = (name: Call, max: number, ...before: readonly bigint[]): readonly bigint[] => {
    const count = allocate(layout.ulong)
    call(name, ...before, null, count)
    const length = requireBound(readUlong(layout, count), max)
    if (length === 0) return []
    const items = allocate(layout.ulong * length)
    call(name, ...before, items, count)
    const filled = requireBound(readUlong(layout, count), length)
    return Array.from({ length: filled }, (_, at) => readUlong(layout, items, at * layout.ulong))
  }
  // Its counterpart is the end of the process: a library that hangs there would keep it.
  const code = native('C_Initialize', null)
  if (code !== codes.CKR_OK && code !== codes.CKR_CRYPTOKI_ALREADY_INITIALIZED)
    throw new Pkcs11Error('C_Initialize', code)

  return {
    listSlots: () => list('C_GetSlotList', limits.slots, 1n),
    listMechanisms: (slot) => list('C_GetMechanismList', limits.mechanisms, slot).map(Number),
    readSlot(slot) {
      const { size, description, flags: at } = layout.slotInfo
      const bytes = allocate(size)
      call('C_GetSlotInfo', slot, bytes)
      const text = readText(bytes, description, textBytes.description)
      return { description: text, flags: Number(readUlong(layout, bytes, at)) }
    },
    readToken(slot) {
      const bytes = allocate(layout.tokenInfo.size)
      call('C_GetTokenInfo', slot, bytes)
      return toTokenFields(layout, bytes)
    },
    open(slot) {
      const session = allocate(layout.ulong)
      call('C_OpenSession', slot, BigInt(flags.sessionSerial), null, null, session)
      return readUlong(layout, session)
    },
    close: (session) => call('C_CloseSession', session),
    login: (session, user, pin) =>
      call('C_Login', session, BigInt(user), pin ?? null, BigInt(pin?.length ?? 0)),
    logout: (session) => call('C_Logout', session),
    findObjects(session, objectClass, id) {
      const values = [
        { type: attributes.class, value: packUlongs(layout, BigInt(objectClass)) },
        ...(id ? [{ type: attributes.id, value: id }] : []),
      ]
      const template = packFields(layout, values)
      call('C_FindObjectsInit', session, template, BigInt(values.length))
      try {
        const found = allocate(layout.ulong * limits.objects)
        const count = allocate(layout.ulong)
        call('C_FindObjects', session, found, BigInt(limits.objects), count)
        const length = requireBound(readUlong(layout, count), limits.objects)
        return Array.from({ length }, (_, at) => readUlong(layout, found, at * layout.ulong))
      } finally {
        call('C_FindObjectsFinal', session)
      }
    },
    readAttributes(session, object, types) {
      const ask = (values: readonly (Uint8Array | null)[]) => {
        const fields = types.map((type, at) => ({ type, value: values[at] ?? null }))
        const template = packFields(layout, fields)
        const count = BigInt(types.length)
        const code = native('C_GetAttributeValue', session, object, template, count)
        if (!partialAnswers.has(code)) throw new Pkcs11Error('C_GetAttributeValue', code)
        return types.map((_, at) => readFieldLength(layout, template, at))
      }
      const lengths = ask([])
      const values = lengths.map((length) =>
        length === undefined ? null : allocate(requireBound(length, limits.attribute)),
      )
      const filled = ask(values)
      return values.map((value, at) => {
        const length = filled[at]
        if (value === null || length === undefined) return undefined
        return value.subarray(0, requireBound(length, value.length))
      })
    },
    sign(session, key, { mechanism: { type, parameters }, data, onBegun }) {
      const parameter = parameters ? packUlongs(layout, ...parameters.map(BigInt)) : null
      call('C_SignInit', session, packFields(layout, [{ type, value: parameter }]), key)
      onBegun?.()
      const signature = allocate(limits.signature)
      const length = packUlongs(layout, BigInt(signature.length))
      call('C_Sign', session, data, BigInt(data.length), signature, length)
      return signature.slice(0, requireBound(readUlong(layout, length), signature.length))
    },
  }
}

/** The attributes that are there have been given with these codes as well (v2.40 §5.7, C_GetAttributeValue). */
const partialAnswers: ReadonlySet<number> = new Set([
  codes.CKR_OK,
  codes.CKR_ATTRIBUTE_SENSITIVE,
  codes.CKR_ATTRIBUTE_TYPE_INVALID,
])

function requireBound(value: bigint, max: number): number {
  if (value <= BigInt(max)) return Number(value)
  const message = `Cannot use the token: its library returned ${value}, expected at most ${max}`
  throw new CardError('card-mute', message)
}

function toTokenFields(layout: Layout, bytes: Uint8Array): TokenFields {
  const { tokenInfo, ulong } = layout
  const readVersion = (at: number) => `${bytes[at]}.${bytes[at + 1]}`
  return {
    label: readText(bytes, tokenInfo.label, textBytes.label),
    manufacturer: readText(bytes, tokenInfo.manufacturer, textBytes.manufacturer),
    model: readText(bytes, tokenInfo.model, textBytes.model),
    serialNumber: readText(bytes, tokenInfo.serialNumber, textBytes.serial),
    flags: Number(readUlong(layout, bytes, tokenInfo.flags)),
    numbers: Array.from({ length: 10 }, (_, at) =>
      readUlong(layout, bytes, tokenInfo.numbers + at * ulong),
    ),
    hardwareVersion: readVersion(tokenInfo.hardwareVersion),
    firmwareVersion: readVersion(tokenInfo.firmwareVersion),
  }
}
