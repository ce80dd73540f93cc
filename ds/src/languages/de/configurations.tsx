/** The texts of the screens of configurations in German. */
import type { Texts } from '../en/catalog.ts'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('de')

/** The texts of a type of configuration, by what it is called. */
const nameType = (name: string) => ({
  name,
  addLink: `${name} hinzufügen`,
  title: (version: string) => `${name} für Version ${version}`,
  newTitle: (version: string) => `${name} für Version ${version} hinzufügen`,
  removeTitle: (version: string) => `${name} für Version ${version} entfernen`,
  listed: (version: string, unseen: Wrap) => (
    <>
      {name}
      {unseen(` für Version ${version}`)}
    </>
  ),
  part: (part: string) => `${name}: ${part}`,
})

export const configurations: Texts['configurations'] = {
  title: 'Konfigurationen',
  about:
    'Eine Konfiguration legt fest, welche Websites Kartenleser verwenden dürfen, welche Hashes die Dateien des Connectors haben müssen oder welchen Keystore er verwendet. Bei jeder Synchronisierung erhalten Connectors die Konfigurationen ihrer Version.',
  search: 'Version',
  none: (link) => (
    <>
      Noch keine Konfigurationen. Öffnen Sie eine {link('Version')} und fügen Sie ihre
      Zulassungsliste hinzu.
    </>
  ),
  noneOfVersion: (link) => (
    <>
      Keine Konfigurationen für diese Version. Öffnen Sie sie unter {link('Versionen')} und fügen
      Sie ihre Zulassungsliste hinzu.
    </>
  ),
  list: {
    caption: 'Konfigurationen',
    configuration: 'Konfiguration',
    version: 'Version',
    devices: 'Geräte',
    changed: 'Geändert',
  },
  onlyFor: (link) => <>Nur Geräte der Gruppe {link} erhalten diese Konfiguration.</>,
  choose: {
    title: 'Konfiguration hinzufügen',
    about:
      'Die Geräte einer Gruppe erhalten die Konfiguration der Gruppe anstelle der Konfiguration für alle Geräte.',
    type: 'Typ',
    devices: 'Geräte',
    button: 'Weiter',
  },
  compareLink: 'Konfigurationen vergleichen',
  types: {
    CONTEXT_CONFIG: nameType('Zulassungsliste und Kartenberechtigungen'),
    FILE_DIGESTS: nameType('Datei-Hashes'),
    SSL_KEYSTORE: nameType('Keystore'),
  },
  edit: {
    changedAt: (time) => <>Geändert: {time}.</>,
    applies: 'Gilt für jeden Connector ab seiner nächsten Synchronisierung.',
    addButton: 'Konfiguration hinzufügen',
    saveButton: 'Speichern',
    removeLink: 'Konfiguration entfernen',
    line: (number, message) => (
      <>
        Zeile {format(number)}: {message}
      </>
    ),
    after: (before, next) => (
      <>
        {before}; {next}
      </>
    ),
  },
  copy: {
    title: 'Konfigurationen kopieren',
    about: 'Kopiert alle Konfigurationen einschließlich des Keystore-Passworts.',
    from: 'Quellversion',
    to: 'Zielversion',
    toHint: 'Eine Version, die noch keine dieser Konfigurationen hat',
    button: 'Konfigurationen kopieren',
  },
  difference: {
    title: 'Konfigurationen vergleichen',
    from: 'Version',
    to: 'Vergleichen mit',
    button: 'Vergleichen',
    neither: 'Keine der beiden Versionen hat eine Konfiguration.',
    same: 'Beide Versionen haben die gleichen Konfigurationen. Keystore-Passwörter werden nicht verglichen.',
    caption: 'Unterschiede',
    part: 'Einstellung',
    onlyIn: (version) => `Nur in ${version}`,
  },
  newer: {
    about: (strong, parts) => (
      <>
        {strong('Sie können diese Konfiguration hier nicht bearbeiten.')} Sie wurde mit einer
        neueren Version des Servers gespeichert. Die hier installierte Version hat kein Feld für{' '}
        {parts}. Aktualisieren Sie den Server.
      </>
    ),
    back: 'Zurück zur Version',
  },
  remove: {
    reach: (devices) =>
      devices === 0
        ? 'Kein Gerät hat diese Konfiguration.'
        : `${count(devices, 'Gerät verliert', 'Geräte verlieren')} diese Konfiguration bei der nächsten Synchronisierung.`,
    caption: 'Geräte mit dieser Konfiguration, ohne gesperrte Geräte',
    system: 'System',
    devices: 'Geräte',
    allowlist: 'Ohne Zulassungsliste kann keine Website die Kartenleser dieser Geräte verwenden.',
    button: 'Konfiguration entfernen',
  },
  allowlist: {
    origins: 'Zugelassene Origins',
    originsHint:
      'Eine pro Zeile, zum Beispiel https://shop.example, oder https://*.bank.example für alle Subdomains. Leer lassen, um alle Websites zu sperren.',
  },
  cards: {
    title: 'Zusätzliche Kartenberechtigungen',
    about:
      'Mit Zustimmung des Benutzers kann jede zugelassene Website Zertifikate lesen und Unterschriften anfordern, die der Benutzer einzeln bestätigt. Hier können Sie mehr erlauben. Um einen Eintrag hinzuzufügen, füllen Sie den leeren Eintrag am Ende der jeweiligen Liste aus. Nach dem Speichern erscheint ein neuer leerer Eintrag. Um einen Eintrag zu entfernen, leeren Sie seine Felder.',
    grants: {
      title: 'Berechtigungen',
      entry: (number) => `Berechtigung ${format(number)}`,
      another: 'Neue Berechtigung',
      origin: 'Origin',
      originHint: 'Eine einzelne Origin, ohne *',
      allow: {
        raw: 'Befehle an die Karte senden',
        'page-pin': 'PIN auf der Webseite abfragen',
        pan: 'Vollständige Kartennummern lesen',
        bulk: 'Mehrere Unterschriften mit einer einzigen PIN-Eingabe anfordern',
        print: 'Rohdaten an Drucker senden',
        'raw-authenticate': 'Beliebige Hashes mit einem Authentifizierungsschlüssel signieren',
      },
      aids: 'Zugelassene Kartenanwendungen (AIDs)',
      aidsHint:
        'Eine Webseite, die Befehle senden darf, kann nur diese Anwendungen auswählen. Geben Sie vollständige AIDs hexadezimal ein, eine pro Zeile. Ohne Angabe kann die Webseite keine Befehle senden.',
    },
    libraries: {
      title: 'PKCS-#11-Bibliotheken',
      entry: (number) => `Bibliothek ${format(number)}`,
      another: 'Neue Bibliothek',
      system: 'System',
      path: 'Pfad',
      pathHint: 'Ein absoluter Pfad in der Schreibweise des Systems',
      hash: 'SHA-256 der Datei',
      atrs: 'ATRs der Karten',
      atrsHint: 'Hexadezimal, einer pro Zeile',
      ownReaders: 'Die Bibliothek verwendet nicht die Kartenleser des Systems',
    },
    folders: {
      title: 'Ordner für Dateien',
      entry: (number) => `Ordner ${format(number)}`,
      another: 'Neuer Ordner',
      origin: 'Origin',
      entity: 'Entität',
      type: 'Typ',
      nameHint: 'Muss mit dem Namen im Code der Webseite übereinstimmen',
      path: 'Ordnerpfad',
      pathHint: 'Ein absoluter Pfad. Mit Laufwerksbuchstabe gilt er nur unter Windows.',
    },
  },
  files: {
    part: 'Dateien',
    label: 'Dateien und ihre Hashes',
    hint: (systems) =>
      `Eine Datei pro Zeile: Hash und Pfad, wie sha256sum sie ausgibt, relativ zum Installationsordner. Um eine Zeile auf ein System zu beschränken, stellen Sie ihr das System voran: ${systems}`,
  },
  keystore: {
    url: 'URL',
    urlLabel: 'Keystore-URL',
    urlHint: 'https://… oder file:///… für einen hochgeladenen Keystore',
    hashHint: '64 Hexadezimalzeichen. Wird bei hochgeladenen Keystores automatisch berechnet.',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    currentPassword: 'Aktuelles Passwort',
    keepHint:
      'Leer lassen, um das aktuelle Passwort zu behalten. Wenn Sie die URL ändern, geben Sie es erneut ein.',
    passwordHint: 'Kann nach dem Speichern nicht mehr angezeigt werden',
  },
}
