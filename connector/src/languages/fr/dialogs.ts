/** The texts of dialogs and notices in French. */
import type { Catalog } from '../en/catalog.ts'
import { createCount, range } from '../numbers.ts'

const count = createCount('fr')

export const dialogs: Catalog['dialogs'] = {
  program: 'Un programme de cet ordinateur',
  card: (name) => `Carte : ${name}`,
  reader: (name) => `Lecteur de cartes : ${name}`,
  cancel: 'Annuler',
  close: 'Fermer',
  cards: {
    piv: 'Carte PIV',
    beid: 'Carte d’identité belge',
    openpgp: 'Carte OpenPGP',
    emv: 'Carte de paiement',
  },
  pin: {
    purpose: {
      check: (who) => `${who} souhaite vérifier votre code PIN.`,
      authenticate: (who) =>
        `${who} vous demande de vous identifier. Votre nom et votre certificat lui seront communiqués.`,
      sign: (who) => `${who} vous demande de signer.`,
    },
    tries: (left) =>
      left === 1
        ? 'C’est votre dernière tentative.'
        : `Il vous reste ${count(left, 'tentative', 'tentatives')}.`,
    signatures: (made) => `Votre code PIN servira pour ${count(made, 'signature', 'signatures')}.`,
    typeAtReader: (times) =>
      `Saisissez votre code PIN sur le clavier du lecteur de cartes.${times > 1 ? ` Le lecteur le demande ${times} fois, une fois par signature.` : ''}`,
    kept: (signatures, seconds) =>
      `Votre code PIN servira pour ${count(signatures, 'signature', 'signatures')} au plus. Cardwire le redemandera après ${count(seconds, 'seconde', 'secondes')} sans signature.`,
    checkOnly: 'Simple vérification. Vous devrez ressaisir votre code PIN pour signer.',
    wrongForm: (min, max, digits) =>
      `Le code PIN de cette carte comporte ${range(min, max, 'à')} ${digits ? 'chiffres' : 'caractères'}.`,
    prompt: 'Code PIN :',
    submit: { check: 'Vérifier', authenticate: 'S’identifier', sign: 'Signer' },
    attempt: {
      reasons: {
        last: 'C’est votre dernière tentative. Si le code PIN est incorrect, il sera bloqué.',
        refused: 'Le dernier code PIN saisi était incorrect.',
        early:
          'Vous avez commencé la saisie avant que la fenêtre ne soit prête. Elle n’a donc pas été utilisée.',
      },
      question: 'Voulez-vous continuer ?',
      accept: 'Continuer',
    },
  },
  key: {
    purposes: {
      sign: (who) => `${who} vous demande de signer avec un certificat de cet ordinateur.`,
      authenticate: (who) =>
        `${who} vous demande de vous identifier avec un certificat de cet ordinateur. Votre nom et le certificat lui seront communiqués.`,
      check: (who) =>
        `${who} souhaite vérifier qu’un certificat de cet ordinateur fonctionne. Rien ne sera signé.`,
    },
    certificate: (name) => `Certificat : ${name}`,
    issuer: (name) => `Émis par : ${name}`,
    question: 'Autoriser une fois ?',
    accept: 'Autoriser',
    refuse: 'Ne pas autoriser',
  },
  identity: {
    purpose: (who) => `${who} souhaite lire vos données d’identité.`,
    data: (what: string) => `Sur votre carte : ${what}.`,
    holder: {
      biometric: 'nom, sexe, naissance, nationalité, numéros national et de carte, titre, statut',
      address: 'adresse',
      picture: 'photo',
      payment: 'nom, numéro de carte, pays, langue et dates de validité',
    },
    and: (first: string, last: string) => `${first} et ${last}`,
    untilRevoked:
      'Ce site pourra alors lire toute carte de ce type sans redemander, jusqu’à expiration ou révocation de son accès.',
    once: 'Le programme pourra ensuite lire la carte une fois.',
    question: 'Partager ces données ?',
    accept: 'Partager',
    refuse: 'Ne pas partager',
  },
  folder: {
    title: (origin) => `${origin} : choisissez un dossier`,
    purpose: (origin) => `${origin} pourra lire et écrire des fichiers dans ce dossier :`,
    extent:
      'Cela concerne aussi tous les dossiers qu’il contient. Le site pourra également renommer et déplacer des fichiers, mais pas les remplacer ni les supprimer. L’accès prend fin quand l’autorisation du site expire ou que vous la révoquez.',
    question: 'Autoriser l’accès ?',
    accept: 'Autoriser',
    refuse: 'Ne pas autoriser',
    unsuitable:
      'Les sites ne peuvent pas utiliser ce dossier, car il peut contenir des réglages, des programmes ou tous vos fichiers.',
    choose: 'Choisir un autre dossier',
  },
  notifications: {
    consent: (origin) =>
      `${origin} peut désormais utiliser vos lecteurs de cartes. Vous pouvez révoquer l’accès dans Cardwire.`,
    fileWritten: (origin, name) => `${origin} a enregistré le fichier ${name}`,
    fileRead: (origin, name) => `${origin} a lu le fichier ${name}`,
  },
  verdict: {
    canBeUpdated: 'Une mise à jour de Cardwire est disponible',
    mustBeUpdated: 'Cardwire doit être mis à jour',
    recommend: (version) =>
      `Vous utilisez Cardwire ${version}. Votre organisation recommande une autre version.`,
    require: (version) =>
      `Cardwire ${version} est trop ancien et va se fermer. Votre organisation exige une autre version.`,
    stop: (version) => `Votre organisation a bloqué Cardwire ${version}, qui va se fermer.`,
    install: (version) => `Installer ${version}`,
    canBeInstalled: (version) =>
      `Vous pouvez installer la version ${version} maintenant. Des droits d’administrateur sont nécessaires.`,
    askAdministrator: 'Demandez la mise à jour à votre administrateur.',
  },
  update: {
    title: 'Mise à jour de Cardwire',
    accept: 'Installer',
    unmanaged:
      'Cardwire n’est pas rattaché à une organisation. Procurez-vous les mises à jour là où vous avez obtenu Cardwire.',
    unregistered:
      'Cet ordinateur n’est pas enregistré auprès de votre organisation. Démarrez Cardwire. Si le problème persiste, adressez-vous à votre administrateur.',
    unanswered: (reason) =>
      `Le serveur de votre organisation n’a pas indiqué la version à utiliser. Réessayez plus tard ou adressez-vous à votre administrateur. Détails pour votre administrateur, en anglais : ${reason}`,
    unknown:
      'Cardwire ne sait pas encore s’il existe une version plus récente. Réessayez plus tard.',
    current: (version) => `Cardwire est à jour (version ${version}).`,
    missing:
      'Aucun programme d’installation pour cet ordinateur. Adressez-vous à votre administrateur.',
    verdict: {
      recommend: (version) =>
        `Vous utilisez la version ${version}. Votre organisation en recommande une autre.`,
      require: (version) =>
        `La version ${version} est trop ancienne. Votre organisation en exige une autre.`,
      stop: (version) => `Votre organisation a bloqué la version ${version}.`,
    },
    downloading: (version) => `Téléchargement de la version ${version}`,
    withoutDigest:
      'Cardwire ne peut pas vérifier le programme d’installation, car votre organisation n’a pas publié les données nécessaires à cette vérification. En cas de doute, adressez-vous d’abord à votre administrateur',
    older: (version) => `La version proposée est plus ancienne que la vôtre (${version})`,
    question: (version) => `Installer la version ${version} maintenant ?`,
    nothing: 'Rien n’a été installé.',
    failed: (reason) =>
      `Rien n’a été installé. Réessayez ou adressez-vous à votre administrateur. (${reason})`,
    withoutInstaller: (path) =>
      `Cet ordinateur ne peut pas installer la mise à jour. Demandez à votre administrateur d’installer ce fichier : ${path}`,
    needsAdministrator: (command) =>
      `Un administrateur doit installer cette version avec cette commande : ${command}`,
    installed: (version) => `La version ${version} est installée.`,
    otherInstalled: (version) =>
      `La mise à jour n’a pas pris effet. La version installée est ${version}. Adressez-vous à votre administrateur.`,
    ended: (status) =>
      `L’installation a échoué avec le code ${status}. Réessayez. Si le problème persiste, communiquez ce code à votre administrateur.`,
  },
}
