/** What `describeConnection` and `describeCard` say in Dutch: the title, the sentence and the buttons of each state. */
import type { StepTexts } from './en.ts'

export const dutchSteps: StepTexts = {
  looking: 'Uw kaartlezer wordt gezocht…',
  permissionTitle: 'Toegang tot Cardwire toestaan',
  permissionText: 'Uw browser vraagt zo om uw toestemming. Kies Toestaan.',
  promptText: 'Beantwoord de vraag van uw browser. Kies Toestaan.',
  notRunningTitle: 'Cardwire is niet actief',
  notRespondingTitle: 'Cardwire reageert niet',
  unavailableTitle: 'Deze website is niet beschikbaar',
  consentTitle: 'Mag deze website uw kaartlezer gebruiken?',
  consentText:
    'Kopieer deze code. Cardwire vindt de code op uw klembord en staat deze website toe.',
  codeNotFound:
    'Cardwire heeft de code niet op uw klembord gevonden. Kopieer de nieuwe code en kopieer daarna niets anders, tot deze pagina verdergaat.',
  checking: 'Cardwire controleert de code…',
  stale: 'Cardwire reageert niet. Uw kaartlezers zijn mogelijk veranderd.',
  failedTitle: 'Uw kaartlezer kan niet worden gebruikt',
  connect: 'Verbinden',
  copy: 'Code kopiëren en toestaan',
  proceed: 'Ik heb de code gekopieerd',
  retry: 'Opnieuw proberen',
  install: 'Cardwire downloaden',
  // What has to happen before a card is used, and while it is.
  'card-service-down':
    'De smartcardservice van deze computer is niet actief. Start de computer opnieuw op.',
  'no-reader': 'Sluit een kaartlezer aan.',
  'no-card': 'Plaats uw kaart.',
  unsupported: 'Cardwire ondersteunt deze kaart niet. Plaats een andere kaart.',
  pending:
    'Voer uw pincode in het venster van Cardwire in. Ziet u het niet, zoek het dan achter dit venster.',
}
