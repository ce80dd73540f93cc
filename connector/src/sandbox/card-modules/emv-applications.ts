/** Names of applications of payment cards, and of the directories that list them. */

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** The directories of a card's applications: of contactless cards, and of those with contacts. */
export const directories = {
  contactless: new Uint8Array(Buffer.from('2PAY.SYS.DDF01')),
  contact: new Uint8Array(Buffer.from('1PAY.SYS.DDF01')),
} as const

/** Applications of cards without a directory: Visa, V PAY, Electron, Mastercard, Maestro, American Express, Bancontact, CB, girocard. */
export const knownApplications: readonly Uint8Array[] = [
  hex('A0000000031010'),
  hex('A0000000032020'),
  hex('A0000000032010'),
  hex('A0000000041010'),
  hex('A0000000043060'),
  hex('A00000002501'),
  hex('D056000666111010'),
  hex('A0000000421010'),
  hex('A0000003591010028001'),
]
