/** The texts of dialogs and notices in French. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('fr')

export const dialogs: Catalog['dialogs'] = {
  program: 'Un programme de cet ordinateur',
  card: (name) => `Carte : ${name}`,
  reader: (name) => `Lecteur : ${name}`,
  cancel: 'Annuler',
  pin: {
    purpose: {
      check: (who) => `${who} veut vérifier votre code PIN.`,
      authenticate: (who) => `${who} veut savoir qui vous êtes.`,
      sign: (who) => `${who} demande votre signature.`,
    },
    tries: (left) =>
      left === 1 ? 'C’est le dernier essai.' : `Encore ${count(left, 'essai', 'essais')}.`,
    signatures: (made) => `Votre code PIN servira pour ${count(made, 'signature', 'signatures')}.`,
    typeAtReader: (times) =>
      `Tapez votre code PIN sur les touches du lecteur.${times > 1 ? ` Il le demande ${times} fois, une fois par signature.` : ''}`,
    kept: (signatures, seconds) =>
      `Votre code PIN servira pour ${count(signatures, 'signature', 'signatures')} au plus sans autre question, tant qu’il ne passe pas ${count(seconds, 'seconde', 'secondes')} sans signature.`,
    checkOnly: 'Le code est seulement vérifié. Une signature le demandera de nouveau.',
    wrongForm: (min, max, digits) =>
      `Le code PIN de cette carte a ${range(min, max, 'à')} ${digits ? 'chiffres' : 'caractères'}.`,
    prompt: 'Code PIN :',
    submit: { check: 'Vérifier', authenticate: 'S’identifier', sign: 'Signer' },
    attempt: {
      reasons: {
        last: 'C’est le dernier essai : un code PIN erroné bloque la carte.',
        refused: 'Le dernier code PIN saisi était erroné.',
        early:
          'La fenêtre du code PIN venait de s’ouvrir. Ce que vous avez saisi n’a pas été utilisé.',
      },
      question: 'Voulez-vous continuer ?',
      accept: 'Continuer',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} veut votre signature avec un certificat de cet ordinateur.`,
      authenticate: (who) =>
        `${who} veut prouver qui vous êtes avec un certificat de cet ordinateur.`,
      check: (who) =>
        `${who} veut savoir si un certificat de cet ordinateur peut servir. Rien n’est signé.`,
    },
    certificate: (name) => `Certificat : ${name}`,
    issuer: (name) => `Émis par : ${name}`,
    question: 'Le permettez-vous, une fois ?',
    accept: 'Permettre',
    refuse: 'Refuser',
  },
  identity: {
    purpose: (who) => `${who} souhaite lire vos données d’identité.`,
    data: (what: string) => `C’est ce que votre carte dit de vous : ${what}.`,
    holder: {
      biometric: 'nom, naissance, nationalité, numéros',
      address: 'adresse',
      picture: 'photo',
      payment: 'nom, numéro, pays, langue et validité',
    },
    and: (first: string, last: string) => `${first} et ${last}`,
    untilRevoked:
      'Toute carte de ce type pourra alors être lue sans nouvelle question, jusqu’à ce que l’accord prenne fin ou que vous le retiriez.',
    once: 'La carte pourra alors être lue une fois.',
    question: 'Partagez-vous ces données ?',
    accept: 'Partager',
    refuse: 'Ne pas partager',
  },
  folder: {
    title: (origin) => `${origin} : dossier dont il pourra lire et écrire les fichiers`,
    purpose: (origin) => `${origin} pourra alors lire et écrire des fichiers dans ce dossier :`,
    extent:
      'Cela vaut aussi pour tous les dossiers qu’il contient. Aucun fichier ne peut être remplacé ni supprimé. Cela prend fin avec l’accord de ce site, ou quand vous le retirez.',
    question: 'L’autorisez-vous ?',
    accept: 'Autoriser',
    refuse: 'Ne pas autoriser',
    unsuitable:
      'Aucun site ne peut avoir ce dossier : il contient plus que des fichiers pour un site, par exemple des réglages, des programmes ou tout ce qui est à vous.',
    choose: 'Choisir un autre dossier',
  },
  notifications: {
    consent: (origin) =>
      `${origin} peut désormais utiliser vos lecteurs de cartes. Pour révoquer : cardwire consents revoke ${origin}`,
    fileWritten: (origin, name) => `${origin} a enregistré le fichier ${name}`,
    fileRead: (origin, name) => `${origin} a lu le fichier ${name}`,
  },
  verdict: {
    canBeUpdated: 'Cardwire peut être mis à jour',
    mustBeUpdated: 'Cardwire doit être mis à jour',
    recommend: (version) =>
      `Vous utilisez la version ${version} de Cardwire. Une mise à jour est disponible.`,
    require: (version) =>
      `La version ${version} de Cardwire est trop ancienne pour être utilisée et s’arrête maintenant.`,
    stop: (version) =>
      `La version ${version} de Cardwire ne peut plus être utilisée et s’arrête maintenant.`,
    install: (version) => `Installer ${version}`,
    canBeInstalled: (version) =>
      `La version ${version} peut être installée maintenant. Les droits d’administrateur sont nécessaires.`,
    askAdministrator: 'Demandez une autre version à votre administrateur.',
  },
  update: {
    title: 'Mise à jour de Cardwire',
    accept: 'Installer',
    unmanaged:
      'Cardwire n’a pas de service de mise à jour : adressez-vous là où vous l’avez obtenu.',
    unregistered:
      'Cardwire n’est pas inscrit auprès de son service : démarrez-le. Si cela n’aide pas, demandez à votre administrateur.',
    unanswered: (reason) =>
      `Le service ne dit pas quelle version il veut. Demandez à votre administrateur. (${reason})`,
    unknown: 'Le service n’a pas encore de règles pour cette version. Réessayez plus tard.',
    current: (version) =>
      `La version ${version} est celle que le service veut : rien à mettre à jour.`,
    missing:
      'Aucun programme d’installation pour ce système. Adressez-vous à votre administrateur.',
    verdict: {
      recommend: (version) => `Une autre version que ${version} est recommandée.`,
      require: (version) => `La version ${version} est trop ancienne pour être utilisée.`,
      stop: (version) => `La version ${version} ne peut plus être utilisée.`,
    },
    downloading: (what) => `Téléchargement : ${what}`,
    withoutDigest: 'Le service n’en donne pas l’empreinte',
    older: (version) => `Elle est plus ancienne que ${version}`,
    question: (version) => `Installer la version ${version} maintenant ?`,
    nothing: 'Rien n’a été installé.',
    failed: (reason) => `Rien n’a été installé. (${reason})`,
    withoutInstaller: (path) =>
      `Ce système n’a pas de programme pour l’installer ; le fichier est ${path}`,
    needsAdministrator: (command) => `Un administrateur doit l’installer : ${command}`,
    installed: (version) => `La version ${version} est installée.`,
    otherInstalled: (version) =>
      `L’installation est terminée, et la version installée est ${version}.`,
    ended: (status) => `L’installation a échoué, avec le statut ${status}.`,
  },
}
