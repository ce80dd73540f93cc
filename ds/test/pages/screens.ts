/** Every screen of the admin console: its name, its address, and what has to be seen there. A new one is one line. */
import { markup, rightToLeft, type SeededService } from './seeded-service.ts'

type Seed = Omit<SeededService, 'service' | 'secrets'>

export interface Screen {
  /** Also of its picture. */
  readonly name: string
  /** As the app has it, below `/admin/`. */
  readonly route: string
  /** What the parameter of the route names. */
  readonly of?: keyof Seed
  readonly query?: string
  /** Texts that it shows as they are stored. */
  readonly shows?: readonly string[]
  /** Whether it is seen without being logged in. */
  readonly isPublic?: true
  /** Whether docs/screenshots has it. */
  readonly isMain?: true
  /** The selector of what its picture begins with; the top of the page when absent. */
  readonly from?: string
}

const isMain = true
const marked = [markup]

export const screens: readonly Screen[] = [
  { name: 'login', route: 'login', isPublic: true, isMain },
  { name: 'overview', route: '', shows: marked, isMain },
  { name: 'first-use', route: 'first-use' },

  { name: 'devices', route: 'devices', isMain },
  { name: 'devices-searched', route: 'devices', query: '?q=%3Cimg', shows: marked },
  { name: 'device', route: 'devices/:id', of: 'device', isMain },
  { name: 'device-with-fault', route: 'devices/:id', of: 'faultyDevice', shows: marked, isMain },
  { name: 'device-blocked', route: 'devices/:id', of: 'blockedDevice' },
  { name: 'device-approve', route: 'devices/:id/approve', of: 'device' },
  { name: 'device-block', route: 'devices/:id/block', of: 'device', isMain },
  { name: 'device-unblock', route: 'devices/:id/unblock', of: 'blockedDevice' },
  { name: 'device-sync', route: 'devices/:id/sync', of: 'device' },
  { name: 'device-tags', route: 'devices/:id/tags', of: 'device' },
  { name: 'device-remove', route: 'devices/:id/remove', of: 'device' },
  { name: 'devices-change', route: 'devices/change', query: '?change=block&q=%3Cimg' },
  { name: 'devices-change-tags', route: 'devices/change', query: '?change=addTags&q=%3Cimg' },
  {
    name: 'devices-add-tags',
    route: 'devices/change',
    query: '?change=addTags&tags=berlin&q=%3Cimg',
  },
  { name: 'devices-imports', route: 'devices/imports' },
  { name: 'devices-import', route: 'devices/imports/:id', of: 'tagImport' },
  { name: 'devices-changes', route: 'devices/changes', shows: marked },
  { name: 'devices-change-left', route: 'devices/changes/:id', of: 'change', shows: marked },
  { name: 'refusals', route: 'refusals', shows: marked, isMain },

  { name: 'versions', route: 'versions', isMain },
  { name: 'version-new', route: 'versions/new' },
  { name: 'version', route: 'versions/:id', of: 'version', isMain },
  { name: 'version-flags', route: 'versions/:id/flags', of: 'version', isMain },
  { name: 'version-installers', route: 'versions/:id/installers', of: 'version', isMain },
  { name: 'version-key', route: 'versions/:id/key', of: 'version' },
  { name: 'version-history', route: 'versions/:id/history', of: 'version' },
  { name: 'version-revision', route: 'versions/:id/history/:revision', of: 'version' },
  { name: 'version-restore', route: 'versions/:id/history/:revision/restore', of: 'version' },
  { name: 'version-remove', route: 'versions/:id/remove', of: 'oldVersion' },
  { name: 'rollouts', route: 'rollouts', isMain },
  { name: 'rollout-new', route: 'rollouts/new', isMain },
  { name: 'rollout', route: 'rollouts/:id', of: 'rollout', isMain },
  { name: 'rollout-draft', route: 'rollouts/:id', of: 'draftRollout' },
  { name: 'rollout-halted', route: 'rollouts/:id', of: 'haltedRollout', isMain },
  {
    name: 'rollout-progress',
    route: 'rollouts/:id',
    of: 'haltedRollout',
    isMain,
    from: '#progress',
  },
  { name: 'rollout-edit', route: 'rollouts/:id/edit', of: 'draftRollout', isMain },
  { name: 'rollout-start', route: 'rollouts/:id/start', of: 'draftRollout', isMain },
  { name: 'rollout-pause', route: 'rollouts/:id/pause', of: 'rollout' },
  { name: 'rollout-halt', route: 'rollouts/:id/halt', of: 'rollout' },
  { name: 'rollout-resume', route: 'rollouts/:id/resume', of: 'haltedRollout' },
  { name: 'rollout-finish', route: 'rollouts/:id/finish', of: 'rollout' },
  { name: 'rollout-remove', route: 'rollouts/:id/remove', of: 'draftRollout' },
  { name: 'stop', route: 'stop' },
  { name: 'stop-review', route: 'stop/review', query: '?version=4.2.0', isMain },
  { name: 'groups', route: 'groups', isMain },
  { name: 'group-new', route: 'groups/new' },
  { name: 'group', route: 'groups/:id', of: 'group', isMain },
  { name: 'group-edit', route: 'groups/:id/edit', of: 'group' },
  { name: 'group-remove', route: 'groups/:id/remove', of: 'unusedGroup' },
  { name: 'installers', route: 'installers', isMain },
  { name: 'installer', route: 'installers/:name', of: 'installer' },
  { name: 'installer-remove', route: 'installers/:name/remove', of: 'installer' },
  { name: 'keystores', route: 'keystore', isMain },
  { name: 'configurations', route: 'configurations', isMain },
  { name: 'configuration-choose', route: 'configurations/choose' },
  { name: 'configuration-new', route: 'configurations/new', query: '?versionId=4.0.0' },
  { name: 'allowlist', route: 'configurations/:id', of: 'allowlist', isMain },
  { name: 'group-allowlist', route: 'configurations/:id', of: 'groupAllowlist', isMain },
  { name: 'digests', route: 'configurations/:id', of: 'digests', isMain },
  { name: 'keystore', route: 'configurations/:id', of: 'keystore', isMain },
  { name: 'configurations-copy', route: 'configurations/copy', query: '?from=4.2.0' },
  { name: 'difference', route: 'configurations/difference', query: '?from=4.0.0&to=4.2.0' },
  { name: 'configuration-history', route: 'configurations/:id/history', of: 'allowlist', isMain },
  {
    name: 'configuration-revision',
    route: 'configurations/:id/history/:revision',
    of: 'allowlist',
  },
  {
    name: 'configuration-restore',
    route: 'configurations/:id/history/:revision/restore',
    of: 'allowlist',
    isMain,
  },
  { name: 'configuration-remove', route: 'configurations/:id/remove', of: 'allowlist' },

  { name: 'organizations', route: 'organizations', shows: [markup, rightToLeft], isMain },
  { name: 'organization', route: 'organizations/:id', of: 'organization', isMain },
  { name: 'organization-marked', route: 'organizations/:id', of: 'markedName', shows: marked },
  { name: 'organization-remove', route: 'organizations/:id/remove', of: 'organization' },
  { name: 'labels', route: 'labels', shows: [markup, rightToLeft], isMain },
  { name: 'label-new', route: 'labels/new' },
  { name: 'label', route: 'labels/:id', of: 'label', isMain },
  { name: 'label-marked', route: 'labels/:id', of: 'markedName', shows: marked },
  { name: 'label-rotate', route: 'labels/:id/rotate', of: 'label' },
  { name: 'label-revoke', route: 'labels/:id/revoke', of: 'label' },
  { name: 'label-remove', route: 'labels/:id/remove', of: 'label' },
  { name: 'use', route: 'use', isMain },
  { name: 'organization-use', route: 'organization-use', isMain },
  { name: 'downloads', route: 'downloads', isMain },

  { name: 'documents', route: 'documents' },
  { name: 'document', route: 'documents/:name', of: 'document' },

  { name: 'approvals', route: 'approvals' },
  { name: 'audit', route: 'audit', isMain },
  { name: 'signing-keys', route: 'signing-keys', isMain },
  { name: 'rotate-application-key', route: 'signing-keys/rotate/application' },
  { name: 'rotate-administrator-key', route: 'signing-keys/rotate/administrator' },
  { name: 'rotate-reply-key', route: 'signing-keys/rotate/reply' },
  { name: 'signing-key-withdraw', route: 'signing-keys/:id/withdraw', of: 'signingKey' },
  { name: 'administrators', route: 'administrators', shows: marked, isMain },
  { name: 'administrator', route: 'administrators/:name', of: 'viewer', isMain },
  { name: 'administrator-marked', route: 'administrators/:name', of: 'marked', shows: marked },
  { name: 'administrator-password', route: 'administrators/:name/password', of: 'viewer' },
  { name: 'administrator-factor', route: 'administrators/:name/second-factor', of: 'viewer' },
  { name: 'administrator-remove', route: 'administrators/:name/remove', of: 'viewer' },
  { name: 'api-clients', route: 'api-clients' },
  { name: 'api-client', route: 'api-clients/:id', of: 'apiClient' },
  { name: 'api-client-secret', route: 'api-clients/:id/secret', of: 'apiClient' },
  { name: 'api-client-key', route: 'api-clients/:id/key', of: 'apiClient' },
  { name: 'api-client-github', route: 'api-clients/:id/trust/github', of: 'apiClient' },
  { name: 'api-client-gitlab', route: 'api-clients/:id/trust/gitlab', of: 'apiClient' },
  { name: 'api-client-other', route: 'api-clients/:id/trust/other', of: 'apiClient' },
  {
    name: 'api-client-revoke',
    route: 'api-clients/:id/credentials/:credential/revoke',
    of: 'apiClient',
  },
  { name: 'api-client-remove', route: 'api-clients/:id/remove', of: 'apiClient' },
  { name: 'webhooks', route: 'webhooks' },
  { name: 'webhook-new', route: 'webhooks/new' },
  { name: 'webhook', route: 'webhooks/:id', of: 'webhook' },
  { name: 'webhook-secret', route: 'webhooks/:id/secret', of: 'webhook' },
  { name: 'webhook-remove', route: 'webhooks/:id/remove', of: 'webhook' },
  { name: 'account', route: 'account', isMain },
]

/** The routes that answer with no page: files, redirects, the ends of a login elsewhere, data for scripts. */
export const otherRoutes: readonly RegExp[] = [
  /^assets\//,
  /\.csv$/,
  /^first-use\/state$/,
  /^devices\/:id\/logs$/,
  /^documents\/templates\//,
  /^login\/(begin|callback)$/,
  // It leads elsewhere when there is nothing to do first.
  /^first-step$/,
  /^(docs|session)$/,
]

/** The address of a screen below `/admin/`. */
export const findAddress = ({ route, of, query = '' }: Screen, seed: Seed): string =>
  (of === undefined
    ? route
    : route
        .replace(':revision', '1')
        .replace(':credential', seed.credential)
        .replace(/:\w+/, encodeURIComponent(seed[of]))) + query
