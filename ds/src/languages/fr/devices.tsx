/** The texts of the screens of devices in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'
import { describeEvery } from './every.ts'

const { count } = createNumbers('fr')

const noInstaller =
  'Aucune version utilisable n’a de programme d’installation pour le système de cet appareil.'

const offer = (target: string | undefined) =>
  target === undefined ? noInstaller : `La version ${target} peut être installée.`

export const devices: Texts['devices'] = {
  title: 'Appareils',
  table: {
    all: 'Appareils',
    matching: 'Appareils correspondants',
    device: 'Appareil et utilisateur',
    status: 'État',
    version: 'Version',
    system: 'Système',
    errors: 'Erreurs',
    lastSeen: 'Dernier contact',
  },
  downloadAll: 'Télécharger tous les appareils au format CSV',
  downloadMatching: 'Télécharger ces appareils au format CSV',
  noMatch: {
    title: 'Aucun appareil ne correspond aux filtres. Modifiez-les ou effacez-les.',
    elsewhere: (link) => (
      <>
        Les connecteurs dont l’enregistrement a échoué ne figurent pas dans cette liste. Pour en
        connaître la raison, consultez {link('Enregistrements rejetés')}.
      </>
    ),
  },
  empty: {
    title: 'Aucun connecteur ne s’est encore enregistré.',
    install: (link) => (
      <>
        Installez un connecteur avec l’URL de ce service et une clé d’installation valide. S’il
        n’apparaît pas ici, consultez {link('Enregistrements rejetés')} pour en connaître la raison.
      </>
    ),
  },
  filters: {
    unknown: 'L’URL contient un filtre inconnu. Choisissez un autre filtre.',
    search: 'Recherche',
    searchHint:
      'N’importe quelle partie d’un nom d’hôte ou d’utilisateur, un ID d’appareil ou une empreinte de clé',
    status: 'État',
    error: 'Erreur',
    anyError: 'Au moins une erreur',
    system: 'Système',
    update: 'État de mise à jour',
    version: 'Version',
    tag: 'Étiquette',
    wrongTag: 'Cette étiquette n’est pas valide. Corrigez-la dans le champ « Étiquette ».',
    tagForm: 'Utilisez uniquement des minuscules, des chiffres et . _ : -',
    any: 'Indifférent',
    clear: 'Effacer les filtres',
  },
  standings: {
    active: 'Actif',
    silent: 'Inactif',
    unserved: 'Version non enregistrée',
    waiting: 'En attente d’approbation',
    blocked: 'Bloqué',
  },
  standingMeanings: {
    active: 'L’appareil se synchronise régulièrement.',
    silent:
      'Aucun contact depuis une semaine ou plus. Il se peut que l’appareil soit éteint, qu’il ait été remplacé ou qu’il ne puisse pas joindre ce service.',
    unserved:
      'Le service rejette toutes les synchronisations de l’appareil, car sa version n’est pas enregistrée. Enregistrez de nouveau cette version ou installez une version enregistrée sur l’appareil.',
    waiting:
      'L’appareil se synchronise, mais ne reçoit pas de magasin de clés tant qu’un administrateur ne l’a pas approuvé.',
    blocked:
      'Le service rejette toutes les requêtes de cet appareil tant qu’un administrateur ne l’a pas débloqué.',
  },
  updates: {
    none: 'Aucune mise à jour nécessaire',
    recommend: 'Mise à jour recommandée',
    require: 'Mise à jour obligatoire',
    stop: 'Version bloquée',
  },
  updateReasons: {
    none: (version) => `L’appareil utilise la version ${version}.`,
    recommend: (version, target) =>
      `L’appareil utilise la version ${version}.${target === undefined ? '' : ` ${offer(target)}`}`,
    require: (version, target) =>
      `L’appareil utilise la version ${version}. Son connecteur prévient l’utilisateur et s’arrête. ${offer(target)}`,
    stop: (version, target) =>
      `L’appareil utilise la version ${version}. Son connecteur s’arrête. ${offer(target)}`,
  },
  facts: {
    access: 'Accès',
    status: 'État',
    lastUpdate: 'État de mise à jour à la dernière synchronisation',
    rollouts: 'Déploiements',
    inRollout: {
      reached: (version: string) => `Version ${version}\u202f: proposée à cet appareil`,
      control: (version: string) => `Version ${version}\u202f: dans le groupe de comparaison`,
    },
    nextUpdate: 'État de mise à jour à la prochaine synchronisation',
    versionUnknown: (version) =>
      `La version ${version} n’est pas enregistrée. L’appareil ne peut donc pas se synchroniser et ne se voit proposer aucune mise à jour.`,
    updateWhenUnblocked: 'État de mise à jour après le déblocage',
    lastSeen: 'Dernier contact',
    version: 'Version',
    system: 'Système',
    component: 'Composant',
    user: 'Utilisateur',
    language: 'Langue',
    keystore: 'Magasin de clés',
    noKeystore: 'Non communiqué',
    copyKeystore: 'Copier l’empreinte du magasin de clés',
    logs: 'Journaux',
    downloadLogs: (link) => (
      <>Dès que l’appareil a envoyé ses journaux, vous pouvez {link('télécharger les derniers')}.</>
    ),
    id: 'ID de l’appareil',
    copyId: 'Copier l’ID de l’appareil',
    fingerprint: 'Empreinte de clé',
    copyFingerprint: 'Copier l’empreinte de clé',
    firstRegistered: 'Premier enregistrement',
    lastRegistered: 'Dernier enregistrement',
    registrations: (last, times) => (
      <>
        {last}, {count(times, 'enregistrement', 'enregistrements')} au total
      </>
    ),
  },
  detailsTitle: 'Détails',
  rejected: 'Enregistrements rejetés avec la clé de cet appareil',
  errors: {
    title: 'Erreurs',
    none: 'Aucune erreur signalée lors de la dernière synchronisation.',
    since: (error, time) => (
      <>
        {error} (depuis le {time}).
      </>
    ),
    detail: (text) => <>Détails : {text}</>,
  },
  errorKinds: {
    'keystore-refused': {
      what: 'Magasin de clés inutilisable',
      remedy: () =>
        'Vérifiez le mot de passe, l’empreinte et les dates du magasin de clés dans la configuration de la version.',
    },
    'keystore-missing': {
      what: 'Impossible de télécharger le magasin de clés',
      remedy: () =>
        'Assurez-vous que l’appareil peut atteindre l’URL indiquée dans la configuration de la version.',
    },
    'digest-mismatch': {
      what: 'Les fichiers du connecteur ne correspondent pas à la version',
      remedy: () =>
        'Réinstallez le connecteur ou corrigez les empreintes dans la configuration de la version.',
    },
    'digests-refused': {
      what: 'Impossible de comparer les fichiers du connecteur à leurs empreintes',
      remedy: () =>
        'Si la liste des empreintes est incorrecte, corrigez-la dans la configuration de la version. Sinon, vérifiez si l’appareil manque de mémoire ou a trop de fichiers ouverts.',
    },
    'reply-refused': {
      what: 'Impossible de vérifier les réponses de ce service',
      remedy: (setting) =>
        `Si le service a perdu ses clés de réponse, ajoutez l’empreinte de la nouvelle clé à ${setting} sur l’appareil. Sinon, un équipement du réseau modifie les réponses. Recherchez un proxy qui inspecte le trafic TLS.`,
    },
    'counters-failed': {
      what: 'Impossible d’enregistrer les données d’utilisation',
      remedy: () =>
        'Vérifiez sur l’appareil que le disque n’est pas plein et que le dossier n’est pas en lecture seule.',
    },
  },
  unknownError:
    'Le connecteur est plus récent que ce service. Mettez le service à jour pour savoir ce que cela signifie.',
  activity: {
    title: 'Activité',
    empty: 'Aucune activité d’administrateur.',
    caption: 'Modifications, de la plus récente à la plus ancienne',
    time: 'Date et heure',
    action: 'Action',
    who: 'Auteur',
    address: 'Adresse IP',
    all: 'Tout afficher dans le journal d’audit',
  },
  /** When the access of a device ends at the latest. */
  access: {
    ended: 'Les sites ne peuvent plus utiliser ses lecteurs de cartes, car sa stratégie a expiré.',
    block: {
      until: (at) => (
        <>
          Si l’appareil ne contacte plus le service, les sites pourront utiliser ses lecteurs de
          cartes jusqu’au {at}. Sa stratégie expirera alors.
        </>
      ),
      forever:
        'Si l’appareil ne contacte plus le service, les sites peuvent continuer à utiliser ses lecteurs de cartes, car sa stratégie n’expire pas. Pour qu’elle expire, définissez DS_POLICY_MAX_AGE.',
    },
    remove: {
      until: (at) => (
        <>
          Les sites pourront utiliser les lecteurs de cartes de l’appareil jusqu’au {at} au plus
          tard. Sa stratégie expirera alors.
        </>
      ),
      forever:
        'Les sites peuvent continuer à utiliser les lecteurs de cartes de l’appareil, car sa stratégie n’expire pas. Pour qu’elle expire, définissez DS_POLICY_MAX_AGE.',
    },
  },
  changes: {
    approve: {
      link: 'Approuver',
      title: (device) => `Approuver ${device}`,
      button: 'Approuver l’appareil',
      past: 'Approbation',
      done: 'Appareil approuvé.',
      effects: () => [
        'Si sa version a un magasin de clés, l’appareil le reçoit avec le mot de passe à sa prochaine synchronisation.',
      ],
      wayBack:
        'Cette action est irréversible. Bloquer ou supprimer l’appareil par la suite n’efface pas son magasin de clés.',
    },
    block: {
      link: 'Bloquer',
      title: (device) => `Bloquer ${device}`,
      button: 'Bloquer l’appareil',
      past: 'Blocage',
      done: 'Appareil bloqué.',
      effects: (cycle) => [
        'Le service rejette toutes les requêtes de l’appareil. Les données d’utilisation restent sur l’appareil.',
        `L’appareil contacte le service au moins ${describeEvery(cycle)}. Dès son prochain contact, les sites perdent l’accès à ses lecteurs de cartes.`,
        'L’appareil ne peut pas s’enregistrer de nouveau avec la même clé.',
      ],
      wayBack: 'Vous pourrez ensuite débloquer l’appareil.',
    },
    unblock: {
      link: 'Débloquer',
      title: (device) => `Débloquer ${device}`,
      button: 'Débloquer l’appareil',
      past: 'Déblocage',
      done: 'Appareil débloqué.',
      effects: (cycle) => [
        `Le service accepte de nouveau les requêtes de l’appareil. Celui-ci le contactera sous ${cycle} et enverra les données d’utilisation qu’il a conservées.`,
      ],
      wayBack: 'Vous pourrez ensuite bloquer de nouveau l’appareil.',
    },
    sync: {
      link: 'Synchroniser maintenant',
      title: (device) => `Synchroniser ${device} maintenant`,
      button: 'Synchroniser maintenant',
      past: 'Synchronisation demandée',
      done: 'La synchronisation de l’appareil a été demandée.',
      effects: (cycle) => [
        `Si l’appareil garde une connexion ouverte, il se synchronise en quelques secondes. Sinon, il se synchronisera dans un délai de ${cycle}, comme d’habitude.`,
      ],
      wayBack: 'Rien d’autre ne change.',
    },
    remove: {
      link: 'Supprimer',
      title: (device) => `Supprimer ${device}`,
      button: 'Supprimer l’appareil',
      past: 'Suppression',
      done: 'Appareil supprimé.',
      effects: () => [
        'L’appareil et ses journaux sont supprimés. Les données d’utilisation déjà envoyées sont conservées.',
        'Si un connecteur est toujours actif sur l’appareil et que sa clé d’installation est valide, il se réenregistre en tant que nouvel appareil, même si l’appareil est actuellement bloqué. Pour l’éviter, bloquez l’appareil au lieu de le supprimer.',
      ],
      wayBack: 'Cette action est irréversible.',
    },
  },
}
