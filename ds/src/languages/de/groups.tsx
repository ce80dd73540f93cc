/** The texts of the screens of groups. */
import type { Child } from 'hono/jsx'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('de')

export const groups: Texts['groups'] = {
  title: 'Gruppen',
  /** Instead of one group. */
  allDevices: 'Alle Geräte',
  /** Between two rules. */
  or: 'oder',
  list: {
    about:
      'Sie können eine Konfiguration oder eine Rollout-Stufe auf eine Gruppe beschränken. Bei jeder Synchronisierung prüft der Server, zu welchen Gruppen das Gerät gehört.',
    empty:
      'Eine Gruppe enthält die Geräte, auf die ihre Regeln zutreffen, zum Beispiel Regeln für Tags oder Hostnamen. Sie können einer Gruppe eine eigene Konfiguration geben oder einen Rollout mit ihr beginnen.',
    newLink: 'Gruppe erstellen',
    caption: 'Gruppen nach Priorität',
    name: 'Name',
    rules: 'Regeln',
    priority: 'Priorität',
    updated: 'Geändert',
  },
  conditions: {
    tags: (values: string) => `Tag: ${values}`,
    reportedTags: (values: string) => `Gemeldetes Tag: ${values}`,
    hostnames: (values: string) => `Hostname: ${values}`,
    platforms: (values: string) => `System: ${values}`,
    versions: (values: string) => `Version: ${values}`,
  },
  page: {
    devices: 'Geräte',
    rules: 'Regeln',
    priority: 'Priorität',
    uses: 'Verwendet von',
    unused: 'Noch nichts',
    updated: 'Geändert',
    editLink: 'Gruppe bearbeiten',
    removeLink: 'Gruppe entfernen',
  },
  remove: {
    title: (name: string) => `Gruppe ${name} entfernen`,
    about: 'An den Geräten in der Gruppe ändert sich nichts.',
    wayBack:
      'Das kann nicht rückgängig gemacht werden, aber Sie können die Gruppe erneut erstellen.',
    button: 'Gruppe entfernen',
  },
  form: {
    newTitle: 'Gruppe erstellen',
    editTitle: (name: string) => `Gruppe ${name} bearbeiten`,
    button: 'Gruppe speichern',
    confirmTitle: (name: string) => `Gruppe ${name} ändern`,
    wayBack: 'Sie können die Gruppe danach wieder bearbeiten.',
    reach: (devices: number) =>
      devices === 1
        ? 'Für 1 Gerät gilt ab der nächsten Synchronisierung eine andere Konfiguration oder Rollout-Stufe.'
        : `Für ${format(devices)} Geräte gilt ab der nächsten Synchronisierung eine andere Konfiguration oder Rollout-Stufe.`,
    name: 'Name',
    rule: (number: number) => `Regel ${format(number)}`,
    ruleHint:
      'Eine Regel trifft auf ein Gerät zu, wenn alle ausgefüllten Felder zutreffen. Lassen Sie die anderen Felder leer. Ein Gerät gehört zur Gruppe, wenn mindestens eine Regel zutrifft.',
    priority: 'Priorität',
    priorityHint:
      'Haben mehrere Gruppen eines Geräts eine Konfiguration desselben Typs, gilt die der Gruppe mit der höchsten Priorität (0 bis 1.000). Bei gleicher Priorität hat die ältere Gruppe Vorrang.',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Von Administratoren vergebene Tags, durch Kommas getrennt. Eines davon genügt.',
      },
      reportedTags: {
        label: 'Gemeldete Tags',
        hint: 'Tags aus den Einstellungen des Geräts, durch Kommas getrennt. Ein Gerät kann beliebige Tags melden.',
      },
      hostnames: {
        label: 'Hostnamen',
        hint: 'Durch Kommas getrennt, zum Beispiel pc-*, *.filiale.example. Das Sternchen steht für beliebigen Text.',
      },
      platforms: {
        label: 'Systeme',
        hint: 'Ohne Auswahl gilt die Regel für alle Systeme.',
      },
      versions: { label: 'Versionen', hint: 'Durch Kommas getrennt, zum Beispiel 4.0.0, 4.1.0.' },
    },
  },
  /** On the page of a device. */
  ofDevice: {
    tags: 'Tags',
    reported: (tags: Child) => <>{tags} (vom Gerät gemeldet)</>,
    groups: 'Gruppen',
    configurations: 'Konfigurationen',
    forAll: 'für alle Geräte',
    forGroup: (name: string) => `für die Gruppe ${name}`,
    editTags: 'Tags bearbeiten',
    tagsTitle: (name: string) => `Tags von ${name}`,
    tagsAbout: 'Die Regeln einer Gruppe können Geräte nach ihren Tags auswählen.',
    tagsHint:
      'Durch Kommas getrennt, höchstens 32. Erlaubt sind Kleinbuchstaben, Ziffern und . _ : -',
    tagsButton: 'Tags speichern',
  },
}
