/** The texts of the screens of versions in German. */
import type { Version, VersionReach } from '@cardwire/protocol'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

type Flags = Pick<Version, 'recommended' | 'mandatory' | 'allowed'>

const { format, choose, count } = createNumbers('de')
const list = new Intl.ListFormat('de')

/** The tags of a version, in a sentence. */
const inside = {
  allowed: 'freigegeben',
  blocked: 'gesperrt',
  recommended: 'empfohlen',
  mandatory: 'erforderlich',
}

const describeFlags = ({ recommended, mandatory, allowed }: Flags) =>
  list.format([
    allowed ? inside.allowed : inside.blocked,
    ...(recommended ? [inside.recommended] : []),
    ...(mandatory ? [inside.mandatory] : []),
  ])

function describeStopped({ stopped, withoutInstaller }: VersionReach) {
  const will = `Auf ${count(stopped, 'Gerät', 'Geräten')} wird der Connector beendet.`
  if (withoutInstaller > 0)
    return `${will} Für ${count(withoutInstaller, 'Gerät', 'Geräte')} gibt es kein Installationsprogramm zum Aktualisieren.`
  return `${will} ${stopped === 1 ? 'Ein Installationsprogramm dafür ist verfügbar.' : 'Für alle ist ein Installationsprogramm verfügbar.'}`
}

export const versions: Texts['versions'] = {
  title: 'Versionen',
  about:
    'Die Freigabeeinstellungen einer Version bestimmen, ob ältere Connectors ein Update auf diese Version empfehlen oder verlangen und ob Connectors mit dieser Version beendet werden.',
  registerLink: 'Version registrieren',
  uploadLink: 'Zuerst Installationsprogramme hochladen',
  empty:
    'Noch keine Versionen. Laden Sie die Installationsprogramme hoch, registrieren Sie ihre Version und fügen Sie dann eine Zulassungsliste hinzu.',
  list: {
    caption: 'Versionen, neueste zuerst',
    version: 'Version',
    status: 'Freigabestatus',
    installers: 'Installationsprogramme',
    noInstallers: 'Keine',
    added: 'Hinzugefügt',
    rollout: 'Rollout',
  },
  tags: {
    allowed: 'Freigegeben',
    blocked: 'Gesperrt',
    recommended: 'Empfohlen',
    mandatory: 'Erforderlich',
  },
  page: {
    title: (id) => `Version ${id}`,
    status: 'Freigabestatus',
    flagsLink: 'Freigabeeinstellungen bearbeiten',
    installersLink: 'Installationsprogramme bearbeiten',
    devicesTitle: 'Geräte mit dieser Version',
    configurationsTitle: 'Konfigurationen',
    keyTitle: 'Installationsschlüssel und Entfernen der Version',
    keyLink: 'Installationsschlüssel ersetzen',
    removeLink: 'Version entfernen',
  },
  devices: {
    none: 'Kein Gerät hat diese Version.',
    caption: 'Geräte nach System',
    system: 'System',
    devices: 'Geräte',
    number: (total, isMore) => `${isMore ? 'Mehr als ' : ''}${format(total)}`,
    all: (total, isMore) => `Alle Geräte anzeigen (${isMore ? 'mehr als ' : ''}${format(total)})`,
  },
  configurations: {
    empty:
      'Noch keine Konfigurationen. Bis Sie eine Zulassungsliste hinzufügen, kann keine Website die Kartenleser von Connectors mit dieser Version verwenden.',
    groupLink: 'Konfiguration für eine Gruppe hinzufügen',
    copyLink: 'Konfigurationen aus einer anderen oder in eine andere Version kopieren',
    compareLink: 'Mit einer anderen Version vergleichen',
  },
  flags: {
    title: (id) => `Freigabeeinstellungen für Version ${id}`,
    legend: 'Freigabeeinstellungen',
    recommended: 'Empfohlen',
    recommendedHint: 'Ältere Connectors weisen auf das Update hin. In der API: „recommended“.',
    mandatory: 'Erforderlich',
    mandatoryHint:
      'Ältere Connectors werden beendet und laufen erst nach einem Update wieder. In der API: „mandatory“.',
    allowed: 'Freigegeben',
    allowedHint:
      'Wenn Sie dies deaktivieren, werden Connectors mit dieser Version beendet. Danach können sie zur neuesten freigegebenen Version wechseln, auch wenn diese älter ist.',
    next: 'Als Nächstes prüfen Sie die betroffenen Geräte. Gibt es keine, gilt die Änderung sofort.',
    reviewButton: 'Änderungen prüfen',
    confirmTitle: (id) => `Freigabeeinstellungen für Version ${id} ändern`,
    change: (id, before, after) =>
      `Der Freigabestatus von Version ${id} wird von „${describeFlags(before)}“ in „${describeFlags(after)}“ geändert.`,
    applyButton: 'Anwenden',
    yes: 'Ja',
    no: 'Nein',
  },
  affected: {
    lostSites: {
      sentence: (sites) =>
        `Nach dem Update ${choose(sites, 'kann', 'können')} ${count(sites, 'Website', 'Websites')} keine Kartenleser mehr verwenden.`,
      caption: 'Websites ohne Zugriff auf Kartenleser nach dem Update',
      site: 'Website',
      more: (others) => `${count(others, 'weitere Website', 'weitere Websites')}.`,
    },
    sentence: (reach) => {
      if (reach.unserved > 0)
        return `${count(reach.unserved, 'Gerät', 'Geräte')} mit dieser Version ${reach.unserved === 1 ? 'kann' : 'können'} sich erst wieder synchronisieren, wenn Sie die Version erneut registrieren.`
      if (reach.reach === 0) return 'Es sind keine Geräte betroffen.'
      if (reach.stopped > 0) return describeStopped(reach)
      return `${count(reach.reach, 'Gerät ist', 'Geräte sind')} betroffen. Kein Connector wird beendet.`
    },
    stoppedWithoutInstaller: (total) =>
      `Für ${count(total, 'Gerät, auf dem', 'Geräte, auf denen')} der Connector bereits beendet wurde, gibt es dann kein Installationsprogramm zum Aktualisieren.`,
    /** What sites lose; empty when they lose nothing. */
    lost: (reach) =>
      reach.withoutAllowlist === 0
        ? ''
        : `${count(reach.withoutAllowlist, 'Gerät würde', 'Geräte würden')} auf eine Version ohne Zulassungsliste aktualisiert. Dann könnte dort keine Website mehr Kartenleser verwenden.`,
    goBack: (total) =>
      `${count(total, 'Gerät wechselt', 'Geräte wechseln')} zu einer älteren Version. Jeder Benutzer muss das im Fenster des Connectors oder mit „cardwire update“ in einem Terminal bestätigen. Unter Windows kann ein Installationsprogramm, das ALLOWDOWNGRADE nicht unterstützt, keine neuere Version ersetzen. In diesem Fall muss die neuere Version zuerst entfernt werden.`,
    caption: 'Betroffene Geräte',
    captionUnblocked: 'Betroffene Geräte, ohne gesperrte Geräte',
    version: 'Version',
    system: 'System',
    devices: 'Geräte',
    now: 'Jetzt',
    after: 'Danach',
    target: 'Update auf',
    verdicts: {
      none: 'Kein Update nötig',
      recommend: 'Update empfohlen',
      require: 'Update erforderlich',
      stop: 'Version gesperrt',
    },
    otherInstallers: (total) =>
      `${count(total, 'Gerät bekommt', 'Geräte bekommen')} für dieselbe Version ein anderes Installationsprogramm angeboten.`,
    otherInstaller: (version) => `${version}, anderes Installationsprogramm`,
    noInstaller: 'Kein Installationsprogramm',
    more: (groups) => `Und ${count(groups, 'kleinere Gruppe', 'kleinere Gruppen')}.`,
  },
  installers: {
    title: (id) => `Installationsprogramme für Version ${id}`,
    heading: 'Installationsprogramme',
    empty:
      'Noch keine Installationsprogramme. Bis Sie eines hinzufügen, können Benutzer diese Version nicht herunterladen und Connectors nicht darauf aktualisiert werden.',
    caption: 'Installationsprogramme nach System',
    system: 'System',
    url: 'Datei oder URL',
    size: 'Größe',
    download: 'Download',
    downloadLink: (system, unseen) => <>Herunterladen{unseen(` für ${system}`)}</>,
    notGiven: 'Nicht angegeben',
    saveButton: 'Installationsprogramme speichern',
    urlLabel: 'URL des Installationsprogramms',
    urlHint:
      'Wählen Sie eine hochgeladene Datei (file:///…) oder geben Sie eine URL ein (https://…). Leer lassen, wenn es keines gibt.',
    hashHint: '64 Hexadezimalzeichen. Wird bei hochgeladenen Dateien automatisch berechnet.',
  },
  register: {
    title: 'Version registrieren',
    taken: (id) => `Version ${id} ist bereits registriert`,
    versionLabel: 'Version',
    versionHint: 'Die Version der Installationsprogramme, zum Beispiel 4.0.1',
    configurationsTitle: 'Konfigurationen',
    copyLabel: 'Zulassungsliste und andere Konfigurationen',
    copyHint:
      'Ohne Zulassungsliste kann keine Website die Kartenleser von Geräten mit dieser Version verwenden.',
    copyOption: (id) => `Von ${id} kopieren`,
    copyNone: 'Keine',
    installersTitle: 'Installationsprogramme',
    noFiles: (link) => (
      <>
        Noch keine Dateien hochgeladen. {link('Laden Sie Installationsprogramme hoch')} oder geben
        Sie URLs ein.
      </>
    ),
    files: (link) => (
      <>
        Wählen Sie hochgeladene Dateien, {link('laden Sie Installationsprogramme hoch')} oder geben
        Sie URLs ein.
      </>
    ),
    button: 'Version registrieren',
    confirmTitle: (id) => `Version ${id} registrieren`,
    wayBack: 'Sie können die Freigabeeinstellungen der Version danach ändern.',
    editButton: 'Weiter bearbeiten',
  },
  key: {
    title: (id) => `Installationsschlüssel für Version ${id}`,
    replaceTitle: (id) => `Installationsschlüssel für Version ${id} ersetzen`,
    replaceAbout:
      'Der alte Schlüssel wird sofort ungültig. Neue Connectors können sich nicht mehr mit ihm registrieren. Die nächste Seite zeigt einmalig den neuen Schlüssel.',
    wayBack:
      'Das kann nicht rückgängig gemacht werden. Der Server bewahrt den alten Schlüssel nicht auf.',
    /** Of devices that have the version. */
    kept: (total) =>
      total === 0
        ? 'Kein Gerät hat diese Version.'
        : `${count(total, 'registriertes Gerät mit dieser Version funktioniert', 'registrierte Geräte mit dieser Version funktionieren')} weiter.`,
    replaceButton: 'Schlüssel ersetzen',
    copyLabel: 'Installationsschlüssel kopieren',
    warning:
      'Kopieren Sie diesen Schlüssel jetzt. Er wird nicht noch einmal angezeigt. Der Server speichert nur einen Hash davon. Tragen Sie den Schlüssel in die Einstellungen Ihrer Connectors ein.',
    done: 'Ich habe den Schlüssel gespeichert',
    about: (setting) => (
      <>Connectors registrieren sich mit diesem Schlüssel. Übergeben Sie ihn als {setting}.</>
    ),
  },
  remove: {
    title: (id) => `Version ${id} entfernen`,
    about:
      'Der Installationsschlüssel wird ungültig, und die Installationsprogramme werden nicht mehr angeboten.',
    wayBack:
      'Das kann nicht rückgängig gemacht werden. Auch der Verlauf der Version wird entfernt.',
    button: 'Version entfernen',
  },
}
