/** The samples for nginx and Caddy, as the real programs run them in front of an application, with the real service. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type ReverseProxy, startReverseProxy } from '../../../test/bed/reverse-proxy.ts'
import { createLabel, createVersion } from '../harness/arrange.ts'

interface Seen {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let service: DistributionService
let application: Server
let seen: Seen[] = []
let upstream = ''
beforeAll(async () => {
  service = await startDistributionService(undefined, { DS_MAX_REACH: 'any' })
  application = createServer(async (request, response) => {
    seen.push({ method: request.method, headers: request.headers, body: await text(request) })
    response.end('hello from the application')
  })
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  upstream = `127.0.0.1:${(application.address() as AddressInfo).port}`
})
afterAll(async () => {
  await service?.stop()
  application?.close()
})

/** The one request that the application got. */
function getSeen(): Seen {
  const [one, ...more] = seen
  if (one === undefined || more.length > 0) throw new Error(`It got ${seen.length} requests`)
  return one
}

/** Each test has clients with addresses of their own, because refusals are counted by them. */
let clients = 0
const nextClient = () => {
  clients += 1
  return `127.1.0.${clients}`
}

describe.each([
  ['nginx', 'nginx-gateway.conf'],
  ['Caddy', 'Caddyfile-gateway'],
] as const)('%s with the sample %s', (name, sample) => {
  let proxy: ReverseProxy
  let token: string
  beforeAll(async () => {
    token = await service.login()
    proxy = await startReverseProxy(name, sample, 'app.example', {
      '127.0.0.1:8080': new URL(service.url).host,
      '127.0.0.1:9000': upstream,
    })
  })
  afterAll(() => proxy?.stop())

  const send = async (
    headers: Readonly<Record<string, string>>,
    { from = nextClient(), method = 'GET', path = '/', body = '' } = {},
  ) => {
    seen = []
    return proxy.send(method, path, { headers, from, body })
  }

  test('is valid', () => {
    expect([proxy.checked.status, proxy.checked.err]).toEqual([
      0,
      expect.not.stringContaining('[warn]'),
    ])
  })

  test('lets the key of a label through, and names it to the application, which does not get the key', async () => {
    proves('gateway-forward-auth', 'consumer-forged')
    const { id, apiKey } = await createLabel(service, token)
    const answer = await send({ apikey: apiKey }, { method: 'POST', path: '/a?b=c', body: 'text' })
    expect([answer.status, answer.text]).toEqual([200, 'hello from the application'])
    const { method, body, headers } = getSeen()
    expect([method, body]).toEqual(['POST', 'text'])
    expect(headers['x-consumer-custom-id']).toBe(`cardwire:application:${id}`)
    expect(headers['x-consumer-kind']).toBe('application')
    expect(headers['x-credential-identifier']).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
    expect(headers['apikey']).toBeUndefined()
  })

  test('refuses no key, wrong ones, revoked ones and those of removed labels', async () => {
    proves('gateway-forward-auth', 'gateway-guessed')
    const revoked = await createLabel(service, token)
    await service.request('DELETE', `/v3/labels/${revoked.id}/key`, { token })
    const removed = await createLabel(service, token)
    await service.request('DELETE', `/v3/labels/${removed.id}`, { token })
    const keys = [crypto.randomUUID(), revoked.apiKey, removed.apiKey, '']
    for (const headers of [{}, ...keys.map((apikey) => ({ apikey }))]) {
      const { status, text: body, headers: answered } = await send(headers)
      expect(status).toBe(401)
      expect(body).not.toContain('cardwire')
      expect(answered['www-authenticate']).toBe('Key realm="cardwire"')
      expect(seen).toEqual([])
    }
  })

  test('refuses an installation key, whatever the client adds to the address', async () => {
    proves('gateway-forward-auth')
    const { installationApiKey: apikey } = await createVersion(service, token)
    for (const path of [
      '/',
      '/?kind=registration',
      '/v3/gateway/check-registration',
      '/-registration',
    ]) {
      expect((await send({ apikey }, { path })).status).toBe(403)
      expect(seen).toEqual([])
    }
  })

  test('the names that a client gives itself do not arrive', async () => {
    proves('consumer-forged')
    const { id, apiKey } = await createLabel(service, token)
    const forged = {
      'X-Consumer-Custom-ID': 'cardwire:application:other',
      'x-consumer-kind': 'registration',
      'X-Credential-Identifier': crypto.randomUUID(),
      X_Consumer_Custom_ID: 'cardwire:application:other',
      x_consumer_custom_id: 'cardwire:application:other',
      'X-Consumer_Custom-ID': 'cardwire:application:other',
      'x-consumer-id': crypto.randomUUID(),
      'x-consumer-username': 'root',
      'x-anonymous-consumer': 'true',
      'X_Credential-Identifier': 'other',
    }
    expect((await send({ ...forged, apikey: crypto.randomUUID() })).status).toBe(401)
    expect(seen).toEqual([])
    expect((await send({ ...forged, apikey: apiKey })).status).toBe(200)
    const { headers } = getSeen()
    expect(headers['x-consumer-custom-id']).toBe(`cardwire:application:${id}`)
    expect(headers['x-consumer-kind']).toBe('application')
    expect(headers['x-credential-identifier']).not.toBe(forged['X-Credential-Identifier'])
    const others = Object.keys(headers).filter((key) => /consumer|credential/.test(key))
    expect(others.toSorted()).toEqual([
      'x-consumer-custom-id',
      'x-consumer-kind',
      'x-credential-identifier',
    ])
  })

  test('a client that guesses is limited by its own address, and no other client is', async () => {
    proves('gateway-guessed')
    const { apiKey } = await createLabel(service, token)
    const from = nextClient()
    const guess = () =>
      send({ apikey: crypto.randomUUID(), 'x-forwarded-for': nextClient() }, { from })
    const statuses: (number | undefined)[] = []
    for (let count = 0; count < 20; count += 1) statuses.push((await guess()).status)
    expect(new Set(statuses)).toEqual(new Set([401]))
    const limited = await guess()
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send({ apikey: crypto.randomUUID() })).status).toBe(401)
    expect((await send({ apikey: apiKey }, { from })).status).toBe(200)
  })

  test('lets no request through while the service is down', async () => {
    proves('gateway-forward-auth')
    const { apiKey } = await createLabel(service, token)
    await service.pause()
    const { status } = await send({ apikey: apiKey })
    expect([status, seen]).toEqual([name === 'nginx' ? 503 : 502, []])
    await service.resume()
    expect((await send({ apikey: apiKey })).status).toBe(200)
  })

  test('clients cannot ask the service through it', async () => {
    proves('gateway-public')
    const { apiKey } = await createLabel(service, token)
    for (const path of ['/.cardwire-check', '/v3/gateway/check']) {
      const { status, headers } = await send({ apikey: apiKey }, { path })
      expect(headers['x-consumer-custom-id']).toBeUndefined()
      if (status === 200) expect(seen).toHaveLength(1)
    }
  })
})
