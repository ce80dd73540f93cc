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
      'U kunt een configuratie of een fase van een uitrol beperken tot een groep. Bij elke synchronisatie controleert de server in welke groepen het apparaat zit.',
    empty:
      'Een groep bevat de apparaten die aan de regels van de groep voldoen, bijvoorbeeld op tag of hostnaam. U kunt een groep een eigen configuratie geven of een uitrol met die groep beginnen.',
    newLink: 'Groep maken',
    caption: 'Groepen, op prioriteit',
    name: 'Naam',
    rules: 'Regels',
    priority: 'Prioriteit',
    updated: 'Gewijzigd op',
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
    updated: 'Gewijzigd op',
    editLink: 'Groep bewerken',
    removeLink: 'Groep verwijderen',
  },
  remove: {
    title: (name: string) => `Groep ${name} verwijderen`,
    about: 'De apparaten in de groep worden niet gewijzigd.',
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
        ? 'Voor 1 apparaat geldt vanaf de volgende synchronisatie een andere configuratie of fase van een uitrol.'
        : `Voor ${format(devices)} apparaten geldt vanaf de volgende synchronisatie een andere configuratie of fase van een uitrol.`,
    name: 'Naam',
    rule: (number: number) => `Regel ${format(number)}`,
    ruleHint:
      'Een apparaat voldoet aan een regel als alle ingevulde velden kloppen. Laat de andere velden leeg. Een apparaat dat aan een van de regels voldoet, zit in de groep.',
    priority: 'Prioriteit',
    priorityHint:
      'Zit een apparaat in meerdere groepen, dan beslist de groep met de hoogste prioriteit (0 tot en met 1.000) van de groepen die een configuratie van hetzelfde type hebben. Bij gelijke prioriteit beslist de oudste groep.',
    fields: {
      tags: {
        label: 'Tags',
        hint: 'Tags die beheerders hebben toegekend, gescheiden door komma’s. Eén ervan is genoeg.',
      },
      reportedTags: {
        label: 'Gemelde tags',
        hint: 'Tags uit de instellingen van het apparaat, gescheiden door komma’s. Een apparaat kan elke willekeurige tag melden.',
      },
      hostnames: {
        label: 'Hostnamen',
        hint: 'Gescheiden door komma’s, bijvoorbeeld pc-*, *.filiaal.example. Het sterretje staat voor willekeurige tekst.',
      },
      platforms: {
        label: 'Systemen',
        hint: 'Kiest u niets, dan geldt de regel voor alle systemen.',
      },
      versions: { label: 'Versies', hint: 'Gescheiden door komma’s, bijvoorbeeld 4.0.0, 4.1.0.' },
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
    tagsAbout: 'De regels van een groep kunnen apparaten op hun tags selecteren.',
    tagsHint:
      'Gescheiden door komma’s, maximaal 32. Toegestaan zijn kleine letters, cijfers en . _ : -',
    tagsButton: 'Tags opslaan',
  },
}
