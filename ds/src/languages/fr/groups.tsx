/** The texts of the screens of groups. */
import type { Child } from 'hono/jsx'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { format } = createNumbers('fr')

export const groups: Texts['groups'] = {
  title: 'Groupes',
  /** Instead of one group. */
  allDevices: 'Tous les appareils',
  /** Between two rules. */
  or: 'ou',
  list: {
    about:
      'Vous pouvez réserver une configuration ou une étape de déploiement à un groupe. À chaque synchronisation, le service vérifie à quels groupes appartient l’appareil.',
    empty:
      'Un groupe réunit les appareils qui répondent à ses règles, par exemple selon leurs étiquettes ou leur nom d’hôte. Vous pouvez lui attribuer une configuration particulière ou commencer un déploiement par ce groupe.',
    newLink: 'Créer un groupe',
    caption: 'Groupes, par priorité',
    name: 'Nom',
    rules: 'Règles',
    priority: 'Priorité',
    updated: 'Dernière modification',
  },
  conditions: {
    tags: (values: string) => `Étiquette\u202f: ${values}`,
    reportedTags: (values: string) => `Étiquette transmise\u202f: ${values}`,
    hostnames: (values: string) => `Nom d’hôte\u202f: ${values}`,
    platforms: (values: string) => `Système\u202f: ${values}`,
    versions: (values: string) => `Version\u202f: ${values}`,
  },
  page: {
    devices: 'Appareils',
    rules: 'Règles',
    priority: 'Priorité',
    uses: 'Utilisé par',
    unused: 'Rien pour l’instant',
    updated: 'Dernière modification',
    editLink: 'Modifier le groupe',
    removeLink: 'Supprimer le groupe',
  },
  remove: {
    title: (name: string) => `Supprimer le groupe ${name}`,
    about: 'Les appareils du groupe ne sont pas modifiés.',
    wayBack: 'Cette action est irréversible, mais vous pourrez recréer le groupe.',
    button: 'Supprimer le groupe',
  },
  form: {
    newTitle: 'Créer un groupe',
    editTitle: (name: string) => `Modifier le groupe ${name}`,
    button: 'Enregistrer le groupe',
    confirmTitle: (name: string) => `Appliquer les modifications au groupe ${name}`,
    wayBack: 'Vous pourrez ensuite modifier de nouveau ce groupe.',
    reach: (devices: number) =>
      devices === 1
        ? '1 appareil changera de configuration ou d’étape de déploiement à sa prochaine synchronisation.'
        : `${format(devices)} appareils changeront de configuration ou d’étape de déploiement à leur prochaine synchronisation.`,
    name: 'Nom',
    rule: (number: number) => `Règle ${format(number)}`,
    ruleHint:
      'Un appareil répond à une règle s’il correspond à tous les champs remplis. Laissez les autres champs vides. Il suffit qu’un appareil réponde à une des règles pour faire partie du groupe.',
    priority: 'Priorité',
    priorityHint:
      'Si un appareil appartient à plusieurs groupes, celui dont la priorité est la plus élevée (0 à 1\u202f000) l’emporte parmi ceux qui ont une configuration du même type. À priorité égale, le groupe le plus ancien l’emporte.',
    fields: {
      tags: {
        label: 'Étiquettes',
        hint: 'Étiquettes attribuées par les administrateurs, séparées par des virgules. Une seule suffit.',
      },
      reportedTags: {
        label: 'Étiquettes transmises',
        hint: 'Étiquettes définies dans les réglages de l’appareil, séparées par des virgules. Un appareil peut transmettre n’importe quelle étiquette.',
      },
      hostnames: {
        label: 'Noms d’hôte',
        hint: 'Séparés par des virgules, par exemple pc-*, *.agence.example. L’astérisque remplace n’importe quel texte.',
      },
      platforms: {
        label: 'Systèmes',
        hint: 'Si vous n’en choisissez aucun, la règle s’applique à tous les systèmes.',
      },
      versions: { label: 'Versions', hint: 'Séparées par des virgules, par exemple 4.0.0, 4.1.0.' },
    },
  },
  /** On the page of a device. */
  ofDevice: {
    tags: 'Étiquettes',
    reported: (tags: Child) => <>{tags} (transmises par l’appareil)</>,
    groups: 'Groupes',
    configurations: 'Configurations',
    forAll: 'pour tous les appareils',
    forGroup: (name: string) => `pour le groupe ${name}`,
    editTags: 'Modifier les étiquettes',
    tagsTitle: (name: string) => `Étiquettes de ${name}`,
    tagsAbout:
      'Les règles d’un groupe peuvent sélectionner les appareils d’après leurs étiquettes.',
    tagsHint:
      'Séparées par des virgules, 32 au maximum. Utilisez uniquement des minuscules, des chiffres et . _ : -',
    tagsButton: 'Enregistrer les étiquettes',
  },
}
