/** What the doctor finds, in French. */
import type { Catalog } from '../en/catalog.ts'

export const findings: Catalog['findings'] = {
  'card-service-good': 'Le service de cartes à puce répond',
  'readers-good': 'Un lecteur de cartes est branché',
  'root-good': 'Le certificat racine de cet ordinateur est valide',
  'leaf-good': 'Le certificat de localhost, utilisé par les sites, est valide',
  'trust-good': 'Vos navigateurs font confiance à Cardwire',
  'keystore-good': 'Le certificat de votre organisation, utilisé par les sites, est valide',
  'api-good': 'Cardwire répond',
  'registry-good': 'Les sites peuvent trouver Cardwire',
  'registry-port-free': 'Le port sur lequel les sites cherchent Cardwire est libre',
  'clipboard-good': 'Cardwire peut lire le presse-papiers',
  'service-none': 'Cardwire fonctionne sans organisation, avec les réglages de cet ordinateur',
  'service-good': 'Le serveur de votre organisation répond',
  registered: 'Cet ordinateur est enregistré',
  synchronized: 'Cardwire est synchronisé avec votre organisation',
  'updates-not-offered':
    'Votre organisation installe les mises à jour, donc Cardwire n’en propose pas',
  'machine-synchronized':
    'Le service Cardwire de cet ordinateur est synchronisé avec votre organisation',
  'machine-keystore-good': 'Le certificat du service Cardwire de cet ordinateur est valide',
  'card-service-down': 'Le service de cartes à puce de cet ordinateur ne répond pas',
  'card-service-forbidden':
    'Vous n’avez pas le droit d’utiliser le service de cartes à puce de cet ordinateur',
  'card-service-missing': 'Cet ordinateur n’a pas de service de cartes à puce',
  'readers-none': 'Aucun lecteur de cartes n’est branché',
  'root-broken': 'Le certificat racine de cet ordinateur est inutilisable',
  'leaf-broken': 'Le certificat de localhost, nécessaire aux sites, est inutilisable',
  'files-open': 'D’autres utilisateurs peuvent lire les clés privées de Cardwire',
  'trust-missing': 'Au moins un de vos navigateurs ne fait pas encore confiance à Cardwire',
  'trust-none': 'Aucun de vos navigateurs ne fait confiance à Cardwire',
  'trust-unreadable': 'Cardwire ne peut pas savoir si un navigateur lui fait confiance',
  'keystore-expired': 'Le certificat de votre organisation, utilisé par les sites, a expiré',
  'keystore-missing': 'Le certificat de votre organisation, nécessaire aux sites, est absent',
  'not-running': 'Cardwire n’est pas actif',
  'not-running-no-port': 'Cardwire n’est pas actif et ses ports habituels sont occupés',
  'not-running-masked': 'Cardwire n’est pas actif, car il a été désactivé',
  'api-silent': 'Cardwire est actif, mais ne répond pas',
  'registry-down':
    'Les sites ne trouvent pas Cardwire, car un service de cet ordinateur est arrêté',
  'registry-foreign': 'Les sites trouvent le Cardwire d’un autre utilisateur de cet ordinateur',
  'registry-port-taken':
    'Les sites ne trouvent pas Cardwire, car un autre programme utilise son port',
  'clipboard-unreadable':
    'Cardwire ne peut pas lire le presse-papiers, donc vous ne pouvez autoriser aucun site',
  'clock-jumped': 'L’heure de cet ordinateur a changé brusquement',
  'file-damaged': 'Un fichier endommagé de Cardwire a été remplacé',
  'no-pages-allowed': 'Aucun site ne peut encore utiliser Cardwire',
  'tokens-off': 'Les sites peuvent utiliser Cardwire sans l’accord de votre organisation',
  'token-keys-missing':
    'Cardwire ne peut pas vérifier quels sites ont l’accord de votre organisation',
  'service-unreachable': 'Le serveur de votre organisation ne répond pas',
  unregistered: 'Cet ordinateur n’est pas enregistré auprès de votre organisation',
  'never-synchronized': 'Cardwire n’a encore jamais contacté votre organisation',
  'not-synchronized': 'Cardwire ne peut pas joindre votre organisation pour le moment',
  'policy-ending': 'Dans quelques jours, les sites ne pourront plus utiliser Cardwire',
  'policy-expired':
    'Les sites ne peuvent pas utiliser Cardwire, car il est resté trop longtemps sans contact avec votre organisation',
  'version-recommended': 'Votre organisation recommande une autre version',
  'version-forbidden': 'Votre organisation n’autorise plus cette version de Cardwire',
  'version-unknown': 'Votre organisation ne connaît pas cette version de Cardwire',
  'key-missing': 'La clé d’installation est absente',
  'key-refused': 'Votre organisation n’accepte pas la clé d’installation',
  'key-used-up': 'Votre organisation a atteint la limite quotidienne de nouveaux ordinateurs',
  'device-blocked': 'Votre organisation a bloqué cet ordinateur',
  'clock-skewed': 'L’horloge de cet ordinateur n’est pas à l’heure',
  'machine-settings-ignored': 'Certains réglages de Cardwire sur cet ordinateur sont ignorés',
  'machine-not-synchronized':
    'Le service Cardwire de cet ordinateur ne peut pas joindre votre organisation',
  'machine-fault': 'Le service Cardwire de cet ordinateur signale une erreur',
  'machine-keystore-expired': 'Le certificat du service Cardwire de cet ordinateur a expiré',
  'settings-invalid': 'Cardwire ne peut pas démarrer, car certains réglages ne sont pas valides',
  'check-failed': 'Une vérification n’a pas pu être effectuée',
  'check-late': 'Une vérification a pris trop de temps',
}

/** What the user can do about it. */
export const remedies: Catalog['remedies'] = {
  'card-service-down':
    'Redémarrez l’ordinateur. Si le problème persiste, adressez-vous à votre administrateur.',
  'card-service-forbidden':
    'Ouvrez une session directement sur l’ordinateur, et non à distance. Si le problème persiste, adressez-vous à votre administrateur.',
  'card-service-missing': 'Demandez à votre administrateur de l’installer.',
  'readers-none':
    'Branchez un lecteur de cartes. S’il n’apparaît pas, demandez à votre administrateur si son pilote est installé.',
  'root-broken':
    'Démarrez Cardwire. S’il est déjà actif, fermez votre session sur l’ordinateur, puis ouvrez-la de nouveau. Si le problème persiste, adressez-vous à votre administrateur.',
  'leaf-broken':
    'Démarrez Cardwire. S’il est déjà actif, fermez votre session sur l’ordinateur, puis ouvrez-la de nouveau. Si le problème persiste, adressez-vous à votre administrateur.',
  'files-open': 'Démarrez Cardwire pour les protéger et prévenez votre administrateur.',
  'trust-missing':
    'Cliquez sur le bouton ci-dessous, puis fermez complètement le navigateur et rouvrez-le.',
  'trust-none':
    'Cliquez sur le bouton ci-dessous, puis fermez complètement le navigateur et rouvrez-le.',
  'trust-unreadable': 'Adressez-vous à votre administrateur. La raison est indiquée ci-dessous.',
  'keystore-expired': 'Demandez-en un nouveau à votre administrateur.',
  'keystore-missing': 'Demandez-le à votre administrateur.',
  'not-running': 'Cliquez sur le bouton ci-dessus pour le démarrer.',
  'not-running-no-port': 'Cliquez sur le bouton ci-dessus pour le démarrer sur un autre port.',
  'not-running-masked':
    'Le bouton ci-dessus ne peut pas le démarrer. Adressez-vous à votre administrateur.',
  'api-silent': 'Fermez votre session sur l’ordinateur, puis ouvrez-la de nouveau.',
  'registry-down': 'Demandez à votre administrateur de démarrer ce service.',
  'registry-foreign':
    'Demandez à votre administrateur d’installer le service Cardwire sur cet ordinateur.',
  'registry-port-taken':
    'Adressez-vous à votre administrateur. Le programme est indiqué ci-dessous.',
  'clipboard-unreadable':
    'Adressez-vous à votre administrateur. La raison est indiquée ci-dessous.',
  'clock-jumped':
    'Réglez l’horloge. Si elle est déjà à l’heure, laissez Cardwire actif pendant quelques heures.',
  'file-damaged': 'Demandez à votre administrateur de vérifier le disque.',
  'no-pages-allowed': 'Saisissez ci-dessous l’URL et la clé de votre organisation.',
  'tokens-off': 'Si ce n’est pas votre choix, prévenez votre administrateur.',
  'token-keys-missing': 'Saisissez ci-dessous l’URL et la clé de votre organisation.',
  'service-unreachable':
    'Vérifiez votre réseau. S’il fonctionne, adressez-vous à votre administrateur.',
  unregistered:
    'Démarrez Cardwire. S’il est déjà actif, fermez votre session sur l’ordinateur, puis ouvrez-la de nouveau. Si le problème persiste, adressez-vous à votre administrateur.',
  'never-synchronized':
    'Vérifiez votre connexion réseau, puis cliquez sur « Vérifier de nouveau ».',
  'not-synchronized':
    'Cliquez sur « Vérifier de nouveau ». Si le problème persiste, adressez-vous à votre administrateur.',
  'policy-ending': 'Connectez cet ordinateur au réseau de votre organisation.',
  'policy-expired': 'Connectez cet ordinateur au réseau de votre organisation.',
  'version-recommended': 'Consultez la partie « Version » ci-dessous.',
  'version-forbidden': 'Consultez la partie « Version » ci-dessous.',
  'version-unknown':
    'Demandez à votre administrateur de l’enregistrer ou de vous fournir une autre version.',
  'key-missing': 'Demandez la clé à votre administrateur et saisissez-la ci-dessous.',
  'key-refused': 'Demandez la clé actuelle à votre administrateur et saisissez-la ci-dessous.',
  'key-used-up': 'Réessayez demain ou adressez-vous à votre administrateur.',
  'device-blocked': 'Demandez à votre administrateur de le débloquer.',
  'clock-skewed': 'Réglez l’horloge.',
  'machine-settings-ignored':
    'Adressez-vous à votre administrateur. La raison est indiquée ci-dessous.',
  'machine-not-synchronized':
    'Vérifiez votre réseau. S’il fonctionne, adressez-vous à votre administrateur.',
  'machine-fault': 'Adressez-vous à votre administrateur. L’erreur est indiquée ci-dessous.',
  'machine-keystore-expired': 'Demandez-en un nouveau à votre administrateur.',
  'settings-invalid':
    'Adressez-vous à votre administrateur. Les réglages sont indiqués ci-dessous.',
  'check-failed':
    'Cliquez sur « Vérifier de nouveau ». Si le problème persiste, adressez-vous à votre administrateur.',
  'check-late':
    'Cliquez sur « Vérifier de nouveau ». Si le problème persiste, adressez-vous à votre administrateur.',
}
