/** The texts of the screens of administrators in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const administrators: Texts['administrators'] = {
  title: 'Administratoren',
  about: 'Konten, die sich hier anmelden und die API aufrufen können, mit ihren Rollen.',
  programs: (link) => <>Für Programme wie CI-Pipelines verwenden Sie {link('API-Clients')}.</>,
  caption: 'Konten',
  name: 'Benutzername',
  role: 'Rolle',
  roles: { viewer: 'Betrachter', publisher: 'Herausgeber', administrator: 'Administrator' },
  roleChoices: {
    viewer: 'Betrachter: nur Lesezugriff',
    publisher: 'Herausgeber: verwaltet Softwareverteilung und Konfigurationen',
    administrator: 'Administrator: Vollzugriff',
  },
  roleHint:
    'Herausgeber verwalten Versionen, Rollouts, Gruppen, Installationsprogramme, Keystores und Konfigurationen und können Änderungen genehmigen. Nur Administratoren können Geräteprotokolle einsehen sowie Geräte, Tags, Organisationen, Anwendungen, Schlüssel und Konten verwalten.',
  secondFactor: 'Zwei-Faktor-Authentifizierung',
  on: 'Aktiviert',
  off: 'Deaktiviert',
  passwordDue: 'Passwortänderung erforderlich',
  openSessions: 'Offene Sitzungen',
  you: '(Sie)',
  external: {
    about:
      'Benutzer, die sich hier über Ihren Identitätsanbieter angemeldet haben, die letzte Anmeldung zuerst. Die Rollen entsprechen dem Stand der letzten Anmeldung. Hinzufügen, ändern und entfernen können Sie Benutzer beim Anbieter.',
    caption: 'Letzte Anmeldungen',
    lastSignIn: 'Letzte Anmeldung',
    subject: 'Subject',
    note: 'Ihr Identitätsanbieter verwaltet diesen Benutzer. Wenn Sie die Sitzungen hier beenden, kann er sich wieder anmelden, bis Sie ihn beim Anbieter sperren.',
  },
  add: {
    title: 'Konto hinzufügen',
    note: 'Die nächste Seite zeigt einmalig ein erzeugtes Passwort. Der Inhaber des Kontos muss dieses Passwort bei der ersten Anmeldung ändern.',
    button: 'Konto hinzufügen',
  },
  password: {
    label: 'Passwort',
    title: (name) => `Passwort für ${name}`,
    copy: 'Passwort kopieren',
    warning: (name) =>
      `Kopieren Sie dieses Passwort jetzt. Es wird nicht noch einmal angezeigt. Der Server speichert nur einen Hash davon. Übermitteln Sie es ${name} auf sicherem Weg.`,
    done: 'Ich habe das Passwort gespeichert',
  },
  history: (by, to) => (
    <>
      {by('Änderungen durch dieses Konto')} und {to('Änderungen an diesem Konto')}
    </>
  ),
  own: (link) => (
    <>
      Das ist Ihr eigenes Konto. Passwort und Zwei-Faktor-Authentifizierung ändern Sie unter{' '}
      {link('Ihr Konto')}. Nur ein anderer Administrator kann Ihre Rolle ändern oder das Konto
      entfernen.
    </>
  ),
  changeRole: 'Rolle ändern',
  changeRoleNote: 'Gilt sofort, auch in offenen Sitzungen.',
  access: 'Zugriff',
  acts: {
    password: {
      title: (name) => `Neues Passwort für ${name} festlegen`,
      button: 'Neues Passwort festlegen',
      about:
        'Das aktuelle Passwort wird sofort ungültig. Die nächste Seite zeigt einmalig das neue Passwort. Der Inhaber des Kontos muss dieses Passwort bei der nächsten Anmeldung ändern.',
    },
    secondFactor: {
      title: (name) => `Zwei-Faktor-Authentifizierung für ${name} zurücksetzen`,
      button: 'Zwei-Faktor-Authentifizierung zurücksetzen',
      about:
        'Bis der Inhaber des Kontos die Zwei-Faktor-Authentifizierung wieder einrichtet, reicht zur Anmeldung das Passwort. Vergewissern Sie sich, dass der Inhaber darum gebeten hat.',
    },
    remove: {
      title: (name) => `${name} entfernen`,
      button: 'Konto entfernen',
      about:
        'Mit diesem Konto kann sich niemand mehr anmelden. Seine Änderungen bleiben im Audit-Protokoll.',
    },
  },
  sessionsEnd: (sessions) =>
    sessions === 0
      ? 'Das Konto hat keine offenen Sitzungen.'
      : `${count(sessions, 'offene Sitzung wird', 'offene Sitzungen werden')} sofort beendet.`,
  sessions: {
    title: 'Offene Sitzungen',
    empty: 'Keine offenen Sitzungen.',
    caption: 'Sitzungen',
    began: 'Angemeldet',
    agent: 'Browser oder Programm',
    program: 'Programm',
    address: 'IP-Adresse',
    lastUsed: 'Zuletzt verwendet',
    ends: 'Läuft ab',
    actions: 'Aktionen',
    end: 'Sitzung beenden',
    endLabel: (began) => `Sitzung beenden, die am ${began} begonnen hat`,
    endAll: (sessions) =>
      sessions === 1 ? '1 Sitzung beenden' : `Alle ${format(sessions)} Sitzungen beenden`,
  },
}
