/** What the question for identity data says, in the languages that we have. */
import type { IdentityRequest } from './identity-request.ts'
import { findByLanguage, type Language } from './language.ts'

interface IdentityTexts {
  readonly purpose: (who: string) => string
  /** What is shared. */
  readonly data: string
  /** To a page: for how long. */
  readonly untilRevoked: string
  /** To a program: it has no origin by which it could be known again. */
  readonly once: string
  /** The caller, where no page asks. */
  readonly program: string
  readonly card: string
  readonly reader: string
  readonly question: string
  readonly accept: string
  readonly refuse: string
}

const texts: Readonly<Record<Language, IdentityTexts>> = {
  en: {
    purpose: (who) => `${who} wants to read who you are.`,
    data: 'This is what your card says about you: name, birth, nationality, numbers, address and picture.',
    untilRevoked:
      'This site may then read every card of this kind without asking again, until its consent ends or you revoke it.',
    once: 'This program may then read the card once.',
    program: 'A program on this computer',
    card: 'Card',
    reader: 'Reader',
    question: 'Do you share these data?',
    accept: 'Share',
    refuse: 'Do not share',
  },
  nl: {
    purpose: (who) => `${who} wil lezen wie u bent.`,
    data: 'Dat is wat uw kaart over u zegt: naam, geboorte, nationaliteit, nummers, adres en foto.',
    untilRevoked:
      'Elke kaart van deze soort kan dan zonder nieuwe vraag gelezen worden, tot de toestemming eindigt of u ze intrekt.',
    once: 'De kaart kan dan één keer gelezen worden.',
    program: 'Een programma op deze computer',
    card: 'Kaart',
    reader: 'Lezer',
    question: 'Deelt u deze gegevens?',
    accept: 'Delen',
    refuse: 'Niet delen',
  },
  fr: {
    purpose: (who) => `${who} veut lire qui vous êtes.`,
    data: 'C’est ce que votre carte dit de vous : nom, naissance, nationalité, numéros, adresse et photo.',
    untilRevoked:
      'Toute carte de ce type pourra alors être lue sans nouvelle question, jusqu’à ce que l’accord prenne fin ou que vous le retiriez.',
    once: 'La carte pourra alors être lue une fois.',
    program: 'Un programme de cet ordinateur',
    card: 'Carte',
    reader: 'Lecteur',
    question: 'Partagez-vous ces données ?',
    accept: 'Partager',
    refuse: 'Ne pas partager',
  },
  de: {
    purpose: (who) => `${who} möchte lesen, wer Sie sind.`,
    data: 'Das ist, was Ihre Karte über Sie sagt: Name, Geburt, Staatsangehörigkeit, Nummern, Adresse und Bild.',
    untilRevoked:
      'Jede Karte dieser Art kann dann ohne neue Frage gelesen werden, bis die Zustimmung endet oder Sie sie widerrufen.',
    once: 'Die Karte kann dann einmal gelesen werden.',
    program: 'Ein Programm auf diesem Computer',
    card: 'Karte',
    reader: 'Leser',
    question: 'Geben Sie diese Daten frei?',
    accept: 'Freigeben',
    refuse: 'Nicht freigeben',
  },
}

/** The question to a person who speaks this language, a tag of BCP 47. */
export function describeIdentity(
  { origin, card, reader }: Pick<IdentityRequest, 'origin' | 'card' | 'reader'>,
  language: string,
) {
  const found = findByLanguage(texts, language)
  const text = [
    found.purpose(origin ?? found.program),
    found.data,
    origin === undefined ? found.once : found.untilRevoked,
    '',
    `${found.card}: ${card}`,
    `${found.reader}: ${reader}`,
    '',
    found.question,
  ].join('\n')
  return { title: 'Cardwire', text, accept: found.accept, refuse: found.refuse }
}
