/** What a page says when a change is refused, in French, by the name of the problem: what is wrong, and what to do. */
import type { problems as english } from '../en/problems.ts'

export const problems: typeof english = {
  'body-malformed': 'Le formulaire n’a pas pu être lu. Rechargez la page, puis réessayez.',
  'input-invalid': 'Certains champs doivent être corrigés.',
  'body-too-large':
    'Ces données sont trop volumineuses pour être envoyées. Choisissez un fichier plus petit ou raccourcissez le texte.',
  'length-required': 'Le fichier n’a pas pu être envoyé. Essayez un autre navigateur.',
  'request-too-slow': 'L’envoi a pris trop de temps. Vérifiez votre connexion, puis réessayez.',
  'too-many-requests': 'Trop de requêtes. Attendez un instant, puis réessayez.',
  'digest-mismatch':
    'Le fichier ne correspond pas à son empreinte. Vérifiez les deux, puis importez de nouveau le fichier.',
  'revision-mismatch':
    'Quelqu’un d’autre a modifié ces données. Rechargez la page pour voir les données actuelles.',
  'changed-meanwhile': 'Quelqu’un d’autre a effectué une modification en même temps. Réessayez.',
  'group-unknown': 'Ce groupe n’existe plus. Revenez à la liste.',
  'group-taken': 'Un autre groupe porte déjà ce nom. Choisissez un autre nom.',
  'webhook-unknown': 'Ce webhook n’existe plus. Revenez à la liste.',
  'webhook-limit': 'Il existe déjà 20 webhooks. Supprimez-en un dont vous n’avez plus besoin.',
  'webhook-address-refused':
    'L’URL doit commencer par https:// et ne peut pas pointer vers une adresse privée ou locale.',
  'delivery-unknown': 'Cette tentative n’est plus conservée. Rechargez la page.',
  'group-limit': 'Il existe déjà 100 groupes. Supprimez-en un dont vous n’avez plus besoin.',
  'group-in-use':
    'Une configuration ou un déploiement utilise encore ce groupe. Retirez-le d’abord de cette configuration ou de ce déploiement.',
  'group-untrusted':
    'Seul un groupe dont chaque règle contient une étiquette attribuée par un administrateur peut avoir un magasin de clés. Les appareils transmettent eux-mêmes toutes les autres valeurs.',
  'change-unknown':
    'Cette modification groupée n’existe plus ou date de plus de 30 jours. Revenez à la liste.',
  'change-taken':
    'Ce formulaire correspond à une autre modification. Ouvrez la liste des appareils, puis recommencez.',
  'second-administrator':
    'Un autre administrateur ou éditeur doit approuver cette modification. Votre demande reste dans «\u202fApprobations\u202f» pendant 24 heures. Un compte ajouté ou modifié par un administrateur au cours des 7 derniers jours ne peut pas l’approuver.',
  'approval-limit':
    'Cette modification doit être approuvée, mais trop de demandes sont déjà en attente. La limite est de 10 par compte et de 50 au total. Retirez-en une dans «\u202fApprobations\u202f».',
  'approval-unknown': 'Cette modification n’attend plus d’approbation. Revenez à la liste.',
  'reach-exceeded':
    'Cette modification concerne désormais plus d’appareils que vous n’en avez confirmé. Vérifiez le nouveau nombre, puis confirmez de nouveau.',
  'grant-refused': 'La connexion a échoué. Réessayez.',
  'role-missing':
    'Vous n’avez pas les droits nécessaires pour effectuer cette action. Adressez-vous à un administrateur.',
  'password-change-required': 'Changez d’abord votre mot de passe.',
  'second-factor-setup-required': 'Configurez d’abord l’authentification à deux facteurs.',
  'password-refused': 'Le mot de passe est incorrect. Réessayez.',
  'code-refused':
    'Le code est incorrect. Saisissez le code actuel de votre application d’authentification.',
  'second-factor-unknown':
    'L’authentification à deux facteurs est désactivée. Rechargez la page pour voir les réglages actuels.',
  'second-factor-taken':
    'L’authentification à deux facteurs est déjà activée. Rechargez la page pour voir les réglages actuels.',
  'service-busy': 'Le service est très sollicité. Réessayez dans un instant.',
  'service-stopping': 'Le service redémarre. Réessayez dans un instant.',
  'database-unavailable': 'La base de données n’est pas disponible. Réessayez dans un instant.',
  'packages-unavailable':
    'Les fichiers ne peuvent être ni lus ni modifiés pour le moment. Consultez le journal du serveur.',
  'provider-unreachable':
    'Le fournisseur d’identité de votre organisation n’est pas disponible. Réessayez dans un instant.',
  'disk-full': 'Le disque du serveur est plein. Libérez de l’espace, puis réessayez.',
  'disk-failed': 'Le disque du serveur a signalé une erreur. Consultez le journal du serveur.',
  internal: 'Une erreur inattendue s’est produite. Consultez le journal du serveur.',
  'version-taken':
    'Cette version existe déjà. Ouvrez-la pour la modifier ou choisissez une autre version.',
  'version-in-use': 'Cette version a encore des configurations. Supprimez-les d’abord.',
  'version-unknown': 'Cette version n’existe plus. Revenez à la liste.',
  'rollout-unknown': 'Ce déploiement n’existe plus. Revenez à la liste.',
  'rollout-taken':
    'Cette version fait déjà l’objet d’un déploiement. Ouvrez-le ou choisissez une autre version.',
  'rollout-started':
    'Ce déploiement a déjà démarré et ne peut plus être modifié. Vous pouvez l’arrêter.',
  'rollout-state':
    'Cette action n’est pas possible dans l’état actuel du déploiement. Rechargez la page pour connaître cet état.',
  'version-unsuitable':
    'Cette version ne peut pas être déployée. Une version à déployer doit être autorisée, et n’être ni recommandée ni obligatoire.',
  'version-in-rollout':
    'Cette version fait l’objet d’un déploiement. Terminez-le ou supprimez-le d’abord.',
  'installer-in-use':
    'Une version ou un magasin de clés utilise ce fichier. Retirez-le d’abord de cette version ou de ce magasin de clés, ou choisissez un autre nom.',
  'installer-unknown': 'Ce fichier n’existe plus. Revenez à la liste.',
  'installers-missing':
    'Sur certains appareils, le connecteur s’arrêterait sans qu’une mise à jour puisse être installée. Ajoutez un programme d’installation pour leur système, ou choisissez «\u202fContinuer quand même\u202f».',
  'keystore-in-use': 'Une configuration utilise ce magasin de clés. Choisissez un autre nom.',
  'keystore-unknown': 'Ce magasin de clés n’existe plus. Revenez à la liste.',
  'keystore-locked':
    'Ce mot de passe n’ouvre pas le magasin de clés. Saisissez celui avec lequel le fichier a été créé.',
  'keystore-unreadable':
    'Impossible d’ouvrir ce fichier en tant que magasin de clés. Exportez de nouveau la clé et son certificat dans un fichier PKCS #12 (.p12 ou .pfx) protégé par un mot de passe.',
  'keystore-unusable':
    'Les connecteurs ne peuvent pas utiliser ce magasin de clés. Il doit contenir un certificat de serveur indiquant ses noms d’hôte, ainsi que sa clé privée.',
  'keystore-expired':
    'Le certificat de ce magasin de clés a expiré. Importez un magasin de clés dont le certificat est valide.',
  'configurations-large':
    'Les configurations d’une version ne peuvent pas dépasser 4 Mo au total. Raccourcissez-en une ou supprimez-en une dont vous n’avez plus besoin.',
  'configuration-taken':
    'Cette version a déjà cette configuration. Modifiez-la ou supprimez-la d’abord.',
  'allowlist-missing':
    'Des appareils passeraient à une version sans liste d’autorisation, et aucun site ne pourrait utiliser leurs lecteurs de cartes. Ajoutez d’abord cette liste.',
  'revision-unknown':
    'Cette révision n’existe plus ou ne peut pas être restaurée. Choisissez-en une autre.',
  'configuration-moved':
    'Une configuration ne peut pas être déplacée vers une autre version ou organisation. Ajoutez-y une nouvelle configuration.',
  'configuration-unknown': 'Cette configuration n’existe plus. Revenez à la liste.',
  'organization-taken': 'Cette organisation existe déjà. Choisissez un autre nom.',
  'organization-in-use': 'Cette organisation a encore des applications. Supprimez-les d’abord.',
  'organization-unknown': 'Cette organisation n’existe plus. Revenez à la liste.',
  'label-taken': 'Cette application existe déjà. Choisissez un autre nom.',
  'label-moved':
    'Une application ne peut pas être déplacée vers une autre organisation. Ajoutez-y une nouvelle application.',
  'label-unknown': 'Cette application n’existe plus. Revenez à la liste.',
  'api-key-taken': 'Une autre application utilise déjà cette clé d’API. Créez-en une nouvelle.',
  'signing-key-unknown': 'Cette clé de signature n’existe plus. Revenez à la liste.',
  'administrator-taken': 'Un compte portant ce nom existe déjà. Choisissez un autre nom.',
  'administrator-last': 'Il faut au moins un administrateur. Ajoutez-en d’abord un autre.',
  'administrator-self':
    'Vous ne pouvez pas effectuer cette action sur votre propre compte. Adressez-vous à un autre administrateur.',
  'administrator-unknown': 'Ce compte n’existe plus. Revenez à la liste.',
  'api-client-taken': 'Un client API portant cet ID existe déjà. Choisissez un autre ID.',
  'api-client-limit':
    'Vous avez atteint le nombre maximal de clients API ou de moyens d’authentification. Supprimez-en un dont vous n’avez plus besoin.',
  'api-client-unknown':
    'Ce client API ou ce moyen d’authentification n’existe plus. Revenez à la liste.',
  'program-refused':
    'Les clients API ne peuvent pas effectuer cette action. Connectez-vous avec votre propre compte.',
  'session-unknown':
    'Cette session est déjà fermée. Rechargez la page pour voir les sessions ouvertes.',
  'device-unknown': 'Cet appareil n’existe plus. Revenez à la liste.',
  'logs-unknown': 'Ces journaux n’existent plus. Revenez à l’appareil.',
}
