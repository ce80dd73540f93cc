/** The texts of reviews before a change, of what was saved, and of the history in German. */
import type { Texts } from '../en/catalog.ts'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { format, count } = createNumbers('de')

export const history: Texts['history'] = {
  link: 'Verlauf und Wiederherstellung',
  title: (name: string) => `Verlauf: ${name}`,
  about: 'Jede gespeicherte Änderung ist eine Revision, die Sie wiederherstellen können.',
  audit: (link: Wrap) => <>Andere Änderungen finden Sie im {link('Audit-Protokoll')}.</>,
  caption: 'Revisionen, neueste zuerst',
  columns: {
    revision: 'Revision',
    time: 'Zeit',
    who: 'Wer',
    action: 'Änderung',
    actions: 'Aktionen',
  },
  numbered: (revision: number) => `Revision ${format(revision)}`,
  current: 'Aktuell',
  removed: 'Entfernt',
  revisionTitle: (revision: number, name: string) => `Revision ${format(revision)}: ${name}`,
  savedBy: (who: string) => `Gespeichert von ${who}`,
  since: (revision: number) => `Änderungen seit Revision ${format(revision)}`,
  value: 'Einstellungen in dieser Revision',
  same: 'Es gibt keine Unterschiede.',
  noEarlier: 'Es gibt keine frühere Revision.',
  removal: 'In dieser Revision wurde die Konfiguration entfernt.',
  part: 'Einstellung',
  removedLines: 'Entfernt',
  addedLines: 'Hinzugefügt',
  passwordFrom: (revision: number) => `Festgelegt in Revision ${format(revision)}`,
  password: 'Passwort',
  restore: 'Wiederherstellen',
  restoreTitle: (revision: number, name: string) =>
    `Revision ${format(revision)} wiederherstellen: ${name}`,
  restoreCurrent: 'Diese Einstellungen sind aktuell. Es gibt nichts wiederherzustellen.',
  restoreAbout: 'Die früheren Einstellungen werden als neue Revision gespeichert.',
  missingFiles: (link: Wrap) => (
    <>Diese Dateien gibt es nicht mehr. {link('Laden Sie sie zuerst erneut hoch')}.</>
  ),
  restoreButton: 'Wiederherstellen',
  added: 'Hinzugefügt. Connectors übernehmen die Änderung bei der nächsten Synchronisierung.',
  saved: 'Gespeichert. Connectors übernehmen die Änderung bei der nächsten Synchronisierung.',
  unchanged: 'Sie haben nichts geändert. Deshalb wurde nichts gespeichert.',
  removedNote: 'Entfernt. Connectors übernehmen die Änderung bei der nächsten Synchronisierung.',
  undo: 'Rückgängig machen',
  review: {
    title: 'Änderungen prüfen',
    reach: (devices: number) =>
      devices === 0
        ? 'Noch hat kein Gerät diese Version.'
        : count(
            devices,
            'Gerät erhält diese Änderung bei der nächsten Synchronisierung.',
            'Geräte erhalten diese Änderung bei der nächsten Synchronisierung.',
          ),
    offered: (devices) =>
      count(
        devices,
        'Gerät wird ein Update auf diese Version angeboten. Es erhält die Änderung damit.',
        'Geräten wird ein Update auf diese Version angeboten. Sie erhalten die Änderung damit.',
      ),
    waiting: (devices) =>
      count(
        devices,
        'Gerät mit ausstehender Genehmigung erhält den Keystore, sobald es genehmigt ist.',
        'Geräte mit ausstehender Genehmigung erhalten den Keystore, sobald sie genehmigt sind.',
      ),
    lost: (sites: number) =>
      count(
        sites,
        'Website verliert den Zugriff auf Kartenleser.',
        'Websites verlieren den Zugriff auf Kartenleser.',
      ),
    caption: 'Was sich ändert',
    apply: 'Änderungen anwenden',
    passwordAgain: 'Keystore-Passwort (erneut)',
    passwordHint: 'Aus Sicherheitsgründen speichert die Seite es nicht.',
  },
}
