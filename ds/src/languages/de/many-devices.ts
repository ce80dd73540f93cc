/** The texts of changes of many devices in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Diese Geräte ändern',
  all: 'Alle Geräte ändern',
  changes: {
    approve: {
      title: 'Geräte genehmigen',
      effects: [
        'Bei der nächsten Synchronisierung erhält jedes Gerät den Keystore seiner Version samt Passwort.',
        'Das kann nicht rückgängig gemacht werden. Auch wenn Sie die Geräte später sperren oder entfernen, werden die Keystores darauf nicht gelöscht.',
      ],
      done: (devices) => count(devices, 'Gerät wurde genehmigt.', 'Geräte wurden genehmigt.'),
    },
    block: {
      title: 'Geräte sperren',
      effects: [
        'Die Geräte können keine Verbindung mehr herstellen. Nutzungsdaten bleiben auf den Geräten.',
        'Jedes Gerät versucht einmal pro Synchronisierungszyklus, eine Verbindung herzustellen. Beim nächsten Versuch verlieren Websites den Zugriff auf seine Kartenleser.',
        'Bis 30 Tage nach dem Sperren können Sie genau diese Geräte wieder entsperren.',
      ],
      done: (devices) => count(devices, 'Gerät wurde gesperrt.', 'Geräte wurden gesperrt.'),
    },
    unblock: {
      title: 'Geräte entsperren',
      effects: [
        'Die Geräte können wieder eine Verbindung herstellen. Jedes meldet sich innerhalb eines Synchronisierungszyklus wieder und sendet die gespeicherten Nutzungsdaten.',
      ],
      done: (devices) => count(devices, 'Gerät wurde entsperrt.', 'Geräte wurden entsperrt.'),
    },
    remove: {
      title: 'Geräte entfernen',
      effects: [
        'Die Geräte und ihre Protokolle werden gelöscht. Bereits gesendete Nutzungsdaten bleiben erhalten.',
        'Geräte mit laufendem Connector und gültigem Installationsschlüssel registrieren sich erneut und erscheinen als neue Geräte. Um das zu verhindern, sperren Sie die Geräte stattdessen.',
        'Das kann nicht rückgängig gemacht werden.',
      ],
      done: (devices) => count(devices, 'Gerät wurde entfernt.', 'Geräte wurden entfernt.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Es gibt keine Geräte zu ändern.'
      : count(devices, 'Gerät wird geändert.', 'Geräte werden geändert.'),
  largest: 'Die Tabelle zeigt nur die größten Gruppen.',
  progress: {
    title: 'Geräte werden geändert',
    done: (done, reach) => `${format(done)} von ${format(reach)} Geräten bearbeitet.`,
    next: 'Klicken Sie auf „Fortfahren“, bis alle Geräte bearbeitet sind. Wenn Sie jetzt aufhören, bleiben die übrigen Geräte unverändert.',
    button: 'Fortfahren',
  },
  show: 'Diese Geräte anzeigen',
  undo: 'Rückgängig machen',
}
