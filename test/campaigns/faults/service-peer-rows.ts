/** Clients of the service that are slow or say nothing, and an identity provider that says nothing. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { DistributionService } from '../../bed/distribution-service.ts'
import { createNodeRuntime } from '../../bed/service-runtimes.ts'
import { createTokenSigner } from '../../bed/token-signer.ts'
import { withDescriptors } from './machine.ts'
import { startCrowd, startSilentServer } from './peers.ts'
import { check, type Row, until, within } from './row.ts'
import { withService } from './service-rows.ts'

export const servicePeerRows: readonly Row[] = [
  {
    program: 'service',
    fault: '200 clients that are slow or say nothing',
    holds: 'others are answered within a second; the silent ones are closed after 10 to 15 s',
    run: () =>
      withService(async (service) => {
        const crowd = await startCrowd(Number(new URL(service.url).port), 200, ['silent', 'slow'])
        const { ms } = await within(1000, 'GET /health', () => service.request('GET', '/health'))
        const login = await within(3000, 'a login', service.login)
        const closed = await until(20_000, 'they are closed', async () => crowd.connected() === 0)
        crowd.end()
        return `answers within ${ms} ms, a login ${login.ms} ms; all are closed after ${closed} ms`
      }),
  },
  {
    program: 'service',
    fault: 'clients have all of its 64 descriptors, and one that is connected asks for a file',
    holds: 'a 503 that says why; the file is sent as soon as they have gone',
    isQuick: true,
    run: () =>
      withService(checkDescriptors, {}, createNodeRuntime({ prefix: withDescriptors(64) })),
  },
  {
    program: 'service',
    fault: 'its identity provider says nothing',
    holds:
      'administrators get a 503 that says so within 6 s, all others are answered; administrators as soon as it answers',
    run: checkProvider,
  },
]

async function checkDescriptors(service: DistributionService): Promise<string> {
  const uris = [{ os: 'UNIX', uri: 'file:///connector.bin' }]
  await service.putPackage('connector.bin', new Uint8Array(1000))
  await service.registerVersion('4.0.0', { uris })
  const path = '/v3/downloads/installers/unix/versions/4.0.0'
  // One connection, which is there before the others.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async () => {
    const request = get(new URL(path, service.url), { agent })
    const [response]: IncomingMessage[] = await once(request, 'response')
    return { status: response?.statusCode, text: response ? await text(response) : '' }
  }
  check((await ask()).status === 200, 'the file is not there')
  const crowd = await startCrowd(Number(new URL(service.url).port), 100, ['silent'])
  try {
    // Until the service has accepted them all, the file is sent.
    let refused = { status: 200 as number | undefined, text: '' }
    await until(8000, 'the file is refused', async () => {
      refused = (await within(3000, 'the file', ask)).value
      return refused.status !== 200
    })
    check(refused.status === 503, `${refused.status} ${refused.text.slice(0, 200)}`)
    const { description } = JSON.parse(refused.text)
    check(/too many files/.test(description), description)
    crowd.end()
    const ms = await until(3000, 'the file is sent', async () => (await ask()).status === 200)
    return `"${description}"; sent ${ms} ms after they have gone`
  } finally {
    crowd.end()
    agent.destroy()
  }
}

async function checkProvider(): Promise<string> {
  const silent = await startSilentServer()
  const issuer = `http://127.0.0.1:${silent.port}/realm`
  const settings = { DS_IDP_ISSUER: issuer, DS_IDP_AUDIENCE: 'ds', DS_IDP_ROLE: 'admins' }
  return withService(async (service) => {
    const signer = await createTokenSigner(service.folder)
    const claims = { iss: issuer, aud: 'ds', sub: 'one', realm_access: { roles: ['admins'] } }
    const token = signer.token(300, 0, claims, { typ: 'JWT' })
    const list = () => service.request('GET', '/v3/organizations', { token })
    const refused = await within(6000, 'an administrator', list)
    check(refused.value.status === 503, `an administrator: ${refused.value.text}`)
    const health = await within(1000, '/health', () => service.request('GET', '/health'))
    check(health.value.status === 200, `/health: ${health.value.text}`)
    await silent.close()
    const keySet = await readFile(signer.jwks, 'utf8')
    const provider = await startProvider(silent.port, issuer, keySet)
    try {
      const ms = await until(10_000, 'an administrator is let in', async () => {
        return (await list()).status === 200
      })
      return `"${refused.value.json.description}" after ${refused.ms} ms; let in ${ms} ms after it answers`
    } finally {
      provider.close()
    }
  }, settings)
}

/** An issuer with this key set. */
async function startProvider(port: number, issuer: string, keySet: string): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const isDiscovery = request.url?.endsWith('openid-configuration') === true
    response.end(isDiscovery ? JSON.stringify({ issuer, jwks_uri: `${issuer}/certs` }) : keySet)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}
