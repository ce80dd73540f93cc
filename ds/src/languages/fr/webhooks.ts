/** The texts of the screens of webhooks. */
import type { Texts } from '../en/catalog.ts'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  name: 'Nom',
  url: 'URL',
  events: 'Événements',
  state: 'État',
  lastFailure: 'Dernier échec',
  list: {
    about: 'Le service envoie des événements à ces URL, dans des requêtes signées.',
    empty:
      'Avec un webhook, le service prévient vos systèmes, par exemple lorsqu’un déploiement est arrêté ou qu’un magasin de clés expire bientôt.',
    caption: 'Webhooks',
    newLink: 'Ajouter un webhook',
  },
  states: {
    active: 'Actif',
    failing: 'En échec',
    disabled: 'Désactivé',
  },
  types: {
    'rollout.halted': 'Arrêt d’un déploiement',
    'device-faults.raised': 'Erreurs sur de nombreux appareils d’une version',
    'registrations.rejected': 'Rejet d’un enregistrement',
    'keystore.expiring': 'Expiration prochaine d’un magasin de clés',
    'signing-key.expiring': 'Clé de signature à renouveler bientôt',
    'administrator.added': 'Ajout d’un administrateur',
    'device.approved': 'Approbation d’un appareil',
    'webhook.test': 'Événement de test',
  },
  form: {
    newTitle: 'Ajouter un webhook',
    editTitle: 'Modifier le webhook',
    button: 'Enregistrer le webhook',
    urlHint:
      'L’URL doit commencer par https://. Les adresses privées et locales ne sont pas autorisées par défaut.',
    enabled: 'Envoi des événements',
    enabledHint:
      'Tant que l’envoi est désactivé, les événements sont conservés pour être envoyés plus tard.',
    on: 'Activé',
    off: 'Désactivé',
    conflictTitle: 'Quelqu’un d’autre a modifié le webhook',
  },
  page: {
    failingNote:
      'Depuis plus d’un jour, le destinataire n’accepte pas l’événement le plus ancien. Le service réessaie une fois par heure et les événements suivants restent en attente. Si vous enregistrez le webhook, le service réessaie immédiatement.',
    disabledNote:
      'Aucun événement n’est envoyé. Les événements sont conservés et seront envoyés lorsque vous réactiverez le webhook.',
    testButton: 'Envoyer un événement de test',
    bothUntil: 'Signature avec les deux secrets jusqu’au',
  },
  secret: {
    heading: 'Secret',
    button: 'Remplacer le secret',
    title: 'Secret du webhook',
    copy: 'Copier le secret',
    warning: 'Copiez ce secret maintenant, car il ne sera plus affiché.',
    use: 'Le destinataire s’en sert pour vérifier les requêtes.',
    done: 'Accéder au webhook',
    confirmTitle: (name: string) => `Remplacer le secret du webhook ${name}`,
    about:
      'Configurez le nouveau secret chez le destinataire avant que le service cesse de signer avec l’ancien.',
    overlap: 'Continuer à signer avec l’ancien secret',
    overlaps: {
      none: 'Pas du tout',
      hour: 'Pendant une heure',
      day: 'Pendant un jour',
      week: 'Pendant une semaine',
    },
  },
  remove: {
    title: (name: string) => `Supprimer le webhook ${name}`,
    about: 'Les événements en attente ne seront pas envoyés.',
    button: 'Supprimer le webhook',
  },
  attempts: {
    title: 'Tentatives',
    empty: 'Rien n’a encore été envoyé.',
    time: 'Date et heure',
    event: 'Événement',
    result: 'Résultat',
    actions: 'Actions',
    again: 'Renvoyer',
    outcomes: {
      delivered: 'Remis',
      failed: 'Échec',
      rejected: 'Rejeté',
    },
    reasons: {
      'address-refused': 'Adresse non autorisée',
      'name-unknown': 'Nom d’hôte inconnu',
      'connection-failed': 'Échec de la connexion',
      'tls-failed': 'Échec de la connexion TLS',
      timeout: 'Aucune réponse dans le délai imparti',
    },
  },
}
