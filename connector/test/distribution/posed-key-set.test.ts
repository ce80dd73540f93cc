/** An attacker holds a certificate for the service's name and publishes a key set: a managed connector does not trust it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncDevice } from '@cardwire/protocol'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runtimes } from '../../../test/bed/service-runtimes.ts'
import { createTokenVerifier } from '../../src/api/token-verifier.ts'
import { type Management, openManagement } from '../../src/distribution/management.ts'
import { readSettings } from '../../src/settings.ts'
import { readUser } from '../../src/system/user.ts'
import { version } from '../../src/version.ts'

let service: DistributionService
let installationKey: string
let attacker: Awaited<ReturnType<typeof startAttacker>>
let folder: string
let management: Management

beforeAll(async () => {
  attacker = await startAttacker()
  service = await startDistributionService(runtimes.Node, async (url) => {
    attacker.target = url
    return { DS_URL: attacker.url }
  })
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.allow(version, ['https://a.example'])
})
afterAll(async () => {
  attacker?.close()
  await service?.stop()
})
beforeEach(async () => {
  attacker.paths.length = 0
  folder = await mkdtemp(join(tmpdir(), 'cardwire-posed-'))
  const now = Date.now()
  management = await openManagement({
    settings: readSettings([
      {
        name: 'test',
        values: { CARDWIRE_DS_URL: service.url, CARDWIRE_INSTALLATION_KEY: installationKey },
      },
    ]),
    folders: { runtime: folder, logs: folder },
    log: silentLog,
    user: readUser({}),
    dialog: { show: async () => 'closed' },
    installation: folder,
    keystoreWorker: new URL('file:///none'),
    counters: { batches: () => [], acknowledge: () => undefined },
    clockWatch: { confirm: () => undefined, readings: () => ({ now, trustedAt: now }) },
    end: () => undefined,
  })
})
afterEach(async () => {
  management.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Has the address of the service: passes every request on, but answers for its key set itself. */
async function startAttacker() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kty: 'EC', kid: 'own', alg: 'ES256', use: 'sig' }
  const paths: string[] = []
  const between = createServer((incoming, response) => {
    const { method, url: path = '', headers } = incoming
    paths.push(path)
    if (path === '/.well-known/jwks.json') {
      response.end(JSON.stringify({ keys: [jwk] }))
      return
    }
    const onward = request(`${posed.target}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward.on('error', () => response.destroy()))
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const posed = {
    url,
    /** The address that the service listens at. */
    target: '',
    /** Where the requests since the start of the test went. */
    paths,
    createToken: () =>
      new SignJWT({ sub: 'evil', aud: 'cardwire-connector', iss: url })
        .setProtectedHeader({ alg: 'ES256', kid: 'own', typ: 'cw-app+jwt' })
        .setIssuedAt()
        .setExpirationTime('20m')
        .sign(privateKey),
    close: () => between.close(),
  }
  return posed
}

const createVerifier = () => createTokenVerifier(true, management.tokenAuthority, Date.now)
const countSyncs = () => attacker.paths.filter((path) => path === syncDevice.path).length

test('a key of an unsigned key set is not trusted: the connector synchronizes, and refuses the token', async () => {
  proves('token-keys-forged')
  const tokens = createVerifier()
  const forged = await attacker.createToken()
  await expect(tokens.verify(forged)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
  expect(countSyncs()).toBe(1)
  expect(attacker.paths).not.toContain('/.well-known/jwks.json')
  await tokens.verify(await service.applicationToken())
  await expect(tokens.verify(forged)).rejects.toThrow()
  expect(countSyncs()).toBe(1)
})

test('the first token with a key that the connector has not received is accepted', async () => {
  proves('service-key-rotation')
  await management.distribution?.synchronize()
  const tokens = createVerifier()
  await tokens.verify(await service.applicationToken())
  expect(countSyncs()).toBe(1)
  for (const { id, use } of await service.admin('GET', '/v3/signing-keys'))
    if (use === 'application')
      await service.admin('DELETE', `/v3/signing-keys/${id}?maxReach=999999999`)
  await tokens.verify(await service.applicationToken())
  expect(countSyncs()).toBe(2)
})
