/** The texts of the local page in German. */
import type { Catalog } from '../en/catalog.ts'
import { createCount } from '../numbers.ts'

const count = createCount('de')

export const page: Catalog['page'] = {
  title: 'Cardwire auf diesem Computer',
  usedTitle: 'Dieser Link ist abgelaufen oder wurde schon verwendet',
  goneTitle: 'Diese Seite ist nicht mehr aktiv',
  replacedTitle: 'Cardwire wird aktualisiert',
  goneText: 'Öffnen Sie Cardwire erneut über das Startmenü oder die Liste Ihrer Apps.',
  readingTitle: 'Einen Augenblick …',
  runningTitle: 'Cardwire läuft',
  runningText:
    'Cardwire läuft im Hintergrund. Ob Websites es verwenden können, zeigen die Prüfungen unten.',
  startingTitle: 'Cardwire wird gestartet …',
  startingText: 'Das dauert einige Sekunden.',
  stoppedTitle: 'Cardwire läuft nicht',
  stoppedText: 'Websites können Ihre Kartenleser nicht finden.',
  unresponsiveTitle: 'Cardwire reagiert nicht',
  unresponsiveText: 'Melden Sie sich am Computer ab und wieder an.',
  start: 'Cardwire starten',
  findingsTitle: 'Prüfungen',
  checking: 'Wird geprüft …',
  nothingWrong: 'Keine Probleme gefunden.',
  notesOnly: (notes) =>
    notes === 1
      ? 'Keine Probleme gefunden. Lesen Sie den Hinweis unten.'
      : 'Keine Probleme gefunden. Lesen Sie die Hinweise unten.',
  someWrong: 'Etwas stimmt nicht. Unten steht, was Sie tun können.',
  inOrder: (passed) => `${count(passed, 'Prüfung', 'Prüfungen')} bestanden`,
  checkAgain: 'Erneut prüfen',
  checked: (problems, notes) =>
    `Geprüft: ${count(problems, 'Problem', 'Probleme')}, ${count(notes, 'Hinweis', 'Hinweise')}.`,
  technical: 'Details für Ihren Administrator (auf Englisch)',
  good: 'In Ordnung:',
  note: 'Hinweis:',
  bad: 'Problem:',
  trust: 'Cardwire in meinen Browsern als vertrauenswürdig einstufen',
  readersTitle: 'Kartenleser',
  noReaders:
    'Es ist kein Kartenleser angeschlossen. Schließen Sie einen an; er erscheint dann hier.',
  noCardService:
    'Der Smartcard-Dienst dieses Computers reagiert nicht, deshalb kann Cardwire keine Kartenleser finden.',
  noCard: 'Keine Karte',
  card: (kind) => `Karte: ${kind}`,
  unknownCard: 'Unbekannte Kartenart',
  pinpad: 'mit Tastenfeld',
  cardInserted: (reader) => `Karte in ${reader} eingesteckt.`,
  cardRemoved: (reader) => `Karte aus ${reader} entfernt.`,
  readerConnected: (reader) => `${reader} wurde angeschlossen.`,
  readerRemoved: (reader) => `${reader} wurde getrennt.`,
  consentsTitle: 'Zugelassene Websites',
  noConsents:
    'Sie haben noch keine Websites zugelassen. Eine Website fragt Sie, wenn sie Ihren Kartenleser braucht.',
  consentsUnread:
    'Cardwire kann die zugelassenen Websites gerade nicht laden. Öffnen Sie Cardwire erneut. Wenn das nicht hilft, wenden Sie sich an Ihren Administrator.',
  consentTimes: (since, until, used) =>
    `Zugelassen: ${since}; läuft ab: ${until}; zuletzt verwendet: ${used}`,
  identity: (cards) => `Kann Ihre Identitätsdaten von diesen Karten lesen: ${cards}`,
  folders: (folders) => `Kann Dateien lesen und schreiben in: ${folders}`,
  managedFolders: (folders) =>
    `Kann Dateien lesen und schreiben in: ${folders}. Nur ein Administrator kann das ändern.`,
  revoke: 'Zugriff widerrufen',
  revokeOf: (origin) => `Zugriff widerrufen für ${origin}`,
  revoked: (origin) => `${origin} hat keinen Zugriff mehr.`,
  revokeIdentity: 'Meine Identitätsdaten nicht mehr freigeben',
  revokeIdentityOf: (origin) => `Meine Identitätsdaten nicht mehr freigeben für ${origin}`,
  identityRevoked: (origin) => `${origin} kann Ihre Identitätsdaten nicht mehr lesen.`,
  revokeFolders: 'Diese Ordner nicht mehr freigeben',
  revokeFoldersOf: (origin) => `Diese Ordner nicht mehr freigeben für ${origin}`,
  foldersRevoked: (origin) => `${origin} kann Ihre Ordner nicht mehr verwenden.`,
  serviceTitle: 'Ihre Organisation',
  serviceNone: 'Cardwire ist noch mit keiner Organisation verbunden.',
  serviceHint:
    'Wenn Sie von Ihrer Organisation eine URL und einen Installationsschlüssel bekommen haben, geben Sie beide hier ein.',
  serviceChange: 'URL und Schlüssel eingeben',
  serviceAt: (address) => `URL: ${address}`,
  registered: (device) => `Dieser Computer ist als ${device} registriert.`,
  unregistered: 'Dieser Computer ist noch nicht registriert.',
  lastContact: (time) => `Letzter Kontakt: ${time}`,
  noContact: 'Noch kein Kontakt.',
  address: 'URL',
  installationKey: 'Installationsschlüssel',
  keyIsSet: 'Ein Schlüssel ist gespeichert. Lassen Sie dieses Feld leer, um ihn zu behalten.',
  fixedByAdministrator: 'Das hat Ihr Administrator festgelegt. Hier können Sie es nicht ändern.',
  fixedByEnvironment:
    'Das wurde beim Start von Cardwire festgelegt. Hier können Sie es nicht ändern.',
  save: 'Speichern',
  saving: 'Verbindung zum Server wird hergestellt …',
  saved: 'Gespeichert. Cardwire wurde mit den neuen Einstellungen neu gestartet.',
  notSaved: (reason) => `Nicht gespeichert: ${reason}`,
  addressMissing: 'Geben Sie die URL ein.',
  addressInvalid: 'Das ist keine Server-URL. Geben Sie eine URL ein, die mit https:// beginnt.',
  addressUnreachable:
    'Unter dieser URL antwortet kein Server. Prüfen Sie die URL und Ihr Netzwerk.',
  keyMissing: 'Geben Sie den Installationsschlüssel ein.',
  keyInvalid:
    'Ein Installationsschlüssel hat 36 Zeichen, zum Beispiel 123e4567-e89b-42d3-a456-426614174000.',
  keyRefused:
    'Der Server akzeptiert diesen Schlüssel nicht. Bitten Sie Ihren Administrator um den aktuellen.',
  keyUsedUp:
    'Der Server hat das Tageslimit für neue Computer erreicht. Versuchen Sie es morgen erneut.',
  versionTitle: 'Version',
  version: (version) => `Version ${version}`,
  updateUnmanaged: 'Updates erhalten Sie auf demselben Weg wie Cardwire selbst.',
  updateUnknown: 'Ob es eine neuere Version gibt, ist noch nicht bekannt.',
  updateCurrent: 'Cardwire ist aktuell.',
  updateRecommended: 'Ihre Organisation empfiehlt eine andere Version.',
  updateRequired: 'Diese Version ist zu alt. Ihre Organisation verlangt eine andere.',
  updateForbidden: 'Ihre Organisation hat diese Version gesperrt.',
  updateMissing:
    'Für diesen Computer gibt es kein Installationsprogramm. Wenden Sie sich an Ihren Administrator.',
  updateMuted: 'Ihr Administrator installiert Updates. Sie müssen nichts tun.',
  updateHow:
    'Cardwire lädt das Installationsprogramm herunter, prüft es und startet danach neu. Möglicherweise fragt Ihr Computer nach einem Passwort.',
  install: (version) => `Version ${version} installieren`,
  installing: 'Wird installiert …',
  installed: 'Die Installation ist abgeschlossen oder wird in einem anderen Fenster fortgesetzt.',
  notInstalled:
    'Es wurde nichts installiert. Versuchen Sie es erneut oder wenden Sie sich an Ihren Administrator.',
  failed:
    'Etwas ist schiefgegangen. Klicken Sie auf „Erneut prüfen“ oder öffnen Sie Cardwire erneut.',
}
