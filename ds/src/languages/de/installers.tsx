/** The texts of the screens of installers, and of the form that uploads a file, in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const installers: Texts['installers'] = {
  // The soft hyphen is for the menu on a narrow screen.
  title: 'Installations\u00adprogramme',
  about:
    'Laden Sie hier die Installationsprogramme hoch, die Benutzer mit einer Version erhalten. Jeder kann sie herunterladen. Eine Datei, die eine Version verwendet, können Sie weder ersetzen noch entfernen.',
  files: 'Dateien',
  search: 'Dateiname',
  empty:
    'Noch keine Dateien. Laden Sie ein Installationsprogramm hoch und registrieren Sie dann eine Version, die es verwendet.',
  noMatch: 'Keine passenden Dateien. Suchen Sie nach einem anderen Teil des Namens.',
  caption: 'Hochgeladene Dateien',
  name: 'Name',
  size: 'Größe',
  bytes: (bytes) => count(bytes, 'Byte', 'Byte'),
  exactSize: (size, bytes) => `${size} (${count(bytes, 'Byte', 'Byte')})`,
  copyHash: 'SHA-256 kopieren',
  url: 'URL',
  copyUrl: 'URL kopieren',
  usedBy: 'Verwendet von Version',
  urlUse:
    'Um diese Datei Benutzern anzubieten, geben Sie die URL bei den Installationsprogrammen einer Version ein.',
  upload: {
    title: 'Installationsprogramm hochladen',
    file: 'Installationsdatei',
    name: 'Name (optional)',
    nameHint: 'Ohne Angabe gilt der Dateiname. Erlaubt sind Buchstaben, Ziffern und . _ + ~ -',
    hash: 'SHA-256 (optional)',
    hashHint: 'Wie vom Hersteller angegeben. Eine Datei mit einem anderen Hash wird abgelehnt.',
    button: 'Installationsprogramm hochladen',
  },
  manifest: {
    affects: (devices) =>
      `Noch wurde nichts gespeichert. Diese Datei legt fest, welche Pakete eine Version hat. ${count(devices, 'Gerät bekommt', 'Geräte bekommen')} dann möglicherweise ein anderes Paket angeboten.`,
    confirm: (devices) => `Für ${count(devices, 'Gerät', 'Geräte')} speichern`,
  },
  remove: {
    title: 'Entfernen',
    confirmTitle: (name) => `${name} entfernen`,
    inUse:
      'Sie können diese Datei nicht entfernen, solange eine Version sie verwendet. Ändern Sie zuerst die Installationsprogramme der Version.',
    about: 'Die Datei kann dann nicht mehr heruntergeladen werden.',
    revisions:
      'Frühere Revisionen dieser Versionen verwenden die Datei. Ohne sie können Sie diese Revisionen nicht wiederherstellen:',
    wayBack:
      'Das kann nicht rückgängig gemacht werden. Sie können die Datei aber erneut hochladen.',
    button: 'Datei entfernen',
  },
  form: {
    several: 'Sie können mehrere Dateien auswählen.',
    onlyOne:
      'Um einen Namen festzulegen, wählen Sie nur eine Datei aus. Um mehrere hochzuladen, leeren Sie dieses Feld. Jede behält dann ihren Dateinamen.',
    all: 'Alle Dateien sind gespeichert, mit diesen SHA-256-Hashes:',
    partly: 'Der Upload wurde abgebrochen. Diese Dateien sind gespeichert:',
    limit: (megabytes) => `Höchstens ${format(megabytes)} MB.`,
    progress: 'Upload',
    started: 'Wird hochgeladen …',
    sent: (sent, total) => `${sent} von ${total} MB`,
    received: 'Upload abgeschlossen. Wird gespeichert …',
    tooLarge: (size) => `Die Datei ist zu groß (${size} MB).`,
    canceled: 'Upload abgebrochen. Es wurde nichts gespeichert.',
    failed:
      'Die Verbindung wurde unterbrochen. Es wurde nichts gespeichert. Versuchen Sie es erneut.',
    unconfirmed:
      'Der Server hat den Upload nicht bestätigt. Prüfen Sie, ob die Datei gespeichert ist, und versuchen Sie es andernfalls erneut.',
  },
  faults: {
    title: 'Korrigieren Sie die folgenden Felder, um die Datei zu speichern',
    file: 'Wählen Sie eine Datei',
    hash: 'Geben Sie 64 Hexadezimalzeichen ein',
  },
}
