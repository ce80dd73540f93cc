/** Revisions of what administrators change: entity tags, preconditions, and changes of single fields. */
import { describe, expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json, ServiceResponse } from '../../../test/bed/service-request.ts'
import {
  createLabel,
  createOrganization,
  createVersion,
  createVersionBody,
  getData,
} from '../harness/arrange.ts'

/** How many requests are sent at once. */
const editors = 8

interface Resource {
  readonly collection: string
  create(service: Pick<DistributionService, 'request'>, token: string): Promise<Json>
  /** The body of a PUT that gives it this text somewhere. */
  toBody(data: Json, text: string): Json
  /** The body of a PATCH that does the same. */
  toPatch(text: string): Json
  readText(data: Json): string
}

const named = {
  toPatch: (name: string) => ({ name }),
  readText: ({ name }: Json) => name,
} as const

/** What administrators change, each with a collection of the API and a table of that name. */
export const resources: readonly Resource[] = [
  {
    collection: 'versions',
    create: createVersion,
    toBody: ({ id }, text) => createVersionBody({ id, uris: [{ os: 'UNIX', uri: toUri(text) }] }),
    toPatch: (text) => ({ uris: [{ os: 'UNIX', uri: toUri(text) }] }),
    readText: ({ uris }) => toText(uris[0].uri),
  },
  {
    collection: 'configurations',
    create: async (service, token) => {
      const { id: versionId } = await createVersion(service, token)
      const body = { type: 'CONTEXT_CONFIG', versionId, config: { cors: [] } }
      return getData(await service.request('PUT', '/v3/configurations', { token, body }))
    },
    toBody: ({ id, type, versionId }, text) => ({
      ...{ id, type, versionId },
      config: { cors: [toUri(text)] },
    }),
    toPatch: (text) => ({ config: { cors: [toUri(text)] } }),
    readText: ({ config }) => toText(config.cors[0]),
  },
  {
    collection: 'organizations',
    create: createOrganization,
    toBody: ({ id }, name) => ({ id, name }),
    ...named,
  },
  {
    collection: 'labels',
    create: createLabel,
    toBody: ({ id, orgId }, name) => ({ id, orgId, name }),
    ...named,
  },
]

const toUri = (text: string) => `https://${text}.revisions.example`
const toText = (uri: string) => new URL(uri).hostname.replace(/\..*/, '')

export function revisionSuite(service: () => DistributionService): void {
  describe.each(resources)('$collection', ({ collection, create, toBody, toPatch, readText }) => {
    const list = `/v3/${collection}`
    const arrange = async () => {
      const token = await service().login()
      const data = await create(service(), token)
      const path = `${list}/${data.id}`
      const send = (method: string, body?: Json, ifMatch?: string): Promise<ServiceResponse> =>
        service().request(method, method === 'PUT' ? list : path, {
          token,
          body,
          ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
        })
      const read = async () => {
        const { revision } = getData(await send('GET'))
        return revision as number
      }
      return { data, send, read }
    }

    test('GET, PUT and PATCH answer with the revision, in the data and as the ETag', async () => {
      proves('revision-etag')
      const { data, send } = await arrange()
      const answers = [
        await send('GET'),
        await send('PUT', toBody(data, 'put')),
        await send('PATCH', toPatch('patch')),
        await send('GET'),
      ]
      const tags = answers.map(({ headers, json }) => [headers.get('etag'), json.data.revision])
      expect(data.revision).toBe(1)
      expect(tags).toEqual([
        ['"1"', 1],
        ['"2"', 2],
        ['"3"', 3],
        ['"3"', 3],
      ])
    })

    test.each(['PUT', 'PATCH'])(
      '%s changes what has the revision of If-Match, and nothing else',
      async (method) => {
        proves('if-match')
        const { data, send, read } = await arrange()
        const toRequest = (text: string) => (method === 'PUT' ? toBody(data, text) : toPatch(text))

        const changed = await send(method, toRequest('first'), '"1"')
        expect([changed.status, readText(changed.json.data)]).toEqual([200, 'first'])
        const refused = await send(method, toRequest('second'), '"1"')
        expect([refused.status, refused.json.code]).toEqual([412, 'revision-mismatch'])
        expect([refused.json.revision, refused.headers.get('etag')]).toEqual([2, '"2"'])
        for (const tag of ['W/"2"', '"other"', '"02"', '"1", "7"', '""', '"99999999999"'])
          expect((await send(method, toRequest('third'), tag)).status).toBe(412)
        expect(await read()).toBe(2)
        for (const tag of ['"1", "2"', '*']) {
          const { status } = await send(method, toRequest('fourth'), tag)
          expect(status).toBe(200)
        }
      },
    )

    test('DELETE removes what has the revision of If-Match, and nothing else', async () => {
      proves('if-match')
      const { data, send } = await arrange()
      getData(await send('PUT', toBody(data, 'changed')))

      const refused = await send('DELETE', undefined, '"1"')
      expect([refused.status, refused.json.code, refused.json.revision]).toEqual([
        412,
        'revision-mismatch',
        2,
      ])
      expect((await send('GET')).status).toBe(200)
      expect((await send('DELETE', undefined, '"2"')).status).toBe(200)
      expect((await send('GET')).status).toBe(404)
    })

    test('an If-Match that is no list of entity tags is bad input', async () => {
      proves('if-match')
      const { send } = await arrange()
      for (const tag of ['2', '"1', '"1" "2"', '*, "1"']) {
        const { status, json } = await send('PATCH', toPatch('x'), tag)
        expect([tag, status, json.code]).toEqual([tag, 422, 'input-invalid'])
        expect(json.errors.map(({ path }: Json) => path)).toEqual(['if-match'])
      }
    })

    test('a PUT takes what a GET has answered, and its revision is of no effect', async () => {
      proves('read-data-accepted')
      const { data, send, read } = await arrange()
      getData(await send('PATCH', toPatch('between')))
      const answer = await send('PUT', { ...toBody(data, 'again'), revision: data.revision })
      expect(answer.status).toBe(200)
      expect(await read()).toBe(3)
    })

    test.each(['PUT', 'PATCH'])('of many %s with the same If-Match one wins', async (method) => {
      proves('one-editor-wins', 'edit-overwritten')
      const { data, send, read } = await arrange()
      const answers = await Promise.all(
        Array.from({ length: editors }, (_, at) =>
          send(method, method === 'PUT' ? toBody(data, `e${at}`) : toPatch(`e${at}`), '"1"'),
        ),
      )
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(editors - 1)
      const stored = getData(await send('GET'))
      expect(readText(stored)).toBe(readText(won[0]?.json.data))
      expect(await read()).toBe(2)
    })

    test('PATCH takes application/json, too, and refuses what the PUT refuses', async () => {
      proves('merge-patch')
      const { send, data } = await arrange()
      const bad = await send('PATCH', { nothing: 1 })
      expect([bad.status, bad.json.code]).toEqual([422, 'input-invalid'])
      const token = await service().login()
      const patch = (type: string) =>
        service().request('PATCH', `${list}/${data.id}`, {
          token,
          headers: { 'content-type': type },
          body: JSON.stringify(toPatch('typed')),
        })
      expect((await patch('application/merge-patch+json')).status).toBe(200)
      expect((await patch('application/json')).status).toBe(200)
      expect((await patch('application/json-patch+json')).status).toBe(415)
    })

    test('PATCH of what is not there is refused', async () => {
      proves('merge-patch')
      const token = await service().login()
      const { status } = await service().request('PATCH', `${list}/9.9.9`, {
        token,
        body: toPatch('x'),
      })
      expect(status).toBe(404)
    })
  })

  const patch = async (path: string, body: Json) =>
    service().request('PATCH', path, { token: await service().login(), body })

  test('PATCH /v3/versions keeps the fields that it does not name', async () => {
    proves('merge-patch')
    const token = await service().login()
    const before = await createVersion(service(), token, { recommended: true })
    const { uris, createdAt } = before
    const patched = getData(await patch(`/v3/versions/${before.id}`, { allowed: false }))
    expect(patched).toMatchObject({
      ...{ recommended: true, mandatory: false, allowed: false, uris, createdAt },
    })
    const unset = await patch(`/v3/versions/${before.id}`, { allowed: null })
    expect([unset.status, unset.json.errors[0].path]).toEqual([422, 'allowed'])
  })

  test('PATCH /v3/versions gives an installation key, and shows it only then', async () => {
    proves('merge-patch')
    const token = await service().login()
    const { id } = await createVersion(service(), token)
    const installationApiKey = crypto.randomUUID()
    const given = getData(await patch(`/v3/versions/${id}`, { installationApiKey }))
    expect(given.installationApiKey).toBe(installationApiKey)
    expect(getData(await patch(`/v3/versions/${id}`, { recommended: true }))).not.toHaveProperty(
      'installationApiKey',
    )
    const checked = await service().request('GET', '/v3/devices/installation-key', {
      headers: { apikey: installationApiKey },
    })
    expect(checked.status).toBe(200)
  })

  test('many PATCH of different fields at once all take effect', async () => {
    proves('parallel-patches')
    const token = await service().login()
    const { id } = await createVersion(service(), token)
    const uris = [{ os: 'MACOS', uri: 'https://downloads.example/a.pkg' }]
    const changes = [{ recommended: true }, { allowed: false }, { uris }]
    const answers = await Promise.all(changes.map((change) => patch(`/v3/versions/${id}`, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { json } = await service().request('GET', `/v3/versions/${id}`, { token })
    expect(json.data).toMatchObject({ recommended: true, allowed: false, uris, revision: 4 })
  })

  test('a version with If-Match that is not registered is refused', async () => {
    proves('if-match')
    const token = await service().login()
    const body = createVersionBody()
    const refused = await service().request('PUT', '/v3/versions', {
      token,
      body,
      headers: { 'if-match': '*' },
    })
    expect([refused.status, refused.json.code]).toEqual([412, 'revision-mismatch'])
    expect((await service().request('GET', `/v3/versions/${body.id}`, { token })).status).toBe(404)
  })

  test('PATCH /v3/configurations changes single members, and null removes one', async () => {
    proves('merge-patch')
    const token = await service().login()
    const { id: versionId } = await createVersion(service(), token)
    const cards = {
      grants: [{ origin: 'https://a.example', allow: ['bulk'] }],
      libraries: [],
      folders: [],
    }
    const body = {
      type: 'CONTEXT_CONFIG',
      versionId,
      config: { cors: ['https://a.example'], cards },
    }
    const { id } = getData(await service().request('PUT', '/v3/configurations', { token, body }))
    const path = `/v3/configurations/${id}`
    const merged = getData(await patch(path, { config: { cors: ['https://b.example'] } }))
    expect(merged.config).toMatchObject({ cors: ['https://b.example'], cards })
    expect(getData(await patch(path, { config: { cards: null } })).config).toEqual({
      cors: ['https://b.example'],
    })
    const bad = await patch(path, { config: { cors: ['no origin'] } })
    expect([bad.status, bad.json.errors[0].path]).toEqual([422, 'config.cors[0]'])
    const unknown = await patch(path, { config: { files: [] } })
    expect([unknown.status, unknown.json.errors[0].path]).toEqual([422, 'config.files'])
  })

  test('PATCH /v3/configurations of a keystore keeps its password for the same file, and not the digest of another', async () => {
    proves('merge-patch', 'keystore-password-guessed')
    const token = await service().login()
    const { id: versionId } = await createVersion(service(), token)
    const digest = 'ab'.repeat(32)
    const config = { uri: 'https://downloads.example/1.p12', password: 'secret', digest }
    const body = { type: 'SSL_KEYSTORE', versionId, config }
    const { id } = getData(await service().request('PUT', '/v3/configurations', { token, body }))
    const path = `/v3/configurations/${id}`
    const uri = 'https://downloads.example/2.p12'
    const guessed = await patch(path, { config: { uri } })
    expect([guessed.status, guessed.json.errors[0].path]).toEqual([422, 'config.password'])
    const moved = { uri, password: 'another' }
    expect(getData(await patch(path, { config: moved })).config).toEqual({ uri })
    expect(getData(await patch(path, { config: { uri } })).config).toEqual({ uri })
    expect(getData(await patch(path, { config: { digest } })).config).toEqual({ uri, digest })
    const refused = await patch(path, { config: { password: null } })
    expect([refused.status, refused.json.errors[0].path]).toEqual([422, 'config.password'])
    const { items } = getData(
      await service().request('GET', `/v3/audit?kind=configuration&id=${id}`, { token }),
    )
    expect(items.map(({ fields }: Json) => fields)).toEqual([
      ['config.digest'],
      [],
      ['config.uri', 'config.digest', 'config.password'],
      ['config.uri', 'config.digest', 'config.password'],
    ])
  })

  test('PATCH /v3/labels gives a key that works, only where the revision matches', async () => {
    proves('merge-patch')
    const token = await service().login()
    const { id, apiKey: before } = await createLabel(service(), token)
    const apiKey = crypto.randomUUID()
    const send = (ifMatch: string) =>
      service().request('PATCH', `/v3/labels/${id}`, {
        token,
        body: { apiKey },
        headers: { 'if-match': ifMatch },
      })
    const works = async (apikey: string) =>
      (await service().request('GET', '/v3/tokens/application', { headers: { apikey } })).status
    expect((await send('"9"')).status).toBe(412)
    expect(await works(before)).toBe(200)
    expect(getData(await send('"1"')).apiKey).toBe(apiKey)
    expect([await works(before), await works(apiKey)]).toEqual([401, 200])
  })
}
