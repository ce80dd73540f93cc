/** Forward authentication: what a reverse proxy gets for the API key of its client. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createLabel, createVersion, nextAddress } from '../harness/arrange.ts'

const check = '/v3/gateway/check'

export function gatewayCheckSuite(service: () => DistributionService): void {
  /** As a trusted proxy, on behalf of a client with an address. */
  const ask = (
    path: string,
    headers: Readonly<Record<string, string>>,
    { method = 'GET', from = nextAddress() } = {},
  ) => {
    const address = { 'x-forwarded-for': from, 'cf-connecting-ip': '127.0.0.1' }
    return service().request(method, path, { headers: { ...headers, ...address } })
  }

  test('a valid key gets its owner and its name in headers, and nothing that is stored', async () => {
    proves('gateway-forward-auth')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const version = await createVersion(service(), token)
    const credential = expect.stringMatching(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/,
    )
    for (const [path, apikey, kind, id] of [
      [check, label.apiKey, 'application', label.id],
      [check, label.apiKey.toUpperCase(), 'application', label.id],
      [`${check}-registration`, version.installationApiKey, 'registration', version.id],
    ]) {
      const { status, text, headers } = await ask(path, { apikey })
      expect([status, text]).toEqual([200, ''])
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-consumer-custom-id': `cardwire:${kind}:${id}`,
        'x-consumer-kind': kind,
        'x-credential-identifier': credential,
      })
    }
  })

  test('no key, a wrong, a revoked and a removed one get 401, one of the other kind 403, all without a body', async () => {
    proves('gateway-forward-auth')
    const token = await service().login()
    const [label, revoked, removed] = [
      await createLabel(service(), token),
      await createLabel(service(), token),
      await createLabel(service(), token),
    ]
    const version = await createVersion(service(), token)
    await service().request('DELETE', `/v3/labels/${revoked.id}/key`, { token })
    await service().request('DELETE', `/v3/labels/${removed.id}`, { token })
    const forged = { 'x-consumer-custom-id': `cardwire:application:${label.id}` }
    const asked = [
      [check, {}, 401],
      [check, { apikey: '' }, 401],
      [check, { ...forged, 'x-consumer-kind': 'application' }, 401],
      [check, { apikey: crypto.randomUUID(), ...forged }, 401],
      [check, { apikey: revoked.apiKey }, 401],
      [check, { apikey: removed.apiKey }, 401],
      [check, { apikey: version.installationApiKey }, 403],
      [`${check}-registration`, { apikey: label.apiKey }, 403],
      [`${check}-registration`, { apikey: crypto.randomUUID() }, 401],
    ] as const
    for (const [path, headers, expected] of asked) {
      const answer = await ask(path, headers)
      expect([path, answer.status, answer.text]).toEqual([path, expected, ''])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-consumer-custom-id')).toBeNull()
      expect(answer.headers.get('x-credential-identifier')).toBeNull()
    }
  })

  test('the method, the rest of the path and the query of the client change nothing', async () => {
    proves('gateway-forward-auth')
    const token = await service().login()
    const { apiKey } = await createLabel(service(), token)
    const { installationApiKey } = await createVersion(service(), token)
    const paths = [`${check}/orders/1`, `${check}?kind=registration`, `${check}/x?maxReach=1`]
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const path of [...paths, `${check}/registration`]) {
        expect([method, path, (await ask(path, { apikey: apiKey }, { method })).status]).toEqual([
          ...[method, path, 200],
        ])
      }
    }
    for (const path of [...paths, `${check}/registration`, `${check}/../check-registration`]) {
      const { status } = await ask(path, { apikey: installationApiKey })
      expect([path, status]).toEqual([path, path.includes('..') ? 200 : 403])
    }
  })

  test('a client that guesses is refused after some tries, by its own address; the right key still works', async () => {
    proves('gateway-guessed')
    const { apiKey } = await createLabel(service(), await service().login())
    const from = nextAddress()
    const guess = (other?: string) =>
      ask(check, { apikey: crypto.randomUUID() }, { from: other ?? from })
    let refused = await guess()
    for (let count = 0; count < 40 && refused.status === 401; count += 1) refused = await guess()
    expect([refused.status, refused.text]).toEqual([429, ''])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await guess(nextAddress())).status).toBe(401)
    expect((await ask(check, { apikey: apiKey }, { from })).status).toBe(200)
  })
}
