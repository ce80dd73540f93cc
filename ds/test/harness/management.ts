/** Every operation by which administrators change something: a request for it, and the changes it makes. */
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import {
  addSecondFactor,
  beginSecondFactor,
  createAccount,
  createCode,
  getToken,
  type TestAccount,
} from './account.ts'
import { addAccount, nextName } from './accounts.ts'
import {
  createLabel,
  createOrganization,
  createVersion,
  createVersionBody,
  getData,
  nextInstaller,
  uploadInstaller,
  uploadKeystore,
} from './arrange.ts'
import { createDevice } from './device.ts'
import { storeApproval, withDatabase } from './stored-data.ts'

export interface ManagementRequest {
  readonly method: string
  readonly path: string
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
  /** Who sends it, where that is not the first administrator. */
  readonly sender?: { readonly name: string; readonly token: string }
  /** The changes in the audit entries, oldest first, for the data of the response. */
  changes(data: Json): readonly { kind: string; id: string; fields: readonly string[] }[]
}

type CreateManagementRequest = (
  service: DistributionService,
  token: string,
) => Promise<ManagementRequest>

const groupFields = ['name', 'rules', 'priority']
const rolloutFields = ['version', 'flag', 'stages', 'goodRate', 'badRate']
const versionFields = ['recommended', 'mandatory', 'allowed', 'uris']
const accountFields = ['name', 'password', 'role']
const clientFields = ['role', 'description', 'expiresAt']
const labelFields = ['name', 'orgId']
const keyFields = ['use', 'algorithm', 'signsFrom']

const createConfiguration = async (service: DistributionService, token: string) => {
  const { id: versionId } = await createVersion(service, token)
  const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: ['https://a.example'] } }
  return getData(await service.request('PUT', '/v3/configurations', { token, body }))
}

const createDeviceId = async (service: DistributionService, token: string): Promise<string> =>
  (await createDevice(service, await createVersion(service, token))).id

/** A rollout that can be created. Its version has no installers, so that it changes nothing for other tests. */
const planRollout = async (service: DistributionService, token: string) => {
  const { id: version } = await createVersion(service, token, { uris: [] })
  const id = crypto.randomUUID()
  const body = { version, flag: 'recommended', stages: [{ share: 100, holdS: 86_400 }] }
  return { id, path: `/v3/rollouts/${id}`, body }
}

const createRollout = async (service: DistributionService, token: string) => {
  const { body, ...rollout } = await planRollout(service, token)
  getData(await service.request('PUT', rollout.path, { token, body }))
  return rollout
}

const createApiClient = async (service: DistributionService, token: string) => {
  const id = `client-${crypto.randomUUID()}`
  const body = { id, role: 'viewer' }
  getData(await service.request('POST', '/v3/api-clients', { token, body }))
  return { id, path: `/v3/api-clients/${id}` }
}

/** A group without devices. */
const planGroup = () => {
  const id = crypto.randomUUID()
  const body = { name: `Group ${id}`, rules: [{ hostnames: [`none-${id}`] }] }
  return { id, path: `/v3/groups/${id}`, body }
}

/** A webhook whose host does not exist (RFC 2606 §2). */
const planWebhook = () => {
  const id = crypto.randomUUID()
  const url = 'https://hooks.invalid/'
  const body = { name: 'Webhook', url, events: ['rollout.halted'], enabled: false }
  return { id, path: `/v3/webhooks/${id}`, body }
}

const createWebhook = async (service: DistributionService, token: string) => {
  const { body, ...webhook } = planWebhook()
  getData(await service.request('PUT', webhook.path, { token, body }))
  return webhook
}

/** A change of one field. */
const createPatch =
  (
    kind: string,
    create: (service: DistributionService, token: string) => Promise<Json>,
    body: Json,
    field: string,
  ): CreateManagementRequest =>
  async (service, token) => {
    const { id } = await create(service, token)
    const changes = () => [{ kind, id, fields: [field] }]
    return { method: 'PATCH', path: `/v3/${kind}s/${id}`, body, changes }
  }

/** A request of an account of its own about itself. */
async function createOwnRequest(
  service: DistributionService,
  fields: readonly string[],
  create: (
    account: TestAccount,
    token: string,
  ) => Promise<Pick<ManagementRequest, 'method' | 'path' | 'body'>>,
): Promise<ManagementRequest> {
  const account = await createAccount(service)
  const { name } = account
  const token = await getToken(service, account)
  const request = await create(account, token)
  const changes = () => [{ kind: 'administrator', id: name, fields }]
  return { ...request, sender: { name, token }, changes }
}

/** By the name of the operation; each creates what its request needs. */
export const management: Readonly<Record<string, CreateManagementRequest>> = {
  putVersion: async () => {
    const body = createVersionBody()
    return {
      method: 'PUT',
      path: '/v3/versions',
      body,
      changes: () => [
        { kind: 'version', id: body.id, fields: versionFields },
        { kind: 'version', id: body.id, fields: ['installationApiKey'] },
      ],
    }
  },
  patchVersion: createPatch('version', createVersion, { recommended: true }, 'recommended'),
  deleteVersion: async (service, token) => {
    const { id } = await createVersion(service, token)
    return {
      method: 'DELETE',
      path: `/v3/versions/${id}`,
      changes: () => [
        { kind: 'version', id, fields: versionFields },
        { kind: 'version', id, fields: ['installationApiKey'] },
      ],
    }
  },
  putInstaller: async () => {
    const id = nextInstaller()
    return {
      method: 'PUT',
      path: `/v3/installers/${id}`,
      body: 'bytes of an installer',
      headers: { 'content-type': 'application/octet-stream' },
      changes: () => [{ kind: 'installer', id, fields: ['content'] }],
    }
  },
  deleteInstaller: async (service, token) => {
    const { name: id } = await uploadInstaller(service, token)
    return {
      method: 'DELETE',
      path: `/v3/installers/${id}`,
      changes: () => [{ kind: 'installer', id, fields: ['content'] }],
    }
  },
  putKeystore: async () => {
    const id = nextInstaller()
    return {
      method: 'PUT',
      path: `/v3/keystores/${id}`,
      body: 'bytes of a keystore',
      headers: { 'content-type': 'application/octet-stream' },
      changes: () => [{ kind: 'keystore', id, fields: ['content'] }],
    }
  },
  deleteKeystore: async (service, token) => {
    const { name: id } = await uploadKeystore(service, token)
    return {
      method: 'DELETE',
      path: `/v3/keystores/${id}`,
      changes: () => [{ kind: 'keystore', id, fields: ['content'] }],
    }
  },
  putConfiguration: async (service, token) => {
    const { id, type, versionId } = await createConfiguration(service, token)
    const body = { id, type, versionId, config: { cors: ['https://b.example'] } }
    return {
      method: 'PUT',
      path: '/v3/configurations',
      body,
      changes: () => [{ kind: 'configuration', id, fields: ['config.cors'] }],
    }
  },
  patchConfiguration: createPatch(
    'configuration',
    createConfiguration,
    { config: { cors: [] } },
    'config.cors',
  ),
  deleteConfiguration: async (service, token) => {
    const { id } = await createConfiguration(service, token)
    return {
      method: 'DELETE',
      path: `/v3/configurations/${id}`,
      changes: () => [{ kind: 'configuration', id, fields: ['config'] }],
    }
  },
  restoreConfiguration: async (service, token) => {
    const { id } = await createConfiguration(service, token)
    const body = { config: { cors: [] } }
    await service.request('PATCH', `/v3/configurations/${id}`, { token, body })
    return {
      method: 'POST',
      path: `/v3/configurations/${id}/revisions/1/restore`,
      changes: () => [{ kind: 'configuration', id, fields: ['config.cors'] }],
    }
  },
  restoreVersion: async (service, token) => {
    const { id } = await createVersion(service, token)
    const body = { recommended: true }
    await service.request('PATCH', `/v3/versions/${id}`, { token, body })
    return {
      method: 'POST',
      path: `/v3/versions/${id}/revisions/1/restore`,
      changes: () => [{ kind: 'version', id, fields: ['recommended'] }],
    }
  },
  copyConfigurations: async (service, token) => {
    const { versionId: from } = await createConfiguration(service, token)
    const { id: to } = await createVersion(service, token)
    return {
      method: 'POST',
      path: '/v3/configurations/copy',
      body: { from, to },
      changes: ([copy]) => [{ kind: 'configuration', id: copy.id, fields: ['config.cors'] }],
    }
  },
  putOrganization: async (service, token) => {
    const { id } = await createOrganization(service, token)
    return {
      method: 'PUT',
      path: '/v3/organizations',
      body: { id, name: 'Another Name' },
      changes: () => [{ kind: 'organization', id, fields: ['name'] }],
    }
  },
  patchOrganization: createPatch('organization', createOrganization, { name: 'Another' }, 'name'),
  deleteOrganization: async (service, token) => {
    const { id } = await createOrganization(service, token)
    return {
      method: 'DELETE',
      path: `/v3/organizations/${id}`,
      changes: () => [{ kind: 'organization', id, fields: ['name'] }],
    }
  },
  putLabel: async (service, token) => {
    const { id: orgId } = await createOrganization(service, token)
    const id = `audited${orgId}`
    return {
      method: 'PUT',
      path: '/v3/labels',
      body: { name: `Audited ${orgId}`, orgId },
      changes: () => [
        { kind: 'label', id, fields: labelFields },
        { kind: 'label', id, fields: ['apiKey'] },
      ],
    }
  },
  patchLabel: createPatch('label', createLabel, { name: 'Another' }, 'name'),
  deleteLabel: async (service, token) => {
    const { id } = await createLabel(service, token)
    return {
      method: 'DELETE',
      path: `/v3/labels/${id}`,
      changes: () => [
        { kind: 'label', id, fields: labelFields },
        { kind: 'label', id, fields: ['apiKey'] },
      ],
    }
  },
  rotateLabelKey: async (service, token) => {
    const { id } = await createLabel(service, token)
    return {
      method: 'POST',
      path: `/v3/labels/${id}/key`,
      body: {},
      changes: () => [{ kind: 'label', id, fields: ['apiKey'] }],
    }
  },
  revokeLabelKey: async (service, token) => {
    const { id } = await createLabel(service, token)
    return {
      method: 'DELETE',
      path: `/v3/labels/${id}/key`,
      changes: () => [{ kind: 'label', id, fields: ['apiKey'] }],
    }
  },
  rotateSigningKey: async () => ({
    method: 'POST',
    path: '/v3/signing-keys',
    body: { use: 'application' },
    changes: ({ id }) => [{ kind: 'signing-key', id, fields: keyFields }],
  }),
  deleteSigningKey: async (service, token) => {
    const body = { use: 'application' }
    const { id } = getData(await service.request('POST', '/v3/signing-keys', { token, body }))
    return {
      method: 'DELETE',
      path: `/v3/signing-keys/${id}`,
      changes: () => [{ kind: 'signing-key', id, fields: keyFields }],
    }
  },
  blockDevice: async (service, token) => {
    const id = await createDeviceId(service, token)
    return {
      method: 'POST',
      path: `/v3/devices/${id}/block`,
      changes: () => [{ kind: 'device', id, fields: ['blocked'] }],
    }
  },
  unblockDevice: async (service, token) => {
    const id = await createDeviceId(service, token)
    await service.request('POST', `/v3/devices/${id}/block`, { token })
    return {
      method: 'POST',
      path: `/v3/devices/${id}/unblock`,
      changes: () => [{ kind: 'device', id, fields: ['blocked'] }],
    }
  },
  putRollout: async (service, token) => {
    const { path, body } = await planRollout(service, token)
    return {
      method: 'PUT',
      path,
      body,
      changes: ({ id }) => [{ kind: 'rollout', id, fields: rolloutFields }],
    }
  },
  changeRollout: async (service, token) => {
    const { path, id } = await createRollout(service, token)
    return {
      method: 'PUT',
      path: `${path}/state`,
      body: { state: 'running' },
      changes: () => [{ kind: 'rollout', id, fields: ['state'] }],
    }
  },
  removeApproval: async (service) => {
    const id = await withDatabase(service, ({ run }) => storeApproval(run))
    return {
      method: 'DELETE',
      path: `/v3/approvals?id=${id}`,
      changes: () => [{ kind: 'approval', id, fields: [] }],
    }
  },
  haltRollouts: async (service, token) => {
    // Those of other tests would have entries, too.
    await service.request('POST', '/v3/rollouts/halt', { token, body: {} })
    const { path, id } = await createRollout(service, token)
    await service.request('PUT', `${path}/state`, { token, body: { state: 'running' } })
    const { id: version } = await createVersion(service, token, { uris: [] })
    return {
      method: 'POST',
      path: '/v3/rollouts/halt',
      body: { version },
      changes: () => [
        { kind: 'rollout', id, fields: ['state'] },
        { kind: 'version', id: version, fields: ['allowed'] },
      ],
    }
  },
  deleteRollout: async (service, token) => {
    const { path, id } = await createRollout(service, token)
    return {
      method: 'DELETE',
      path,
      changes: () => [{ kind: 'rollout', id, fields: rolloutFields }],
    }
  },
  putGroup: async () => {
    const { path, body } = planGroup()
    return {
      method: 'PUT',
      path,
      body,
      changes: ({ id }) => [{ kind: 'group', id, fields: groupFields }],
    }
  },
  putWebhook: async () => {
    const { path, body } = planWebhook()
    const fields = ['name', 'url', 'events', 'enabled', 'secret']
    return { method: 'PUT', path, body, changes: ({ id }) => [{ kind: 'webhook', id, fields }] }
  },
  deleteWebhook: async (service, token) => {
    const { id, path } = await createWebhook(service, token)
    const fields = ['name', 'url', 'events', 'enabled']
    return { method: 'DELETE', path, changes: () => [{ kind: 'webhook', id, fields }] }
  },
  rotateWebhookSecret: async (service, token) => {
    const { id, path } = await createWebhook(service, token)
    const changes = () => [{ kind: 'webhook', id, fields: ['secret'] }]
    return { method: 'POST', path: `${path}/secret`, body: {}, changes }
  },
  testWebhook: async (service, token) => {
    const { id, path } = await createWebhook(service, token)
    const changes = () => [{ kind: 'webhook', id, fields: ['test'] }]
    return { method: 'POST', path: `${path}/test`, changes }
  },
  redeliverWebhookEvent: async (service, token) => {
    const { id, path } = await createWebhook(service, token)
    const sent = getData(await service.request('POST', `${path}/test`, { token }))
    const changes = () => [{ kind: 'webhook', id, fields: ['event'] }]
    return { method: 'POST', path: `${path}/deliveries/${sent.id}/redeliver`, changes }
  },
  deleteGroup: async (service, token) => {
    const { id, path, body } = planGroup()
    getData(await service.request('PUT', path, { token, body }))
    return {
      method: 'DELETE',
      path,
      changes: () => [{ kind: 'group', id, fields: groupFields }],
    }
  },
  putDeviceTags: async (service, token) => {
    const id = await createDeviceId(service, token)
    return {
      method: 'PUT',
      path: `/v3/devices/${id}/tags`,
      body: { tags: ['berlin'] },
      changes: () => [{ kind: 'device', id, fields: ['tags'] }],
    }
  },
  approveDevice: async (service, token) => {
    const id = await createDeviceId(service, token)
    return {
      method: 'POST',
      path: `/v3/devices/${id}/approve`,
      // Without DS_DEVICE_APPROVAL it is approved already.
      changes: () => [{ kind: 'device', id, fields: [] }],
    }
  },
  requestSync: async (service, token) => {
    const id = await createDeviceId(service, token)
    return {
      method: 'POST',
      path: `/v3/devices/${id}/sync-now`,
      changes: () => [{ kind: 'device', id, fields: [] }],
    }
  },
  putTagImport: async (service, token) => {
    const version = await createVersion(service, token)
    const device = await createDevice(service, version)
    const id = crypto.randomUUID()
    return {
      method: 'PUT',
      path: `/v3/tag-imports/${id}`,
      body: `id,tags\n${device.id},berlin\n`,
      headers: { 'content-type': 'text/csv' },
      changes: () => [{ kind: 'devices', id, fields: ['tags'] }],
    }
  },
  changeDevices: async (service, token) => {
    const version = await createVersion(service, token)
    const { id } = await createDevice(service, version)
    const changeId = crypto.randomUUID()
    return {
      method: 'PUT',
      path: `/v3/device-changes/${changeId}?version=${version.id}&maxReach=1`,
      body: { change: 'block' },
      changes: () => [
        { kind: 'devices', id: changeId, fields: ['block', '1', `version=${version.id}`] },
        { kind: 'device', id, fields: ['block', changeId] },
      ],
    }
  },
  deleteDevice: async (service, token) => {
    const id = await createDeviceId(service, token)
    return {
      method: 'DELETE',
      path: `/v3/devices/${id}`,
      changes: () => [{ kind: 'device', id, fields: [] }],
    }
  },
  changePassword: (service) =>
    createOwnRequest(service, ['password'], async ({ password }) => ({
      method: 'PUT',
      path: '/v3/account/password',
      body: { password, newPassword: password },
    })),
  beginSecondFactor: (service) =>
    createOwnRequest(service, ['secondFactor'], async ({ password }) => ({
      method: 'PUT',
      path: '/v3/account/second-factor',
      body: { password },
    })),
  confirmSecondFactor: (service) =>
    createOwnRequest(service, ['secondFactor'], async (account, token) => {
      const code = createCode(await beginSecondFactor(service, account, token))
      return { method: 'POST', path: '/v3/account/second-factor/confirm', body: { code } }
    }),
  createRecoveryCodes: (service) =>
    createOwnRequest(service, ['recoveryCodes'], async (account, token) => {
      const code = createCode(await addSecondFactor(service, account, token), 1)
      const body = { password: account.password, code }
      return { method: 'POST', path: '/v3/account/recovery-codes', body }
    }),
  removeSecondFactor: (service) =>
    createOwnRequest(service, ['secondFactor'], async (account, token) => {
      await beginSecondFactor(service, account, token)
      const body = { password: account.password }
      return { method: 'POST', path: '/v3/account/second-factor/remove', body }
    }),
  endOtherSessions: (service) =>
    createOwnRequest(service, ['session'], async (account) => {
      await getToken(service, account)
      return { method: 'DELETE', path: '/v3/account/sessions' }
    }),
  endOwnSession: (service) =>
    createOwnRequest(service, ['session'], async (account, token) => {
      await getToken(service, account)
      const response = await service.request('GET', '/v3/account/sessions', { token })
      const { id } = getData(response).find((session: Json) => !session.current)
      return { method: 'DELETE', path: `/v3/account/sessions/${id}` }
    }),
  addApiClient: async () => {
    const id = `client-${crypto.randomUUID()}`
    return {
      method: 'POST',
      path: '/v3/api-clients',
      body: { id, role: 'viewer' },
      changes: () => [{ kind: 'api-client', id, fields: clientFields }],
    }
  },
  changeApiClient: async (service, token) => {
    const { id, path } = await createApiClient(service, token)
    return {
      method: 'PUT',
      path,
      body: { role: 'publisher' },
      changes: () => [{ kind: 'api-client', id, fields: ['role'] }],
    }
  },
  removeApiClient: async (service, token) => {
    const { id, path } = await createApiClient(service, token)
    return {
      method: 'DELETE',
      path,
      changes: () => [{ kind: 'api-client', id, fields: clientFields }],
    }
  },
  addClientCredential: async (service, token) => {
    const { id, path } = await createApiClient(service, token)
    return {
      method: 'POST',
      path: `${path}/credentials`,
      body: { kind: 'secret' },
      changes: () => [{ kind: 'api-client', id, fields: ['secret', 'added'] }],
    }
  },
  removeClientCredential: async (service, token) => {
    const { id, path } = await createApiClient(service, token)
    const body = { kind: 'secret' }
    const added = await service.request('POST', `${path}/credentials`, { token, body })
    return {
      method: 'DELETE',
      path: `${path}/credentials/${getData(added).id}`,
      changes: () => [{ kind: 'api-client', id, fields: ['secret', 'removed'] }],
    }
  },
  addAdministrator: async () => {
    const name = nextName()
    return {
      method: 'POST',
      path: '/v3/administrators',
      body: { name, role: 'viewer' },
      changes: () => [{ kind: 'administrator', id: name, fields: accountFields }],
    }
  },
  changeRole: async (service) => {
    const { name } = await addAccount(service, 'viewer')
    return {
      method: 'PUT',
      path: `/v3/administrators/${name}/role`,
      body: { role: 'publisher' },
      changes: () => [{ kind: 'administrator', id: name, fields: ['role'] }],
    }
  },
  setPassword: async (service) => {
    const { name } = await addAccount(service, 'viewer')
    return {
      method: 'PUT',
      path: `/v3/administrators/${name}/password`,
      body: {},
      changes: () => [{ kind: 'administrator', id: name, fields: ['password'] }],
    }
  },
  resetSecondFactor: async (service) => {
    const { name } = await addAccount(service, 'viewer')
    await withDatabase(service, ({ run }) =>
      run(
        `update administrators set totp_secret = 'wrapped', totp_step = 1 where name = '${name}'`,
      ),
    )
    return {
      method: 'DELETE',
      path: `/v3/administrators/${name}/second-factor`,
      changes: () => [{ kind: 'administrator', id: name, fields: ['secondFactor'] }],
    }
  },
  removeAdministrator: async (service) => {
    const { name } = await addAccount(service, 'viewer')
    return {
      method: 'DELETE',
      path: `/v3/administrators/${name}`,
      changes: () => [{ kind: 'administrator', id: name, fields: accountFields }],
    }
  },
  endAdministratorSessions: async (service) => {
    const { name, token: open } = await addAccount(service, 'viewer')
    if (open === undefined) throw new Error('Cannot end a session: there is none')
    return {
      method: 'DELETE',
      path: `/v3/administrators/${name}/sessions`,
      changes: () => [{ kind: 'administrator', id: name, fields: ['session'] }],
    }
  },
}
