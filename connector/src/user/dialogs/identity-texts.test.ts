/** What the question for identity data says, in each language. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { HolderData } from './identity-request.ts'
import { describeIdentity } from './identity-texts.ts'

test.each<[string, string | undefined, string, string, string]>([
  [
    'en-GB',
    'https://shop.example',
    'https://shop.example wants to read your identity data.\nFrom your card: name, sex, date and place of birth, nationality, national number, card number, title, status, address and photo.\nThis site can then read any card of this type without asking again, until its access expires or you revoke it.\n\nCard: Belgian identity card\nCard reader: Reader 1\n\nShare this information?',
    'Share',
    'Don’t share',
  ],
  [
    'nl',
    'https://shop.example',
    'https://shop.example wil uw identiteitsgegevens lezen.\nVan uw kaart: naam, geslacht, geboortedatum en -plaats, nationaliteit, rijksregisternummer, kaartnummer, titel, status, adres en foto.\nDeze website kan daarna elke kaart van dit type lezen zonder het opnieuw te vragen, tot de toestemming verloopt of u die intrekt.\n\nKaart: Belgische identiteitskaart\nKaartlezer: Reader 1\n\nDeze gegevens delen?',
    'Delen',
    'Niet delen',
  ],
  [
    'fr_BE',
    'https://shop.example',
    'https://shop.example souhaite lire vos données d’identité.\nSur votre carte\u202f: nom, sexe, naissance, nationalité, numéros national et de carte, titre, statut, adresse et photo.\nCe site pourra alors lire toute carte de ce type sans redemander, jusqu’à expiration ou révocation de son accès.\n\nCarte\u202f: Carte d’identité belge\nLecteur de cartes\u202f: Reader 1\n\nPartager ces données\u202f?',
    'Partager',
    'Ne pas partager',
  ],
  [
    'de',
    undefined,
    'Ein Programm auf diesem Computer möchte Ihre Identitätsdaten lesen.\nAuf Ihrer Karte: Name, Geschlecht, Geburtsdatum und -ort, Nationalität, National- und Kartennummer, Titel, Status, Adresse und Foto.\nDas Programm kann die Karte dann einmal lesen.\n\nKarte: Belgischer Personalausweis\nKartenleser: Reader 1\n\nDiese Daten freigeben?',
    'Freigeben',
    'Nicht freigeben',
  ],
])(
  'the question names who asks, what for and how long: %s',
  (language, origin, text, accept, refuse) => {
    proves('identity-dialog')
    const data = ['biometric', 'address', 'picture'] as const
    const request = {
      ...{ origin, data, module: 'beid' },
      ...{ card: 'Belgian identity card', reader: 'Reader 1' },
    }
    const shown = { title: 'Cardwire', text, accept, refuse }
    expect(describeIdentity(request, language)).toEqual(shown)
  },
)

test.each<[string, readonly HolderData[], string]>([
  ['en', ['payment'], 'From your card: name, card number, country, language and validity dates.'],
  ['nl', ['payment'], 'Van uw kaart: naam, kaartnummer, land, taal en geldigheidsduur.'],
  [
    'fr',
    ['payment'],
    'Sur votre carte\u202f: nom, numéro de carte, pays, langue et dates de validité.',
  ],
  ['de', ['payment'], 'Auf Ihrer Karte: Name, Kartennummer, Land, Sprache und Gültigkeitsdauer.'],
  ['en', ['address'], 'From your card: address.'],
  ['en', ['address', 'picture'], 'From your card: address and photo.'],
])(
  'the question names only the data that the page can read: %s, %s',
  (language, data, expected) => {
    proves('identity-dialog', 'payment-holder')
    const request = { origin: undefined, module: 'emv', data, card: 'Card', reader: 'Reader 1' }
    expect(describeIdentity(request, language).text.split('\n')[1]).toContain(expected)
  },
)
