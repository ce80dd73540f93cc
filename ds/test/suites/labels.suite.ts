/** Organizations and labels: ids derived once, keys shown once. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createOrganization, getData } from '../harness/arrange.ts'

export function labelSuite(service: () => DistributionService): void {
  const put = async (kind: 'organizations' | 'labels', body: Json) =>
    service().request('PUT', `/v3/${kind}`, { token: await service().login(), body })
  const exchange = (apikey: string) =>
    service().request('GET', '/v3/tokens/application', { headers: { apikey } })

  test('PUT /v3/organizations derives the id from the name, and a rename keeps it', async () => {
    proves('organization-id-derived')
    const created = await put('organizations', { name: 'Trust & Sign, Ltd. 7' })
    expect(created.status).toBe(201)
    expect(created.json.data).toMatchObject({ id: 'trustsignltd7', name: 'Trust & Sign, Ltd. 7' })
    const renamed = await put('organizations', { id: 'trustsignltd7', name: 'Something Else' })
    expect(renamed.status).toBe(200)
    expect(renamed.json.data).toMatchObject({ id: 'trustsignltd7', name: 'Something Else' })
  })

  test.each([
    ['a name without letters or digits', { name: '!!! ???' }, 'name'],
    ['a name in another script', { name: 'Ελλάδα' }, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['no name', {}, 'name'],
  ])('PUT /v3/organizations refuses %s', async (_, body, path) => {
    const answer = await put('organizations', body)
    expect(answer.status).toBe(422)
    expect(answer.json.errors[0].path).toBe(path)
  })

  test('PUT /v3/organizations says what to do about a name in another script, and doing it works', async () => {
    proves('organization-id-empty')
    const refused = await put('organizations', { name: 'Банк' })
    expect(refused.json.description).toBe(
      'Cannot derive an id from "Банк": it has no Latin letter and no digit; create it with Latin letters or digits, then rename it',
    )
    await put('organizations', { name: 'Cyrillic 7' })
    const renamed = await put('organizations', { id: 'cyrillic7', name: 'Банк' })
    expect(renamed.json.data).toMatchObject({ id: 'cyrillic7', name: 'Банк' })
  })

  test('PUT /v3/organizations refuses an id that is taken, and an update of an unknown organization', async () => {
    await put('organizations', { name: 'Taken Name' })
    const answer = await put('organizations', { name: 'taken-name' })
    expect(answer.status).toBe(409)
    expect(answer.json).toMatchObject({
      code: 'organization-taken',
      description: expect.stringContaining('takenname'),
    })
    expect((await put('organizations', { id: 'nobody', name: 'x' })).status).toBe(404)
  })

  test('DELETE /v3/organizations refuses while labels depend on it', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    const refused = await service().request('DELETE', `/v3/organizations/${label.orgId}`, { token })
    expect(refused.status).toBe(409)
    expect(refused.json.code).toBe('organization-in-use')
    await service().request('DELETE', `/v3/labels/${label.id}`, { token })
    expect(
      (await service().request('DELETE', `/v3/organizations/${label.orgId}`, { token })).status,
    ).toBe(200)
    expect(
      (await service().request('GET', `/v3/organizations/${label.orgId}`, { token })).status,
    ).toBe(404)
  })

  test('PUT /v3/labels creates a label with a generated key, shown once, which the token endpoint accepts', async () => {
    proves('label-key-generated')
    const token = await service().login()
    const { id: orgId } = await createOrganization(service(), token)
    const { status, json } = await put('labels', { name: 'Web Shop', orgId })
    expect(status).toBe(201)
    expect(json.data).toMatchObject({ id: 'webshop', name: 'Web Shop', orgId })
    expect((await exchange(json.data.apiKey)).status).toBe(200)
    const response = await service().request('GET', '/v3/labels/webshop', { token })
    expect(response.text).not.toContain(json.data.apiKey)
  })

  test('PUT /v3/labels accepts a given key, in upper case too', async () => {
    proves('label-key-given')
    const apiKey = crypto.randomUUID()
    const label = await createLabel(service(), await service().login(), {
      apiKey: apiKey.toUpperCase(),
    })
    expect(label.apiKey.toLowerCase()).toBe(apiKey)
    expect((await exchange(apiKey)).status).toBe(200)
  })

  test('PUT /v3/labels refuses an id that another organization uses', async () => {
    proves('label-ids-unique')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const { id: orgId } = await createOrganization(service(), token)
    const answer = await put('labels', { name: label.name, orgId })
    expect(answer.status).toBe(409)
    expect(answer.json.code).toBe('label-taken')
  })

  test('PUT /v3/labels refuses an organization that does not exist, and stores nothing', async () => {
    proves('label-organization-exists')
    const answer = await put('labels', { name: 'Orphan', orgId: 'nobody' })
    expect(answer.status).toBe(404)
    expect(answer.json.code).toBe('organization-unknown')
    expect(
      (await service().request('GET', '/v3/labels/orphan', { token: await service().login() }))
        .status,
    ).toBe(404)
  })

  test('PUT /v3/labels refuses a key of another label, and stores nothing', async () => {
    const token = await service().login()
    const { apiKey } = await createLabel(service(), token)
    const { id: orgId } = await createOrganization(service(), token)
    const answer = await put('labels', { name: 'Second Holder', orgId, apiKey })
    expect(answer.status).toBe(409)
    expect(answer.json.code).toBe('api-key-taken')
    expect((await service().request('GET', '/v3/labels/secondholder', { token })).status).toBe(404)
  })

  test('PUT /v3/labels renames, refuses to move, and replaces the key at once', async () => {
    proves('organization-renamed')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const renamed = await put('labels', { id: label.id, orgId: label.orgId, name: 'New Name' })
    expect(renamed.json.data).toMatchObject({ id: label.id, name: 'New Name' })
    expect(renamed.json.data).not.toHaveProperty('apiKey')
    const moved = await put('labels', { id: label.id, orgId: 'other', name: 'x' })
    expect(moved.status).toBe(409)
    expect(moved.json.code).toBe('label-moved')
    const apiKey = crypto.randomUUID()
    await put('labels', { id: label.id, orgId: label.orgId, name: 'New Name', apiKey })
    expect((await exchange(label.apiKey)).status).toBe(401)
    expect((await exchange(apiKey)).status).toBe(200)
  })

  test('POST /v3/labels/{id}/key rotates the key, with the requested overlap', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    const rotate = (body: Json) =>
      service().request('POST', `/v3/labels/${label.id}/key`, { token, body })
    const second = getData(await rotate({ overlap: 600 })).apiKey
    expect((await exchange(label.apiKey)).status).toBe(200)
    expect((await exchange(second)).status).toBe(200)
    const third = getData(await rotate({})).apiKey
    expect((await exchange(label.apiKey)).status).toBe(401)
    expect((await exchange(second)).status).toBe(401)
    expect((await exchange(third)).status).toBe(200)
    expect((await rotate({ overlap: -1 })).status).toBe(422)
  })

  test('DELETE /v3/labels/{id}/key revokes the key, which is then refused like a wrong one', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    expect(
      (await service().request('DELETE', `/v3/labels/${label.id}/key`, { token })).status,
    ).toBe(200)
    const revoked = await exchange(label.apiKey)
    const wrong = await exchange(crypto.randomUUID())
    expect([revoked.status, wrong.status]).toEqual([401, 401])
    expect(revoked.json.description).toBe(wrong.json.description)
    const again = getData(
      await service().request('POST', `/v3/labels/${label.id}/key`, { token, body: {} }),
    )
    expect((await exchange(again.apiKey)).status).toBe(200)
  })

  test('GET /v3/labels/{id} says whether a key works, and on which day one was used', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    const read = async () => {
      const one = getData(await service().request('GET', `/v3/labels/${label.id}`, { token }))
      const path = `/v3/labels?name=${encodeURIComponent(label.name)}&size=100`
      const all = getData(await service().request('GET', path, { token })).items
      expect(all).toContainEqual(one)
      return { keyState: one.keyState, keyUsedAt: one.keyUsedAt }
    }
    expect(label.keyState).toBe('active')
    expect(await read()).toEqual({ keyState: 'active', keyUsedAt: undefined })
    expect((await exchange(label.apiKey)).status).toBe(200)
    const keyUsedAt = new Date().toISOString().slice(0, 10)
    expect(await read()).toEqual({ keyState: 'active', keyUsedAt })
    await service().request('DELETE', `/v3/labels/${label.id}/key`, { token })
    expect(await read()).toEqual({ keyState: 'revoked', keyUsedAt })
  })

  test('GET /v3/labels/{id} says until when a replaced key works', async () => {
    const token = await service().login()
    const { id } = await createLabel(service(), token)
    const replace = async (overlap: number) => {
      const body = { overlap }
      return getData(await service().request('POST', `/v3/labels/${id}/key`, { token, body }))
    }
    const read = async () => {
      const label = getData(await service().request('GET', `/v3/labels/${id}`, { token }))
      return label.replacedKeyUntil
    }
    expect(await read()).toBeUndefined()
    const before = Date.now()
    const replaced = await replace(3600)
    const until = Date.parse(replaced.replacedKeyUntil)
    // The service and the test may run on two clocks.
    expect(Math.abs(until - before - 3_600_000)).toBeLessThan(60_000)
    expect(await read()).toBe(replaced.replacedKeyUntil)
    // No replaced key outlives the newest overlap.
    await replace(60)
    expect(Math.abs(Date.parse(await read()) - before - 60_000)).toBeLessThan(60_000)
    await replace(0)
    expect(await read()).toBeUndefined()
  })

  test('DELETE /v3/labels/{id} ends its key', async () => {
    const token = await service().login()
    const label = await createLabel(service(), token)
    expect((await service().request('DELETE', `/v3/labels/${label.id}`, { token })).status).toBe(
      200,
    )
    expect((await exchange(label.apiKey)).status).toBe(401)
    expect((await service().request('DELETE', `/v3/labels/${label.id}`, { token })).status).toBe(
      404,
    )
  })

  test('GET /v3/labels filters by organization and name, in pages', async () => {
    const token = await service().login()
    const { id: orgId } = await createOrganization(service(), token)
    for (const name of ['Paging A', 'Paging B', 'Paging C', '100% pure'])
      await put('labels', { name: `${name} ${orgId}`, orgId })
    const list = async (query: string) =>
      getData(await service().request('GET', `/v3/labels?${query}`, { token }))
    expect(await list(`orgId=${orgId}&size=2`)).toMatchObject({
      page: 1,
      size: 2,
      total: 4,
      items: [{}, {}],
    })
    expect((await list(`orgId=${orgId}&size=3&page=2`)).items).toHaveLength(1)
    expect((await list(`orgId=${orgId}&name=paging`)).total).toBe(3)
    expect((await list(`orgId=${orgId}&name=0%25`)).total).toBe(1)
    expect((await list(`orgId=${orgId}&name=_`)).total).toBe(0)
  })

  test('GET /v3/labels filters by a name as long as names may be', async () => {
    const token = await service().login()
    const { id: orgId } = await createOrganization(service(), token)
    const name = `Long ${'x'.repeat(150)} ${orgId}`
    await put('labels', { name, orgId })
    const list = getData(
      await service().request('GET', `/v3/labels?name=${encodeURIComponent(name.toUpperCase())}`, {
        token,
      }),
    )
    expect(list.items.map((item: Json) => item.name)).toEqual([name])
  })

  test.each([
    'size=101',
    'size=0',
    'page=0',
    'page=x',
    'page=0x2',
    'size=1e1',
    'page=%201',
    'sort=name',
    'size=1&size=2',
  ])('GET /v3/labels refuses ?%s', async (query) => {
    const answer = await service().request('GET', `/v3/labels?${query}`, {
      token: await service().login(),
    })
    expect(answer.status).toBe(422)
    expect(answer.json.errors[0].path).toBe(query.split('=')[0])
  })
}
