/** The texts of the screens of devices in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery, describeWithin } from './every.ts'

const { count } = createNumbers('de')

const noInstaller =
  'Keine verwendbare Version hat ein Installationsprogramm für das System dieses Geräts.'

const offer = (target: string | undefined) =>
  target === undefined ? noInstaller : `Version ${target} wird angeboten.`

export const devices: Texts['devices'] = {
  title: 'Geräte',
  table: {
    all: 'Geräte',
    matching: 'Passende Geräte',
    device: 'Gerät und Benutzer',
    status: 'Status',
    version: 'Version',
    system: 'System',
    errors: 'Fehler',
    lastSeen: 'Letzter Kontakt',
  },
  downloadAll: 'Alle Geräte als CSV herunterladen',
  downloadMatching: 'Diese Geräte als CSV herunterladen',
  noMatch: {
    title: 'Keine passenden Geräte. Ändern Sie die Filter oder setzen Sie sie zurück.',
    elsewhere: (link) => (
      <>
        Connectors, deren Registrierung fehlgeschlagen ist, stehen nicht in dieser Liste. Den Grund
        finden Sie unter {link('Abgelehnte Registrierungen')}.
      </>
    ),
  },
  empty: {
    title: 'Noch hat sich kein Connector registriert.',
    install: (link) => (
      <>
        Installieren Sie einen Connector mit der URL dieses Servers und einem gültigen
        Installationsschlüssel. Wenn er hier nicht erscheint, finden Sie den Grund unter{' '}
        {link('Abgelehnte Registrierungen')}.
      </>
    ),
  },
  filters: {
    unknown: 'Die URL enthält einen unbekannten Filter. Wählen Sie einen anderen.',
    search: 'Suche',
    searchHint:
      'Ein beliebiger Teil eines Host- oder Benutzernamens, eine Geräte-ID oder ein Fingerabdruck',
    status: 'Status',
    error: 'Fehler',
    anyError: 'Beliebiger Fehler',
    system: 'System',
    update: 'Update-Status',
    version: 'Version',
    tag: 'Tag',
    wrongTag: 'Das ist kein gültiges Tag. Korrigieren Sie die Eingabe unter „Tag“.',
    tagForm: 'Kleinbuchstaben, Ziffern und . _ : -',
    any: 'Alle',
    clear: 'Filter zurücksetzen',
  },
  standings: {
    active: 'Aktiv',
    silent: 'Inaktiv',
    unserved: 'Version nicht registriert',
    waiting: 'Genehmigung ausstehend',
    blocked: 'Gesperrt',
  },
  standingMeanings: {
    active: 'Das Gerät synchronisiert sich regelmäßig.',
    silent:
      'Seit mindestens einer Woche kein Kontakt. Möglicherweise ist das Gerät ausgeschaltet, wurde ersetzt oder kann diesen Server nicht erreichen.',
    unserved:
      'Der Server lehnt jede Synchronisierung des Geräts ab, weil dessen Version nicht registriert ist. Registrieren Sie die Version erneut oder installieren Sie auf dem Gerät eine registrierte Version.',
    waiting:
      'Das Gerät synchronisiert sich, erhält aber keinen Keystore, bis ein Administrator es genehmigt.',
    blocked: 'Der Server lehnt jede Anfrage dieses Geräts ab, bis ein Administrator es entsperrt.',
  },
  updates: {
    none: 'Kein Update nötig',
    recommend: 'Update empfohlen',
    require: 'Update erforderlich',
    stop: 'Version gesperrt',
  },
  updateReasons: {
    none: (version) => `Auf dem Gerät läuft Version ${version}.`,
    recommend: (version, target) =>
      `Auf dem Gerät läuft Version ${version}.${target === undefined ? '' : ` ${offer(target)}`}`,
    require: (version, target) =>
      `Auf dem Gerät läuft Version ${version}. Der Connector benachrichtigt den Benutzer und wird beendet. ${offer(target)}`,
    stop: (version, target) =>
      `Auf dem Gerät läuft Version ${version}. Der Connector wird beendet. ${offer(target)}`,
  },
  facts: {
    access: 'Zugriff',
    status: 'Status',
    lastUpdate: 'Update-Status bei der letzten Synchronisierung',
    rollouts: 'Rollouts',
    inRollout: {
      reached: (version: string) => `Version ${version}: diesem Gerät angeboten`,
      control: (version: string) => `Version ${version}: in der Vergleichsgruppe`,
    },
    nextUpdate: 'Update-Status bei der nächsten Synchronisierung',
    versionUnknown: (version) =>
      `Version ${version} ist nicht registriert. Deshalb kann sich das Gerät nicht synchronisieren und bekommt kein Update angeboten.`,
    updateWhenUnblocked: 'Update-Status nach dem Entsperren',
    lastSeen: 'Letzter Kontakt',
    version: 'Version',
    system: 'System',
    component: 'Komponente',
    user: 'Benutzer',
    language: 'Sprache',
    keystore: 'Keystore',
    noKeystore: 'Keiner gemeldet',
    copyKeystore: 'Hash des Keystores kopieren',
    logs: 'Protokolle',
    downloadLogs: (link) => (
      <>
        Sobald das Gerät seine Protokolle gesendet hat, können Sie{' '}
        {link('die neuesten herunterladen')}.
      </>
    ),
    id: 'Geräte-ID',
    copyId: 'Geräte-ID kopieren',
    fingerprint: 'Fingerabdruck des Schlüssels',
    copyFingerprint: 'Fingerabdruck des Schlüssels kopieren',
    firstRegistered: 'Erste Registrierung',
    lastRegistered: 'Letzte Registrierung',
    registrations: (last, times) => (
      <>
        {last}, insgesamt {count(times, 'Registrierung', 'Registrierungen')}
      </>
    ),
  },
  detailsTitle: 'Details',
  rejected: 'Abgelehnte Registrierungen mit dem Schlüssel dieses Geräts',
  errors: {
    title: 'Fehler',
    none: 'Bei der letzten Synchronisierung wurden keine Fehler gemeldet.',
    since: (error, time) => (
      <>
        {error} (seit {time}).
      </>
    ),
    detail: (text) => <>Details: {text}</>,
  },
  errorKinds: {
    'keystore-refused': {
      what: 'Keystore kann nicht verwendet werden',
      remedy: () =>
        'Prüfen Sie Passwort, Hash und Gültigkeit des Keystores in der Konfiguration der Version.',
    },
    'keystore-missing': {
      what: 'Keystore kann nicht heruntergeladen werden',
      remedy: () =>
        'Stellen Sie sicher, dass das Gerät die URL in der Konfiguration der Version erreichen kann.',
    },
    'digest-mismatch': {
      what: 'Connector-Dateien passen nicht zur Version',
      remedy: () =>
        'Installieren Sie den Connector neu oder korrigieren Sie die Hashes in der Konfiguration der Version.',
    },
    'digests-refused': {
      what: 'Connector-Dateien können nicht mit ihren Hashes verglichen werden',
      remedy: () =>
        'Wenn die Liste der Hashes falsch ist, korrigieren Sie sie in der Konfiguration der Version. Andernfalls prüfen Sie, ob dem Gerät Arbeitsspeicher fehlt oder zu viele Dateien geöffnet sind.',
    },
    'reply-refused': {
      what: 'Antworten dieses Servers können nicht überprüft werden',
      remedy: (setting) =>
        `Wenn der Server seine Antwortschlüssel verloren hat, fügen Sie auf dem Gerät den Fingerabdruck des neuen Schlüssels zu ${setting} hinzu. Andernfalls werden die Antworten im Netzwerk verändert. Suchen Sie nach einem Proxy, der TLS-Verbindungen aufbricht.`,
    },
    'counters-failed': {
      what: 'Nutzungsdaten können nicht gespeichert werden',
      remedy: () =>
        'Prüfen Sie, ob auf dem Gerät der Datenträger voll oder ein Ordner schreibgeschützt ist.',
    },
  },
  unknownError:
    'Der Connector ist neuer als dieser Server. Aktualisieren Sie den Server, um zu erfahren, was dieser Fehler bedeutet.',
  activity: {
    title: 'Aktivität',
    empty: 'Keine Aktivität von Administratoren.',
    caption: 'Änderungen, neueste zuerst',
    time: 'Zeit',
    action: 'Aktion',
    who: 'Wer',
    address: 'IP-Adresse',
    all: 'Alle im Audit-Protokoll anzeigen',
  },
  /** When the access of a device ends at the latest. */
  access: {
    ended:
      'Websites können die Kartenleser nicht mehr verwenden, weil die Richtlinie abgelaufen ist.',
    block: {
      until: (at) => (
        <>
          Meldet sich das Gerät nicht mehr beim Server, können Websites seine Kartenleser noch bis{' '}
          {at} verwenden. Dann läuft seine Richtlinie ab.
        </>
      ),
      forever:
        'Meldet sich das Gerät nicht mehr beim Server, können Websites seine Kartenleser weiter verwenden, weil seine Richtlinie nicht abläuft. Um das zu ändern, legen Sie DS_POLICY_MAX_AGE fest.',
    },
    remove: {
      until: (at) => (
        <>
          Websites können die Kartenleser des Geräts noch bis spätestens {at} verwenden. Dann läuft
          seine Richtlinie ab.
        </>
      ),
      forever:
        'Websites können die Kartenleser des Geräts weiter verwenden, weil seine Richtlinie nicht abläuft. Um das zu ändern, legen Sie DS_POLICY_MAX_AGE fest.',
    },
  },
  changes: {
    approve: {
      link: 'Genehmigen',
      title: (device) => `${device} genehmigen`,
      button: 'Gerät genehmigen',
      past: 'Genehmigt',
      done: 'Das Gerät wurde genehmigt.',
      effects: () => [
        'Wenn seine Version einen Keystore hat, erhält das Gerät ihn bei der nächsten Synchronisierung samt Passwort.',
      ],
      wayBack:
        'Das kann nicht rückgängig gemacht werden. Auch wenn Sie das Gerät später sperren oder entfernen, wird der Keystore darauf nicht gelöscht.',
    },
    block: {
      link: 'Sperren',
      title: (device) => `${device} sperren`,
      button: 'Gerät sperren',
      past: 'Gesperrt',
      done: 'Das Gerät wurde gesperrt.',
      effects: (cycle) => [
        'Der Server lehnt jede Anfrage des Geräts ab. Nutzungsdaten bleiben auf dem Gerät.',
        `Das Gerät meldet sich mindestens ${describeEvery(cycle)} beim Server. Beim nächsten Mal verlieren Websites den Zugriff auf seine Kartenleser.`,
        'Das Gerät kann sich mit demselben Schlüssel nicht noch einmal registrieren.',
      ],
      wayBack: 'Sie können das Gerät danach wieder entsperren.',
    },
    unblock: {
      link: 'Entsperren',
      title: (device) => `${device} entsperren`,
      button: 'Gerät entsperren',
      past: 'Entsperrt',
      done: 'Das Gerät wurde entsperrt.',
      effects: (cycle) => [
        `Der Server nimmt Anfragen des Geräts wieder an. Es meldet sich ${describeWithin(cycle)} und sendet die gespeicherten Nutzungsdaten.`,
      ],
      wayBack: 'Sie können das Gerät danach wieder sperren.',
    },
    sync: {
      link: 'Jetzt synchronisieren',
      title: (device) => `${device} jetzt synchronisieren`,
      button: 'Jetzt synchronisieren',
      past: 'Zur Synchronisierung aufgefordert',
      done: 'Das Gerät wurde aufgefordert, sich zu synchronisieren.',
      effects: (cycle) => [
        `Hält das Gerät eine Verbindung offen, synchronisiert es sich innerhalb von Sekunden. Andernfalls synchronisiert es sich wie üblich ${describeWithin(cycle)}.`,
      ],
      wayBack: 'Sonst ändert sich nichts.',
    },
    remove: {
      link: 'Entfernen',
      title: (device) => `${device} entfernen`,
      button: 'Gerät entfernen',
      past: 'Entfernt',
      done: 'Das Gerät wurde entfernt.',
      effects: () => [
        'Das Gerät und seine Protokolle werden gelöscht. Bereits gesendete Nutzungsdaten bleiben erhalten.',
        'Wenn auf dem Gerät noch ein Connector läuft und sein Installationsschlüssel gültig ist, registriert er sich erneut und erscheint als neues Gerät, auch wenn das Gerät jetzt gesperrt ist. Um das zu verhindern, sperren Sie das Gerät, statt es zu entfernen.',
      ],
      wayBack: 'Das kann nicht rückgängig gemacht werden.',
    },
  },
}
