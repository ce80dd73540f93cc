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
      'Un webhook informe vos systèmes, par exemple lorsqu’un déploiement est arrêté ou qu’un keystore expire bientôt.',
    caption: 'Webhooks',
    newLink: 'Ajouter un webhook',
  },
  states: {
    active: 'Actif',
    failing: 'En échec',
    disabled: 'Désactivé',
  },
  types: {
    'rollout.halted': 'Un déploiement est arrêté',
    'device-faults.raised': 'De nombreux appareils d’une version signalent des pannes',
    'registrations.rejected': 'Un enregistrement est refusé',
    'keystore.expiring': 'Un keystore expire bientôt',
    'signing-key.expiring': 'Une clé de signature devrait bientôt être renouvelée',
    'administrator.added': 'Un administrateur est ajouté',
    'device.approved': 'Un appareil est approuvé',
    'webhook.test': 'Événement de test',
  },
  form: {
    newTitle: 'Ajouter un webhook',
    editTitle: 'Modifier le webhook',
    button: 'Enregistrer le webhook',
    urlHint:
      'Elle doit commencer par https://. Les adresses privées et locales ne sont pas autorisées par défaut.',
    enabled: 'Envoyer les événements',
    enabledHint:
      'Tant que cette option est désactivée, les événements sont conservés et envoyés plus tard.',
    on: 'Activé',
    off: 'Désactivé',
    conflictTitle: 'Quelqu’un d’autre a modifié le webhook',
  },
  page: {
    failingNote:
      'Le destinataire n’a pas accepté l’événement le plus ancien depuis plus d’un jour. Le service réessaie une fois par heure et les événements suivants attendent. Si vous enregistrez le webhook, il réessaie immédiatement.',
    disabledNote:
      'Aucun événement n’est envoyé. Les événements sont conservés et envoyés lorsque vous réactivez le webhook.',
    testButton: 'Envoyer un événement de test',
    bothUntil: 'Les deux secrets signent jusqu’au',
  },
  secret: {
    heading: 'Secret',
    button: 'Remplacer le secret',
    title: 'Secret du webhook',
    copy: 'Copier le secret',
    warning: 'Copiez le secret maintenant. Il ne sera plus affiché.',
    use: 'Votre destinataire s’en sert pour vérifier les requêtes.',
    done: 'Aller au webhook',
    confirmTitle: (name: string) => `Remplacer le secret de ${name}`,
    about: 'Configurez le nouveau secret chez votre destinataire avant que l’ancien ne signe plus.',
    overlap: 'Signer aussi avec l’ancien secret',
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
    time: 'Heure',
    event: 'Événement',
    result: 'Résultat',
    actions: 'Actions',
    again: 'Renvoyer',
    outcomes: {
      delivered: 'Remis',
      failed: 'Échec',
      rejected: 'Refusé',
    },
    reasons: {
      'address-refused': 'Adresse non autorisée',
      'name-unknown': 'Nom d’hôte inconnu',
      'connection-failed': 'Échec de la connexion',
      'tls-failed': 'Échec de TLS',
      timeout: 'Pas de réponse à temps',
    },
  },
}
