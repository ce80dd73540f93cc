/** The texts of the screens of applications, which the API calls labels, in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const labels: Texts['labels'] = {
  title: 'Anwendungen',
  about:
    'Jede Anwendung hat einen API-Schlüssel, den ihr Backend gegen Tokens für Webseiten eintauscht. In der API heißt eine Anwendung „Label“.',
  inTheApi: 'In der API als „Label“ bezeichnet.',
  empty:
    'Noch keine Anwendungen. Ohne Anwendung erhalten Webseiten keine Tokens. Fügen Sie eine Organisation hinzu und danach deren Anwendung.',
  noMatch: 'Keine passenden Anwendungen. Ändern Sie die Suche oder zeigen Sie alle an.',
  id: 'ID',
  name: 'Name',
  nameHint:
    'Anzeigename. Die ID wird beim Hinzufügen daraus abgeleitet und ändert sich danach nicht mehr. Die Tokens der Anwendung enthalten die ID.',
  organization: 'Organisation',
  apiKey: 'API-Schlüssel',
  keyLastUsed: 'Schlüssel zuletzt verwendet',
  replacedKey: 'Alter Schlüssel',
  worksUntil: (time) => <>Gültig bis {time}</>,
  never: 'Nie',
  keyWorks: 'Aktiv',
  keyRevoked: 'Widerrufen',
  add: {
    link: 'Anwendung hinzufügen',
    title: 'Anwendung hinzufügen',
    noOrganizations:
      'Eine Anwendung gehört zu einer Organisation. Fügen Sie zuerst eine Organisation hinzu.',
    addOrganization: 'Organisation hinzufügen',
    note: 'Die nächste Seite zeigt einmalig den API-Schlüssel.',
    button: 'Anwendung hinzufügen',
  },
  key: {
    title: (name) => `API-Schlüssel für ${name}`,
    copy: 'API-Schlüssel kopieren',
    warning:
      'Kopieren Sie diesen Schlüssel jetzt. Er wird nicht noch einmal angezeigt. Der Server speichert nur einen Hash davon. Legen Sie den Schlüssel dort ab, wo die Anwendung ihre Secrets aufbewahrt.',
    oldKey: (time) => <>Der alte Schlüssel ist noch bis {time} gültig.</>,
    done: 'Ich habe den Schlüssel gespeichert',
    use: (header, request) => (
      <>
        Das Backend der Anwendung sendet den Schlüssel im Header {header} an {request} und erhält
        Tokens für ihre Webseiten.
      </>
    ),
  },
  uses: {
    title: 'Nutzung in den letzten 30 Tagen',
    chart: (name) => `Nutzungen pro Tag durch Webseiten von ${name}`,
    description: (total, first, last) =>
      `${count(total, 'Nutzung', 'Nutzungen')} vom ${first} bis zum ${last}`,
    series: 'Nutzungen',
    total: (total, link) => (
      <>
        {count(total, 'Nutzung', 'Nutzungen')}. {link('Als Tabelle anzeigen')}
      </>
    ),
  },
  rename: {
    hint: 'Anzeigename. Die ID ändert sich nicht.',
    title: 'Umbenennen',
    conflictTitle: (name) => `${name} umbenennen`,
    button: 'Anwendung umbenennen',
  },
  recentUse: (lastUsed, uses, mark) => (
    <>
      {lastUsed === undefined
        ? 'Der Schlüssel wurde noch nie verwendet.'
        : `Der Schlüssel wurde zuletzt am ${lastUsed} verwendet.`}{' '}
      Webseiten der Anwendung haben in den letzten 30 Tagen {mark(`${format(uses)}-mal`)}{' '}
      Kartenleser verwendet.
    </>
  ),
  /** After what was used lately. */
  reportedLater:
    'Geräte melden Nutzungen erst bei der Synchronisierung. Die neuesten können deshalb noch fehlen.',
  replaceKey: {
    newLink: 'Neuen Schlüssel erstellen',
    title: (name) => `API-Schlüssel von ${name} ersetzen`,
    about:
      'Die nächste Seite zeigt einmalig den neuen Schlüssel. Legen Sie fest, wie lange der alte noch gilt. Die Anwendung braucht ihn, bis Sie den neuen dort hinterlegt haben.',
    overlap: 'Alter Schlüssel',
    overlaps: {
      none: 'Wird sofort ungültig',
      hour: 'Gilt noch eine Stunde',
      day: 'Gilt noch einen Tag',
      week: 'Gilt noch eine Woche',
      month: 'Gilt noch 30 Tage',
    },
    button: 'Schlüssel ersetzen',
  },
  revokeKey: {
    title: (name) => `API-Schlüssel von ${name} widerrufen`,
    about:
      'Die Anwendung erhält keine neuen Tokens und verliert den Zugriff auf Kartenleser, sobald ihre aktuellen Tokens ablaufen. Sie können später einen neuen Schlüssel erstellen.',
    button: 'Schlüssel widerrufen',
  },
  remove: {
    title: 'Entfernen',
    confirmTitle: (name) => `${name} entfernen`,
    about:
      'Der API-Schlüssel wird ungültig, und die Anwendung verliert den Zugriff auf Kartenleser, sobald ihre aktuellen Tokens ablaufen. Die Nutzungsdaten bleiben erhalten.',
    button: 'Anwendung entfernen',
  },
}
