/** What `describeConnection` and `describeCard` say in French: the title, the sentence and the buttons of each state. */
import type { StepTexts } from './en.ts'

export const frenchSteps: StepTexts = {
  looking: 'Recherche de votre lecteur de cartes…',
  permissionTitle: 'Autoriser l’accès à Cardwire',
  permissionText:
    'Votre navigateur va vous demander votre autorisation. Choisissez «\u00a0Autoriser\u00a0».',
  promptText: 'Répondez à la demande de votre navigateur. Choisissez «\u00a0Autoriser\u00a0».',
  notRunningTitle: 'Cardwire n’est pas actif',
  notRespondingTitle: 'Cardwire ne répond pas',
  unavailableTitle: 'Ce site est indisponible',
  consentTitle: 'Autoriser ce site à utiliser votre lecteur de cartes\u202f?',
  consentText: 'Copiez ce code. Cardwire le trouve dans votre presse-papiers et autorise ce site.',
  codeNotFound:
    'Cardwire n’a pas trouvé le code dans votre presse-papiers. Copiez le nouveau code, puis ne copiez rien d’autre avant que cette page continue.',
  checking: 'Cardwire vérifie le code…',
  stale: 'Cardwire ne répond pas. Vos lecteurs de cartes ont peut-être changé.',
  failedTitle: 'Impossible d’utiliser votre lecteur de cartes',
  connect: 'Se connecter',
  copy: 'Copier le code et autoriser',
  proceed: 'J’ai copié le code',
  retry: 'Réessayer',
  install: 'Télécharger Cardwire',
  // What has to happen before a card is used, and while it is.
  'card-service-down':
    'Le service de cartes à puce de cet ordinateur n’est pas actif. Redémarrez l’ordinateur.',
  'no-reader': 'Connectez un lecteur de cartes.',
  'no-card': 'Insérez votre carte.',
  unsupported: 'Cardwire ne prend pas en charge cette carte. Insérez-en une autre.',
  pending:
    'Saisissez votre code PIN dans la fenêtre de Cardwire. Si vous ne la voyez pas, cherchez-la derrière cette fenêtre.',
}
