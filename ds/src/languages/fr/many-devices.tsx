/** The texts of changes of many devices in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count, format } = createNumbers('fr')

export const manyDevices: Texts['manyDevices'] = {
  matching: 'Modifier ces appareils',
  all: 'Modifier tous les appareils',
  changes: {
    approve: {
      title: 'Approuver les appareils',
      running: 'Approbation des appareils',
      effects: () => [
        'Si sa version a un magasin de clés, chaque appareil le reçoit avec le mot de passe à sa prochaine synchronisation.',
      ],
      wayBack:
        'Cette action est irréversible. Bloquer ou supprimer les appareils par la suite n’efface pas leurs magasins de clés.',
      done: (devices) => count(devices, 'appareil approuvé.', 'appareils approuvés.'),
    },
    block: {
      title: 'Bloquer les appareils',
      running: 'Blocage des appareils',
      effects: (cycle) => [
        'Le service rejette toutes les requêtes des appareils. Les données d’utilisation restent sur les appareils.',
        `Chaque appareil contacte le service au moins ${describeEvery(cycle)}. Dès son prochain contact, les sites perdent l’accès à ses lecteurs de cartes.`,
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez débloquer exactement ces appareils dans « Modifications groupées ».',
      done: (devices) => count(devices, 'appareil bloqué.', 'appareils bloqués.'),
    },
    unblock: {
      title: 'Débloquer les appareils',
      running: 'Déblocage des appareils',
      effects: (cycle) => [
        `Le service accepte de nouveau les requêtes des appareils. Chacun le contactera sous ${cycle} et enverra les données d’utilisation qu’il a conservées.`,
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez bloquer de nouveau exactement ces appareils dans « Modifications groupées ».',
      done: (devices) => count(devices, 'appareil débloqué.', 'appareils débloqués.'),
    },
    sync: {
      title: 'Synchroniser les appareils maintenant',
      running: 'Demande de synchronisation des appareils',
      effects: (cycle) => [
        `Les appareils qui gardent une connexion ouverte se synchronisent l’un après l’autre, en général en moins d’une minute. Tous les autres se synchroniseront dans un délai de ${cycle}, comme d’habitude.`,
        'Les appareils bloqués ne peuvent pas se synchroniser et ne sont pas concernés.',
      ],
      wayBack: 'Rien d’autre ne change.',
      done: (devices) =>
        count(
          devices,
          'appareil a reçu une demande de synchronisation.',
          'appareils ont reçu une demande de synchronisation.',
        ),
    },
    addTags: {
      title: 'Ajouter des étiquettes',
      running: 'Ajout des étiquettes',
      effects: () => [
        'Chaque appareil conserve aussi ses étiquettes actuelles.',
        'Les groupes auxquels appartient un appareil peuvent changer avec ses étiquettes. L’appareil applique ce changement à sa prochaine synchronisation.',
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez annuler cette action dans « Modifications groupées ». Chaque appareil retrouve alors exactement les étiquettes qu’il avait.',
      done: (devices) =>
        count(
          devices,
          'appareil a de nouvelles étiquettes.',
          'appareils ont de nouvelles étiquettes.',
        ),
    },
    removeTags: {
      title: 'Retirer des étiquettes',
      running: 'Retrait des étiquettes',
      effects: () => [
        'Chaque appareil conserve ses autres étiquettes, y compris celles qu’il transmet lui-même.',
        'Les groupes auxquels appartient un appareil peuvent changer avec ses étiquettes. L’appareil applique ce changement à sa prochaine synchronisation.',
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez annuler cette action dans « Modifications groupées ». Chaque appareil retrouve alors exactement les étiquettes qu’il avait.',
      done: (devices) =>
        count(devices, 'appareil a moins d’étiquettes.', 'appareils ont moins d’étiquettes.'),
    },
    restoreTags: {
      title: 'Rétablir les étiquettes',
      running: 'Rétablissement des étiquettes',
      effects: () => [
        'Chaque appareil retrouve exactement les étiquettes qu’il avait avant la modification.',
        'Les groupes auxquels appartient un appareil peuvent changer avec ses étiquettes. L’appareil applique ce changement à sa prochaine synchronisation.',
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez annuler cette action dans « Modifications groupées ». Chaque appareil retrouve alors exactement les étiquettes qu’il avait.',
      done: (devices) =>
        count(
          devices,
          'appareil a retrouvé ses étiquettes.',
          'appareils ont retrouvé leurs étiquettes.',
        ),
    },
    importTags: {
      title: 'Importer des étiquettes',
      running: 'Importation des étiquettes',
      effects: () => [
        'Chaque appareil reçoit exactement les étiquettes de sa ligne. Celles que les appareils transmettent eux-mêmes ne changent pas.',
        'Les groupes auxquels appartient un appareil peuvent changer avec ses étiquettes. L’appareil applique ce changement à sa prochaine synchronisation.',
      ],
      wayBack:
        'Pendant 30 jours, vous pouvez annuler cette action dans « Modifications groupées ». Chaque appareil retrouve alors exactement les étiquettes qu’il avait.',
      done: (devices) =>
        count(
          devices,
          'appareil a les étiquettes de sa ligne.',
          'appareils ont les étiquettes de leurs lignes.',
        ),
    },
    remove: {
      title: 'Supprimer les appareils',
      running: 'Suppression des appareils',
      effects: () => [
        'Les appareils et leurs journaux sont supprimés. Les données d’utilisation déjà envoyées sont conservées.',
        'Les appareils dont le connecteur est actif et la clé d’installation valide se réenregistrent en tant que nouveaux appareils, même s’ils sont actuellement bloqués. Pour l’éviter, bloquez-les au lieu de les supprimer.',
      ],
      wayBack: 'Cette action est irréversible.',
      done: (devices) => count(devices, 'appareil supprimé.', 'appareils supprimés.'),
    },
  },
  reach: (devices) =>
    devices === 0
      ? 'Aucun appareil ne sera modifié.'
      : count(devices, 'appareil sera modifié.', 'appareils seront modifiés.'),
  left: (devices) =>
    count(
      devices,
      'appareil reste tel quel, car il a été modifié de nouveau par la suite.',
      'appareils restent tels quels, car ils ont été modifiés de nouveau par la suite.',
    ),
  changedSince: (devices) =>
    count(
      devices,
      'appareil a été modifié de nouveau ou supprimé par la suite.',
      'appareils ont été modifiés de nouveau ou supprimés par la suite.',
    ),
  /** Of a change of tags. */
  tags: {
    tagsHint: (most) =>
      `Séparées par des virgules, ${most} au maximum. Utilisez uniquement des minuscules, des chiffres et . _ : -`,
    wrong: 'Saisissez des étiquettes séparées par des virgules.',
    nextButton: 'Continuer',
    refused: (devices) =>
      count(
        devices,
        'appareil garde ses étiquettes, car il en aurait sinon plus de 32.',
        'appareils gardent leurs étiquettes, car ils en auraient sinon plus de 32.',
      ),
    others: (devices) => count(devices, 'autre appareil', 'autres appareils'),
    noGroups: 'Les groupes des appareils ne changent pas.',
    groups: {
      caption: 'Groupes qui changent',
      group: 'Groupe',
      entering: 'Appareils ajoutés',
      uncounted: 'Non compté',
      leaving: 'Appareils retirés',
    },
  },
  import: {
    title: 'Importer des étiquettes depuis un tableur',
    about:
      'Chaque appareil reçoit les étiquettes de sa ligne. Elles remplacent ses étiquettes actuelles. Vous pourrez vérifier les changements avant de les confirmer.',
    columns: (tags, id, hostname) => (
      <>
        La ligne d’en-tête doit contenir la colonne {tags}, et {id} ou {hostname}. Si une ligne a un
        ID, son nom d’hôte est ignoré. Les autres colonnes le sont aussi.
      </>
    ),
    cells:
      'Placez toutes les étiquettes dans une seule cellule, séparées par des espaces. Une cellule vide retire toutes les étiquettes.',
    export: (link) => (
      <>
        Pour modifier toutes les étiquettes dans un tableur,{' '}
        {link('téléchargez les appareils au format CSV')}.
      </>
    ),
    limit: (rows) => `Le fichier peut avoir jusqu’à ${format(rows)} lignes.`,
    read: 'Vérifier le fichier',
    file: 'Fichier CSV',
    pasted: 'Ou collez des lignes',
    pastedHint: (characters) =>
      `Copiez les lignes depuis votre tableur, ligne d’en-tête comprise. ${format(characters)} caractères au maximum.`,
    readPasted: 'Vérifier les lignes',
    wrongFile:
      'Le service ne peut pas lire ce fichier. Il faut un fichier CSV en UTF-8 dont la ligne d’en-tête contient la colonne « tags », et « id » ou « hostname ».',
    wrongRows:
      'Le service ne peut pas lire ces lignes. Leur ligne d’en-tête doit contenir la colonne « tags », et « id » ou « hostname ».',
    noRows: 'Collez d’abord des lignes.',
    tooLong: (characters) =>
      `Ces lignes sont trop longues. Collez jusqu’à ${format(characters)} caractères, ou choisissez un fichier.`,
    other: 'Importer d’autres étiquettes',
    devices: 'Appareils des lignes importées',
    rows: 'Lignes',
    unchanged: 'Appareils qui ont déjà ces étiquettes',
    changes: {
      caption: 'Ce qui change',
      added: 'Étiquettes ajoutées',
      removed: 'Étiquettes retirées',
      devices: 'Appareils',
    },
    unknown: (devices) => count(devices, 'appareil est inconnu.', 'appareils sont inconnus.'),
    ambiguous: (names) =>
      count(
        names,
        'nom d’hôte appartient à plusieurs appareils. Utilisez leurs ID.',
        'noms d’hôte appartiennent à plusieurs appareils. Utilisez leurs ID.',
      ),
    faulty: (rows) => count(rows, 'ligne est ignorée.', 'lignes sont ignorées.'),
    line: (line, fault) => `Ligne ${format(line)} : ${fault}`,
    faults: {
      cells: 'il manque une cellule',
      device: 'l’ID de l’appareil et le nom d’hôte manquent',
      tags: 'certaines étiquettes ne sont pas valides',
      'too-many': 'plus de 32 étiquettes',
      repeated: 'l’appareil est dans une ligne précédente',
    },
    others: (more) => count(more, 'autre', 'autres'),
  },
  largest: 'Le tableau n’affiche que les plus grands groupes.',
  progress: {
    done: (done, reach) => `Appareils traités : ${format(done)} sur ${format(reach)}.`,
    next: 'Choisissez « Continuer » jusqu’à ce que tous les appareils soient traités.',
    stays:
      'Si vous arrêtez ici, les modifications déjà effectuées sont conservées. Vous pourrez continuer plus tard dans « Modifications groupées ».',
    stop: 'Arrêter ici',
    rest: 'Les autres appareils restent inchangés.',
    button: 'Continuer',
  },
  changeFilters: 'Modifier les filtres',
  show: 'Afficher ces appareils',
  undo: 'Annuler la modification',
  /** When the access of the devices ends at the latest. */
  access: {
    block: {
      until: (at) => (
        <>
          Si un appareil ne contacte plus le service, les sites pourront utiliser ses lecteurs de
          cartes jusqu’au {at} au plus tard. Sa stratégie aura alors expiré.
        </>
      ),
      forever:
        'Si un appareil ne contacte plus le service, les sites peuvent continuer à utiliser ses lecteurs de cartes, car sa stratégie n’expire pas. Pour qu’elle expire, définissez DS_POLICY_MAX_AGE.',
    },
    remove: {
      until: (at) => (
        <>
          Les sites pourront utiliser les lecteurs de cartes des appareils jusqu’au {at} au plus
          tard. Toutes les stratégies auront alors expiré.
        </>
      ),
      forever:
        'Les sites peuvent continuer à utiliser les lecteurs de cartes des appareils, car les stratégies n’expirent pas. Pour qu’elles expirent, définissez DS_POLICY_MAX_AGE.',
    },
  },
  /** Which devices, in words. */
  filter: {
    all: 'Tous les appareils',
    hostname: 'Nom d’hôte',
    open: 'Non bloqué',
    approved: 'Approuvé',
    seenBefore: (at) => <>Dernier contact avant le {at}</>,
    seenAfter: (at) => <>Dernier contact après le {at}</>,
    changedBy: (link) => <>{link('Appareils d’une modification précédente')}</>,
  },
  list: {
    title: 'Modifications groupées',
    about:
      'Les modifications des 30 derniers jours. Vous pouvez reprendre ici une modification interrompue, et annuler un blocage, un déblocage ou un changement d’étiquettes.',
    empty: 'Aucune modification groupée au cours des 30 derniers jours.',
    caption: 'Modifications, de la plus récente à la plus ancienne',
    columns: {
      time: 'Date et heure',
      change: 'Modification',
      devices: 'Appareils',
      progress: 'Avancement',
      who: 'Auteur',
      actions: 'Actions',
    },
    progress: (done, reach) => `${format(done)} sur ${format(reach)}`,
    changedSince: (devices) =>
      count(devices, 'modifié de nouveau par la suite', 'modifiés de nouveau par la suite'),
    finished: 'Terminée',
    incomplete: 'Incomplète',
    final: 'Irréversible',
    show: 'Afficher cette modification',
  },
}
