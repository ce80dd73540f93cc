/** The texts of the screen of the own account in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

const signedOut = (sessions: number) =>
  `Sie wurden aus ${count(sessions, 'anderen Sitzung', 'anderen Sitzungen')} abgemeldet.`

export const account: Texts['account'] = {
  title: 'Ihr Konto',
  name: 'Name',
  role: 'Rolle',
  external: 'Ihr Identitätsanbieter verwaltet Ihr Passwort und die Zwei-Faktor-Authentifizierung.',
  language: {
    title: 'Sprache',
    label: 'Sprache dieser Seiten',
    hint: 'Gilt nur für diesen Browser.',
    ofBrowser: 'Wie im Browser',
    button: 'Sprache ändern',
  },
  password: {
    title: 'Passwort',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    newHint: 'Mindestens 12 Zeichen. Sie werden aus Ihren anderen Sitzungen abgemeldet.',
    again: 'Neues Passwort wiederholen',
    button: 'Passwort ändern',
    differs: 'Die neuen Passwörter stimmen nicht überein',
    same: 'Wählen Sie ein anderes Passwort als das aktuelle',
    done: (sessions) =>
      sessions === 0 ? 'Passwort geändert.' : `Passwort geändert. ${signedOut(sessions)}`,
  },
  secondFactor: {
    title: 'Zwei-Faktor-Authentifizierung',
    on: 'Aktiviert',
    onAbout: (field) => (
      <>
        Bei jeder Anmeldung geben Sie einen Code aus Ihrer Authentifizierungs-App ein. Programme
        senden ihn als {field}.
      </>
    ),
    off: 'Deaktiviert',
    offAbout:
      'Wenn sie aktiviert ist, geben Sie bei der Anmeldung zusätzlich einen Code aus einer Authentifizierungs-App ein. Ein gestohlenes Passwort reicht dann nicht aus.',
    password: 'Ihr Passwort',
    setUp: 'Zwei-Faktor-Authentifizierung einrichten',
    turnOn: 'Zwei-Faktor-Authentifizierung aktivieren',
    turnOff: 'Zwei-Faktor-Authentifizierung deaktivieren',
    scan: 'Scannen Sie diesen QR-Code mit einer Authentifizierungs-App oder kopieren Sie den geheimen Schlüssel in die App. Der Schlüssel wird nicht noch einmal angezeigt.',
    qrCode: 'QR-Code für eine Authentifizierungs-App',
    copySecret: 'Geheimen Schlüssel kopieren',
    parameters: 'Zeitbasiert, 6 Ziffern, 30 Sekunden, SHA-1.',
    code: 'Code aus der App',
    turnedOn: (sessions) =>
      sessions === 0
        ? 'Die Zwei-Faktor-Authentifizierung ist aktiviert.'
        : `Die Zwei-Faktor-Authentifizierung ist aktiviert. ${signedOut(sessions)}`,
    turnedOff: 'Die Zwei-Faktor-Authentifizierung ist deaktiviert.',
    recovery: (command) => (
      <>
        Wenn Sie Ihr Smartphone verlieren, bitten Sie einen anderen Administrator, Ihre
        Zwei-Faktor-Authentifizierung zurückzusetzen, oder führen Sie auf dem Server {command} aus.
      </>
    ),
  },
  firstSteps: {
    password: {
      title: 'Neues Passwort wählen',
      about:
        'Ihr aktuelles Passwort wurde von jemand anderem festgelegt. Wählen Sie eines, das nur Sie kennen. Danach geht es weiter.',
      button: 'Speichern und fortfahren',
    },
  },
  sessions: {
    title: 'Sitzungen',
    caption: 'Wo Sie angemeldet sind',
    session: 'Sitzung',
    address: 'IP-Adresse',
    began: 'Angemeldet',
    lastUsed: 'Zuletzt verwendet',
    actions: 'Aktionen',
    current: 'Diese Sitzung',
    program: 'Programm',
    browser: 'Unbekannter Browser',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    end: 'Abmelden',
    endLabel: (session) => `Abmelden: ${session}`,
    endOthers: 'Aus anderen Sitzungen abmelden',
    ended: 'Die Sitzung wurde beendet.',
    othersEnded: (sessions) =>
      sessions === 0 ? 'Sie haben keine anderen Sitzungen.' : signedOut(sessions),
  },
}
