/** The texts of the screens of groups. */
import type { Child } from 'hono/jsx'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('nl')

export const groups: Texts['groups'] = {
  title: 'Groepen',
  /** Instead of one group. */
  allDevices: 'Alle apparaten',
  /** Between two rules. */
  or: 'of',
  list: {
    about:
      'Een configuratie of een fase van een uitrol kan alleen voor een groep gelden. Bij elke synchronisatie wordt gekeken in welke groepen een apparaat zit.',
    empty:
      'Een groep bevat de apparaten die aan de regels voldoen, zoals een tag of een hostnaam. U kunt een groep een eigen configuratie geven of een uitrol ermee beginnen.',
    newLink: 'Groep maken',
    caption: 'Groepen, op prioriteit',
    name: 'Naam',
    rules: 'Regels',
    priority: 'Prioriteit',
    updated: 'Gewijzigd',
  },
  conditions: {
    tags: (values: string) => `Tag: ${values}`,
    reportedTags: (values: string) => `Gemelde tag: ${values}`,
    hostnames: (values: string) => `Hostnaam: ${values}`,
    platforms: (values: string) => `Systeem: ${values}`,
    versions: (values: string) => `Versie: ${values}`,
  },
  page: {
    devices: 'Apparaten',
    rules: 'Regels',
    priority: 'Prioriteit',
    uses: 'Gebruikt door',
    unused: 'Nog niets',
    updated: 'Gewijzigd',
    editLink: 'Groep bewerken',
    removeLink: 'Groep verwijderen',
  },
  remove: {
    title: (name: string) => `Groep ${name} verwijderen`,
    about: 'De apparaten zelf veranderen niet.',
    wayBack: 'Dit kan niet ongedaan worden gemaakt, maar u kunt de groep opnieuw maken.',
    button: 'Groep verwijderen',
  },
  form: {
    newTitle: 'Groep maken',
    editTitle: (name: string) => `Groep ${name} bewerken`,
    button: 'Groep opslaan',
    confirmTitle: (name: string) => `Groep ${name} wijzigen`,
    wayBack: 'U kunt de groep daarna opnieuw bewerken.',
    reach: (devices: number) =>
      devices === 1
        ? '1 apparaat krijgt bij de volgende synchronisatie een andere configuratie of fase van een uitrol.'
        : `${format(devices)} apparaten krijgen bij de volgende synchronisatie een andere configuratie of fase van een uitrol.`,
    name: 'Naam',
    rule: (number: number) => `Regel ${format(number)}`,
    ruleHint:
      'Een apparaat voldoet aan een regel als het aan elk ingevuld veld voldoet. Laat velden leeg die u niet nodig hebt. Een apparaat dat aan één regel voldoet, zit in de groep.',
    priority: 'Prioriteit',
    priorityHint:
      'Een apparaat in meerdere groepen krijgt de configuratie van de groep met de hoogste prioriteit (0 tot 1.000).',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Tags die beheerders hebben gegeven, gescheiden door komma’s. Eén ervan is genoeg.',
      },
      reportedTags: {
        label: 'Gemelde tags',
        hint: 'Tags uit de instellingen van de apparaten. Een apparaat kan elke tag melden.',
      },
      hostnames: {
        label: 'Hostnamen',
        hint: 'Bijvoorbeeld: pc-*, *.filiaal.example. Het sterretje staat voor willekeurige tekst.',
      },
      platforms: {
        label: 'Systemen',
        hint: 'WIN64, WIN32, MACOS, MACOSARM of UNIX (Linux), gescheiden door komma’s.',
      },
      versions: { label: 'Versies', hint: 'Bijvoorbeeld: 4.0.0, 4.1.0.' },
    },
  },
  /** On the page of a device. */
  ofDevice: {
    tags: 'Tags',
    reported: (tags: Child) => <>{tags} (gemeld door het apparaat)</>,
    groups: 'Groepen',
    configurations: 'Configuraties',
    forAll: 'voor alle apparaten',
    forGroup: (name: string) => `voor de groep ${name}`,
    editTags: 'Tags bewerken',
    tagsTitle: (name: string) => `Tags van ${name}`,
    tagsAbout: 'Tags bepalen in welke groepen het apparaat zit.',
    tagsHint: 'Kleine letters, cijfers en ._:-, met komma’s tussen de tags. Hooguit 32.',
    tagsButton: 'Tags opslaan',
  },
}
