/** The texts that every page of the admin console may have, in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('nl')

export const frame: Texts['frame'] = {
  product: 'Cardwire-distributieserver',
  menu: 'Menu',
  about: (version) => `Cardwire ${version}`,
  api: 'API-referentie',
  skip: 'Naar de inhoud',
  screens: 'Hoofdmenu',
  signOut: 'Afmelden',
  trail: 'Kruimelpad',
  noRole: 'geen rol',
  roles: {
    viewer: 'Lezer: alleen bekijken',
    publisher: 'Releasebeheerder: beheert releases en configuraties',
    administrator: 'Beheerder',
  },
  groups: {
    fleet: 'Apparatenpark',
    releases: 'Releases',
    applications: 'Toepassingen',
    service: 'Server',
  },
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  notCopied: 'Kopiëren is mislukt. Selecteer en kopieer de tekst.',
  history: 'Wijzigingen in het auditlogboek',
  pages: 'Pagina’s van de lijst',
  previous: 'Vorige',
  next: 'Volgende',
  page: (page, last, total, isMore) =>
    `Pagina ${format(page)} van ${format(last)}, ${isMore ? 'meer dan ' : ''}${format(total)} in totaal`,
  search: 'Zoeken',
  showAll: 'Alles tonen',
  all: 'Alle',
  nameOrId: 'Naam of ID',
  added: 'Toegevoegd op',
  changed: 'Gewijzigd op',
  field: (name, value) => `${name}: ${value}`,
  cancel: 'Annuleren',
  wayBack: {
    none: 'Dit kan niet ongedaan worden gemaakt.',
    undo: 'U kunt dit daarna ongedaan maken.',
  },
  confirmName: (name) => `Typ ‘${name}’ om te bevestigen`,
  wrongName: (name) => `De naam komt niet overeen met ‘${name}’`,
  wrongNumber: (number) => `Het aantal komt niet overeen met ‘${number}’`,
  otherEffect:
    'Deze wijziging doet nu iets anders dan toen u die controleerde. Er is niets opgeslagen. Controleer de wijziging opnieuw.',
  noPermission: 'U bent niet gemachtigd om dit te doen. Vraag het aan een beheerder.',
  conflict: {
    title: 'Iemand anders heeft dit gewijzigd.',
    kept: 'Uw wijzigingen zijn nog niet opgeslagen.',
    last: (who, at) => (
      <>
        Laatst gewijzigd door {who} op {at}.
      </>
    ),
    caption: 'Beide versies',
    field: 'Veld',
    stored: 'Opgeslagen',
    mine: 'Uw wijziging',
    same: 'gelijk',
    empty: '(leeg)',
    overwrite: 'Overschrijven',
    keepEditing: 'Verder bewerken',
    discard: 'Mijn wijzigingen verwerpen',
  },
  errors: {
    refusedTitle: 'Er is niets gewijzigd',
    refused: (link) => (
      <>
        Het verzoek kwam van een andere website. {link('Open de beheerconsole')} en probeer het
        opnieuw.
      </>
    ),
    unknownTitle: 'Pagina niet gevonden',
    unknown: 'De URL is onjuist of het item is verwijderd.',
    notFoundTitle: 'Niet gevonden',
    failedTitle: 'Er is iets misgegaan',
    failed: 'Er is een onverwachte fout opgetreden. Zie het serverlogboek.',
    request: 'Verzoek-ID',
  },
}
