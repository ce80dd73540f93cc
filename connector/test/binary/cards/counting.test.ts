/** Uses of a card from the page to the service's table: the compiled connector, a real card service, the real service. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../../test/bed/distribution-service.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { version } from '../managed.ts'
import { type CardReader, pin } from './card-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const tag = 'invoice-7'
const data = createHash('sha256').update('a message').digest('base64')

let service: DistributionService
let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry
/** Of a page with the label shop. */
let token: string

beforeAll(async () => {
  service = await startDistributionService()
  const { installationApiKey } = await service.registerVersion(version)
  const { apiKey: apikey } = await service.createLabel('shop')
  user = await startUserAtReader({
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationApiKey,
  })
  ;({ bed, pinentry } = user)
  await bed.connector.request('/v3/sync', { method: 'POST' })
  const { json } = await service.request('GET', '/v3/tokens/application', { headers: { apikey } })
  token = json.data
})
afterAll(async () => {
  await user?.stop()
  await service?.stop()
})

const post = (path: string, body: object = {}) =>
  bed.token(path, 'piv', {
    token,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-t1c-billing-tag': tag },
  })

test('each success is a use in the table of the service, by label, module, operation and tag; nothing else is', async () => {
  proves('uses-counted')
  await bed.insert()
  await pinentry.type(pin)
  const body = { algorithm: 'sha256', data }
  const digests = [data, data, data]
  const done = [
    await post('sign', body),
    await post('signatures', { algorithm: 'sha256', digests }),
    await post('authenticate', body),
    await post('verify-pin'),
  ]
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await pinentry.type('654321')
  expect((await post('sign', body)).status).toBe(422)
  await pinentry.type('cancel')
  expect((await post('verify-pin')).status).toBe(409)
  const { json } = await bed.connector.request('/v3/sync', { method: 'POST' })
  expect(json.data.standing).toBe('good')
  const table: string = await service.admin('GET', `/v3/counters.csv?tag=${tag}`)
  const uses = table.trim().split('\r\n').slice(1)
  expect(uses.map((line) => line.replace(/^\d{4}-\d\d-\d\d,/, '')).toSorted()).toEqual([
    `shop,piv,authentication,${tag},1,org1,Org 1`,
    `shop,piv,pin-verification,${tag},1,org1,Org 1`,
    `shop,piv,signature,${tag},4,org1,Org 1`,
  ])
})
