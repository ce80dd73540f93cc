/** The names of the embedded provider's realm and client as settings, and the sample of a Keycloak realm. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { proves } from '../../test/bed/proves.ts'
import { root } from '../../test/bed/repository.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess
afterEach(() => ds?.stop())

const { name: username, password } = administrator
const ask = (realm: string, client_id: string) =>
  ds.request('POST', `/auth/realms/${realm}/protocol/openid-connect/token`, {
    form: { client_id, grant_type: 'password', username, password },
  })

test('the realm and its client have the names of the settings, and those that commands know', async () => {
  proves('realm-named')
  ds = await startInProcess({ DS_REALM: 'staff', DS_REALM_CLIENT: 'tools' })
  const discovery = await ds.request('GET', '/auth/realms/staff/.well-known/openid-configuration')
  const issuer = `${ds.url}/auth/realms/staff`
  expect(discovery.json).toMatchObject({
    issuer,
    token_endpoint: `${issuer}/protocol/openid-connect/token`,
  })
  for (const [realm, client] of [
    ['staff', 'tools'],
    ['staff', 'cardwire'],
    ['cardwire', 'cardwire'],
  ] as const) {
    const { status, json } = await ask(realm, client)
    expect([realm, client, status]).toEqual([realm, client, 200])
    const claims = JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString())
    expect([claims.iss, claims.azp]).toEqual([issuer, 'tools'])
    const token = json.access_token
    expect((await ds.request('GET', '/v3/organizations', { token })).status).toBe(200)
  }
  expect((await ask('staff', 'other')).status).toBe(401)
  expect((await ask('other', 'tools')).status).toBe(404)
  const { paths } = (await ds.request('GET', '/openapi.json')).json
  expect(Object.keys(paths).filter((path) => path.startsWith('/auth'))).toEqual([
    '/auth/realms/staff/protocol/openid-connect/token',
    '/auth/realms/staff/protocol/openid-connect/logout',
    '/auth/realms/staff/protocol/openid-connect/certs',
    '/auth/realms/staff/.well-known/openid-configuration',
  ])
})

test('the sample of a Keycloak realm has what the settings beside it name', () => {
  proves('realm-named')
  const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8')
  const realm = JSON.parse(read('keycloak-realm.json'))
  const chapter =
    /### Use Keycloak\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('deploy.md'))?.[1] ?? ''
  const settings = Object.fromEntries(
    chapter.split('\n').flatMap((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
    }),
  )
  expect(settings['DS_IDP_ISSUER']).toMatch(new RegExp(`/realms/${realm.realm}$`))
  expect(realm.roles.realm.map(({ name }: { name: string }) => name)).toEqual([
    settings['DS_IDP_ROLE'],
    settings['DS_IDP_PUBLISHER_ROLE'],
    settings['DS_IDP_VIEWER_ROLE'],
  ])
  const [pages, pipeline] = realm.clients
  expect(pages).toMatchObject({
    clientId: settings['DS_IDP_CLIENT_ID'],
    redirectUris: [`${settings['DS_URL']}/admin/login/callback`],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  })
  for (const client of [pages, pipeline]) {
    expect(client.protocolMappers[0].config['included.custom.audience']).toBe(
      settings['DS_IDP_AUDIENCE'],
    )
    expect(client.directAccessGrantsEnabled).toBe(false)
    expect(client.secret).toBeUndefined()
  }
  expect(realm.users[0].realmRoles).toEqual([settings['DS_IDP_PUBLISHER_ROLE']])
})
