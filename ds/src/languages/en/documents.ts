/** The texts of the documents for administrators, and of the links to their chapters. */

export const documents = {
  title: 'Documentation',
  about: 'These documents come with the service and describe this version.',
  tableOfContents: 'Table of contents',
  label: 'Documentation:',
  contents: {
    install:
      'Install the connector on one computer or on many, set it up, update it, and remove it.',
    deploy:
      'Install and run this service, from the first installer and the allowlist to backups and metrics.',
    rollout:
      'Roll out a version to a few devices first, watch the results, and halt the rollout if the version fails.',
    'fleet-files':
      'Describe groups, versions and rollouts in files, and apply them with one command.',
    'api-clients':
      'Give programs access to the API: CI pipelines, scripts and monitoring, without a user’s password.',
    settings: 'Every setting of this service, with its default.',
    'connector-settings': 'Every setting of the connector, and where you set it on each system.',
    'card-settings':
      'Give individual sites more card permissions, and add PKCS #11 libraries and folders.',
    'browser-policies':
      'Set browser policies so that your users don’t see permission prompts on your sites.',
    cards: 'The cards that sites can use, and what they can do with each.',
  },
  chapters: {
    computerSettings: 'Computer settings',
    browserPolicies: 'Browser policies',
    installers: 'Installers',
    keystores: 'Keystores',
    allowlist: 'Allowlist',
    cardPermissions: 'Card permissions',
    releaseSettings: 'Release settings',
    review: 'Review and undo changes',
    rollout: 'Install on many devices',
    startRollout: 'Start a rollout',
    watchRollout: 'Watch a rollout',
    haltRollout: 'Halt, pause or resume a rollout',
    stopEverything: 'Stop everything',
    missingConnector: 'If a connector doesn’t appear',
    administrators: 'Administrators',
    apiClients: 'API clients',
    gitHubActions: 'Access for GitHub Actions',
    gitLab: 'Access for GitLab CI/CD',
    otherIssuers: 'Another CI system',
    keys: 'Keys',
  },
}
