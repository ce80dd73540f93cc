/** The texts of the documents for administrators, and of the links to their chapters, in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const documents: Texts['documents'] = {
  title: 'Documentatie',
  about:
    'Deze documenten horen bij de geïnstalleerde versie van de server. Ze zijn alleen in het Engels beschikbaar.',
  tableOfContents: 'Inhoudsopgave',
  label: 'Documentatie (Engels):',
  contents: {
    install:
      'De connector installeren op een of meer computers, instellen, bijwerken en verwijderen.',
    deploy:
      'Deze server installeren en beheren: van het eerste installatieprogramma en de allowlist tot back-ups en statistieken.',
    rollout:
      'Een versie eerst naar enkele apparaten uitrollen, de resultaten volgen en de uitrol stopzetten als de versie te vaak problemen geeft.',
    'fleet-files': 'Uw apparatenpark beheren met bestanden',
    'api-clients':
      'Programma’s toegang geven tot de API: CI-pipelines, scripts en monitoring, zonder het wachtwoord van een gebruiker.',
    settings: 'Alle instellingen van deze server en hun standaardwaarden.',
    'connector-settings':
      'Alle instellingen van de connector, en waar u ze op elk systeem opgeeft.',
    'card-settings':
      'Afzonderlijke websites extra kaartmachtigingen geven, en PKCS #11-bibliotheken en mappen toevoegen.',
    'browser-policies':
      'Voorkomen dat browsers uw gebruikers om toestemming vragen voor uw websites.',
    cards: 'De kaarten die websites kunnen gebruiken, en wat ze ermee kunnen doen.',
  },
  chapters: {
    computerSettings: 'Instellingen van een computer',
    browserPolicies: 'Browserbeleid',
    installers: 'Installatieprogramma’s',
    keystores: 'Keystores',
    allowlist: 'Allowlist',
    cardPermissions: 'Kaartmachtigingen',
    releaseSettings: 'Release-instellingen',
    review: 'Wijzigingen controleren en ongedaan maken',
    rollout: 'Installatie op veel apparaten',
    startRollout: 'Een uitrol starten',
    watchRollout: 'Een uitrol volgen',
    haltRollout: 'Een uitrol stopzetten, pauzeren of hervatten',
    stopEverything: 'Alles stopzetten',
    missingConnector: 'Als een connector niet verschijnt',
    administrators: 'Beheerders',
    apiClients: 'API-clients',
    gitHubActions: 'Toegang voor GitHub Actions',
    gitLab: 'Toegang voor GitLab CI/CD',
    otherIssuers: 'Een ander CI-systeem',
    keys: 'Sleutels',
  },
}
