/** The chapters of documents that other pages link to. A test checks that each exists. */
import type { Texts } from '../../languages/en/catalog.ts'
import type { DocumentName } from '../../rules/documents.ts'

export type ChapterName = keyof Texts['documents']['chapters']

export const chapters: Readonly<
  Record<ChapterName, { readonly document: DocumentName; readonly anchor: string }>
> = {
  computerSettings: { document: 'install', anchor: 'computer-settings' },
  browserPolicies: { document: 'browser-policies', anchor: 'set-a-policy' },
  installers: { document: 'deploy', anchor: 'installers' },
  keystores: { document: 'deploy', anchor: 'keystores' },
  allowlist: { document: 'deploy', anchor: 'allowlist' },
  cardPermissions: { document: 'card-settings', anchor: 'grants' },
  releaseSettings: { document: 'deploy', anchor: 'release-settings' },
  review: { document: 'deploy', anchor: 'review-and-undo-changes' },
  rollout: { document: 'deploy', anchor: 'install-on-many-devices' },
  startRollout: { document: 'rollout', anchor: 'start' },
  watchRollout: { document: 'rollout', anchor: 'watch' },
  haltRollout: { document: 'rollout', anchor: 'halt-pause-continue' },
  stopEverything: { document: 'rollout', anchor: 'stop-everything' },
  missingConnector: { document: 'deploy', anchor: 'a-connector-that-does-not-appear' },
  administrators: { document: 'deploy', anchor: 'administrators' },
  keys: { document: 'deploy', anchor: 'keys' },
}
