/** The texts of the local page in French. */
import type { Catalog } from '../en/catalog.ts'
import { createCount } from '../numbers.ts'

const count = createCount('fr')

export const page: Catalog['page'] = {
  title: 'Cardwire sur cet ordinateur',
  usedTitle: 'Ce lien a expiré ou a déjà été utilisé',
  goneTitle: 'Cette page n’est plus active',
  replacedTitle: 'Cardwire est en cours de mise à jour',
  goneText: 'Rouvrez Cardwire depuis le menu Démarrer ou votre liste d’applications.',
  readingTitle: 'Un instant…',
  runningTitle: 'Cardwire est actif',
  runningText:
    'Cardwire fonctionne en arrière-plan. Les vérifications ci-dessous indiquent si des sites peuvent l’utiliser.',
  startingTitle: 'Cardwire démarre…',
  startingText: 'Cela prend quelques secondes.',
  stoppedTitle: 'Cardwire n’est pas actif',
  stoppedText: 'Les sites ne trouvent pas vos lecteurs de cartes.',
  unresponsiveTitle: 'Cardwire ne répond pas',
  unresponsiveText: 'Fermez votre session sur l’ordinateur, puis ouvrez-la de nouveau.',
  start: 'Démarrer Cardwire',
  findingsTitle: 'Vérifications',
  checking: 'Vérification…',
  nothingWrong: 'Aucun problème détecté.',
  notesOnly: (notes) =>
    notes === 1
      ? 'Aucun problème détecté. Lisez la remarque ci-dessous.'
      : 'Aucun problème détecté. Lisez les remarques ci-dessous.',
  someWrong: 'Quelque chose ne va pas. Voyez ci-dessous ce que vous pouvez faire.',
  inOrder: (passed) => `${count(passed, 'vérification réussie', 'vérifications réussies')}`,
  checkAgain: 'Vérifier de nouveau',
  checked: (problems, notes) =>
    `Vérification terminée : ${count(problems, 'problème', 'problèmes')}, ${count(notes, 'remarque', 'remarques')}.`,
  technical: 'Détails pour votre administrateur, en anglais',
  good: 'OK :',
  note: 'Remarque :',
  bad: 'Problème :',
  trust: 'Faire confiance à Cardwire dans mes navigateurs',
  readersTitle: 'Lecteurs de cartes',
  noReaders: 'Aucun lecteur de cartes n’est branché. Branchez-en un et il apparaîtra ici.',
  noCardService:
    'Le service de cartes à puce de cet ordinateur ne répond pas. Cardwire ne trouve donc aucun lecteur de cartes.',
  noCard: 'Aucune carte',
  card: (kind) => `Carte : ${kind}`,
  unknownCard: 'Type de carte inconnu',
  pinpad: 'avec clavier',
  cardInserted: (reader) => `Carte insérée dans ${reader}.`,
  cardRemoved: (reader) => `Carte retirée de ${reader}.`,
  readerConnected: (reader) => `${reader} est branché.`,
  readerRemoved: (reader) => `${reader} est débranché.`,
  consentsTitle: 'Sites autorisés',
  noConsents:
    'Vous n’avez encore autorisé aucun site. Un site vous demande l’autorisation quand il a besoin de votre lecteur de cartes.',
  consentsUnread:
    'Cardwire ne peut pas charger la liste des sites autorisés pour le moment. Rouvrez Cardwire. Si le problème persiste, adressez-vous à votre administrateur.',
  consentTimes: (since, until, used) =>
    `Autorisé le ${since} ; expire le ${until} ; dernière utilisation le ${used}`,
  identity: (cards) => `Peut lire vos données d’identité sur ces cartes : ${cards}`,
  folders: (folders) => `Peut lire et écrire des fichiers dans : ${folders}`,
  managedFolders: (folders) =>
    `Peut lire et écrire des fichiers dans : ${folders}. Seul un administrateur peut modifier ce réglage.`,
  revoke: 'Révoquer l’accès',
  revokeOf: (origin) => `Révoquer l’accès de ${origin}`,
  revoked: (origin) => `L’accès de ${origin} est révoqué.`,
  revokeIdentity: 'Ne plus partager mes données d’identité',
  revokeIdentityOf: (origin) => `Ne plus partager mes données d’identité avec ${origin}`,
  identityRevoked: (origin) => `${origin} ne peut plus lire vos données d’identité.`,
  revokeFolders: 'Ne plus partager ces dossiers',
  revokeFoldersOf: (origin) => `Ne plus partager ces dossiers avec ${origin}`,
  foldersRevoked: (origin) => `${origin} ne peut plus utiliser vos dossiers.`,
  serviceTitle: 'Votre organisation',
  serviceNone: 'Cardwire n’est pas encore rattaché à une organisation.',
  serviceHint:
    'Si votre organisation vous a fourni une URL et une clé d’installation, saisissez-les ici.',
  serviceChange: 'Saisir l’URL et la clé',
  serviceAt: (address) => `URL : ${address}`,
  registered: (device) => `Cet ordinateur est enregistré sous l’ID ${device}.`,
  unregistered: 'Cet ordinateur n’est pas encore enregistré.',
  lastContact: (time) => `Dernier contact : ${time}`,
  noContact: 'Aucun contact pour l’instant.',
  address: 'URL',
  installationKey: 'Clé d’installation',
  keyIsSet: 'Une clé est enregistrée. Laissez ce champ vide pour la conserver.',
  fixedByAdministrator:
    'Votre administrateur a défini cette valeur. Vous ne pouvez pas la modifier ici.',
  fixedByEnvironment:
    'Cette valeur a été définie au démarrage de Cardwire. Vous ne pouvez pas la modifier ici.',
  save: 'Enregistrer',
  saving: 'Connexion au serveur…',
  saved: 'Enregistré. Cardwire a redémarré avec les nouveaux réglages.',
  notSaved: (reason) => `Non enregistré : ${reason}`,
  addressMissing: 'Saisissez l’URL.',
  addressInvalid: 'Ce n’est pas l’URL d’un serveur. Saisissez une URL qui commence par https://',
  addressUnreachable: 'Aucun serveur ne répond à cette URL. Vérifiez l’URL et votre réseau.',
  keyMissing: 'Saisissez la clé d’installation.',
  keyInvalid:
    'Une clé d’installation comporte 36 caractères, par exemple 123e4567-e89b-42d3-a456-426614174000.',
  keyRefused:
    'Le serveur n’accepte pas cette clé. Demandez la clé actuelle à votre administrateur.',
  keyUsedUp:
    'Le serveur a atteint la limite quotidienne de nouveaux ordinateurs. Réessayez demain.',
  versionTitle: 'Version',
  version: (version) => `Version ${version}`,
  updateUnmanaged: 'Procurez-vous les mises à jour là où vous avez obtenu Cardwire.',
  updateUnknown: 'Cardwire ne sait pas encore s’il existe une version plus récente.',
  updateCurrent: 'Cardwire est à jour.',
  updateRecommended: 'Votre organisation recommande une autre version.',
  updateRequired: 'Cette version est trop ancienne. Votre organisation en exige une autre.',
  updateForbidden: 'Votre organisation a bloqué cette version.',
  updateMissing:
    'Aucun programme d’installation pour cet ordinateur. Adressez-vous à votre administrateur.',
  updateMuted: 'Votre administrateur installe les mises à jour. Vous n’avez rien à faire.',
  updateHow:
    'Cardwire télécharge et vérifie le programme d’installation, puis redémarre. Votre ordinateur peut demander un mot de passe.',
  install: (version) => `Installer la version ${version}`,
  installing: 'Installation…',
  installed: 'L’installation est terminée ou se poursuit dans une autre fenêtre.',
  notInstalled: 'Rien n’a été installé. Réessayez ou adressez-vous à votre administrateur.',
  failed: 'Un problème est survenu. Cliquez sur « Vérifier de nouveau » ou rouvrez Cardwire.',
}
