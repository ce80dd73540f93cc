/** What an OpenPGP card says of its holder and of itself (Functional Specification 3.4.1, §4.2.1, §4.4.1). */
import { decodeTlv, findTlv, TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import type { CardSession } from './card-session.ts'
import { isPresent, isRefused } from './card-status.ts'
import type { CardInfo, IdentityData, IdentityPart } from './identity.ts'

const objects = { application: 0x6e, holder: 0x65, id: 0x4f } as const
const tags = { name: 0x5b, sex: 0x5f35, lists: 0x73, capabilities: 0xc0 } as const
/** PW status bytes (§4.4.1): their number, and the place of the attempts that PW1 has left. */
const pinStatus = { object: 0xc4, bytes: 7, tries: 4 } as const
/** Of the extended capabilities (§4.4.3.7). */
const makesRandomNumbers = 0x40
/** The application identifier (§4.2.1): its version, and maker and number of the card, from their first byte to their last. */
const idParts = { bytes: 16, version: [6, 8], serialNumber: [8, 14] } as const

/** A data object; undefined: the card has none. Throws `card-mute` when the card does not give it. */
export function getData(session: CardSession, object: number): Uint8Array | undefined {
  const [p1, p2] = [object >> 8, object & 0xff]
  const { data, status } = session.send({ ins: 0xca, p1, p2, hasResponse: true })
  return isPresent(status) ? data : undefined
}

/** A part of a data object. Throws TlvError when it is missing. */
export function find(data: Uint8Array | undefined, tag: number): Uint8Array {
  const value = data && findTlv(data, tag)
  if (value) return value
  throw new TlvError('a part of the data is missing')
}

/** Of PW1, under both of its references; undefined: the card does not have the object. Throws `card-mute` or TlvError when it fails. */
export function readOpenpgpTries(session: CardSession): number | undefined {
  const { object: p2, bytes, tries } = pinStatus
  const { data, status } = session.send({ ins: 0xca, p1: 0x00, p2, hasResponse: true })
  if (isRefused(status) || !isPresent(status)) return undefined
  if (data.length !== bytes) throw new TlvError('the status of the PINs has another length')
  return data[tries]
}

/** Texts that such cards do not have are empty; nobody has signed any of it. */
export function readOpenpgpIdentity<P extends IdentityPart>(
  session: CardSession,
  part: P,
): IdentityData[P] {
  const found: Partial<IdentityData> =
    part === 'biometric' ? { biometric: readHolder(session) } : {}
  const data = found[part]
  if (data) return data
  throw new CardError('card-mute', `Cannot read the ${part}: such cards have none`)
}

function readHolder(session: CardSession): IdentityData['biometric'] {
  const object = requireData(session, objects.holder)
  // Cards answer with the tag of the object or without.
  const fields = findTlv(object, objects.holder) ?? object
  // As in passports: the family name first, then `<<`, and `<` for a space (ISO/IEC 7501-1).
  const name = new TextDecoder().decode(findTlv(fields, tags.name))
  const [family = '', first = ''] = name.split('<<').map((text) => text.replaceAll('<', ' ').trim())
  const { id, serialNumber } = readId(session)
  const none = {
    ...{ cardValidityDateBegin: '', cardValidityDateEnd: '', cardDeliveryMunicipality: '' },
    ...{ nationalNumber: '', thirdName: '', nationality: '', birthLocation: '', birthDate: '' },
    ...{ nobleCondition: '', documentType: '', specialStatus: '', pictureHash: '', signature: '' },
  }
  return {
    ...none,
    rawData: Buffer.from(object).toString('base64'),
    version: readVersion(id),
    cardNumber: serialNumber,
    chipNumber: serialNumber,
    name: family,
    firstNames: first,
    sex: sexes[findTlv(fields, tags.sex)?.[0] ?? 0] ?? '',
  }
}

/** ISO/IEC 5218, as digits of ASCII. */
const sexes: Readonly<Record<number, string>> = { [0x31]: 'M', [0x32]: 'F' }

/** Throws `card-mute` when the card does not answer as it should. */
export function readOpenpgpInfo(session: CardSession): CardInfo {
  const application = requireData(session, objects.application)
  const { id, serialNumber } = readId(session)
  const inside = findTlv(application, objects.application) ?? application
  const [capabilities = 0] = findTlv(findTlv(inside, tags.lists) ?? inside, tags.capabilities) ?? []
  return {
    rawData: Buffer.from(application).toString('base64'),
    applicationVersion: readVersion(id),
    version: id[idParts.version[0]] ?? 0,
    serialNumber,
    label: 'OpenPGP',
    prnGeneration: (capabilities & makesRandomNumbers) !== 0,
    eidCompliant: false,
  }
}

/** `serialNumber` as upper-case hex. */
function readId(session: CardSession): { readonly id: Uint8Array; readonly serialNumber: string } {
  const object = requireData(session, objects.id)
  const id = object.length === idParts.bytes ? object : decodeTlv(object)[0]?.value
  if (id?.length !== idParts.bytes) throw new TlvError('the application identifier is not valid')
  const number = id.slice(...idParts.serialNumber)
  return { id, serialNumber: Buffer.from(number).toString('hex').toUpperCase() }
}

const readVersion = (id: Uint8Array): string => id.slice(...idParts.version).join('.')

function requireData(session: CardSession, object: number): Uint8Array {
  const data = getData(session, object)
  if (data) return data
  throw new CardError('card-mute', 'Cannot read the card: required data is missing on it')
}
