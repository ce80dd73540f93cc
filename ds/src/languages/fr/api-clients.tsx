/** The texts of the screens of API clients in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const apiClients: Texts['apiClients'] = {
  title: 'Clients API',
  about:
    'Programmes qui appellent l’API, tels que les pipelines de CI et la supervision, avec leur rôle.',
  empty:
    'Aucun client API pour l’instant. Ajoutez-en un par programme : aucun n’aura besoin du mot de passe d’un utilisateur.',
  id: 'ID du client',
  idHint:
    'Le client_id que le programme envoie. Jusqu’à 64 lettres minuscules, chiffres, points, traits d’union et traits de soulignement. Vous ne pourrez pas le modifier.',
  roleHint:
    'Les éditeurs gèrent les versions, les déploiements, les groupes, les programmes d’installation, les magasins de clés et les configurations. Les administrateurs consultent aussi les journaux des appareils et gèrent les appareils, les étiquettes, les organisations, les applications et les clés. Aucun programme ne peut approuver des modifications ni gérer les comptes et les clients API.',
  description: 'Description',
  descriptionHint: 'Facultatif. Ce que fait le programme, et qui en est responsable.',
  lastUsed: 'Dernière utilisation',
  expires: 'Expiration',
  expiresHint: 'Facultatif. À partir du début de ce jour (UTC), le programme n’a plus accès.',
  never: 'Jamais',
  expired: 'Expiré',
  add: {
    title: 'Ajouter un client API',
    note: 'Le programme obtient l’accès lorsque vous ajoutez des identifiants sur la page suivante.',
    button: 'Ajouter le client API',
  },
  history: (by, to) => (
    <>
      {by('Modifications effectuées par ce client API')} et{' '}
      {to('modifications apportées à ce client API')}
    </>
  ),
  change: {
    title: 'Rôle et expiration',
    button: 'Enregistrer les modifications',
    note: 'Prend effet immédiatement, y compris pour les jetons d’accès déjà émis.',
  },
  remove: {
    title: 'Supprimer',
    confirmTitle: (id) => `Supprimer ${id}`,
    about: (lastUsed) => (
      <>
        Le programme perd immédiatement son accès. Dernière utilisation{'\u202f'}: {lastUsed}. Ses
        modifications restent dans le journal d’audit.
      </>
    ),
    button: 'Supprimer le client API',
  },
  credentials: {
    title: 'Identifiants',
    empty:
      'Aucun identifiant pour l’instant : le programme n’a donc pas accès. Pour un pipeline de CI, faites confiance à son système de CI : le pipeline ne conserve alors aucun secret. Pour les autres programmes, ajoutez un secret.',
    none: 'Aucun',
    counts: {
      secret: (secrets) => count(secrets, 'secret', 'secrets'),
      key: (keys) => count(keys, 'clé publique', 'clés publiques'),
      federated: (trusts) => count(trusts, 'émetteur approuvé', 'émetteurs approuvés'),
    },
    kind: 'Type',
    kinds: { secret: 'Secret', key: 'Clé publique', federated: 'Émetteur approuvé' },
    details: 'Claims approuvés ou empreinte',
    added: 'Ajout',
    actions: 'Actions',
    revoke: {
      link: 'Révoquer',
      label: (kind, added) => `Révoquer : ${kind}, ajout le ${added}`,
      title: (kind, id) => `Révoquer un identifiant de ${id} : ${kind}`,
      about: (added, lastUsed) => (
        <>
          Ajout{'\u202f'}: {added}. Dernière utilisation{'\u202f'}: {lastUsed}.
        </>
      ),
      effect:
        'Cet identifiant et les jetons d’accès qu’il a permis d’obtenir cessent immédiatement de fonctionner. Les autres identifiants restent valables.',
      button: 'Révoquer l’identifiant',
    },
  },
  secret: {
    title: (id) => `Secret de ${id}`,
    copy: 'Copier le secret',
    warning:
      'Copiez ce secret maintenant : il ne sera plus affiché. Le service n’en conserve qu’une empreinte. Placez-le là où le programme conserve ses secrets.',
    done: 'J’ai copié le secret',
    expires: (time) => <>Il expire le {time}.</>,
    add: {
      title: (id) => `Ajouter un secret à ${id}`,
      about: 'La page suivante affiche le secret une seule fois.',
      button: 'Ajouter un secret',
    },
    rotate: {
      title: (id) => `Renouveler le secret de ${id}`,
      about:
        'La page suivante affiche le nouveau secret une seule fois. Choisissez combien de temps les anciens restent valables. Le programme en a besoin tant que vous ne lui avez pas fourni le nouveau.',
      button: 'Renouveler le secret',
    },
    days: 'Le secret expire après',
    overlap: 'Anciens secrets',
    overlaps: {
      none: 'Cessent immédiatement de fonctionner',
      hour: 'Fonctionnent encore une heure',
      day: 'Fonctionnent encore un jour',
      week: 'Fonctionnent encore une semaine',
      month: 'Fonctionnent encore 30 jours',
      keep: 'Fonctionnent jusqu’à leur expiration',
    },
  },
  key: {
    title: (id) => `Ajouter une clé publique à ${id}`,
    about: (method) => (
      <>
        Le programme signe ses demandes de jetons d’accès avec sa clé privée ({method}). La clé
        privée ne quitte jamais le programme.
      </>
    ),
    jwk: 'Clé publique (JWK)',
    hint: 'JSON avec kty et sans la partie privée. EC P-256 ou P-384, Ed25519, ou RSA de 2048 bits ou plus.',
    notJson: 'Ce n’est pas un objet JSON. Collez toute la clé publique, y compris les accolades.',
    button: 'Ajouter une clé publique',
  },
  trust: {
    review: 'Vérifier les claims',
    save: 'Faire confiance à ces jetons',
    claims: (id, role) =>
      `Tout jeton qui contient exactement ces claims et que cet émetteur a signé donne accès en tant que ${id} avec le rôle ${role} :`,
    wildcard: (mark) => (
      <>
        {mark} remplace n’importe quel texte sans deux-points ni barre oblique. À la fin, les barres
        obliques sont possibles.
      </>
    ),
    wayBack: 'Vous pouvez révoquer cet identifiant à tout moment.',
    systems: {
      github: {
        link: 'Faire confiance à GitHub Actions',
        title: (id) => `Faire confiance à GitHub Actions pour ${id}`,
        about:
          'Les jobs de ce dépôt obtiennent l’accès avec leur propre jeton, émis par GitHub. Vous ne stockez aucun secret chez GitHub.',
        owner: 'Propriétaire',
        ownerHint:
          'L’utilisateur ou l’organisation. Respectez les majuscules et les minuscules de GitHub.',
        repository: 'Dépôt',
        scope: 'Quels jobs',
        scopeHint:
          'Si un job indique un environnement, choisissez l’environnement. Son jeton n’indique alors ni la branche ni le tag.',
        scopes: {
          branch: 'Jobs d’une branche',
          tags: 'Jobs de tous les tags',
          environment: 'Jobs d’un environnement',
        },
        name: 'Branche ou environnement',
        nameHint:
          'Laissez ce champ vide pour tous les tags. Toute personne qui peut pousser un tag peut alors utiliser ce client.',
        ownerId: 'ID du propriétaire',
        repositoryId: 'ID du dépôt',
        idsHint:
          'Les deux ID sont requis si le dépôt a été créé ou renommé depuis le 15 juillet 2026, ou s’il utilise les « immutable subject claims ». L’API de GitHub les fournit : id et owner.id du dépôt.',
        errors: {
          owner: 'Saisissez le nom d’un seul propriétaire, sans le dépôt.',
          repository: 'Saisissez le nom d’un seul dépôt, sans le propriétaire.',
          ownerId: 'Saisissez l’ID du propriétaire, un nombre, ou laissez les deux ID vides.',
          repositoryId: 'Saisissez l’ID du dépôt, un nombre, ou laissez les deux ID vides.',
          name: 'Saisissez une seule branche ou un seul environnement. Les motifs ne sont pas possibles ici.',
        },
      },
      gitlab: {
        link: 'Faire confiance à GitLab CI/CD',
        title: (id) => `Faire confiance à GitLab CI/CD pour ${id}`,
        about:
          'Les jobs de ce projet obtiennent l’accès avec un jeton d’identité émis par GitLab. Vous ne stockez aucun secret chez GitLab.',
        instance: 'URL de GitLab',
        project: 'Chemin du projet',
        projectHint: 'Avec tous ses groupes, par exemple example/cards.',
        scope: 'Quels jobs',
        scopes: { branch: 'Jobs d’une branche', tags: 'Jobs de tous les tags' },
        name: 'Branche',
        nameHint: 'Laissez ce champ vide pour tous les tags.',
        protected: 'Seulement si la branche ou le tag est protégé',
        protectedHint:
          'Sinon, toute personne qui peut pousser vers la branche ou créer un tag peut utiliser ce client.',
        errors: {
          project:
            'Saisissez le chemin d’un seul projet avec ses groupes, par exemple example/cards.',
          name: 'Saisissez une seule branche. Les motifs ne sont pas possibles ici.',
        },
      },
      other: {
        link: 'Faire confiance à un autre émetteur',
        title: (id) => `Faire confiance à un autre émetteur pour ${id}`,
        about:
          'Les programmes obtiennent l’accès avec un jeton de cet émetteur. Le service lit les clés de l’émetteur dans son document de découverte OpenID Connect.',
        issuer: 'Émetteur (iss)',
        issuerHint: 'L’URL telle qu’elle figure dans les jetons, avec https.',
        subject: 'Sujet (sub)',
        subjectHint:
          'Un astérisque (*) remplace une partie entière entre des deux-points ou des barres obliques, mais pas l’une des deux premières.',
        audience: 'Audience (aud)',
        audienceHint: 'Facultatif. Par défaut : l’URL de ce service.',
        claims: 'Autres claims',
        claimsHint:
          'Facultatif. Un par ligne, par exemple environment=production. Les jetons doivent contenir exactement ces textes.',
        notClaims:
          'Saisissez un claim par ligne, par exemple environment=production, et chaque nom une seule fois.',
      },
    },
  },
}
