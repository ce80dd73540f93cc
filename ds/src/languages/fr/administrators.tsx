/** The texts of the screens of administrators in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const administrators: Texts['administrators'] = {
  title: 'Administrateurs',
  about: 'Comptes qui peuvent se connecter ici et appeler l’API, avec leur rôle.',
  programs: (link) => (
    <>Pour les programmes tels que les pipelines de CI, utilisez les {link('clients API')}.</>
  ),
  caption: 'Comptes',
  name: 'Nom d’utilisateur',
  role: 'Rôle',
  roles: { viewer: 'Observateur', publisher: 'Éditeur', administrator: 'Administrateur' },
  roleChoices: {
    viewer: 'Observateur : lecture seule',
    publisher: 'Éditeur : gère les versions et les configurations',
    administrator: 'Administrateur : accès complet',
  },
  roleHint:
    'Les éditeurs gèrent les versions, les déploiements, les groupes, les programmes d’installation, les magasins de clés et les configurations, et peuvent approuver des modifications. Seuls les administrateurs peuvent consulter les journaux des appareils et gérer les appareils, les étiquettes, les organisations, les applications, les clés et les comptes.',
  secondFactor: 'Authentification à deux facteurs',
  on: 'Activée',
  off: 'Désactivée',
  passwordDue: 'Changement de mot de passe requis',
  openSessions: 'Sessions ouvertes',
  you: '(vous)',
  external: {
    about:
      'Utilisateurs qui se sont connectés ici avec votre fournisseur d’identité, les plus récents en premier. Leur rôle est celui de la dernière connexion. Pour ajouter, modifier ou supprimer des utilisateurs, passez par le fournisseur.',
    caption: 'Connexions récentes',
    lastSignIn: 'Dernière connexion',
    subject: 'Sujet',
    note: 'Votre fournisseur d’identité gère cet utilisateur. Si vous fermez ses sessions ici, il peut se reconnecter tant que vous ne l’avez pas bloqué auprès du fournisseur.',
  },
  add: {
    title: 'Ajouter un compte',
    note: 'La page suivante affiche une seule fois un mot de passe généré. Le titulaire du compte devra le changer à sa première connexion.',
    button: 'Ajouter le compte',
  },
  password: {
    label: 'Mot de passe',
    title: (name) => `Mot de passe pour ${name}`,
    copy: 'Copier le mot de passe',
    warning: (name) =>
      `Copiez ce mot de passe maintenant, car il ne sera plus affiché. Le service n’en conserve qu’une empreinte. Transmettez-le à ${name} par un canal sécurisé.`,
    done: 'J’ai copié le mot de passe',
  },
  history: (by, to) => (
    <>
      {by('Modifications effectuées par ce compte')} et {to('modifications apportées à ce compte')}
    </>
  ),
  own: (link) => (
    <>
      Il s’agit de votre propre compte. Vous pouvez modifier votre mot de passe et
      l’authentification à deux facteurs dans {link('Votre compte')}. Seul un autre administrateur
      peut changer votre rôle ou supprimer le compte.
    </>
  ),
  changeRole: 'Changer le rôle',
  changeRoleNote: 'Prend effet immédiatement, y compris dans les sessions ouvertes.',
  access: 'Accès',
  acts: {
    password: {
      title: (name) => `Définir un nouveau mot de passe pour ${name}`,
      button: 'Définir un nouveau mot de passe',
      about:
        'Le mot de passe actuel cesse immédiatement de fonctionner. La page suivante affiche le nouveau mot de passe une seule fois. Le titulaire du compte devra le changer à sa prochaine connexion.',
    },
    secondFactor: {
      title: (name) => `Réinitialiser l’authentification à deux facteurs pour ${name}`,
      button: 'Réinitialiser l’authentification à deux facteurs',
      about:
        'Tant que le titulaire du compte n’a pas configuré de nouveau l’authentification à deux facteurs, le mot de passe suffit pour se connecter. Assurez-vous que la demande vient bien de lui.',
    },
    remove: {
      title: (name) => `Supprimer ${name}`,
      button: 'Supprimer le compte',
      about:
        'Ce compte ne pourra plus se connecter. Ses modifications restent dans le journal d’audit.',
    },
  },
  sessionsEnd: (sessions) =>
    sessions === 0
      ? 'Le compte n’a aucune session ouverte.'
      : `${count(sessions, 'session ouverte sera fermée', 'sessions ouvertes seront fermées')} immédiatement.`,
  sessions: {
    title: 'Sessions ouvertes',
    empty: 'Aucune session ouverte.',
    caption: 'Sessions',
    began: 'Connexion',
    agent: 'Navigateur ou programme',
    program: 'Programme',
    address: 'Adresse IP',
    lastUsed: 'Dernière utilisation',
    ends: 'Expiration',
    actions: 'Actions',
    end: 'Fermer la session',
    endLabel: (began) => `Fermer la session ouverte le ${began}`,
    endAll: (sessions) =>
      sessions === 1 ? 'Fermer 1 session' : `Fermer les ${format(sessions)} sessions`,
  },
}
