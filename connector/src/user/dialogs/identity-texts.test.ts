/** What the question for identity data says, in each language. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { HolderData } from './identity-request.ts'
import { describeIdentity } from './identity-texts.ts'

test.each<[string, string | undefined, string, string, string]>([
  [
    'en-GB',
    'https://shop.example',
    'https://shop.example wants to read who you are.\nThis is what your card says about you: name, birth, nationality, numbers, address and picture.\nThis site may then read every card of this kind without asking again, until its consent ends or you revoke it.\n\nCard: Belgian identity card\nReader: Reader 1\n\nDo you share these data?',
    'Share',
    'Do not share',
  ],
  [
    'nl',
    'https://shop.example',
    'https://shop.example wil uw identiteitsgegevens lezen.\nDat is wat uw kaart over u zegt: naam, geboorte, nationaliteit, nummers, adres en foto.\nElke kaart van deze soort kan dan zonder nieuwe vraag gelezen worden, tot de toestemming eindigt of u ze intrekt.\n\nKaart: Belgian identity card\nLezer: Reader 1\n\nDeelt u deze gegevens?',
    'Delen',
    'Niet delen',
  ],
  [
    'fr_BE',
    'https://shop.example',
    'https://shop.example souhaite lire vos données d’identité.\nC’est ce que votre carte dit de vous\u202f: nom, naissance, nationalité, numéros, adresse et photo.\nToute carte de ce type pourra alors être lue sans nouvelle question, jusqu’à ce que l’accord prenne fin ou que vous le retiriez.\n\nCarte\u202f: Belgian identity card\nLecteur\u202f: Reader 1\n\nPartagez-vous ces données\u202f?',
    'Partager',
    'Ne pas partager',
  ],
  [
    'de',
    undefined,
    'Ein Programm auf diesem Computer möchte lesen, wer Sie sind.\nDas ist, was Ihre Karte über Sie sagt: Name, Geburt, Staatsangehörigkeit, Nummern, Adresse und Bild.\nDie Karte kann dann einmal gelesen werden.\n\nKarte: Belgian identity card\nKartenleser: Reader 1\n\nGeben Sie diese Daten frei?',
    'Freigeben',
    'Nicht freigeben',
  ],
])(
  'the question names who asks, what for and how long: %s',
  (language, origin, text, accept, refuse) => {
    proves('identity-dialog')
    const data = ['biometric', 'address', 'picture'] as const
    const asked = { origin, data, card: 'Belgian identity card', reader: 'Reader 1' }
    const shown = { title: 'Cardwire', text, accept, refuse }
    expect(describeIdentity(asked, language)).toEqual(shown)
  },
)

test.each<[string, readonly HolderData[], string]>([
  ['en', ['payment'], 'about you: name, number, country, language and validity.'],
  ['nl', ['payment'], 'over u zegt: naam, nummer, land, taal en geldigheid.'],
  ['fr', ['payment'], 'dit de vous\u202f: nom, numéro, pays, langue et validité.'],
  ['de', ['payment'], 'über Sie sagt: Name, Nummer, Land, Sprache und Gültigkeit.'],
  ['en', ['address'], 'about you: address.'],
  ['en', ['address', 'picture'], 'about you: address and picture.'],
])(
  'the question names only the data that the page can read: %s, %s',
  (language, data, expected) => {
    proves('identity-dialog', 'payment-holder')
    const asked = { origin: undefined, data, card: 'Card', reader: 'Reader 1' }
    expect(describeIdentity(asked, language).text.split('\n')[1]).toContain(expected)
  },
)
