/** The texts of the first steps in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

export const firstUse: Texts['firstUse'] = {
  title: 'Erste Schritte',
  about:
    'In fünf Schritten gelangen Sie von einem neuen Server zu einer Website, die Karten verwendet. Sie können diese Schritte auch später ausführen.',
  complete: (devices, overview) => (
    <>
      Die Einrichtung ist abgeschlossen. Ihr erster Connector ist registriert.{' '}
      {devices('Sehen Sie sich die Geräte an')} oder wechseln Sie zur {overview('Übersicht')}.
    </>
  ),
  done: 'Erledigt',
  steps: {
    organization: 'Organisation hinzufügen',
    label: 'Anwendung hinzufügen',
    version: 'Connector-Version registrieren',
    allowlist: 'Websites zulassen',
    device: 'Ersten Connector registrieren',
  },
  organization: {
    about:
      'Anwendungen gehören zu einer Organisation, zum Beispiel zu Ihrer eigenen oder zu der eines Kunden. Die ID der Organisation wird jetzt aus dem Namen abgeleitet und ändert sich danach nicht mehr.',
    name: 'Name der Organisation',
    button: 'Organisation hinzufügen',
  },
  label: {
    about: (organization) =>
      `Die Anwendung gehört zu ${organization}. Sie erhält einen API-Schlüssel, den nur ihr Backend kennt. Die Nutzung von Karten wird pro Anwendung gezählt.`,
    name: 'Name der Anwendung',
    button: 'Anwendung hinzufügen und Schlüssel anzeigen',
    doneTitle: (name) => `Anwendung „${name}“ hinzugefügt`,
    keyWarning: (mark) => (
      <>
        Kopieren Sie diesen {mark('API-Schlüssel')} jetzt. Er wird nicht noch einmal angezeigt.
        Speichern Sie ihn in einem Passwort-Manager.
      </>
    ),
    copyKey: 'API-Schlüssel kopieren',
    keyUse: (header) => (
      <>
        Das Backend der Anwendung sendet den Schlüssel im Header {header}, um Tokens zu erhalten.
        Geben Sie ihn niemals auf einer Webseite preis.
      </>
    ),
  },
  version: {
    about:
      'Benutzer laden den Connector von diesem Server herunter. Fügen Sie für jedes Betriebssystem, das Sie unterstützen, ein Installationsprogramm hinzu (eine hochgeladene Datei oder eine URL). Ältere Connectors empfehlen dann ein Update auf diese Version.',
    noFiles: (link) => (
      <>
        Noch keine Dateien hochgeladen. {link('Laden Sie ein Installationsprogramm hoch')} oder
        geben Sie URLs ein.
      </>
    ),
    files: (total, link) => (
      <>
        {count(total, 'Datei ist', 'Dateien sind')} verfügbar. {link('Weitere hochladen')}.
      </>
    ),
    id: 'Version',
    idHint: 'Die Version der Installationsprogramme, zum Beispiel 4.0.0',
    installer: (system) => `Installationsprogramm für ${system}`,
    installerMissing: 'Fügen Sie für mindestens ein Betriebssystem ein Installationsprogramm hinzu',
    button: 'Version registrieren',
    doneTitle: (id) => `Version ${id} registriert`,
    keyWarning: (mark) => (
      <>
        Kopieren Sie diesen {mark('Installationsschlüssel')} jetzt. Er wird nicht noch einmal
        angezeigt. Speichern Sie ihn in einem Passwort-Manager.
      </>
    ),
    copyKey: 'Installationsschlüssel kopieren',
    keyUse: (setting) => (
      <>Connectors registrieren sich mit diesem Schlüssel. Legen Sie ihn als {setting} fest.</>
    ),
  },
  allowlist: {
    about: (version) =>
      `Connectors mit Version ${version} akzeptieren nur diese Origins, und nur mit Zustimmung des Benutzers.`,
    origins: 'Origins',
    originsHint:
      'Eine pro Zeile, zum Beispiel https://shop.example, oder https://*.bank.example für alle Subdomains.',
    button: 'Diese Websites zulassen',
  },
  device: {
    about:
      'Legen Sie auf dem Computer eines Benutzers diese beiden Werte fest und führen Sie dann das Installationsprogramm aus. Der zweite Wert ist der Installationsschlüssel, den Sie in Schritt 3 kopiert haben.',
    copyUrl: 'URL-Einstellung kopieren',
    download: (link) => (
      <>
        Jeder kann das Installationsprogramm unter {link} herunterladen. Diese Seite zeigt den
        Connector an, sobald er sich registriert.
      </>
    ),
    places: {
      caption: 'Wo Sie die beiden Werte eintragen',
      head: ['Betriebssystem', 'Ort'],
      windows: (key) => <>Zeichenfolgen (REG_SZ) unter {key}</>,
      linux: (file) => <>Je eine Zeile in {file} (Eigentümer: root)</>,
      mac: (command) => <>Führen Sie für jede Einstellung {command} aus</>,
    },
    registered: 'Ein Connector hat sich registriert. Laden Sie diese Seite neu.',
    none: 'Noch hat sich kein Connector registriert, und es wurde keiner abgelehnt.',
    refused: (address, time, reason) =>
      `Noch hat sich kein Connector registriert. Ein Connector mit der IP-Adresse ${address} wurde am ${time} abgelehnt. ${reason}`,
    refresh: (link, refusals) => (
      <>
        {link('Laden Sie die Seite neu')} oder prüfen Sie die{' '}
        {refusals('abgelehnten Registrierungen')}.
      </>
    ),
  },
  next: 'Weiter',
}
