/** Every generation of legacy client libraries against the compiled connector: registry, consent, API. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { type Configuration, deployedClient, Rejected } from './deployed/client.ts'
import { type Generation, testedGenerations } from './deployed/generations.ts'
import { openPage } from './deployed/page.ts'

let display: Display
let folder: string
let signer: TokenSigner
/** A user whose pages need a token; and one whose pages need none, for the versions that find no way with one. */
let users: { readonly withTokens: Installed; readonly without: Installed }

/** A connector, and what it takes to start it again. */
interface Installed {
  readonly home: string
  readonly settings: Readonly<Record<string, string>>
  readonly registryPort: number
  connector: Connector
}

/** Versions 3.5.0 to 3.5.2 are known by the empty `Bearer` alone: with a token they look like later ones. */
const needsNoToken = ({ consent }: Generation) => consent === 'string'
const userOf = (generation: Generation) =>
  needsNoToken(generation) ? users.without : users.withTokens
const tokenFor = async (generation: Generation) =>
  needsNoToken(generation) ? {} : { jwt: await token() }

beforeAll(async () => {
  display = await startDisplay()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-deployed-'))
  signer = await createTokenSigner(folder)
  const [withTokens, without] = await Promise.all([
    install({ CARDWIRE_JWKS: signer.jwks }),
    install({ CARDWIRE_JWT: 'off' }),
  ])
  users = { withTokens, without }
})
afterAll(async () => {
  for (const { connector, home } of Object.values(users ?? {})) {
    await connector.stop()
    await rm(home, { recursive: true, force: true })
  }
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe.each(testedGenerations)('client $version', (generation) => {
  /** Consents are counted by origin, and so are requests for them: every test is a page of its own. */
  let pages = 0
  const newPage = () => {
    pages += 1
    const name = `page-${pages}.v${generation.version.replaceAll('.', '-')}`
    return openPage(`https://${name}.pages.example`, [userOf(generation).connector.ca])
  }
  const clientOf = (page: ReturnType<typeof newPage>, more: Partial<Configuration> = {}) =>
    deployedClient(page, generation, { registryPort: userOf(generation).registryPort, ...more })

  /** A page whose user has consented, and its client. */
  async function consented(more: Partial<Configuration> = {}) {
    const page = newPage()
    const held = { ...(await tokenFor(generation)), ...more }
    const client = clientOf(page, held)
    await expect(client.initialize()).rejects.toMatchObject({ code: generation.consentNeeded })
    const word = client.codeWord()
    await display.copy(word)
    await client.getImplicitConsent(word)
    return { page, client, held }
  }

  test('a first visit needs consent, and has the readers by a code word on the clipboard', async () => {
    proves('code-word-finds-api')
    const { client } = await consented()
    expect(client.port()).toBe(userOf(generation).connector.port)
    expect(await client.get('/v3/readers')).toEqual([
      expect.objectContaining({ name: 'Cardwire Virtual Reader' }),
    ])
  })

  test('a second visit goes straight through, with nothing on the clipboard', async () => {
    proves('consents-approved')
    const { page, held } = await consented({ applicationDomain: 'shop' })
    await display.copy('something else altogether')
    const again = clientOf(page, held)
    await again.initialize()
    expect(again.port()).toBe(userOf(generation).connector.port)
    expect(await again.get('/v3/readers')).toEqual(expect.any(Array))
  })

  test('a code word that is not on the clipboard is refused, with one request', async () => {
    proves('consents-required')
    const page = newPage()
    const client = clientOf(page)
    await expect(client.initialize()).rejects.toMatchObject({ code: generation.consentNeeded })
    await display.copy('the shopping list of this week')
    const before = page.sent.length
    await expect(client.getImplicitConsent(client.codeWord())).rejects.toBeInstanceOf(Rejected)
    expect(page.sent.slice(before)).toHaveLength(1)
    expect(client.port()).toBe(userOf(generation).registryPort)
  })

  test('initialising again with the same configuration works', async () => {
    const { client } = await consented()
    await client.initialize()
    expect(await client.get('/v3/readers')).toEqual(expect.any(Array))
  })

  test('a consent that was revoked has to be given again, and is', async () => {
    proves('consents-required')
    const { page, client, held } = await consented()
    revoke(userOf(generation), page.origin)
    await expect(client.get('/v3/readers')).rejects.toMatchObject({ code: '814501' })
    const again = clientOf(page, held)
    await expect(again.initialize()).rejects.toMatchObject({ code: '814501' })
    const word = again.codeWord()
    await display.copy(word)
    await again.getImplicitConsent(word)
    expect(await again.get('/v3/readers')).toEqual(expect.any(Array))
  })

  test('a page that comes back to the port of an API without consent finds its way there', async () => {
    const { page, client } = await consented()
    revoke(userOf(generation), page.origin)
    if (!generation.keepsPort) return expect(client.port()).toBe(userOf(generation).connector.port)
    await expect(client.initialize()).rejects.toMatchObject({ code: '814501' })
    const word = client.codeWord()
    await display.copy(word)
    await client.getImplicitConsent(word)
    return expect(await client.get('/v3/readers')).toEqual(expect.any(Array))
  })

  test('what does not exist is an error with a code', async () => {
    const { client } = await consented()
    const code = generation.notFound === 'body' ? '411001' : generation.notFound
    await expect(client.get('/v3/modules/nobody')).rejects.toMatchObject({ code })
    await expect(client.get('/v3/readers/nobody')).rejects.toMatchObject({ code: '701001' })
  })
})

describe.each(testedGenerations.filter((generation) => !needsNoToken(generation)))(
  'client $version whose token has expired',
  (generation) => {
    test('gets the refusal from every call, and from none of the initialization', async () => {
      const { connector, registryPort } = userOf(generation)
      const origin = `https://v${generation.version.replaceAll('.', '-')}.late.pages.example`
      const page = openPage(origin, [connector.ca])
      const client = deployedClient(page, generation, { registryPort, jwt: await token(60) })
      await expect(client.initialize()).rejects.toMatchObject({ code: generation.consentNeeded })
      const word = client.codeWord()
      await display.copy(word)
      await client.getImplicitConsent(word)
      const code = generation.unauthorized === 'body' ? '104025' : generation.unauthorized
      await expect(client.get('/v3/readers')).rejects.toMatchObject({ code })
    })
  },
)

describe('after the connector was restarted', () => {
  const held = new Map<string, () => Promise<readonly [number, unknown]>>()

  beforeAll(async () => {
    for (const generation of testedGenerations) {
      const { connector, registryPort } = userOf(generation)
      const origin = `https://v${generation.version.replaceAll('.', '-')}.kept.example`
      const page = openPage(origin, [connector.ca])
      const configuration = { registryPort, ...(await tokenFor(generation)) }
      const client = deployedClient(page, generation, configuration)
      await client.initialize().catch(() => undefined)
      const word = client.codeWord()
      await display.copy(word)
      await client.getImplicitConsent(word)
      held.set(generation.version, async () => {
        const next = deployedClient(page, generation, configuration)
        await next.initialize()
        return [next.port(), await next.get('/v3/readers')]
      })
    }
    for (const user of Object.values(users)) await restart(user)
  })

  test.each(testedGenerations)('client $version finds it on its new port', async (generation) => {
    proves('port-from-consent')
    const again = held.get(generation.version)
    expect(await again?.()).toEqual([userOf(generation).connector.port, expect.any(Array)])
  })
})

async function install(more: Readonly<Record<string, string>>): Promise<Installed> {
  const home = await createHome()
  const registryPort = await findFreePort()
  const settings = {
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example, https://*.kept.example',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
    CARDWIRE_VIRTUAL_READER: join(home, 'card'),
    ...more,
  }
  return { home, settings, registryPort, connector: await started(home, settings, registryPort) }
}

/** Somebody else has the old port meanwhile. */
async function restart(user: Installed): Promise<void> {
  const { port } = user.connector
  await user.connector.stop()
  const squatter = createServer().listen(port, '127.0.0.1')
  await once(squatter, 'listening')
  user.connector = await started(user.home, user.settings, user.registryPort)
  squatter.close()
  expect(user.connector.port).not.toBe(port)
}

/** Started, and known to its registry: a page can be answered. */
async function started(
  home: string,
  settings: Readonly<Record<string, string>>,
  registryPort: number,
): Promise<Connector> {
  const running = await startConnector(settings, home)
  const page = openPage('https://waiting.pages.example', [running.ca])
  const headers = { 'x-csrf-token': 't1c-js' }
  const request = { method: 'GET', port: registryPort, path: '/device-key', headers } as const
  await waitFor(() =>
    page.send(request).then(
      ({ json }) => typeof json?.data === 'string',
      () => false,
    ),
  )
  return running
}

function revoke({ home, settings }: Installed, origin: string): void {
  const { status, stderr } = spawnSync(connectorProgram, ['consents', 'revoke', origin], {
    env: createEnvironment(home, settings),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
}

const token = (lifetimeS = 720) => signer.token(lifetimeS, -120)
