/** The texts that every page of the admin console may have, in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('de')

export const frame: Texts['frame'] = {
  product: 'Cardwire-Verteilungsserver',
  menu: 'Menü',
  about: (version) => `Cardwire ${version}`,
  api: 'API-Referenz',
  skip: 'Zum Inhalt springen',
  screens: 'Bereiche',
  signOut: 'Abmelden',
  trail: 'Navigationspfad',
  noRole: 'keine Rolle',
  roles: {
    viewer: 'Betrachter: nur Lesezugriff',
    publisher: 'Herausgeber: verwaltet Softwareverteilung und Konfigurationen',
    administrator: 'Administrator',
  },
  groups: {
    fleet: 'Gerätebestand',
    // The soft hyphen is for the menu on a narrow screen.
    releases: 'Software\u00adverteilung',
    applications: 'Anwendungen',
    service: 'Server',
  },
  copy: 'Kopieren',
  copied: 'Kopiert',
  notCopied: 'Kopieren fehlgeschlagen. Markieren Sie den Text und kopieren Sie ihn selbst.',
  history: 'Änderungen im Audit-Protokoll',
  pages: 'Seiten der Liste',
  previous: 'Zurück',
  next: 'Weiter',
  page: (page, last, total, isMore) =>
    `Seite ${format(page)} von ${format(last)}, insgesamt ${isMore ? 'mehr als ' : ''}${format(total)}`,
  search: 'Suchen',
  showAll: 'Alle anzeigen',
  all: 'Alle',
  nameOrId: 'Name oder ID',
  added: 'Hinzugefügt',
  changed: 'Geändert',
  field: (name, value) => `${name}: ${value}`,
  cancel: 'Abbrechen',
  wayBack: {
    none: 'Das kann nicht rückgängig gemacht werden.',
    undo: 'Sie können das danach rückgängig machen.',
  },
  confirmName: (name) => `Geben Sie zur Bestätigung „${name}“ ein`,
  wrongName: (name) => `Die Eingabe stimmt nicht mit „${name}“ überein`,
  wrongNumber: (number) => `Die Zahl stimmt nicht mit „${number}“ überein`,
  otherEffect:
    'Die Änderung würde jetzt etwas anderes bewirken als bei Ihrer Prüfung. Es wurde nichts gespeichert. Prüfen Sie sie erneut.',
  noPermission: 'Dazu sind Sie nicht berechtigt. Wenden Sie sich an einen Administrator.',
  conflict: {
    title: 'Jemand anderes hat inzwischen Änderungen gespeichert.',
    kept: 'Ihre Änderungen sind noch nicht gespeichert.',
    last: (who, at) => (
      <>
        Zuletzt geändert von {who} am {at}.
      </>
    ),
    caption: 'Beide Fassungen',
    field: 'Feld',
    stored: 'Gespeichert',
    mine: 'Ihre Eingabe',
    same: 'gleich',
    empty: '(leer)',
    overwrite: 'Überschreiben',
    keepEditing: 'Weiter bearbeiten',
    discard: 'Eigene Änderungen verwerfen',
  },
  errors: {
    refusedTitle: 'Es wurde nichts geändert',
    refused: (link) => (
      <>
        Die Anfrage kam von einer anderen Website. {link('Öffnen Sie die Admin-Konsole')} und
        versuchen Sie es erneut.
      </>
    ),
    unknownTitle: 'Seite nicht gefunden',
    unknown: 'Die URL ist falsch oder der Eintrag wurde entfernt.',
    notFoundTitle: 'Nicht gefunden',
    failedTitle: 'Etwas ist schiefgegangen',
    failed: 'Ein unerwarteter Fehler ist aufgetreten. Näheres steht im Serverprotokoll.',
    request: 'Anfrage-ID',
  },
}
