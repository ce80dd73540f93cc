/** `npm run publish` of a pipeline, as an API client: with a secret, or with the token of its CI system, and no password. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { getPublishCommand } from '../../test/bed/publish-command.ts'
import { root } from '../../test/bed/repository.ts'
import type { Json } from '../../test/bed/service-request.ts'

const subject = 'repo:example/cards:ref:refs/tags/v4.0.1'

let service: DistributionService
let folder: string
let issuer: Server
let url: string
let privateKey: CryptoKey
/** What the CI system was asked for a token with. */
const asked: { query: string; authorization: string | undefined }[] = []
let count = 0

const signToken = (audience: string) =>
  new SignJWT({ iss: url, aud: audience, sub: subject })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)

beforeAll(async () => {
  service = await startDistributionService()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-publish-'))
  const pair = await generateKeyPair('ES256')
  privateKey = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  issuer = createServer(async (request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '', url)
    response.setHeader('content-type', 'application/json')
    const answers: Record<string, () => Promise<Json>> = {
      '/.well-known/openid-configuration': async () => ({ issuer: url, jwks_uri: `${url}/keys` }),
      '/keys': async () => ({ keys: [jwk] }),
      '/job-token': async () => {
        asked.push({ query: search, authorization: request.headers.authorization })
        return { value: await signToken(searchParams.get('audience') ?? '') }
      },
    }
    response.end(JSON.stringify(await answers[pathname]?.()))
  }).listen(0, '127.0.0.1')
  await once(issuer, 'listening')
  url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
})
afterAll(async () => {
  issuer?.close()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function addClient(credential: Json): Promise<{ id: string; secret?: string }> {
  count += 1
  const id = `pipeline-${count}`
  await service.admin('POST', '/v3/api-clients', { id, role: 'publisher' })
  const { secret } = await service.admin('POST', `/v3/api-clients/${id}/credentials`, credential)
  return { id, secret }
}

const trusted = () => ({
  ...{ kind: 'federated', issuer: url, subject: 'repo:example/cards:ref:refs/tags/*' },
})

async function publish(args: readonly string[], environment: Record<string, string> = {}) {
  const version = `4.0.${count}`
  const file = join(folder, `cardwire_${version}_amd64.deb`)
  await writeFile(file, `a deb of ${version}`)
  const command = [...(await getPublishCommand()), '--ds', service.url, '--version', version]
  const env = { ...createEnvironment(folder), ...environment }
  return { version, ...(await runProgram([...command, ...args, file], { env, cwd: root })) }
}

async function writeText(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `${text}\n`)
  return path
}

test('a secret publishes, and a wrong one does not', async () => {
  proves('api-clients')
  const { id, secret } = await addClient({ kind: 'secret' })
  const file = await writeText('secret', secret ?? '')
  const { status, out, version } = await publish(['--client', id, '--client-secret-file', file])
  expect([status, out]).toEqual([0, expect.stringContaining(`Version ${version} is registered`)])
  const wrong = await writeText('wrong', 'wrong')
  const refused = await publish(['--client', id, '--client-secret-file', wrong])
  expect([refused.status, refused.err]).toEqual([
    1,
    `Cannot get access as the API client "${id}": Cannot authenticate the client: its ID or its credential is wrong, or no longer valid\n`,
  ])
})

test('a job of GitHub Actions publishes with nothing but its permission to get a token', async () => {
  proves('federated-credentials')
  const { id } = await addClient(trusted())
  const job = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/job-token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
  }
  const { status, out, version } = await publish(['--client', id], job)
  expect([status, out]).toEqual([0, expect.stringContaining(`Version ${version} is registered`)])
  expect(asked).toEqual([
    {
      query: `?api-version=2.0&audience=${encodeURIComponent(service.url)}`,
      authorization: 'Bearer token-of-the-job',
    },
  ])
})

test('a file with the ID token of another CI system publishes', async () => {
  proves('federated-credentials')
  const { id } = await addClient(trusted())
  const file = await writeText('id-token', await signToken(service.url))
  const { status } = await publish(['--client', id, '--subject-token-file', file])
  expect(status).toBe(0)
  const other = await addClient({ ...trusted(), subject: 'repo:example/other:ref:refs/tags/*' })
  const refused = await publish(['--client', other.id, '--subject-token-file', file])
  expect([refused.status, refused.err]).toEqual([
    1,
    `Cannot get access as the API client "${other.id}": Cannot accept the subject_token: no federated credential of this client trusts it, the log has the reason\n`,
  ])
})

test.each([
  [
    ['--client', 'one'],
    'Cannot get access as the API client "one": give --client-secret-file or --subject-token-file; in GitHub Actions, give the job the permission id-token: write\n',
  ],
  [
    ['--client-secret-file', 'x'],
    'Cannot publish: give the API client, such as --client pipeline\n',
  ],
  [
    ['--client', 'one', '--client-secret-file', 'x', '--subject-token-file', 'y'],
    'Cannot publish: --client-secret-file and --subject-token-file exclude each other\n',
  ],
])('%o says what is missing', async (args, text) => {
  proves('api-clients')
  const { status, err } = await publish(args)
  expect([status, err]).toEqual([1, text])
})
