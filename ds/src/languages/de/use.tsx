/** The texts of the screens of counted uses and of downloads, in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count, format } = createNumbers('de')

export const use: Texts['use'] = {
  title: 'Nutzung',
  about: (downloads, organizations) => (
    <>
      Wie oft Websites Kartenleser verwenden, pro Tag (UTC). Ohne Filter sehen Sie die letzten 30
      Tage. {downloads('Downloads von Installationsprogrammen')} werden getrennt gezählt. Sie können
      sich auch die {organizations('Nutzung nach Organisation')} in einem Monat ansehen.
    </>
  ),
  empty: (applications) => (
    <>
      Keine Nutzung für diesen Filter. Wenn eine Webseite mit dem Token einer{' '}
      {applications('Anwendung')} einen Kartenleser verwendet, meldet der Connector das bei der
      nächsten Synchronisierung.
    </>
  ),
  total: (total, mark) => (
    <>
      Insgesamt {mark(format(total))} {choose(total, 'Nutzung', 'Nutzungen')}.
    </>
  ),
  download: 'Alle als CSV herunterladen',
  chart: {
    title: 'Nutzung pro Tag',
    counted: 'Nutzungen',
    description: (from, to, best, most) =>
      `Vom ${from} bis zum ${to}. Der Tag mit den meisten Nutzungen war der ${best} (${count(most, 'Nutzung', 'Nutzungen')}). Die Tabelle unten enthält alle Zahlen.`,
  },
  asTable: 'Als Tabelle anzeigen',
  day: 'Tag',
  filters: {
    from: 'Von',
    to: 'Bis',
    application: 'Anwendung',
    module: 'Modul',
    useCase: 'Anwendungsfall',
    version: 'Version',
    system: 'System',
    all: 'Alle',
    apply: 'Anwenden',
    clear: 'Letzte 30 Tage',
  },
  counters: {
    caption: 'Nutzung nach Anwendung',
    application: 'Anwendung',
    noApplication: 'Keine',
    module: 'Modul',
    useCase: 'Anwendungsfall',
    tag: 'Abrechnungskennzeichen',
    tagAbout:
      'Abrechnungskennzeichen stammen von Webseiten, die mit jeder Anfrage eines senden können (X-T1C-BILLING-TAG).',
    uses: 'Nutzungen',
  },
  modules: {
    piv: 'PIV-Karte',
    beid: 'Belgischer Personalausweis',
    openpgp: 'OpenPGP-Karte',
    emv: 'Zahlungskarte',
    crelan: 'Zahlungskarte, Crelan',
    pkcs11: 'PKCS-#11-Bibliothek',
    fileexchange: 'Dateien',
    truststore: 'Windows-Zertifikate',
    rawprint: 'Drucker',
    remoteloading: 'Kartenbefehle',
  },
  useCases: {
    'identity-read': 'Lesen von Identitätsdaten',
    authentication: 'Authentifizierung',
    signature: 'Unterschrift',
    'pin-verification': 'PIN-Prüfung',
    'card-commands': 'Kartenbefehle',
    'file-download': 'Datei-Download',
    'file-upload': 'Datei-Upload',
    print: 'Druck',
  },
  organizations: {
    title: 'Nutzung nach Organisation',
    about:
      'Nutzungen und verschiedene Geräte in einem Monat (UTC). Ein Gerät ist der Connector eines Benutzers auf einem Computer. Es zählt einmal für jede Anwendung, einmal für jede Organisation und einmal insgesamt, unabhängig davon, wie oft es verwendet wird.',
    month: 'Monat',
    show: 'Anzeigen',
    empty: 'Keine Nutzung in diesem Monat.',
    caption: 'Nutzung nach Organisation und Anwendung',
    organization: 'Organisation',
    none: 'Keine',
    application: 'Anwendung',
    all: 'Alle Anwendungen',
    uses: 'Nutzungen',
    devices: 'Verschiedene Geräte',
    notCounted: 'Nicht gezählt',
    total: (uses, devices) =>
      devices === null
        ? `Insgesamt ${count(uses, 'Nutzung', 'Nutzungen')}. Geräte wurden in diesem Monat nicht gezählt.`
        : `Insgesamt ${count(uses, 'Nutzung', 'Nutzungen')} auf ${count(devices, 'Gerät', 'verschiedenen Geräten')}.`,
  },
  downloads: {
    total: (total, mark) => (
      <>
        Insgesamt {mark(format(total))} {choose(total, 'Download', 'Downloads')}.
      </>
    ),
    title: 'Downloads von Installationsprogrammen',
    about: 'Installationsprogramme, die von diesem Server heruntergeladen wurden, pro Tag (UTC).',
    empty: (path) => (
      <>
        Keine Downloads für diesen Filter. Unter der URL {path} auf diesem Server erhält jeder
        Benutzer das Installationsprogramm für seinen Computer.
      </>
    ),
    chart: {
      title: 'Downloads pro Tag',
      counted: 'Downloads',
      description: (from, to, best, most) =>
        `Vom ${from} bis zum ${to}. Der Tag mit den meisten Downloads war der ${best} (${count(most, 'Download', 'Downloads')}). Die Tabelle unten enthält alle Zahlen.`,
    },
    caption: 'Downloads nach Version und System',
    version: 'Version',
    system: 'System',
    count: 'Downloads',
  },
}
