/** Two administrators at the same moment: one succeeds, the other gets a problem; never two rows, never a failure. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createOrganization, createVersionBody, getData } from '../harness/arrange.ts'

export function raceSuite(service: () => DistributionService): void {
  const together = <T>(times: number, act: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, at) => act(at)))

  test('one version put ten times at once is one version', async () => {
    proves('version-id-unique')
    const token = await service().login()
    const body = createVersionBody()
    const answers = await together(10, () =>
      service().request('PUT', '/v3/versions', { token, body }),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    for (const status of statuses) expect([200, 201, 409]).toContain(status)
    const list = getData(await service().request('GET', '/v3/versions?size=100', { token }))
    expect(list.items.filter((item: Json) => item.id === body.id)).toHaveLength(1)
  })

  test('one label created ten times at once is one label, and the key in the response works', async () => {
    const token = await service().login()
    const { id: orgId } = await createOrganization(service(), token)
    const name = `Race ${orgId}`
    const answers = await together(10, () =>
      service().request('PUT', '/v3/labels', { token, body: { name, orgId } }),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    const { status } = await service().request('GET', '/v3/tokens/application', {
      headers: { apikey: won[0]?.json.data.apiKey },
    })
    expect(status).toBe(200)
  })

  test('one key rotated ten times at once leaves one key that works', async () => {
    const token = await service().login()
    const { id } = await createLabel(service(), token)
    const answers = await together(10, () =>
      service().request('POST', `/v3/labels/${id}/key`, { token, body: {} }),
    )
    for (const { status } of answers) expect(status).toBe(200)
    const exchanged = await Promise.all(
      answers.map(({ json }) =>
        service().request('GET', '/v3/tokens/application', {
          headers: { apikey: json.data.apiKey },
        }),
      ),
    )
    expect(exchanged.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('one configuration created ten times at once is one configuration', async () => {
    const token = await service().login()
    const { id: versionId } = getData(
      await service().request('PUT', '/v3/versions', { token, body: createVersionBody() }),
    )
    const body = { type: 'FILE_DIGESTS', versionId, config: { files: [] } }
    const answers = await together(10, () =>
      service().request('PUT', '/v3/configurations', { token, body }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('configurations put at the same moment have no more bytes together than a version can have', async () => {
    proves('groups-large', 'limits-together')
    const token = await service().login()
    const send = (method: string, path: string, body?: Json) =>
      service().request(method, path, { token, ...(body && { body }) })
    const { id: versionId } = getData(await send('PUT', '/v3/versions', createVersionBody()))
    const groups = await together(8, async () => {
      const id = crypto.randomUUID()
      const rules = [{ tags: [`t${id.slice(0, 8)}`] }]
      return getData(await send('PUT', `/v3/groups/${id}`, { name: id, rules })).id as string
    })
    // 0.9 MB each.
    const digest = `sha256:${'a'.repeat(64)}`
    const files = Array.from({ length: 2000 }, (_, at) => ({
      ...{ path: `${at}-${'p'.repeat(350)}`, digest },
    }))
    const body = { type: 'FILE_DIGESTS', versionId, config: { files } }
    const answers = await together(8, (at) =>
      send('PUT', '/v3/configurations', { ...body, groupId: groups[at] }),
    )
    const stored = answers.filter(({ status }) => status === 201)
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.length).toBeLessThanOrEqual(4)
    for (const { status, json } of answers)
      expect([201, 'configurations-large']).toContain(status === 201 ? 201 : json.code)
    for (const { json } of stored)
      getData(await send('DELETE', `/v3/configurations/${json.data.id}`))
    for (const id of groups) getData(await send('DELETE', `/v3/groups/${id}`))
  })

  test('a label created while its organization is removed leaves either both or neither', async () => {
    const token = await service().login()
    for (let round = 0; round < 5; round += 1) {
      const { id: orgId } = await createOrganization(service(), token)
      const [label, removal] = await Promise.all([
        service().request('PUT', '/v3/labels', { token, body: { name: `Torn ${orgId}`, orgId } }),
        service().request('DELETE', `/v3/organizations/${orgId}`, { token }),
      ])
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([label.status, removal.status])
    }
  })

  test('keys rotated at once give one new key, the other requests are refused', async () => {
    const token = await service().login()
    const answers = await together(4, () =>
      service().request('POST', '/v3/signing-keys', { token, body: { use: 'administrator' } }),
    )
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
  })
}
