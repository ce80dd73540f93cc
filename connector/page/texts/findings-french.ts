/** What the doctor found, in French: a sentence, and what the person can do. */
import type { FindingTexts } from './findings-english.ts'

export const frenchFindings: FindingTexts = {
  'card-service-good': { title: 'Le service de cartes répond' },
  'readers-good': { title: 'Un lecteur de cartes est branché' },
  'root-good': { title: 'Le certificat racine de cet ordinateur est valable' },
  'leaf-good': { title: 'Le certificat de la connexion est valable' },
  'trust-good': { title: 'Des navigateurs font confiance à Cardwire' },
  'keystore-good': { title: 'Le certificat de votre organisation est valable' },
  'api-good': { title: 'Cardwire répond' },
  'registry-good': { title: 'Les pages web trouvent Cardwire' },
  'registry-port-free': { title: 'Le port où les pages web cherchent Cardwire est libre' },
  'clipboard-good': { title: 'Cardwire peut lire le presse-papiers' },
  'service-none': { title: 'Cardwire fonctionne sans organisation' },
  'service-good': { title: 'Le service de votre organisation répond' },
  registered: { title: 'Cet ordinateur est enregistré' },
  synchronized: { title: 'Il y a eu contact avec votre organisation' },
  'updates-not-offered': {
    title: 'Aucune fenêtre ne propose de mises à jour : votre organisation les installe',
  },
  'machine-synchronized': {
    title: 'Le service de cet ordinateur a eu contact avec votre organisation',
  },
  'machine-keystore-good': { title: 'Le certificat de cet ordinateur est valable' },
  'card-service-down': {
    title: 'Le service de cartes de cet ordinateur ne répond pas',
    todo: 'Redémarrez l’ordinateur. Si cela n’aide pas, demandez à votre administrateur.',
  },
  'card-service-forbidden': {
    title: 'Vous ne pouvez pas utiliser le service de cartes de cet ordinateur',
    todo: 'Ouvrez une session sur l’ordinateur même, pas depuis un autre. Si cela n’aide pas, demandez à votre administrateur.',
  },
  'card-service-missing': {
    title: 'Cet ordinateur n’a pas de service de cartes',
    todo: 'Demandez à votre administrateur de l’installer.',
  },
  'readers-none': {
    title: 'Aucun lecteur de cartes n’est branché',
    todo: 'Branchez un lecteur. S’il n’apparaît pas, demandez à votre administrateur si son pilote est installé.',
  },
  'root-broken': {
    title: 'Le certificat racine de cet ordinateur est inutilisable',
    todo: 'Démarrez Cardwire. Si cela reste ainsi, demandez à votre administrateur.',
  },
  'leaf-broken': {
    title: 'Le certificat de la connexion est inutilisable',
    todo: 'Démarrez Cardwire. Si cela reste ainsi, demandez à votre administrateur.',
  },
  'files-open': {
    title: 'D’autres peuvent lire des clés de Cardwire',
    todo: 'Démarrez Cardwire : il les protège. Dites à votre administrateur qu’elles étaient lisibles.',
  },
  'trust-missing': {
    title: 'Un navigateur ne fait pas encore confiance à Cardwire',
    todo: 'Appuyez sur le bouton ci-dessous, puis fermez complètement le navigateur et rouvrez-le.',
  },
  'trust-none': {
    title: 'Aucun de vos navigateurs ne fait confiance à Cardwire',
    todo: 'Appuyez sur le bouton ci-dessous, puis fermez complètement le navigateur et rouvrez-le.',
  },
  'trust-unreadable': {
    title: 'On ne peut pas savoir si un navigateur fait confiance à Cardwire',
    todo: 'Demandez à votre administrateur : il manque un programme.',
  },
  'keystore-expired': {
    title: 'Le certificat de votre organisation a expiré',
    todo: 'Demandez-en un nouveau à votre administrateur.',
  },
  'keystore-missing': {
    title: 'Le certificat de votre organisation manque',
    todo: 'Demandez-le à votre administrateur.',
  },
  'not-running': {
    title: 'Cardwire n’est pas démarré',
    todo: 'Démarrez-le avec le bouton ci-dessus.',
  },
  'not-running-no-port': {
    title: 'Cardwire n’est pas démarré et ses ports habituels sont occupés',
    todo: 'Démarrez-le avec le bouton ci-dessus : il prend un autre port.',
  },
  'not-running-masked': {
    title: 'Cardwire n’est pas démarré : quelqu’un l’a désactivé',
    todo: 'Le bouton ci-dessus ne le démarre pas. Demandez à votre administrateur.',
  },
  'api-silent': {
    title: 'Cardwire est démarré et ne répond pas',
    todo: 'Fermez votre session sur l’ordinateur et ouvrez-la de nouveau.',
  },
  'registry-down': {
    title: 'Les pages web ne trouvent pas Cardwire : un service de cet ordinateur est arrêté',
    todo: 'Demandez à votre administrateur de le démarrer.',
  },
  'registry-foreign': {
    title: 'Les pages web trouvent le Cardwire de quelqu’un d’autre sur cet ordinateur',
    todo: 'Demandez à votre administrateur d’en faire un service de l’ordinateur.',
  },
  'registry-port-taken': {
    title: 'Les pages web ne trouvent pas Cardwire : un autre programme occupe son port',
    todo: 'Demandez à votre administrateur : le programme est nommé ci-dessous.',
  },
  'clipboard-unreadable': {
    title: 'Cardwire ne peut pas lire le presse-papiers : vous ne pouvez autoriser aucune page',
    todo: 'Demandez à votre administrateur : ce qui manque est indiqué ci-dessous.',
  },
  'clock-jumped': {
    title: 'L’horloge de cet ordinateur a fait un saut',
    todo: 'Mettez-la à l’heure. Si elle est juste, laissez Cardwire fonctionner quelques heures.',
  },
  'file-damaged': {
    title: 'Un fichier de Cardwire était endommagé et a été remplacé',
    todo: 'Demandez à votre administrateur de vérifier le disque.',
  },
  'no-pages-allowed': {
    title: 'Aucune page web ne peut encore utiliser Cardwire',
    todo: 'Saisissez ci-dessous l’adresse et la clé de votre organisation.',
  },
  'tokens-off': {
    title: 'Les pages web n’ont pas besoin de l’accord d’une organisation',
    todo: 'Si vous ne l’avez pas réglé ainsi vous-même, dites-le à votre administrateur.',
  },
  'token-keys-missing': {
    title: 'Cardwire ne peut pas vérifier l’accord donné aux pages web',
    todo: 'Saisissez ci-dessous l’adresse et la clé de votre organisation.',
  },
  'service-unreachable': {
    title: 'Le service de votre organisation ne répond pas',
    todo: 'Vérifiez votre réseau. S’il fonctionne, demandez à votre administrateur.',
  },
  unregistered: {
    title: 'Cet ordinateur n’est pas enregistré auprès de votre organisation',
    todo: 'Démarrez Cardwire. Si cela reste ainsi, demandez à votre administrateur.',
  },
  'never-synchronized': {
    title: 'Il n’y a pas encore eu de contact avec votre organisation',
    todo: 'Vérifiez votre réseau, puis vérifiez de nouveau.',
  },
  'not-synchronized': {
    title: 'Il n’y a pas de contact avec votre organisation en ce moment',
    todo: 'Vérifiez de nouveau. Si cela reste ainsi, demandez à votre administrateur.',
  },
  'policy-ending': {
    title: 'Les pages web ne peuvent plus utiliser Cardwire que quelques jours',
    todo: 'Connectez cet ordinateur au réseau de votre organisation.',
  },
  'policy-expired': {
    title: 'Les pages web ne peuvent pas utiliser Cardwire : le dernier contact est trop ancien',
    todo: 'Connectez cet ordinateur au réseau de votre organisation.',
  },
  'version-recommended': {
    title: 'Votre organisation recommande une autre version',
    todo: 'Installez-la : voir ci-dessous.',
  },
  'version-forbidden': {
    title: 'Cette version de Cardwire ne peut plus être utilisée',
    todo: 'Installez-en une autre : voir ci-dessous.',
  },
  'version-unknown': {
    title: 'Votre organisation ne connaît pas cette version de Cardwire',
    todo: 'Demandez à votre administrateur de l’enregistrer, ou une autre.',
  },
  'key-missing': {
    title: 'La clé d’installation manque',
    todo: 'Saisissez-la ci-dessous ; votre administrateur l’a.',
  },
  'key-refused': {
    title: 'Votre organisation n’accepte pas la clé d’installation',
    todo: 'Demandez la clé actuelle à votre administrateur et saisissez-la ci-dessous.',
  },
  'key-used-up': {
    title: 'Votre organisation n’enregistre plus d’ordinateurs aujourd’hui',
    todo: 'Attendez demain, ou demandez à votre administrateur.',
  },
  'device-blocked': {
    title: 'Votre organisation a bloqué cet ordinateur',
    todo: 'Demandez à votre administrateur de le débloquer.',
  },
  'clock-skewed': {
    title: 'L’horloge de cet ordinateur n’est pas à l’heure',
    todo: 'Mettez-la à l’heure.',
  },
  'machine-settings-ignored': {
    title: 'Des réglages de cet ordinateur ne comptent pas',
    todo: 'Demandez à votre administrateur : la raison est indiquée ci-dessous.',
  },
  'machine-not-synchronized': {
    title: 'Le service de cet ordinateur n’a pas de contact avec votre organisation',
    todo: 'Vérifiez votre réseau. S’il fonctionne, demandez à votre administrateur.',
  },
  'machine-fault': {
    title: 'Le service de cet ordinateur signale une erreur',
    todo: 'Demandez à votre administrateur : elle est indiquée ci-dessous.',
  },
  'machine-keystore-expired': {
    title: 'Le certificat de cet ordinateur a expiré',
    todo: 'Demandez-en un nouveau à votre administrateur.',
  },
  'settings-invalid': {
    title: 'Des réglages de Cardwire sont inutilisables : il ne peut pas démarrer',
    todo: 'Demandez à votre administrateur : ils sont indiqués ci-dessous.',
  },
  'check-failed': {
    title: 'Quelque chose n’a pas pu être vérifié',
    todo: 'Vérifiez de nouveau. Si cela reste ainsi, demandez à votre administrateur.',
  },
  'check-late': {
    title: 'Une vérification a pris trop de temps',
    todo: 'Vérifiez de nouveau. Si cela reste ainsi, demandez à votre administrateur.',
  },
}
