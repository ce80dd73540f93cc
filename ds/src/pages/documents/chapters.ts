/** The chapters of documents that other pages link to. A test checks that each exists. */
import type { Texts } from '../../languages/en/catalog.ts'
import type { DocumentName } from '../../rules/documents.ts'

export type ChapterName = keyof Texts['documents']['chapters']

export const chapters: Readonly<
  Record<ChapterName, { readonly document: DocumentName; readonly anchor: string }>
> = {
  computerSettings: { document: 'install', anchor: 'computer-settings' },
  browserPolicies: { document: 'browser-policies', anchor: 'set-a-policy' },
  installers: { document: 'deploy', anchor: 'upload-installers' },
  keystores: { document: 'deploy', anchor: 'upload-keystores' },
  allowlist: { document: 'deploy', anchor: 'allow-sites' },
  cardPermissions: { document: 'card-settings', anchor: 'grants' },
  releaseSettings: { document: 'deploy', anchor: 'change-release-settings' },
  review: { document: 'deploy', anchor: 'review-and-undo-changes' },
  rollout: { document: 'deploy', anchor: 'install-on-many-devices' },
  startRollout: { document: 'rollout', anchor: 'start-a-rollout' },
  watchRollout: { document: 'rollout', anchor: 'watch-a-rollout' },
  haltRollout: { document: 'rollout', anchor: 'halt-pause-or-resume-a-rollout' },
  stopEverything: { document: 'rollout', anchor: 'stop-everything' },
  missingConnector: { document: 'deploy', anchor: 'if-a-connector-doesnt-appear' },
  administrators: { document: 'deploy', anchor: 'manage-administrators' },
  apiClients: { document: 'api-clients', anchor: 'create-a-client' },
  gitHubActions: { document: 'api-clients', anchor: 'github-actions' },
  gitLab: { document: 'api-clients', anchor: 'gitlab-cicd' },
  otherIssuers: { document: 'api-clients', anchor: 'another-ci-system' },
  keys: { document: 'deploy', anchor: 'rotate-and-revoke-keys' },
}
