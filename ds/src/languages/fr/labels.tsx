/** The texts of the screens of applications, which the API calls labels, in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const labels: Texts['labels'] = {
  title: 'Applications',
  about:
    'Chaque application a une clé d’API que son back-end échange contre des jetons d’application pour ses pages. L’API désigne une application par le terme « label ».',
  inTheApi: 'Appelée « label » dans l’API.',
  empty:
    'Aucune application pour l’instant. Les pages en ont besoin pour obtenir des jetons. Ajoutez une organisation, puis son application.',
  noMatch: 'Aucune application ne correspond à la recherche. Modifiez-la ou affichez tout.',
  id: 'ID',
  name: 'Nom',
  nameHint:
    'Nom affiché. Lors de l’ajout, le service crée l’ID à partir de ce nom. L’ID figure dans les jetons de l’application et ne changera plus.',
  organization: 'Organisation',
  apiKey: 'Clé d’API',
  keyLastUsed: 'Dernière utilisation de la clé',
  replacedKey: 'Ancienne clé',
  worksUntil: (time) => <>Valable jusqu’au {time}</>,
  never: 'Jamais',
  keyWorks: 'Active',
  keyRevoked: 'Révoquée',
  add: {
    link: 'Ajouter une application',
    title: 'Ajouter une application',
    noOrganizations:
      'Une application appartient à une organisation. Ajoutez d’abord une organisation.',
    addOrganization: 'Ajouter une organisation',
    note: 'La page suivante affiche sa clé d’API une seule fois.',
    button: 'Ajouter l’application',
  },
  key: {
    title: (name) => `Clé d’API de l’application ${name}`,
    copy: 'Copier la clé d’API',
    warning:
      'Copiez cette clé maintenant, car elle ne sera plus affichée. Le service n’en conserve qu’une empreinte. Placez la clé là où l’application conserve ses secrets.',
    oldKey: (time) => <>L’ancienne clé fonctionne jusqu’au {time}.</>,
    done: 'J’ai copié la clé',
    use: (header, request) => (
      <>
        Le back-end de l’application envoie la clé dans l’en-tête {header} à {request} et obtient
        des jetons pour ses pages.
      </>
    ),
  },
  uses: {
    title: 'Utilisation des 30 derniers jours',
    chart: (name) => `Utilisations par jour, par les pages de l’application ${name}`,
    description: (total, first, last) =>
      `${count(total, 'utilisation', 'utilisations')} du ${first} au ${last}`,
    series: 'Utilisations',
    total: (total, link) => (
      <>
        {count(total, 'utilisation', 'utilisations')}. {link('Afficher sous forme de tableau')}
      </>
    ),
  },
  rename: {
    hint: 'Nom affiché. L’ID ne change pas.',
    title: 'Renommer',
    conflictTitle: (name) => `Renommer ${name}`,
    button: 'Renommer l’application',
  },
  recentUse: (lastUsed, uses, mark) => (
    <>
      {lastUsed === undefined
        ? 'La clé n’a jamais été utilisée.'
        : `La clé a été utilisée pour la dernière fois le ${lastUsed}.`}{' '}
      Les pages de l’application ont utilisé des lecteurs de cartes {mark(format(uses))} fois au
      cours des 30 derniers jours.
    </>
  ),
  /** After what was used lately. */
  reportedLater:
    'Les appareils ne signalent les utilisations que lors de la synchronisation. Les plus récentes peuvent donc manquer.',
  replaceKey: {
    newLink: 'Créer une nouvelle clé',
    title: (name) => `Remplacer la clé d’API de l’application ${name}`,
    about:
      'La page suivante affiche la nouvelle clé une seule fois. Choisissez combien de temps l’ancienne reste valable. L’application en a besoin tant que vous ne lui avez pas fourni la nouvelle.',
    overlap: 'Ancienne clé',
    overlaps: {
      none: 'Cesse immédiatement de fonctionner',
      hour: 'Fonctionne encore une heure',
      day: 'Fonctionne encore un jour',
      week: 'Fonctionne encore une semaine',
      month: 'Fonctionne encore 30 jours',
    },
    button: 'Remplacer la clé',
  },
  revokeKey: {
    title: (name) => `Révoquer la clé d’API de l’application ${name}`,
    about:
      'L’application ne peut plus obtenir de jetons et perd l’accès aux lecteurs de cartes à l’expiration de ses jetons actuels. Vous pourrez créer une nouvelle clé plus tard.',
    button: 'Révoquer la clé',
  },
  remove: {
    title: 'Supprimer',
    confirmTitle: (name) => `Supprimer ${name}`,
    about:
      'La clé d’API cesse de fonctionner et l’application perd l’accès aux lecteurs de cartes à l’expiration de ses jetons actuels. Ses données d’utilisation sont conservées.',
    button: 'Supprimer l’application',
  },
}
