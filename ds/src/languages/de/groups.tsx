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
      'Eine Konfiguration oder eine Rollout-Stufe kann nur für eine Gruppe gelten. Bei jeder Synchronisierung wird geprüft, in welchen Gruppen ein Gerät ist.',
    empty:
      'Zu einer Gruppe gehören die Geräte, auf die ihre Regeln zutreffen, zum Beispiel ein Tag oder ein Hostname. Eine Gruppe kann eine eigene Konfiguration haben, und ein Rollout kann mit ihr beginnen.',
    newLink: 'Gruppe erstellen',
    caption: 'Gruppen nach Priorität',
    name: 'Name',
    rules: 'Regeln',
    priority: 'Priorität',
    updated: 'Geändert',
  },
  conditions: {
    tags: (values: string) => `Tag: ${values}`,
    reportedTags: (values: string) => `Gemeldeter Tag: ${values}`,
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
    about: 'An den Geräten selbst ändert sich nichts.',
    wayBack: 'Das lässt sich nicht rückgängig machen, aber Sie können die Gruppe neu erstellen.',
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
        ? '1 Gerät erhält bei der nächsten Synchronisierung eine andere Konfiguration oder Rollout-Stufe.'
        : `${format(devices)} Geräte erhalten bei der nächsten Synchronisierung eine andere Konfiguration oder Rollout-Stufe.`,
    name: 'Name',
    rule: (number: number) => `Regel ${format(number)}`,
    ruleHint:
      'Eine Regel trifft auf ein Gerät zu, wenn jedes ausgefüllte Feld zutrifft. Lassen Sie Felder leer, die Sie nicht brauchen. Ein Gerät, auf das eine Regel zutrifft, ist in der Gruppe.',
    priority: 'Priorität',
    priorityHint:
      'Ein Gerät in mehreren Gruppen erhält die Konfiguration der Gruppe mit der höchsten Priorität (0 bis 1.000).',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Tags, die Administratoren vergeben haben, durch Kommas getrennt. Einer davon genügt.',
      },
      reportedTags: {
        label: 'Gemeldete Tags',
        hint: 'Tags aus den Einstellungen der Geräte. Ein Gerät kann jeden Tag melden.',
      },
      hostnames: {
        label: 'Hostnamen',
        hint: 'Zum Beispiel: pc-*, *.filiale.example. Das Sternchen steht für beliebigen Text.',
      },
      platforms: {
        label: 'Systeme',
        hint: 'WIN64, WIN32, MACOS, MACOSARM oder UNIX (Linux), durch Kommas getrennt.',
      },
      versions: { label: 'Versionen', hint: 'Zum Beispiel: 4.0.0, 4.1.0.' },
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
    tagsAbout: 'Tags entscheiden, in welchen Gruppen das Gerät ist.',
    tagsHint: 'Kleinbuchstaben, Ziffern und ._:-, mit Kommas zwischen den Tags. Höchstens 32.',
    tagsButton: 'Tags speichern',
  },
}
