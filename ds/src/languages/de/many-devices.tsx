/** The texts of changes of many devices in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery, describeWithin } from './every.ts'

const { count, format } = createNumbers('de')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Diese Geräte ändern',
  all: 'Alle Geräte ändern',
  changes: {
    approve: {
      title: 'Geräte genehmigen',
      running: 'Geräte werden genehmigt',
      effects: () => [
        'Jedes Gerät, dessen Version einen Keystore hat, erhält ihn bei der nächsten Synchronisierung samt Passwort.',
      ],
      wayBack:
        'Das kann nicht rückgängig gemacht werden. Auch wenn Sie die Geräte später sperren oder entfernen, werden die Keystores darauf nicht gelöscht.',
      done: (devices) => count(devices, 'Gerät wurde genehmigt.', 'Geräte wurden genehmigt.'),
    },
    block: {
      title: 'Geräte sperren',
      running: 'Geräte werden gesperrt',
      effects: (cycle) => [
        'Der Server lehnt jede Anfrage der Geräte ab. Nutzungsdaten bleiben auf den Geräten.',
        `Jedes Gerät meldet sich mindestens ${describeEvery(cycle)} beim Server. Beim nächsten Mal verlieren Websites den Zugriff auf seine Kartenleser.`,
      ],
      wayBack:
        '30 Tage lang können Sie genau diese Geräte unter „Sammeländerungen“ wieder entsperren.',
      done: (devices) => count(devices, 'Gerät wurde gesperrt.', 'Geräte wurden gesperrt.'),
    },
    unblock: {
      title: 'Geräte entsperren',
      running: 'Geräte werden entsperrt',
      effects: (cycle) => [
        `Der Server nimmt Anfragen der Geräte wieder an. Jedes meldet sich ${describeWithin(cycle)} und sendet seine gespeicherten Nutzungsdaten.`,
      ],
      wayBack:
        '30 Tage lang können Sie genau diese Geräte unter „Sammeländerungen“ wieder sperren.',
      done: (devices) => count(devices, 'Gerät wurde entsperrt.', 'Geräte wurden entsperrt.'),
    },
    sync: {
      title: 'Geräte jetzt synchronisieren',
      running: 'Geräte werden zur Synchronisierung aufgefordert',
      effects: (cycle) => [
        `Geräte, die eine Verbindung offen halten, synchronisieren sich nacheinander, in der Regel innerhalb einer Minute. Alle anderen synchronisieren sich wie üblich ${describeWithin(cycle)}.`,
        'Gesperrte Geräte können sich nicht synchronisieren und werden deshalb übersprungen.',
      ],
      wayBack: 'Sonst ändert sich nichts.',
      done: (devices) =>
        count(
          devices,
          'Gerät wurde zur Synchronisierung aufgefordert.',
          'Geräte wurden zur Synchronisierung aufgefordert.',
        ),
    },
    addTags: {
      title: 'Tags hinzufügen',
      running: 'Tags werden hinzugefügt',
      effects: () => [
        'Jedes Gerät behält auch seine bisherigen Tags.',
        'Durch die Tags kann sich ändern, zu welchen Gruppen ein Gerät gehört. Das Gerät übernimmt das bei der nächsten Synchronisierung.',
      ],
      wayBack:
        '30 Tage lang können Sie das unter „Sammeländerungen“ rückgängig machen. Jedes Gerät erhält dann genau die Tags, die es hatte.',
      done: (devices) => count(devices, 'Gerät hat neue Tags.', 'Geräte haben neue Tags.'),
    },
    removeTags: {
      title: 'Tags entfernen',
      running: 'Tags werden entfernt',
      effects: () => [
        'Jedes Gerät behält seine anderen Tags. Auch Tags, die es selbst meldet, bleiben erhalten.',
        'Durch die Tags kann sich ändern, zu welchen Gruppen ein Gerät gehört. Das Gerät übernimmt das bei der nächsten Synchronisierung.',
      ],
      wayBack:
        '30 Tage lang können Sie das unter „Sammeländerungen“ rückgängig machen. Jedes Gerät erhält dann genau die Tags, die es hatte.',
      done: (devices) => count(devices, 'Gerät hat weniger Tags.', 'Geräte haben weniger Tags.'),
    },
    restoreTags: {
      title: 'Tags wiederherstellen',
      running: 'Tags werden wiederhergestellt',
      effects: () => [
        'Jedes Gerät erhält genau die Tags, die es vor der Änderung hatte.',
        'Durch die Tags kann sich ändern, zu welchen Gruppen ein Gerät gehört. Das Gerät übernimmt das bei der nächsten Synchronisierung.',
      ],
      wayBack:
        '30 Tage lang können Sie das unter „Sammeländerungen“ rückgängig machen. Jedes Gerät erhält dann genau die Tags, die es hatte.',
      done: (devices) =>
        count(
          devices,
          'Gerät hat wieder seine früheren Tags.',
          'Geräte haben wieder ihre früheren Tags.',
        ),
    },
    importTags: {
      title: 'Tags importieren',
      running: 'Tags werden importiert',
      effects: () => [
        'Jedes Gerät erhält genau die Tags aus seiner Zeile. Tags, die Geräte selbst melden, bleiben.',
        'Durch die Tags kann sich ändern, zu welchen Gruppen ein Gerät gehört. Das Gerät übernimmt das bei der nächsten Synchronisierung.',
      ],
      wayBack:
        '30 Tage lang können Sie das unter „Sammeländerungen“ rückgängig machen. Jedes Gerät erhält dann genau die Tags, die es hatte.',
      done: (devices) =>
        count(
          devices,
          'Gerät hat die Tags aus seiner Zeile.',
          'Geräte haben die Tags aus ihren Zeilen.',
        ),
    },
    remove: {
      title: 'Geräte entfernen',
      running: 'Geräte werden entfernt',
      effects: () => [
        'Die Geräte und ihre Protokolle werden gelöscht. Bereits gesendete Nutzungsdaten bleiben erhalten.',
        'Geräte mit laufendem Connector und gültigem Installationsschlüssel registrieren sich erneut und erscheinen als neue Geräte, auch wenn sie jetzt gesperrt sind. Um das zu verhindern, sperren Sie die Geräte, statt sie zu entfernen.',
      ],
      wayBack: 'Das kann nicht rückgängig gemacht werden.',
      done: (devices) => count(devices, 'Gerät wurde entfernt.', 'Geräte wurden entfernt.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Es werden keine Geräte geändert.'
      : count(devices, 'Gerät wird geändert.', 'Geräte werden geändert.'),
  left: (devices) =>
    count(
      devices,
      'Gerät bleibt, wie es ist, weil es später erneut geändert wurde.',
      'Geräte bleiben, wie sie sind, weil sie später erneut geändert wurden.',
    ),
  changedSince: (devices) =>
    count(
      devices,
      'Gerät wurde später erneut geändert oder entfernt.',
      'Geräte wurden später erneut geändert oder entfernt.',
    ),
  /** Of a change of tags. */
  tags: {
    tagsHint: (most) =>
      `Durch Kommas getrennt, höchstens ${most}. Erlaubt sind Kleinbuchstaben, Ziffern und . _ : -`,
    wrong: 'Geben Sie Tags durch Kommas getrennt ein.',
    nextButton: 'Weiter',
    refused: (devices) =>
      count(
        devices,
        'Gerät behält seine Tags, weil es sonst mehr als 32 hätte.',
        'Geräte behalten ihre Tags, weil sie sonst mehr als 32 hätten.',
      ),
    others: (devices) => count(devices, 'weiteres Gerät', 'weitere Geräte'),
    noGroups: 'Die Gruppen der Geräte ändern sich nicht.',
    groups: {
      caption: 'Gruppen, die sich ändern',
      group: 'Gruppe',
      entering: 'Geräte, die hinzukommen',
      uncounted: 'Nicht gezählt',
      leaving: 'Geräte, die wegfallen',
    },
  },
  import: {
    title: 'Tags aus einer Tabelle importieren',
    about:
      'Jedes Gerät erhält die Tags aus seiner Zeile anstelle der bisherigen. Sie können die Änderungen prüfen, bevor Sie sie bestätigen.',
    columns: (tags, id, hostname) => (
      <>
        Die Kopfzeile muss die Spalte {tags} sowie {id} oder {hostname} enthalten. Hat eine Zeile
        eine ID, wird ihr Hostname ignoriert. Andere Spalten werden ebenfalls ignoriert.
      </>
    ),
    cells:
      'Schreiben Sie alle Tags in eine Zelle, durch Leerzeichen getrennt. Eine leere Zelle entfernt alle Tags.',
    export: (link) => (
      <>
        Um alle Tags in einer Tabelle zu bearbeiten, {link('laden Sie die Geräte als CSV herunter')}
        .
      </>
    ),
    limit: (rows) => `Die Datei kann bis zu ${format(rows)} Zeilen haben.`,
    read: 'Datei prüfen',
    file: 'CSV-Datei',
    pasted: 'Oder Zeilen einfügen',
    pastedHint: (characters) =>
      `Kopieren Sie die Zeilen aus Ihrer Tabelle, einschließlich der Kopfzeile. Möglich sind bis zu ${format(characters)} Zeichen.`,
    readPasted: 'Zeilen prüfen',
    wrongFile:
      'Der Server kann diese Datei nicht lesen. Nötig ist eine CSV-Datei in UTF-8. Die Kopfzeile muss die Spalte „tags“ sowie „id“ oder „hostname“ enthalten.',
    wrongRows:
      'Der Server kann diese Zeilen nicht lesen. Die Kopfzeile muss die Spalte „tags“ sowie „id“ oder „hostname“ enthalten.',
    noRows: 'Fügen Sie zuerst Zeilen ein.',
    tooLong: (characters) =>
      `Diese Zeilen sind zu lang. Fügen Sie bis zu ${format(characters)} Zeichen ein oder wählen Sie eine Datei.`,
    other: 'Andere Tags importieren',
    devices: 'Geräte in importierten Zeilen',
    rows: 'Zeilen',
    unchanged: 'Geräte, die diese Tags schon haben',
    changes: {
      caption: 'Was sich ändert',
      added: 'Hinzugefügte Tags',
      removed: 'Entfernte Tags',
      devices: 'Geräte',
    },
    unknown: (devices) => count(devices, 'Gerät ist unbekannt.', 'Geräte sind unbekannt.'),
    ambiguous: (names) =>
      count(
        names,
        'Hostname gehört zu mehreren Geräten. Verwenden Sie deren IDs.',
        'Hostnamen gehören zu mehreren Geräten. Verwenden Sie deren IDs.',
      ),
    faulty: (rows) => count(rows, 'Zeile wird ausgelassen.', 'Zeilen werden ausgelassen.'),
    line: (line, fault) => `Zeile ${format(line)}: ${fault}`,
    faults: {
      cells: 'eine Zelle fehlt',
      device: 'Geräte-ID und Hostname fehlen',
      tags: 'enthält ungültige Tags',
      'too-many': 'mehr als 32 Tags',
      repeated: 'das Gerät steht in einer früheren Zeile',
    },
    others: (more) => count(more, 'weitere', 'weitere'),
  },
  largest: 'Die Tabelle zeigt nur die größten Gruppen.',
  progress: {
    done: (done, reach) => `${format(done)} von ${format(reach)} Geräten bearbeitet.`,
    next: 'Klicken Sie auf „Fortfahren“, bis alle Geräte bearbeitet sind.',
    stays:
      'Wenn Sie hier anhalten, bleiben die bisherigen Änderungen bestehen. Sie können später unter „Sammeländerungen“ fortfahren.',
    stop: 'Hier anhalten',
    rest: 'Die übrigen Geräte sind unverändert.',
    button: 'Fortfahren',
  },
  changeFilters: 'Filter ändern',
  show: 'Diese Geräte anzeigen',
  undo: 'Rückgängig machen',
  /** When the access of the devices ends at the latest. */
  access: {
    block: {
      until: (at) => (
        <>
          Meldet sich ein Gerät nicht mehr beim Server, können Websites seine Kartenleser noch bis
          spätestens {at} verwenden. Dann ist seine Richtlinie abgelaufen.
        </>
      ),
      forever:
        'Meldet sich ein Gerät nicht mehr beim Server, können Websites seine Kartenleser weiter verwenden, weil seine Richtlinie nicht abläuft. Um das zu ändern, legen Sie DS_POLICY_MAX_AGE fest.',
    },
    remove: {
      until: (at) => (
        <>
          Websites können die Kartenleser der Geräte noch bis spätestens {at} verwenden. Dann sind
          alle Richtlinien abgelaufen.
        </>
      ),
      forever:
        'Websites können die Kartenleser der Geräte weiter verwenden, weil ihre Richtlinien nicht ablaufen. Um das zu ändern, legen Sie DS_POLICY_MAX_AGE fest.',
    },
  },
  /** Which devices, in words. */
  filter: {
    all: 'Alle Geräte',
    hostname: 'Hostname',
    open: 'Nicht gesperrt',
    approved: 'Genehmigt',
    seenBefore: (at) => <>Letzter Kontakt vor dem {at}</>,
    seenAfter: (at) => <>Letzter Kontakt nach dem {at}</>,
    changedBy: (link) => <>{link('Geräte einer früheren Änderung')}</>,
  },
  list: {
    title: 'Sammeländerungen',
    about:
      'Die Änderungen der letzten 30 Tage. Sie können eine angehaltene Änderung fortsetzen. Änderungen an Tags sowie das Sperren und Entsperren von Geräten können Sie rückgängig machen.',
    empty: 'Keine Sammeländerungen in den letzten 30 Tagen.',
    caption: 'Änderungen, neueste zuerst',
    columns: {
      time: 'Zeit',
      change: 'Änderung',
      devices: 'Geräte',
      progress: 'Fortschritt',
      who: 'Wer',
      actions: 'Aktionen',
    },
    progress: (done, reach) => `${format(done)} von ${format(reach)}`,
    changedSince: (devices) => `${format(devices)} später erneut geändert`,
    finished: 'Abgeschlossen',
    incomplete: 'Unvollständig',
    final: 'Nicht rückgängig zu machen',
    show: 'Diese Änderung anzeigen',
  },
}
