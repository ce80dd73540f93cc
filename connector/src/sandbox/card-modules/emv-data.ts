/** What a payment card tells without a PIN: its applications, and the data and public keys of one of them. */
import { decodeTlv, findTlv, type TlvElement, TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import type { CardSession } from './card-session.ts'
import { isOffered } from './card-status.ts'
import { directories, knownApplications } from './emv-applications.ts'
import { createPartReader } from './read-parts.ts'

export interface PaymentApplication {
  /** Upper-case hex. */
  readonly aid: string
  readonly name: string
  /** 1 is the first; 0: the card has no order. */
  readonly priority: number
}

/** Tags (EMV 4.4 Book 3, annex A). */
const tags = {
  ...{ template: 0x6f, proprietary: 0xa5, issuerData: 0xbf0c, directoryFile: 0x88 },
  ...{ entry: 0x61, record: 0x70, aid: 0x4f, label: 0x50, priority: 0x87, options: 0x9f38 },
  ...{ formatOne: 0x80, formatTwo: 0x77, files: 0x94 },
  ...{ pan: 0x5a, track2: 0x57, name: 0x5f20, expiration: 0x5f24, effective: 0x5f25 },
  ...{ countryCode: 0x5f28, country: 0x5f55, language: 0x5f2d },
} as const

/** The parts of a public key: certificate, exponent, and what did not fit into the certificate. */
const publicKeys = {
  issuer: [0x90, 0x9f32, 0x92],
  icc: [0x9f46, 0x9f47, 0x9f48],
} as const
export type PaymentKey = keyof typeof publicKeys

/** Bounds of what is read: records of a directory or a file, and all of them. */
const maxRecords = { directory: 16, all: 64 } as const

/** Of the directories of the card, else of those that are known, as far as the card has them. Throws when none can be read, and something failed. */
export function listApplications(session: CardSession): readonly PaymentApplication[] {
  const reader = createPartReader()
  const list = (read: () => readonly PaymentApplication[]) =>
    reader
      .read(() => {
        const found = read()
        return found.length > 0 ? found : undefined
      })
      .flat()
  const found = [...list(() => readContactless(session)), ...list(() => readContact(session))]
  const listed =
    found.length > 0
      ? found
      : knownApplications.flatMap((aid) => list(() => readKnown(session, aid)))
  reader.requireAny()
  const unique = listed.filter(({ aid }, at) => listed.findIndex((one) => one.aid === aid) === at)
  return unique.toSorted((a, b) => (a.priority || 16) - (b.priority || 16))
}

function readContactless(session: CardSession): readonly PaymentApplication[] {
  const content = select(session, directories.contactless)
  return content ? readEntries(findTlv(content, tags.issuerData)) : []
}

function readContact(session: CardSession): readonly PaymentApplication[] {
  const content = select(session, directories.contact)
  const [file] = (content && findTlv(content, tags.directoryFile)) ?? []
  if (file === undefined) return []
  const reader = createPartReader()
  const found: PaymentApplication[] = []
  for (let record = 1; record <= maxRecords.directory; record += 1) {
    const [data] = reader.read(() => readRecord(session, file, record))
    if (!data) break
    found.push(...readEntries(findTlv(data, tags.record)))
  }
  reader.requireAny()
  return found
}

function readKnown(session: CardSession, aid: Uint8Array): readonly PaymentApplication[] {
  const content = select(session, aid)
  if (!content) return []
  const name = toText(findTlv(content, tags.label))
  return [{ aid: toHex(aid), name, priority: readPriority(findTlv(content, tags.priority)) }]
}

const readEntries = (data: Uint8Array = new Uint8Array()): readonly PaymentApplication[] =>
  decodeTlv(data).flatMap(({ tag, value }) => {
    const aid = tag === tags.entry ? findTlv(value, tags.aid) : undefined
    if (!aid) return []
    const priority = readPriority(findTlv(value, tags.priority))
    return [{ aid: toHex(aid), name: toText(findTlv(value, tags.label)), priority }]
  })

/** The four low bits (Book 1 §12.2.3). */
const readPriority = ([value = 0]: Uint8Array = new Uint8Array()): number => value & 0x0f

/** The proprietary part of what SELECT answers; undefined: the card has no such application. */
function select(session: CardSession, name: Uint8Array): Uint8Array | undefined {
  const response = session.send({ ins: 0xa4, p1: 0x04, p2: 0x00, data: name, hasResponse: true })
  if (!isOffered(response.status)) return undefined
  const content = findTlv(response.data, tags.template)
  return (content && findTlv(content, tags.proprietary)) ?? new Uint8Array()
}

/** READ RECORD (Book 3 §6.5.11). */
function readRecord(session: CardSession, file: number, record: number): Uint8Array | undefined {
  const p2 = (file << 3) | 0x04
  const { data, status } = session.send({ ins: 0xb2, p1: record, p2, hasResponse: true })
  return isOffered(status) ? data : undefined
}

/** What the records of an application hold, by tag. Throws `card-unsupported` without the application. */
function readApplication(session: CardSession, aid: string): ReadonlyMap<number, Uint8Array> {
  const content = select(session, new Uint8Array(Buffer.from(aid, 'hex')))
  if (!content) throw createUnknownError()
  const files = getProcessingOptions(session, findTlv(content, tags.options))
  const found = new Map<number, Uint8Array>()
  let records = 0
  for (let at = 0; at + 4 <= files.length; at += 4) {
    const [first = 0, from = 1, to = 0] = files.subarray(at, at + 3)
    for (let record = from; record <= to; record += 1) {
      records += 1
      if (records > maxRecords.all) throw new TlvError('an application has too many records')
      const data = readRecord(session, first >> 3, record)
      // The card has named the record itself (Book 3 §10.2).
      if (!data)
        throw new CardError('card-mute', 'Cannot read the application: a record is missing')
      const elements: readonly TlvElement[] = decodeTlv(findTlv(data, tags.record) ?? none)
      for (const { tag, value } of elements) if (!found.has(tag)) found.set(tag, value)
    }
  }
  return found
}
const none = new Uint8Array()

const createUnknownError = () =>
  new CardError('card-unsupported', 'Cannot read the application: the card has none of this name')

/** GET PROCESSING OPTIONS (Book 3 §6.5.8): the files of the application. What the card wants to know of a terminal is zeros. */
function getProcessingOptions(session: CardSession, wanted: Uint8Array | undefined): Uint8Array {
  const length = sumLengths(wanted ?? none)
  const data = Uint8Array.of(0x83, length, ...new Uint8Array(length))
  const command = { cla: 0x80, ins: 0xa8, p1: 0x00, p2: 0x00, data, hasResponse: true }
  const response = session.send(command)
  if (response.status !== 0x9000) {
    throw new CardError('card-mute', 'Cannot read the application: the card does not begin with it')
  }
  // The first two bytes of format 1 say what the application can.
  const whole = findTlv(response.data, tags.formatOne)
  if (whole) return whole.subarray(2)
  return findTlv(findTlv(response.data, tags.formatTwo) ?? none, tags.files) ?? none
}

/** Of a data object list: tags and lengths without values (Book 3 §5.4). */
function sumLengths(list: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < list.length; at += 1) {
    const isLong = ((list[at] ?? 0) & 0x1f) === 0x1f
    at += 1
    while (isLong && ((list[at] ?? 0) & 0x80) !== 0) at += 1
    if (isLong) at += 1
    sum += list[at] ?? 0
  }
  // More does not fit into the command.
  if (sum > 250) throw new TlvError('the card wants to know too much of a terminal')
  return sum
}

/** What the records of the first application hold, by tag: it is selected then. */
export function openFirstApplication(session: CardSession): ReadonlyMap<number, Uint8Array> {
  const [first] = listApplications(session)
  if (first) return readApplication(session, first.aid)
  throw new CardError('card-unsupported', 'Cannot use the card: it has no application')
}

/** Of the first application. Without `wholePan` all digits of the card's number but four are hidden. */
export function readApplicationData(session: CardSession, wholePan: boolean) {
  const found = openFirstApplication(session)
  const digits = (tag: number) => toHex(found.get(tag)).replace(/F+$/, '')
  // Track 2 has it before a separator, D.
  const [ofTrack = ''] = digits(tags.track2).split('D')
  const pan = digits(tags.pan) || ofTrack
  return {
    country: toText(found.get(tags.country)),
    countryCode: digits(tags.countryCode).replace(/^0(?=\d{3}$)/, ''),
    effectiveDate: toHex(found.get(tags.effective)),
    expirationDate: toHex(found.get(tags.expiration)),
    language: toText(found.get(tags.language)),
    name: toText(found.get(tags.name)).trim(),
    pan: wholePan ? pan : pan.replace(/.(?=.{4})/g, '*'),
  }
}

/** Those that the application has. The card is asked for none that neither it lists nor is known: it has others, which are no page's business. */
export function readPublicKeys(session: CardSession, aid: string, keys: readonly PaymentKey[]) {
  const isKnown = knownApplications.some((known) => toHex(known) === aid)
  const isListed = isKnown || listApplications(session).some((listed) => listed.aid === aid)
  if (!isListed) throw createUnknownError()
  const found = readApplication(session, aid)
  return keys.flatMap((key) => {
    const [certificate, exponent, remainder] = publicKeys[key].map((tag) => found.get(tag))
    if (!certificate) return []
    const rest = { exponent: toBase64(exponent), remainder: toBase64(remainder) }
    return [{ key, certificate: toBase64(certificate), ...rest }]
  })
}

const toHex = (bytes: Uint8Array = none): string => Buffer.from(bytes).toString('hex').toUpperCase()
const toText = (bytes: Uint8Array = none): string => new TextDecoder('latin1').decode(bytes)
const toBase64 = (bytes: Uint8Array = none): string => Buffer.from(bytes).toString('base64')
