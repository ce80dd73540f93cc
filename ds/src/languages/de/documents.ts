/** The texts of the documents for administrators, and of the links to their chapters, in German. */
import type { Texts } from '../en/catalog.ts'

export const documents: Texts['documents'] = {
  title: 'Dokumentation',
  about:
    'Diese Dokumente gehören zur installierten Version des Servers. Sie sind nur auf Englisch verfügbar.',
  tableOfContents: 'Inhaltsverzeichnis',
  label: 'Dokumentation (Englisch):',
  contents: {
    install:
      'Den Connector auf einem oder vielen Computern installieren, einrichten, aktualisieren und entfernen.',
    deploy:
      'Diesen Server installieren und betreiben, vom ersten Installationsprogramm und der Zulassungsliste bis zu Sicherungen und Metriken.',
    rollout:
      'Eine Version zuerst nur wenigen Geräten anbieten, die Ergebnisse beobachten und den Rollout stoppen, wenn die Version Fehler verursacht.',
    'fleet-files': 'Den Gerätebestand in Dateien verwalten',
    'api-clients':
      'Programmen wie CI-Pipelines, Skripten und Monitoring Zugriff auf die API geben, ohne das Passwort eines Benutzers zu verwenden.',
    settings: 'Alle Einstellungen dieses Servers mit ihren Standardwerten.',
    'connector-settings':
      'Alle Einstellungen des Connectors und wo Sie sie auf dem jeweiligen System festlegen.',
    'card-settings':
      'Einzelnen Websites zusätzliche Kartenberechtigungen geben sowie PKCS-#11-Bibliotheken und Ordner hinzufügen.',
    'browser-policies':
      'Browserrichtlinien so festlegen, dass Ihre Benutzer auf Ihren Websites nicht nach Berechtigungen gefragt werden.',
    cards: 'Die Karten, die Websites verwenden können, und was mit jeder Karte möglich ist.',
  },
  chapters: {
    computerSettings: 'Einstellungen eines Computers',
    browserPolicies: 'Browserrichtlinien',
    installers: 'Installationsprogramme',
    keystores: 'Keystores',
    allowlist: 'Zulassungsliste',
    cardPermissions: 'Kartenberechtigungen',
    releaseSettings: 'Freigabeeinstellungen',
    review: 'Änderungen prüfen und rückgängig machen',
    rollout: 'Installation auf vielen Geräten',
    startRollout: 'Einen Rollout starten',
    watchRollout: 'Einen Rollout beobachten',
    haltRollout: 'Einen Rollout stoppen, pausieren oder fortsetzen',
    stopEverything: 'Alles stoppen',
    missingConnector: 'Wenn ein Connector nicht erscheint',
    administrators: 'Administratoren',
    apiClients: 'API-Clients',
    gitHubActions: 'Zugriff für GitHub Actions',
    gitLab: 'Zugriff für GitLab CI/CD',
    otherIssuers: 'Ein anderes CI-System',
    keys: 'Schlüssel',
  },
}
