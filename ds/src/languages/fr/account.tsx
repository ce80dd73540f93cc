/** The texts of the screen of the own account in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

const signedOut = (sessions: number) =>
  `${count(sessions, 'autre session a été fermée', 'autres sessions ont été fermées')}.`

export const account: Texts['account'] = {
  title: 'Votre compte',
  name: 'Nom d’utilisateur',
  role: 'Rôle',
  external:
    'Votre fournisseur d’identité gère votre mot de passe et l’authentification à deux facteurs.',
  language: {
    title: 'Langue',
    label: 'Langue d’affichage',
    hint: 'S’applique uniquement à ce navigateur.',
    ofBrowser: 'Langue du navigateur',
    button: 'Changer de langue',
  },
  password: {
    title: 'Mot de passe',
    current: 'Mot de passe actuel',
    new: 'Nouveau mot de passe',
    newHint: 'Au moins 12 caractères. Vos autres sessions seront fermées.',
    again: 'Confirmation du nouveau mot de passe',
    button: 'Changer le mot de passe',
    differs: 'Les deux nouveaux mots de passe ne correspondent pas',
    same: 'Choisissez un mot de passe différent du mot de passe actuel',
    done: (sessions) =>
      sessions === 0 ? 'Mot de passe modifié.' : `Mot de passe modifié. ${signedOut(sessions)}`,
  },
  secondFactor: {
    title: 'Authentification à deux facteurs',
    on: 'Activée',
    onAbout: (field) => (
      <>
        À chaque connexion, vous saisissez un code de votre application d’authentification. Les
        programmes l’envoient dans le champ {field}.
      </>
    ),
    off: 'Désactivée',
    offAbout:
      'Quand elle est activée, vous saisissez aussi un code de votre application d’authentification à chaque connexion. Un mot de passe volé ne suffit alors plus.',
    password: 'Votre mot de passe',
    setUp: 'Configurer l’authentification à deux facteurs',
    turnOn: 'Activer l’authentification à deux facteurs',
    turnOff: 'Désactiver l’authentification à deux facteurs',
    scan: 'Scannez ce code QR avec une application d’authentification ou copiez-y le secret. Le secret ne sera plus affiché.',
    qrCode: 'Code QR pour une application d’authentification',
    copySecret: 'Copier le secret',
    parameters: 'Basé sur le temps, 6 chiffres, 30 secondes, SHA-1.',
    code: 'Code affiché dans l’application',
    turnedOn: (sessions) =>
      sessions === 0
        ? 'L’authentification à deux facteurs est activée.'
        : `L’authentification à deux facteurs est activée. ${signedOut(sessions)}`,
    turnedOff: 'L’authentification à deux facteurs est désactivée.',
    recovery: (command) => (
      <>
        Si vous perdez votre téléphone et vos codes de récupération, demandez à un autre
        administrateur de réinitialiser votre authentification à deux facteurs ou exécutez {command}{' '}
        sur le serveur.
      </>
    ),
  },
  recoveryCodes: {
    title: 'Codes de récupération',
    left: (codes) =>
      codes === 0
        ? 'Vous n’avez plus de code de récupération. Créez-en de nouveaux.'
        : `Il vous reste ${count(codes, 'code de récupération', 'codes de récupération')}. Chaque code vous permet de vous connecter une fois sans votre téléphone.`,
    used: (time, address) => (
      <>
        Utilisé le {time} depuis {address}
      </>
    ),
    renewAbout: 'Les nouveaux codes de récupération remplacent les codes actuels.',
    renew: 'Créer de nouveaux codes de récupération',
    password: 'Mot de passe du compte',
    code: 'Code affiché dans l’application',
    warning:
      'Enregistrez ces codes de récupération maintenant, car ils ne seront plus affichés. Si vous perdez votre téléphone, saisissez l’un d’eux à la place du code d’authentification. Chaque code ne fonctionne qu’une fois. Ne les conservez pas avec votre mot de passe.',
    copy: 'Copier les codes de récupération',
    done: 'J’ai enregistré les codes de récupération',
  },
  firstSteps: {
    password: {
      title: 'Choisissez un nouveau mot de passe',
      about:
        'Votre mot de passe actuel a été défini par quelqu’un d’autre. Pour continuer, choisissez-en un que personne d’autre ne connaît.',
      button: 'Enregistrer et continuer',
    },
    secondFactor: {
      title: 'Configurez l’authentification à deux facteurs',
      about:
        'Votre organisation exige l’authentification à deux facteurs. Pour continuer, configurez-la avec une application d’authentification sur votre téléphone.',
      button: 'Configurer l’authentification à deux facteurs',
    },
  },
  sessions: {
    title: 'Sessions',
    caption: 'Vos sessions ouvertes',
    session: 'Session',
    address: 'Adresse IP',
    began: 'Connexion',
    lastUsed: 'Dernière utilisation',
    actions: 'Actions',
    current: 'Cette session',
    program: 'Programme qui utilise l’API',
    browser: 'Navigateur inconnu',
    browserOn: (browser, system) => `${browser} sous ${system}`,
    end: 'Fermer',
    endLabel: (session) => `Fermer la session « ${session} »`,
    endOthers: (sessions) =>
      sessions === undefined
        ? 'Fermer les autres sessions'
        : `Fermer ${count(sessions, 'autre session', 'autres sessions')}`,
    ended: 'La session a été fermée.',
    othersEnded: (sessions) =>
      sessions === 0 ? 'Vous n’avez pas d’autre session.' : signedOut(sessions),
  },
}
