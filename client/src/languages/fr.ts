/** What `describe` says in French: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('fr')

export const french: Texts = {
  notRunning:
    'Cardwire ne répond pas. Vérifiez qu’il est installé et actif, puis redémarrez votre navigateur.',
  notResponding:
    'Cardwire est actif, mais ne répond pas. Redémarrez votre ordinateur. Si le problème persiste, contactez votre administrateur.',
  certificateUntrusted:
    'Ce navigateur ne fait pas encore confiance au certificat de Cardwire. Redémarrez votre navigateur. Si le problème persiste, adressez-vous à votre administrateur.',
  originRefused: 'Ce site n’est pas autorisé à utiliser Cardwire. Contactez l’assistance du site.',
  permissionNeeded:
    'Votre navigateur a besoin de votre autorisation pour connecter ce site à Cardwire. Réessayez et choisissez « Autoriser ».',
  permissionPending:
    'Votre navigateur demande votre autorisation. Répondez à sa demande, puis réessayez.',
  permissionDenied:
    'Votre navigateur bloque l’accès de ce site à Cardwire. Autorisez-le dans les paramètres de votre navigateur pour ce site, puis rechargez la page.',
  siteEmbedded:
    'Cette page ne peut pas accéder à Cardwire en raison de la façon dont elle est intégrée dans une autre page. Contactez l’assistance du site.',
  siteInsecure:
    'Cette page ne peut pas utiliser Cardwire, car sa connexion n’est pas sécurisée. Ouvrez-la en HTTPS.',
  siteFault:
    'Ce site n’est pas configuré correctement pour Cardwire. Contactez l’assistance du site.',
  siteUnavailable: 'Ce site est indisponible pour le moment. Attendez un instant, puis réessayez.',
  siteUnidentified:
    'Ce site n’a pas pu s’identifier auprès de Cardwire. Rechargez la page. Si le problème persiste, contactez l’assistance du site.',
  sessionExpired: 'Votre session a expiré. Rechargez la page.',
  timeout: 'Cardwire a mis trop de temps à répondre. Réessayez.',
  aborted: 'Annulé.',
  answerUnverified:
    'La réponse de Cardwire n’a pas pu être vérifiée et n’a pas été utilisée. Attendez une minute, puis réessayez.',
  answerMalformed:
    'Un autre programme répond peut-être à la place de Cardwire. Redémarrez Cardwire, puis réessayez.',
  consentRequired: 'Pour utiliser votre lecteur de cartes ici, autorisez ce site.',
  codeCopied: 'Le code a été copié.',
  codeNotCopied: 'Le code n’a pas été copié. Sélectionnez-le et copiez-le vous-même.',
  codesNotFound:
    'Cardwire n’a détecté aucun des codes. Vérifiez qu’il est actif, puis copiez le nouveau code.',
  codesTooMany: 'Trop de codes ont été copiés. Attendez une minute, puis copiez-en un nouveau.',
  codeRefused: 'Ce code ne peut pas être utilisé. Copiez le nouveau code.',
  failed:
    'Une erreur s’est produite dans Cardwire. Réessayez. Si le problème persiste, adressez-vous à votre administrateur.',
  busy: 'Cardwire est trop sollicité pour le moment. Attendez un instant, puis réessayez.',
  otherUser:
    'Sur cet ordinateur, ce navigateur et Cardwire n’ont pas été lancés par le même utilisateur. Ouvrez cette page dans votre propre navigateur.',
  agentUnknown: 'Cardwire n’est pas actif dans votre session. Démarrez-le, puis réessayez.',
  grantMissing:
    'Votre administrateur n’a pas autorisé ce site à effectuer cette opération. Pour demander l’accès, adressez-vous à lui.',
  policyExpired:
    'Cardwire est resté trop longtemps sans contact avec votre organisation. Vérifiez votre connexion réseau. Si le problème persiste, adressez-vous à votre administrateur.',
  deviceBlocked:
    'Votre organisation a bloqué Cardwire sur cet ordinateur. Adressez-vous à votre administrateur.',
  certificatesKept:
    'Les certificats de Cardwire n’ont pas été modifiés. S’il vous en faut de nouveaux, adressez-vous à votre administrateur.',
  logsKept:
    'Les journaux ne peuvent pas être envoyés, car votre administrateur n’a pas défini leur destination.',
  dialogUnavailable:
    'Cardwire ne peut pas afficher sa fenêtre. Adressez-vous à votre administrateur.',
  dialogOpen: 'Cardwire vous pose déjà une question. Cherchez sa fenêtre.',
  readerUnknown: 'Le lecteur de cartes n’est plus branché. Branchez-le, puis réessayez.',
  readersUnavailable:
    'Le service de cartes à puce de votre ordinateur ne fonctionne pas. Rebranchez votre lecteur de cartes. Si le problème persiste, redémarrez votre ordinateur.',
  cardAbsent: 'Il n’y a pas de carte dans le lecteur. Insérez votre carte, puis réessayez.',
  cardChanged: 'La carte a été retirée ou remplacée. Insérez votre carte, puis réessayez.',
  cardUnsupported: 'Cette carte n’est pas prise en charge. Utilisez une autre carte.',
  cardMute: 'La carte ne répond pas. Retirez-la, insérez-la de nouveau, puis réessayez.',
  cardBusy:
    'Un autre programme utilise la carte. Fermez-le ou attendez un instant, puis réessayez.',
  cardReleased: 'La connexion à la carte a pris fin. Réessayez.',
  keyUnknown: 'Cette carte ne contient pas la clé dont ce site a besoin. Utilisez une autre carte.',
  keyUnsupported:
    'La clé de cette carte n’est pas compatible avec ce site. Utilisez une autre carte.',
  storeUnavailable:
    'Cardwire ne peut pas ouvrir le magasin de certificats de cet ordinateur. Réessayez. Si le problème persiste, adressez-vous à votre administrateur.',
  pinWrong: 'Le code PIN est incorrect.',
  pinWrongWithAttempts: (left) =>
    `Le code PIN est incorrect. Il vous reste ${count(left, 'tentative', 'tentatives')}.`,
  pinBlocked: 'Votre code PIN est bloqué. Contactez l’émetteur de votre carte pour le débloquer.',
  pinCanceled: 'Vous avez annulé la saisie du code PIN.',
  pinTimeout: 'Le code PIN n’a pas été saisi à temps. Réessayez.',
  pinInvalid: 'Ce code PIN n’est pas valide pour cette carte. Vérifiez-le, puis réessayez.',
  identityRefused: 'Vous avez choisi de ne pas partager vos données d’identité.',
  folderUnknown: 'Ce site n’a pas accès à ce dossier. Choisissez un dossier, puis réessayez.',
  folderGone:
    'Le dossier n’existe plus ou les sites ne peuvent pas l’utiliser. Choisissez un autre dossier.',
  folderRefused:
    'Vous n’avez pas choisi de dossier pour ce site. Pour utiliser des fichiers ici, réessayez et choisissez-en un.',
  folderManaged: 'Votre administrateur a choisi ce dossier. Vous ne pouvez pas le changer ici.',
  nameRefused:
    'Les sites ne peuvent pas utiliser un fichier portant ce nom. Choisissez un autre nom.',
  fileUnknown: 'Le fichier n’existe plus.',
  fileTaken: 'Un fichier portant ce nom existe déjà. Choisissez un autre nom.',
  fileTooLarge: 'Le fichier est trop volumineux. Choisissez-en un plus petit.',
  diskFailed: 'Votre disque a signalé une erreur. Vérifiez-le, puis réessayez.',
  diskFull: 'Votre disque est plein. Libérez de l’espace, puis réessayez.',
  printerUnknown: 'Cette imprimante n’est pas disponible. Choisissez une autre imprimante.',
  printingUnavailable:
    'Cet ordinateur ne peut pas imprimer pour le moment. Vérifiez qu’une imprimante est configurée.',
  printingRefused: 'L’imprimante a refusé le document. Vérifiez l’imprimante, puis réessayez.',
}
