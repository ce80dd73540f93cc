/** Every operation by which administrators change something: a request that does, and what it changes. */
import { aLabel, anOrganization, aVersion, dataOf, versionBody } from './arrange.ts'
import { aDevice } from './device.ts'
import type { Json, Service } from './service.ts'

export interface Act {
  readonly method: string
  readonly path: string
  readonly body?: Json
  /** What the entries say it changes, oldest first, of an answer's data. */
  changes(data: Json): readonly { kind: string; id: string; fields: readonly string[] }[]
}

type Arrange = (service: Service, token: string) => Promise<Act>

const versionFields = ['recommended', 'mandatory', 'allowed', 'uris']
const labelFields = ['name', 'orgId']
const keyFields = ['use', 'algorithm', 'signsFrom']

const aConfiguration = async (service: Service, token: string) => {
  const { id: versionId } = await aVersion(service, token)
  const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: ['https://a.example'] } }
  return dataOf(await service.ask('PUT', '/v3/configurations', { token, body }))
}

const aDeviceId = async (service: Service, token: string): Promise<string> =>
  (await aDevice(service, await aVersion(service, token))).id

/** By the name of the operation, each with what it needs made anew. */
export const management: Readonly<Record<string, Arrange>> = {
  putVersion: async () => {
    const body = versionBody()
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
  deleteVersion: async (service, token) => {
    const { id } = await aVersion(service, token)
    return {
      method: 'DELETE',
      path: `/v3/versions/${id}`,
      changes: () => [
        { kind: 'version', id, fields: versionFields },
        { kind: 'version', id, fields: ['installationApiKey'] },
      ],
    }
  },
  putConfiguration: async (service, token) => {
    const { id, type, versionId } = await aConfiguration(service, token)
    const body = { id, type, versionId, config: { cors: ['https://b.example'] } }
    return {
      method: 'PUT',
      path: '/v3/configurations',
      body,
      changes: () => [{ kind: 'configuration', id, fields: ['config.cors'] }],
    }
  },
  deleteConfiguration: async (service, token) => {
    const { id } = await aConfiguration(service, token)
    return {
      method: 'DELETE',
      path: `/v3/configurations/${id}`,
      changes: () => [{ kind: 'configuration', id, fields: ['config'] }],
    }
  },
  copyConfigurations: async (service, token) => {
    const { versionId: from } = await aConfiguration(service, token)
    const { id: to } = await aVersion(service, token)
    return {
      method: 'POST',
      path: '/v3/configurations/copy',
      body: { from, to },
      changes: ([copy]) => [{ kind: 'configuration', id: copy.id, fields: ['config.cors'] }],
    }
  },
  putOrganization: async (service, token) => {
    const { id } = await anOrganization(service, token)
    return {
      method: 'PUT',
      path: '/v3/organizations',
      body: { id, name: 'Another Name' },
      changes: () => [{ kind: 'organization', id, fields: ['name'] }],
    }
  },
  deleteOrganization: async (service, token) => {
    const { id } = await anOrganization(service, token)
    return {
      method: 'DELETE',
      path: `/v3/organizations/${id}`,
      changes: () => [{ kind: 'organization', id, fields: ['name'] }],
    }
  },
  putLabel: async (service, token) => {
    const { id: orgId } = await anOrganization(service, token)
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
  deleteLabel: async (service, token) => {
    const { id } = await aLabel(service, token)
    return {
      method: 'DELETE',
      path: `/v3/labels/${id}`,
      changes: () => [
        { kind: 'label', id, fields: ['apiKey'] },
        { kind: 'label', id, fields: labelFields },
      ],
    }
  },
  rotateLabelKey: async (service, token) => {
    const { id } = await aLabel(service, token)
    return {
      method: 'POST',
      path: `/v3/labels/${id}/key`,
      body: {},
      changes: () => [{ kind: 'label', id, fields: ['apiKey'] }],
    }
  },
  revokeLabelKey: async (service, token) => {
    const { id } = await aLabel(service, token)
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
    const { id } = dataOf(await service.ask('POST', '/v3/signing-keys', { token, body }))
    return {
      method: 'DELETE',
      path: `/v3/signing-keys/${id}`,
      changes: () => [{ kind: 'signing-key', id, fields: keyFields }],
    }
  },
  blockDevice: async (service, token) => {
    const id = await aDeviceId(service, token)
    return {
      method: 'POST',
      path: `/v3/devices/${id}/block`,
      changes: () => [{ kind: 'device', id, fields: ['blocked'] }],
    }
  },
  unblockDevice: async (service, token) => {
    const id = await aDeviceId(service, token)
    await service.ask('POST', `/v3/devices/${id}/block`, { token })
    return {
      method: 'POST',
      path: `/v3/devices/${id}/unblock`,
      changes: () => [{ kind: 'device', id, fields: ['blocked'] }],
    }
  },
  deleteDevice: async (service, token) => {
    const id = await aDeviceId(service, token)
    return {
      method: 'DELETE',
      path: `/v3/devices/${id}`,
      changes: () => [{ kind: 'device', id, fields: [] }],
    }
  },
}
