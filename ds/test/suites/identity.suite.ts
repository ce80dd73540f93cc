/** The embedded identity provider, as the specification's token endpoint. */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { nextAddress } from '../harness/arrange.ts'

const realm = '/auth/realms/cardwire'
const tokenPath = `${realm}/protocol/openid-connect/token`

export function identitySuite(service: () => DistributionService): void {
  const grant = (form: Record<string, string>, from?: string) =>
    service().request('POST', tokenPath, {
      form: { client_id: 'cardwire', ...form },
      ...(from !== undefined && { from }),
    })
  const login = (password: string = administrator.password, from?: string) =>
    grant({ grant_type: 'password', username: administrator.name, password }, from)

  test('token endpoint answers a password grant with every field of the specification', async () => {
    proves('password-grant')
    const { status, json, headers } = await login()
    expect(status).toBe(200)
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 300,
      refresh_expires_in: 1800,
      refresh_token: expect.any(String),
      token_type: 'bearer',
      'not-before-policy': 0,
      session_state: expect.any(String),
      scope: expect.any(String),
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('access token is verified with the published keys and has its own type', async () => {
    const { json: discovery } = await service().request(
      'GET',
      `${realm}/.well-known/openid-configuration`,
    )
    const { json: tokens } = await login()
    const { payload, protectedHeader } = await jwtVerify(
      tokens.access_token,
      createRemoteJWKSet(new URL(discovery.jwks_uri)),
      { issuer: discovery.issuer, audience: 'cardwire-ds', typ: 'at+jwt' },
    )
    expect(payload.sub).toBe(administrator.name)
    expect(protectedHeader.alg).toBe('ES256')
  })

  test.each([
    [
      'a wrong password',
      { grant_type: 'password', username: 'admin', password: 'wrong-wrong-wrong' },
      400,
      'invalid_grant',
    ],
    [
      'an unknown user',
      { grant_type: 'password', username: 'nobody', password: 'wrong-wrong-wrong' },
      400,
      'invalid_grant',
    ],
    ['no password', { grant_type: 'password', username: 'admin' }, 400, 'invalid_request'],
    ['no grant type', {}, 400, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['an unknown client', { grant_type: 'password', client_id: 'other' }, 401, 'invalid_client'],
    [
      'a refresh token of nobody',
      { grant_type: 'refresh_token', refresh_token: 'abc' },
      400,
      'invalid_grant',
    ],
  ])('token endpoint refuses %s as RFC 6749 says', async (_, form, status, error) => {
    const answer = await grant(form as Record<string, string>, nextAddress())
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ error, error_description: expect.any(String) })
  })

  test('token endpoint refuses a JSON body', async () => {
    const answer = await service().request('POST', tokenPath, { body: { grant_type: 'password' } })
    expect(answer.status).toBe(415)
    expect(answer.json.error).toBe('invalid_request')
  })

  test('refresh token works once and returns the next one', async () => {
    const { json: first } = await login()
    const second = await grant({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect(second.status).toBe(200)
    expect(second.json.session_state).toBe(first.session_state)
    expect(second.json.refresh_token).not.toBe(first.refresh_token)
  })

  test('refresh token used twice ends its session', async () => {
    proves('refresh-token-stolen')
    const { json: first } = await login()
    const { json: second } = await grant({
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    })
    const again = await grant({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect(again.json.error).toBe('invalid_grant')
    const newer = await grant({ grant_type: 'refresh_token', refresh_token: second.refresh_token })
    expect(newer.json.error).toBe('invalid_grant')
  })

  test('refresh token is refused as an access token', async () => {
    const { json } = await login()
    const answer = await service().request('GET', '/v3/versions', { token: json.refresh_token })
    expect(answer.status).toBe(401)
  })

  test('logout ends the session', async () => {
    const { json } = await login()
    const form = { client_id: 'cardwire', refresh_token: json.refresh_token }
    expect(
      (await service().request('POST', `${realm}/protocol/openid-connect/logout`, { form })).status,
    ).toBe(200)
    const after = await grant({ grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect(after.json.error).toBe('invalid_grant')
  })

  test('an access token is refused as soon as its session has ended', async () => {
    proves('stale-access')
    const { json } = await login()
    const list = () => service().request('GET', '/v3/organizations', { token: json.access_token })
    expect((await list()).status).toBe(200)
    const form = { client_id: 'cardwire', refresh_token: json.refresh_token }
    await service().request('POST', `${realm}/protocol/openid-connect/logout`, { form })
    expect([(await list()).status, (await list()).json.code]).toEqual([401, 'token-refused'])
  })

  test.each([
    ['Origin', { origin: 'https://shop.example' }],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
  ])('token endpoint refuses a page by its %s, whatever key it sends', async (_, headers) => {
    const answer = await service().request('POST', tokenPath, {
      headers: headers as Record<string, string>,
      form: {
        client_id: 'cardwire',
        grant_type: 'password',
        username: administrator.name,
        password: administrator.password,
      },
    })
    expect(answer.status).toBe(403)
    expect(answer.json.error).toBe('unauthorized_client')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('failed logins are delayed only for that account from that address', async () => {
    proves('administrator-locked-out')
    const [attacker, owner] = [nextAddress(), nextAddress()]
    const tries = []
    for (let n = 0; n < 4; n += 1) tries.push(await login('a-wrong-password-again', attacker))
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 429])
    expect(Number(tries.at(-1)?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    // Even the right password waits there; the owner elsewhere notices nothing.
    expect((await login(administrator.password, attacker)).status).toBe(429)
    expect((await login(administrator.password, owner)).status).toBe(200)
  })

  test('failed logins at the same moment wait like failed logins in a row', async () => {
    proves('password-guessing')
    const from = nextAddress()
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => login('a-wrong-password-again', from)),
    )
    expect(tries.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(3)
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5)
  })
}
