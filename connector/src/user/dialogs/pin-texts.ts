/** What a PIN dialog says, in the languages that we have. */
import { findByLanguage, type Language } from './language.ts'
import type { PinAct, PinRequest } from './pin-request.ts'

export interface PinTexts {
  /** Who wants what: the heart of the dialog. */
  readonly purpose: Readonly<Record<PinAct, (who: string) => string>>
  /** The caller, where no page asks. */
  readonly program: string
  readonly reader: string
  readonly card: string
  readonly tries: (left: number) => string
  readonly signatures: (count: number) => string
  /** Where the PIN is typed; the reader asks so many times. */
  readonly typeAtReader: (times: number) => string
  /** The PIN is kept. */
  readonly kept: (signatures: number, seconds: number) => string
  /** With `check`: a signature asks again. */
  readonly checkOnly: string
  readonly wrongForm: (min: number, max: number, digits: boolean) => string
  readonly prompt: string
  readonly submit: Readonly<Record<PinAct, string>>
  readonly cancel: string
}

const range = (min: number, max: number, to: string) =>
  min === max ? `${min}` : `${min} ${to} ${max}`

const english: PinTexts = {
  purpose: {
    check: (who) => `${who} wants to check your PIN.`,
    authenticate: (who) => `${who} wants to know who you are.`,
    sign: (who) => `${who} wants your signature.`,
  },
  program: 'A program on this computer',
  reader: 'Reader',
  card: 'Card',
  tries: (left) => (left === 1 ? 'This is the last try.' : `${left} tries left.`),
  signatures: (count) => `Your PIN makes ${count} signatures.`,
  typeAtReader: (times) =>
    `Type your PIN on the keys of the reader.${times > 1 ? ` It asks ${times} times, once for each signature.` : ''}`,
  kept: (signatures, seconds) =>
    `Your PIN makes up to ${signatures} signatures without another question, until ${seconds} seconds pass without one.`,
  checkOnly: 'This only checks the PIN. A signature will ask for it again.',
  wrongForm: (min, max, digits) =>
    `The PIN of this card has ${range(min, max, 'to')} ${digits ? 'digits' : 'characters'}.`,
  prompt: 'PIN:',
  submit: { check: 'Check', authenticate: 'Log in', sign: 'Sign' },
  cancel: 'Cancel',
}

const dutch: PinTexts = {
  purpose: {
    check: (who) => `${who} wil uw pincode controleren.`,
    authenticate: (who) => `${who} wil weten wie u bent.`,
    sign: (who) => `${who} vraagt uw handtekening.`,
  },
  program: 'Een programma op deze computer',
  reader: 'Lezer',
  card: 'Kaart',
  tries: (left) => (left === 1 ? 'Dit is de laatste poging.' : `Nog ${left} pogingen.`),
  signatures: (count) => `Uw pincode zet ${count} handtekeningen.`,
  typeAtReader: (times) =>
    `Tik uw pincode in op de toetsen van de lezer.${times > 1 ? ` Hij vraagt ze ${times} keer, één keer voor elke handtekening.` : ''}`,
  kept: (signatures, seconds) =>
    `Uw pincode zet zonder verdere vraag maximaal ${signatures} handtekeningen, tot er ${seconds} seconden lang geen bij komt.`,
  checkOnly:
    'De pincode wordt alleen gecontroleerd. Voor een handtekening wordt ze opnieuw gevraagd.',
  wrongForm: (min, max, digits) =>
    `De pincode van deze kaart heeft ${range(min, max, 'tot')} ${digits ? 'cijfers' : 'tekens'}.`,
  prompt: 'Pincode:',
  submit: { check: 'Controleren', authenticate: 'Aanmelden', sign: 'Ondertekenen' },
  cancel: 'Annuleren',
}

const french: PinTexts = {
  purpose: {
    check: (who) => `${who} veut vérifier votre code PIN.`,
    authenticate: (who) => `${who} veut savoir qui vous êtes.`,
    sign: (who) => `${who} demande votre signature.`,
  },
  program: 'Un programme de cet ordinateur',
  reader: 'Lecteur',
  card: 'Carte',
  tries: (left) => (left === 1 ? 'C’est le dernier essai.' : `Encore ${left} essais.`),
  signatures: (count) => `Votre code PIN fera ${count} signatures.`,
  typeAtReader: (times) =>
    `Tapez votre code PIN sur les touches du lecteur.${times > 1 ? ` Il le demande ${times} fois, une fois par signature.` : ''}`,
  kept: (signatures, seconds) =>
    `Votre code PIN fera jusqu’à ${signatures} signatures sans autre question, tant qu’il ne passe pas ${seconds} secondes sans signature.`,
  checkOnly: 'Le code est seulement vérifié. Une signature le demandera de nouveau.',
  wrongForm: (min, max, digits) =>
    `Le code PIN de cette carte a ${range(min, max, 'à')} ${digits ? 'chiffres' : 'caractères'}.`,
  prompt: 'Code PIN :',
  submit: { check: 'Vérifier', authenticate: 'S’identifier', sign: 'Signer' },
  cancel: 'Annuler',
}

const german: PinTexts = {
  purpose: {
    check: (who) => `${who} möchte Ihre PIN prüfen.`,
    authenticate: (who) => `${who} möchte wissen, wer Sie sind.`,
    sign: (who) => `${who} möchte Ihre Unterschrift.`,
  },
  program: 'Ein Programm auf diesem Computer',
  reader: 'Leser',
  card: 'Karte',
  tries: (left) => (left === 1 ? 'Das ist der letzte Versuch.' : `Noch ${left} Versuche.`),
  signatures: (count) => `Ihre PIN leistet ${count} Unterschriften.`,
  typeAtReader: (times) =>
    `Geben Sie Ihre PIN auf den Tasten des Lesers ein.${times > 1 ? ` Er fragt ${times}-mal danach, einmal für jede Unterschrift.` : ''}`,
  kept: (signatures, seconds) =>
    `Ihre PIN leistet ohne weitere Frage bis zu ${signatures} Unterschriften, bis ${seconds} Sekunden lang keine dazukommt.`,
  checkOnly: 'Die PIN wird nur geprüft. Eine Unterschrift fragt noch einmal danach.',
  wrongForm: (min, max, digits) =>
    `Die PIN dieser Karte hat ${range(min, max, 'bis')} ${digits ? 'Ziffern' : 'Zeichen'}.`,
  prompt: 'PIN:',
  submit: { check: 'Prüfen', authenticate: 'Anmelden', sign: 'Unterschreiben' },
  cancel: 'Abbrechen',
}

const texts: Readonly<Record<Language, PinTexts>> = {
  en: english,
  nl: dutch,
  fr: french,
  de: german,
}

/** The texts of the first language that we have; English where there is none. A language is a tag of BCP 47. */
export const findTexts = (...wanted: readonly (string | undefined)[]): PinTexts =>
  findByLanguage(texts, ...wanted)

/** The text of the dialog: who asks for what, with which card in which reader, and how many tries are left. */
export function describe(request: PinRequest, texts: PinTexts): string {
  const { count = 1, kept } = request
  return describeWith(request, texts, [
    ...(count > 1 ? [texts.signatures(count)] : []),
    ...(kept ? [texts.kept(kept.signatures, kept.idleMs / 1000)] : []),
  ])
}

/** The text of the notice for a reader with a pad: the same, and where the PIN is typed. */
export const describePad = (request: PinRequest, texts: PinTexts): string =>
  describeWith(request, texts, [texts.typeAtReader(request.count ?? 1)])

function describeWith(
  { act, origin, reader, card, triesLeft }: PinRequest,
  texts: PinTexts,
  manner: readonly string[],
): string {
  return [
    texts.purpose[act](origin ?? texts.program),
    ...manner,
    ...(act === 'check' ? [texts.checkOnly] : []),
    '',
    `${texts.card}: ${card}`,
    `${texts.reader}: ${reader}`,
    ...(triesLeft === undefined ? [] : [texts.tries(triesLeft)]),
  ].join('\n')
}
