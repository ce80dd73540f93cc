/** The texts of the screen of the own account in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

const signedOut = (sessions: number) =>
  `${count(sessions, 'andere Sitzung wurde', 'andere Sitzungen wurden')} beendet.`

export const account: Texts['account'] = {
  title: 'Ihr Konto',
  name: 'Benutzername',
  role: 'Rolle',
  external: 'Ihr Identitätsanbieter verwaltet Ihr Passwort und die Zwei-Faktor-Authentifizierung.',
  language: {
    title: 'Sprache',
    label: 'Anzeigesprache',
    hint: 'Gilt nur für diesen Browser.',
    ofBrowser: 'Wie im Browser',
    button: 'Sprache ändern',
  },
  password: {
    title: 'Passwort',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    newHint: 'Mindestens 12 Zeichen. Ihre anderen Sitzungen werden beendet.',
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
        Wenn Sie Ihr Smartphone und die Wiederherstellungscodes verlieren, bitten Sie einen anderen
        Administrator, Ihre Zwei-Faktor-Authentifizierung zurückzusetzen, oder führen Sie auf dem
        Server {command} aus.
      </>
    ),
  },
  recoveryCodes: {
    // The soft hyphen is for narrow screens.
    title: 'Wiederherstellungs\u00adcodes',
    left: (codes) =>
      codes === 0
        ? 'Sie haben keine Wiederherstellungscodes mehr. Erstellen Sie neue.'
        : `Noch ${count(codes, 'Wiederherstellungscode', 'Wiederherstellungscodes')} übrig. Mit jedem können Sie sich einmal ohne Ihr Smartphone anmelden.`,
    used: (time, address) => (
      <>
        Verwendet am {time}, IP-Adresse {address}
      </>
    ),
    renewAbout: 'Neue Wiederherstellungscodes ersetzen die bisherigen.',
    renew: 'Neue Wiederherstellungscodes erstellen',
    password: 'Ihr Passwort noch einmal',
    code: 'Aktueller Code aus der App',
    warning:
      'Speichern Sie diese Wiederherstellungscodes jetzt. Sie werden nicht noch einmal angezeigt. Wenn Sie Ihr Smartphone verlieren, geben Sie anstelle des Zwei-Faktor-Codes einen davon ein. Jeder gilt nur einmal. Bewahren Sie sie nicht zusammen mit Ihrem Passwort auf.',
    copy: 'Wiederherstellungscodes kopieren',
    done: 'Ich habe die Wiederherstellungscodes gespeichert',
  },
  firstSteps: {
    password: {
      title: 'Neues Passwort wählen',
      about:
        'Ihr aktuelles Passwort wurde von jemand anderem festgelegt. Wählen Sie eines, das nur Sie kennen. Danach geht es weiter.',
      button: 'Speichern und fortfahren',
    },
    secondFactor: {
      title: 'Zwei-Faktor-Authentifizierung einrichten',
      about:
        'Ihre Organisation schreibt die Zwei-Faktor-Authentifizierung vor. Sie brauchen dafür eine Authentifizierungs-App auf Ihrem Smartphone. Danach geht es weiter.',
      button: 'Zwei-Faktor-Authentifizierung einrichten',
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
    program: 'Programm, das die API verwendet',
    browser: 'Unbekannter Browser',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    end: 'Beenden',
    endLabel: (session) => `Sitzung beenden: ${session}`,
    endOthers: (sessions) =>
      sessions === undefined
        ? 'Andere Sitzungen beenden'
        : `${count(sessions, 'andere Sitzung', 'andere Sitzungen')} beenden`,
    ended: 'Die Sitzung wurde beendet.',
    othersEnded: (sessions) =>
      sessions === 0 ? 'Sie haben keine anderen Sitzungen.' : signedOut(sessions),
  },
}
