/** The texts of the download page in German. */
import type { Texts } from '../en/catalog.ts'

export const download: Texts['download'] = {
  title: 'Cardwire herunterladen',
  otherComputer: 'Für einen anderen Computer',
  noInstaller: (system) =>
    `Für ${system} gibt es noch kein Installationsprogramm. Wann es verfügbar ist, erfahren Sie von der Organisation, die Sie hierher verwiesen hat.`,
  fileMissing: (system) =>
    `Das Installationsprogramm für ${system} kann gerade nicht heruntergeladen werden. Versuchen Sie es später erneut. Wenn das nicht hilft, wenden Sie sich an die Organisation, die Sie hierher verwiesen hat.`,
  choose:
    'Ihr Computer wurde nicht erkannt. Auf Smartphones und Tablets läuft Cardwire nicht. Wählen Sie den Computer mit Ihrem Kartenleser:',
  nothing: 'Hier gibt es noch nichts herunterzuladen.',
  package: (system, kind, architecture) => `${system}: ${kind} (${architecture})`,
}
