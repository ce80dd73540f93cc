/** The texts of the documents for administrators, and of the links to their chapters, in French. */
import type { Texts } from '../en/catalog.ts'

export const documents: Texts['documents'] = {
  title: 'Documentation',
  about:
    'Ces documents correspondent à la version installée du service. Ils sont disponibles uniquement en anglais.',
  tableOfContents: 'Table des matières',
  label: 'Documentation (en anglais) :',
  contents: {
    install:
      'Installer le connecteur sur un ou plusieurs ordinateurs, le configurer, le mettre à jour et le désinstaller.',
    deploy:
      'Installer et exploiter ce service, du premier programme d’installation et de la liste d’autorisation aux sauvegardes et aux métriques.',
    rollout:
      'Déployer une version d’abord sur quelques appareils, suivre les résultats et arrêter le déploiement si la version pose trop souvent problème.',
    'fleet-files': 'Décrire et gérer un parc au moyen de fichiers.',
    'api-clients':
      'Donner accès à l’API à des programmes (pipelines de CI, scripts, supervision), sans le mot de passe d’un utilisateur.',
    settings: 'Tous les réglages de ce service et leurs valeurs par défaut.',
    'connector-settings': 'Tous les réglages du connecteur et leur emplacement sur chaque système.',
    'card-settings':
      'Accorder à certains sites des droits supplémentaires sur les cartes, et ajouter des bibliothèques PKCS #11 et des dossiers.',
    'browser-policies':
      'Définir des stratégies de navigateur pour que vos utilisateurs ne voient pas de demandes d’autorisation sur vos sites.',
    cards: 'Les cartes que les sites peuvent utiliser, et ce qu’ils peuvent faire de chacune.',
  },
  chapters: {
    computerSettings: 'Réglages d’un ordinateur',
    browserPolicies: 'Stratégies de navigateur',
    installers: 'Programmes d’installation',
    keystores: 'Magasins de clés',
    allowlist: 'Liste d’autorisation',
    cardPermissions: 'Droits sur les cartes',
    releaseSettings: 'Réglages de publication',
    review: 'Vérifier et annuler des modifications',
    rollout: 'Installer sur de nombreux appareils',
    startRollout: 'Démarrer un déploiement',
    watchRollout: 'Suivre un déploiement',
    haltRollout: 'Arrêter un déploiement, le mettre en pause ou le reprendre',
    stopEverything: 'Tout arrêter',
    missingConnector: 'Si un connecteur n’apparaît pas',
    administrators: 'Administrateurs',
    apiClients: 'Clients API',
    gitHubActions: 'Accès pour GitHub Actions',
    gitLab: 'Accès pour GitLab CI/CD',
    otherIssuers: 'Autre système de CI',
    keys: 'Clés',
  },
}
