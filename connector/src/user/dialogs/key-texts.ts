/** What the question for the use of a key says, in the languages that we have. */
import type { KeyUseRequest } from './key-request.ts'
import { findByLanguage, type Language } from './language.ts'
import type { PinAct } from './pin-request.ts'

interface KeyTexts {
  readonly purposes: Readonly<Record<PinAct, (who: string) => string>>
  /** The caller, where no page asks. */
  readonly program: string
  readonly certificate: string
  readonly issuer: string
  readonly question: string
  readonly accept: string
  readonly refuse: string
}

const texts: Readonly<Record<Language, KeyTexts>> = {
  en: {
    purposes: {
      sign: (who) => `${who} wants your signature with a certificate of this computer.`,
      authenticate: (who) =>
        `${who} wants to prove who you are with a certificate of this computer.`,
      check: (who) =>
        `${who} wants to know whether a certificate of this computer can be used. Nothing is signed.`,
    },
    program: 'A program on this computer',
    certificate: 'Certificate',
    issuer: 'Issued by',
    question: 'Do you allow this, once?',
    accept: 'Allow',
    refuse: 'Refuse',
  },
  nl: {
    purposes: {
      sign: (who) => `${who} wil uw handtekening met een certificaat van deze computer.`,
      authenticate: (who) =>
        `${who} wil bewijzen wie u bent met een certificaat van deze computer.`,
      check: (who) =>
        `${who} wil weten of een certificaat van deze computer bruikbaar is. Er wordt niets ondertekend.`,
    },
    program: 'Een programma op deze computer',
    certificate: 'Certificaat',
    issuer: 'Uitgegeven door',
    question: 'Staat u dit één keer toe?',
    accept: 'Toestaan',
    refuse: 'Weigeren',
  },
  fr: {
    purposes: {
      sign: (who) => `${who} veut votre signature avec un certificat de cet ordinateur.`,
      authenticate: (who) =>
        `${who} veut prouver qui vous êtes avec un certificat de cet ordinateur.`,
      check: (who) =>
        `${who} veut savoir si un certificat de cet ordinateur peut servir. Rien n’est signé.`,
    },
    program: 'Un programme de cet ordinateur',
    certificate: 'Certificat',
    issuer: 'Émis par',
    question: 'Le permettez-vous, une fois ?',
    accept: 'Permettre',
    refuse: 'Refuser',
  },
  de: {
    purposes: {
      sign: (who) => `${who} möchte Ihre Signatur mit einem Zertifikat dieses Computers.`,
      authenticate: (who) =>
        `${who} möchte mit einem Zertifikat dieses Computers nachweisen, wer Sie sind.`,
      check: (who) =>
        `${who} möchte wissen, ob ein Zertifikat dieses Computers benutzt werden kann. Es wird nichts signiert.`,
    },
    program: 'Ein Programm auf diesem Computer',
    certificate: 'Zertifikat',
    issuer: 'Ausgestellt von',
    question: 'Erlauben Sie das, einmal?',
    accept: 'Erlauben',
    refuse: 'Ablehnen',
  },
}

/** In the language that the page wishes, else in that of the person: tags of BCP 47. */
export function describeKeyUse(
  {
    origin,
    act,
    subject,
    issuer,
    language: wished,
  }: Pick<KeyUseRequest, 'origin' | 'act' | 'subject' | 'issuer' | 'language'>,
  language: string,
) {
  const found = findByLanguage(texts, wished, language)
  const text = [
    found.purposes[act](origin ?? found.program),
    '',
    `${found.certificate}: ${subject}`,
    `${found.issuer}: ${issuer}`,
    '',
    found.question,
  ].join('\n')
  return { title: 'Cardwire', text, accept: found.accept, refuse: found.refuse }
}
