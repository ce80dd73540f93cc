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
      'Une configuration ou une étape de déploiement peut être réservée à un groupe. À chaque synchronisation, le service vérifie à quels groupes appartient l’appareil.',
    empty:
      'Un groupe contient les appareils qui correspondent à ses règles, par exemple une étiquette ou un nom d’hôte. Vous pouvez donner à un groupe sa propre configuration ou commencer un déploiement par lui.',
    newLink: 'Créer un groupe',
    caption: 'Groupes, par priorité',
    name: 'Nom',
    rules: 'Règles',
    priority: 'Priorité',
    updated: 'Modifié',
  },
  conditions: {
    tags: (values: string) => `Étiquette\u202f: ${values}`,
    reportedTags: (values: string) => `Étiquette signalée\u202f: ${values}`,
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
    updated: 'Modifié',
    editLink: 'Modifier le groupe',
    removeLink: 'Supprimer le groupe',
  },
  remove: {
    title: (name: string) => `Supprimer le groupe ${name}`,
    about: 'Les appareils eux-mêmes ne changent pas.',
    wayBack: 'Cette action est irréversible, mais vous pouvez recréer le groupe.',
    button: 'Supprimer le groupe',
  },
  form: {
    newTitle: 'Créer un groupe',
    editTitle: (name: string) => `Modifier le groupe ${name}`,
    button: 'Enregistrer le groupe',
    confirmTitle: (name: string) => `Changer le groupe ${name}`,
    wayBack: 'Vous pourrez modifier de nouveau le groupe ensuite.',
    reach: (devices: number) =>
      devices === 1
        ? '1 appareil reçoit une autre configuration ou étape de déploiement à sa prochaine synchronisation.'
        : `${format(devices)} appareils reçoivent une autre configuration ou étape de déploiement à leur prochaine synchronisation.`,
    name: 'Nom',
    rule: (number: number) => `Règle ${format(number)}`,
    ruleHint:
      'Un appareil correspond à une règle s’il correspond à chaque champ rempli. Laissez vides les champs inutiles. Un appareil qui correspond à une règle fait partie du groupe.',
    priority: 'Priorité',
    priorityHint:
      'Un appareil de plusieurs groupes reçoit la configuration du groupe dont la priorité est la plus élevée (0 à 1\u202f000).',
    fields: {
      tags: {
        label: 'Étiquettes',
        hint: 'Étiquettes données par les administrateurs, séparées par des virgules. Une seule suffit.',
      },
      reportedTags: {
        label: 'Étiquettes signalées',
        hint: 'Étiquettes des paramètres des appareils. Un appareil peut signaler n’importe quelle étiquette.',
      },
      hostnames: {
        label: 'Noms d’hôte',
        hint: 'Par exemple\u202f: pc-*, *.agence.example. L’astérisque remplace n’importe quel texte.',
      },
      platforms: {
        label: 'Systèmes',
        hint: 'WIN64, WIN32, MACOS, MACOSARM ou UNIX (Linux), séparés par des virgules.',
      },
      versions: { label: 'Versions', hint: 'Par exemple\u202f: 4.0.0, 4.1.0.' },
    },
  },
  /** On the page of a device. */
  ofDevice: {
    tags: 'Étiquettes',
    reported: (tags: Child) => <>{tags} (signalées par l’appareil)</>,
    groups: 'Groupes',
    configurations: 'Configurations',
    forAll: 'pour tous les appareils',
    forGroup: (name: string) => `pour le groupe ${name}`,
    editTags: 'Modifier les étiquettes',
    tagsTitle: (name: string) => `Étiquettes de ${name}`,
    tagsAbout: 'Les étiquettes déterminent les groupes de l’appareil.',
    tagsHint:
      'Minuscules, chiffres et ._:-, avec des virgules entre les étiquettes. 32 au maximum.',
    tagsButton: 'Enregistrer les étiquettes',
  },
}
