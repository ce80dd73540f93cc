/** What a Belgian card says of itself: its TokenInfo, and the data of its chip. */
import { decodeTlv, findTlv } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { readFile } from './card-file.ts'
import type { CardSession } from './card-session.ts'
import type { CardInfo } from './identity.ts'

const tokenInfoFile = new Uint8Array(Buffer.from('3F00DF005032', 'hex'))
const tags = {
  sequence: 0x30,
  version: 0x02,
  serialNumber: 0x04,
  label: 0x80,
  flags: 0x03,
  personalisation: 0x9e,
}

/** GET CARD DATA: how long it is, and where what we read stands (OpenSC, card-belpic.c). */
const cardData = { bytes: 28, applicationVersion: 21, lifeCycle: 27 } as const
/** A card that was not issued yet has 07. */
const issued: ReadonlySet<number> = new Set([0x0f, 0x8a])

/** Throws `card-mute` when the card does not answer as it should, TlvError when its TokenInfo is none. */
export function readBeidInfo(session: CardSession): CardInfo {
  const chip = readCardData(session)
  const file = readFile(session, tokenInfoFile)
  if (!file)
    throw new CardError('card-mute', 'Cannot read the TokenInfo: the card does not give it')
  const version = chip[cardData.applicationVersion] ?? 0
  return {
    ...parseTokenInfo(file),
    applicationVersion: `${version >> 4}.${version & 0x0f}`,
    activated: issued.has(chip[cardData.lifeCycle] ?? 0),
  }
}

/** TokenInfo (ISO/IEC 7816-15 §8.10), at whose end the card has four versions of its personalisation. */
export function parseTokenInfo(file: Uint8Array): Omit<CardInfo, 'applicationVersion'> {
  const content = findTlv(file, tags.sequence) ?? new Uint8Array()
  const found = new Map(decodeTlv(content).map(({ tag, value }) => [tag, value]))
  const get = (tag: number) => found.get(tag) ?? new Uint8Array()
  // The first byte of a bit string says how many bits of the last one are none (X.690 §8.6.2.2).
  const [, flags = 0] = get(tags.flags)
  const [graphical, reserved, electrical, electricalInterface] = get(tags.personalisation)
  return {
    rawData: Buffer.from(file).toString('base64'),
    version: get(tags.version)[0] ?? 0,
    serialNumber: Buffer.from(get(tags.serialNumber)).toString('hex').toUpperCase(),
    label: new TextDecoder().decode(get(tags.label)),
    prnGeneration: (flags & 0x20) !== 0,
    eidCompliant: (flags & 0x10) !== 0,
    ...(graphical !== undefined && { graphicalPersoVersion: graphical }),
    ...(reserved !== undefined && { versionRfu: reserved }),
    ...(electrical !== undefined && { electricalPersoVersion: electrical }),
    ...(electricalInterface !== undefined && {
      electricalPersoInterfaceVersion: electricalInterface,
    }),
  }
}

function readCardData(session: CardSession): Uint8Array {
  const { data, status } = session.send({
    cla: 0x80,
    ins: 0xe4,
    p1: 0x00,
    p2: 0x00,
    hasResponse: true,
    length: cardData.bytes,
  })
  if (status === 0x9000 && data.length === cardData.bytes) return data
  throw new CardError(
    'card-mute',
    'Cannot read the card’s information: the card does not return it',
  )
}
