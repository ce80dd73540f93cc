/** The texts of the screens of API clients in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const apiClients: Texts['apiClients'] = {
  title: 'Clients API',
  about:
    'Programmes qui appellent l’API, tels que les pipelines de CI et la supervision, avec leur rôle.',
  empty:
    'Aucun client API pour l’instant. Ajoutez-en un par programme, afin qu’aucun n’ait besoin du mot de passe d’un utilisateur.',
  id: 'ID du client',
  idHint:
    'La valeur client_id que le programme envoie. 64 caractères au maximum : lettres minuscules, chiffres, points, traits d’union et traits de soulignement. Vous ne pourrez plus la modifier.',
  roleHint:
    'Les éditeurs gèrent les versions, les déploiements, les groupes, les programmes d’installation, les magasins de clés et les configurations. Les administrateurs consultent aussi les journaux des appareils et gèrent les appareils, les étiquettes, les organisations, les applications et les clés. Aucun programme ne peut approuver des modifications ni gérer les comptes et les clients API.',
  description: 'Description',
  descriptionHint: 'Facultatif. Ce que fait le programme, et qui en est responsable.',
  lastUsed: 'Dernière utilisation',
  expires: 'Expiration',
  expiresHint: 'Facultatif. Le programme n’a plus accès à l’API à compter de ce jour, 0 h (UTC).',
  never: 'Jamais',
  expired: 'Expiré',
  add: {
    title: 'Ajouter un client API',
    note: 'Le programme aura accès à l’API dès que vous aurez ajouté un moyen d’authentification sur la page suivante.',
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
    title: 'Moyens d’authentification',
    empty:
      'Aucun moyen d’authentification pour l’instant. Le programme n’a donc pas accès à l’API. Pour un pipeline de CI, faites confiance à son système de CI. Le pipeline n’a alors aucun secret à conserver. Pour les autres programmes, ajoutez un secret.',
    none: 'Aucun',
    counts: {
      secret: (secrets) => count(secrets, 'secret', 'secrets'),
      key: (keys) => count(keys, 'clé publique', 'clés publiques'),
      federated: (trusts) => count(trusts, 'émetteur de confiance', 'émetteurs de confiance'),
    },
    kind: 'Type',
    kinds: { secret: 'Secret', key: 'Clé publique', federated: 'Émetteur de confiance' },
    details: 'Claims acceptés ou empreinte',
    added: 'Ajout',
    actions: 'Actions',
    revoke: {
      link: 'Révoquer',
      label: (kind, added) => `Révoquer : ${kind}, ajout du ${added}`,
      title: (kind, id) => `Révoquer un moyen d’authentification de ${id} : ${kind}`,
      about: (added, lastUsed) => (
        <>
          Ajout{'\u202f'}: {added}. Dernière utilisation{'\u202f'}: {lastUsed}.
        </>
      ),
      effect:
        'Ce moyen d’authentification et les jetons d’accès qu’il a permis d’obtenir cessent immédiatement de fonctionner. Les autres moyens d’authentification restent valables.',
      button: 'Révoquer le moyen d’authentification',
    },
  },
  secret: {
    title: (id) => `Secret de ${id}`,
    copy: 'Copier le secret',
    warning:
      'Copiez ce secret maintenant, car il ne sera plus affiché. Le service n’en conserve qu’une empreinte. Placez-le là où le programme conserve ses secrets.',
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
    days: 'Durée de validité du secret',
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
    hint: 'Objet JSON avec kty, sans la partie privée. EC P-256 ou P-384, Ed25519, ou RSA d’au moins 2048 bits.',
    notJson: 'Ce n’est pas un objet JSON. Collez la clé publique en entier, accolades comprises.',
    button: 'Ajouter une clé publique',
  },
  trust: {
    review: 'Vérifier les claims',
    save: 'Faire confiance à ces jetons',
    claims: (id, role) =>
      `Tout jeton signé par cet émetteur et contenant exactement ces claims donne accès à l’API en tant que ${id}, avec le rôle ${role} :`,
    wildcard: (mark) => (
      <>
        {mark} remplace n’importe quel texte sans deux-points ni barre oblique. À la fin d’une
        valeur, ce texte peut contenir des barres obliques.
      </>
    ),
    wayBack: 'Vous pouvez révoquer ce moyen d’authentification à tout moment.',
    systems: {
      github: {
        link: 'Faire confiance à GitHub Actions',
        title: (id) => `Faire confiance à GitHub Actions pour ${id}`,
        about:
          'Les jobs de ce dépôt accèdent à l’API avec leur propre jeton, émis par GitHub. Vous n’avez aucun secret à stocker dans GitHub.',
        owner: 'Propriétaire',
        ownerHint:
          'L’utilisateur ou l’organisation. Respectez exactement les majuscules et les minuscules utilisées dans GitHub.',
        repository: 'Dépôt',
        scope: 'Jobs concernés',
        scopeHint:
          'Si un job indique un environnement, choisissez celui-ci. Son jeton n’indique alors ni la branche ni le tag.',
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
          ownerId:
            'Saisissez l’ID du propriétaire (un nombre) ou laissez les deux champs d’ID vides.',
          repositoryId:
            'Saisissez l’ID du dépôt (un nombre) ou laissez les deux champs d’ID vides.',
          name: 'Saisissez une seule branche ou un seul environnement. Les caractères génériques ne sont pas acceptés ici.',
        },
      },
      gitlab: {
        link: 'Faire confiance à GitLab CI/CD',
        title: (id) => `Faire confiance à GitLab CI/CD pour ${id}`,
        about:
          'Les jobs de ce projet accèdent à l’API avec un jeton d’identité émis par GitLab. Vous n’avez aucun secret à stocker dans GitLab.',
        instance: 'URL de GitLab',
        project: 'Chemin du projet',
        projectHint: 'Avec tous ses groupes, par exemple example/cards.',
        scope: 'Jobs concernés',
        scopes: { branch: 'Jobs d’une branche', tags: 'Jobs de tous les tags' },
        name: 'Branche',
        nameHint: 'Laissez ce champ vide pour tous les tags.',
        protected: 'Uniquement si la branche ou le tag est protégé',
        protectedHint:
          'Sinon, toute personne qui peut pousser vers la branche ou créer un tag peut utiliser ce client.',
        errors: {
          project:
            'Saisissez le chemin d’un seul projet avec ses groupes, par exemple example/cards.',
          name: 'Saisissez une seule branche. Les caractères génériques ne sont pas acceptés ici.',
        },
      },
      other: {
        link: 'Faire confiance à un autre émetteur',
        title: (id) => `Faire confiance à un autre émetteur pour ${id}`,
        about:
          'Les programmes accèdent à l’API avec un jeton de cet émetteur. Le service lit les clés dans le document de découverte OpenID Connect de l’émetteur.',
        issuer: 'Émetteur (iss)',
        issuerHint: 'L’URL exactement telle qu’elle figure dans les jetons, https compris.',
        subject: 'Sujet (sub)',
        subjectHint:
          'Un astérisque (*) remplace une partie entière, délimitée par des deux-points ou des barres obliques. Il ne peut remplacer aucune des deux premières parties.',
        audience: 'Audience (aud)',
        audienceHint: 'Facultatif. Par défaut : l’URL de ce service.',
        claims: 'Autres claims',
        claimsHint:
          'Facultatif. Un par ligne, par exemple environment=production. Les jetons doivent contenir exactement ces valeurs.',
        notClaims:
          'Saisissez un claim par ligne, par exemple environment=production, avec chaque nom une seule fois.',
      },
    },
  },
}
