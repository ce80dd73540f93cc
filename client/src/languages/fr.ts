/** What `describe` says in French: what happened, and what the user does now. */
import { createCount } from './count.ts'
import type { Texts } from './en.ts'

const count = createCount('fr')

export const french: Texts = {
  'not-running':
    'Cardwire ne répond pas. Vérifiez qu’il est installé et actif, puis redémarrez votre navigateur.',
  'not-responding':
    'Cardwire est actif, mais ne répond pas. Redémarrez votre ordinateur. Si le problème persiste, adressez-vous à votre administrateur.',
  'certificate-untrusted':
    'Ce navigateur ne fait pas encore confiance à Cardwire. Redémarrez votre navigateur. Si le problème persiste, adressez-vous à votre administrateur.',
  'origin-refused':
    'Ce site n’est pas autorisé à utiliser Cardwire. Contactez l’assistance du site.',
  'permission-needed':
    'Votre navigateur a besoin de votre autorisation pour connecter ce site à Cardwire. Réessayez et choisissez « Autoriser ».',
  'permission-pending':
    'Votre navigateur demande votre autorisation. Répondez à sa demande, puis réessayez.',
  'permission-denied':
    'Votre navigateur bloque l’accès de ce site à Cardwire. Autorisez-le dans les paramètres de votre navigateur pour ce site, puis rechargez la page.',
  'permission-impossible':
    'Cette page ne peut pas accéder à Cardwire en raison de la façon dont elle est intégrée dans une autre page. Contactez l’assistance du site.',
  'page-insecure':
    'Cette page ne peut pas utiliser Cardwire, car sa connexion n’est pas sécurisée. Ouvrez-la à une adresse qui commence par https.',
  'csp-blocked':
    'Les réglages de ce site l’empêchent d’accéder à Cardwire. Contactez l’assistance du site.',
  'configuration-invalid':
    'Ce site n’est pas configuré correctement pour Cardwire. Contactez l’assistance du site.',
  'consent-required': 'Pour utiliser votre lecteur de cartes ici, autorisez ce site.',
  'no-agent':
    'Cardwire n’a détecté aucun des codes. Vérifiez qu’il est actif, puis copiez le nouveau code.',
  'too-many-codes': 'Trop de codes ont été copiés. Attendez une minute, puis copiez-en un nouveau.',
  'code-word-refused': 'Ce code ne peut pas être utilisé. Copiez le nouveau code.',
  'token-missing':
    'Ce site ne s’est pas identifié auprès de Cardwire. Rechargez la page. Si le problème persiste, contactez l’assistance du site.',
  'token-unavailable':
    'Ce site est indisponible pour le moment. Attendez un instant, puis réessayez.',
  'token-expired': 'Votre session a expiré. Rechargez la page.',
  'token-refused':
    'Cardwire n’a pas pu confirmer de quel site il s’agit. Rechargez la page. Si le problème persiste, contactez l’assistance du site.',
  'signature-wrong':
    'La réponse de Cardwire n’a pas pu être vérifiée et n’a pas été utilisée. Attendez une minute, puis réessayez.',
  timeout: 'Cardwire a mis trop de temps à répondre. Réessayez.',
  aborted: 'Annulé.',
  'answer-malformed':
    'Un autre programme répond peut-être à la place de Cardwire. Redémarrez Cardwire, puis réessayez.',
  internal:
    'Une erreur s’est produite dans Cardwire. Réessayez. Si le problème persiste, adressez-vous à votre administrateur.',
  'too-many-requests':
    'Cardwire est trop sollicité pour le moment. Attendez un instant, puis réessayez.',
  'caller-refused':
    'Sur cet ordinateur, ce navigateur et Cardwire n’ont pas été lancés par le même utilisateur. Ouvrez cette page dans votre propre navigateur.',
  'policy-expired':
    'Cardwire est resté trop longtemps sans contact avec votre organisation. Vérifiez votre connexion réseau. Si le problème persiste, adressez-vous à votre administrateur.',
  'device-blocked':
    'Votre organisation a bloqué Cardwire sur cet ordinateur. Adressez-vous à votre administrateur.',
  'grant-missing':
    'Votre administrateur n’a pas autorisé ce site à effectuer cette opération. Pour demander l’accès, adressez-vous à lui.',
  'dialog-unavailable':
    'Cardwire ne peut pas afficher sa fenêtre. Adressez-vous à votre administrateur.',
  'route-unknown':
    'Votre version de Cardwire est trop ancienne pour ce site. Mettez Cardwire à jour, puis réessayez.',
  'module-unknown':
    'Sur cet ordinateur, Cardwire ne peut pas faire ce dont ce site a besoin. Contactez l’assistance du site.',
  'request-invalid':
    'Ce site a envoyé à Cardwire une demande incorrecte. Contactez l’assistance du site.',
  unknown:
    'Une erreur s’est produite. Réessayez. Si le problème persiste, contactez l’assistance du site.',
  'pcsc-unavailable':
    'Votre ordinateur ne peut pas utiliser de lecteur de cartes pour le moment. Rebranchez votre lecteur de cartes. Si le problème persiste, redémarrez votre ordinateur.',
  'reader-unknown': 'Le lecteur de cartes n’est plus branché. Branchez-le, puis réessayez.',
  'card-absent': 'Il n’y a pas de carte dans le lecteur. Insérez votre carte, puis réessayez.',
  'card-changed': 'La carte a été retirée ou remplacée. Insérez votre carte, puis réessayez.',
  'card-unsupported': 'Cette carte n’est pas prise en charge. Utilisez une autre carte.',
  'card-mute': 'La carte ne répond pas. Retirez-la, insérez-la de nouveau, puis réessayez.',
  'card-busy':
    'Un autre programme utilise la carte. Fermez-le ou attendez un instant, puis réessayez.',
  'card-session-unknown': 'La connexion à la carte a pris fin. Réessayez.',
  'command-refused':
    'Ce site a tenté avec votre carte une opération interdite aux sites. Contactez l’assistance du site.',
  'key-unknown': 'Cette carte n’est pas celle dont ce site a besoin. Utilisez une autre carte.',
  'key-unsupported': 'Cette carte ne permet pas ce que ce site demande. Utilisez une autre carte.',
  'pin-busy': 'Cardwire vous pose déjà une question. Cherchez sa fenêtre.',
  'pin-wrong': 'Le code PIN est incorrect.',
  'pin-blocked':
    'Votre code PIN est bloqué. Contactez l’émetteur de votre carte pour le débloquer.',
  'pin-cancelled': 'Vous avez annulé la saisie du code PIN.',
  'pin-timeout': 'Le code PIN n’a pas été saisi à temps. Réessayez.',
  'pin-invalid': 'Ce code PIN n’est pas valide pour cette carte. Vérifiez-le, puis réessayez.',
  'identity-refused': 'Vous avez choisi de ne pas partager vos données d’identité.',
  'file-type-unknown': 'Ce site n’a pas accès à ce dossier. Choisissez un dossier, puis réessayez.',
  'file-type-unmapped':
    'Le dossier n’existe plus ou les sites ne peuvent pas l’utiliser. Choisissez un autre dossier.',
  'file-type-refused':
    'Vous n’avez pas choisi de dossier pour ce site. Pour utiliser des fichiers ici, réessayez et choisissez-en un.',
  'file-type-managed':
    'Votre administrateur a choisi ce dossier. Vous ne pouvez pas le changer ici.',
  'file-path-refused':
    'Les sites ne peuvent pas utiliser un fichier portant ce nom. Choisissez un autre nom.',
  'file-unknown': 'Le fichier n’existe plus.',
  'file-taken': 'Un fichier portant ce nom existe déjà. Choisissez un autre nom.',
  'file-too-large': 'Le fichier est trop volumineux. Choisissez-en un plus petit.',
  'disk-failed': 'Votre disque a signalé une erreur. Vérifiez-le, puis réessayez.',
  'disk-full': 'Votre disque est plein. Libérez de l’espace, puis réessayez.',
  pinWrongWithAttempts: (left) =>
    `Le code PIN est incorrect. Il vous reste ${count(left, 'tentative', 'tentatives')}.`,
  codeCopied: 'Le code a été copié.',
  codeNotCopied: 'Le code n’a pas été copié. Sélectionnez-le et copiez-le vous-même.',
}
