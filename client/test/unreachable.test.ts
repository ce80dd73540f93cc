/** Nobody answers: what a page can tell of why. */
import { createServer } from 'node:https'
import { describe, expect, test, vi } from 'vitest'
import type { Configuration } from '../src/configuration.ts'
import { type InitializeOptions, initializeWith } from '../src/initialize.ts'
import type { Ports } from '../src/ports.ts'
import { startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { freePort, listen } from './harness/listen.ts'
import { openPage, permission } from './harness/page.ts'
import { startRaw } from './harness/raw.ts'
import { selfSigned } from './harness/self-signed.ts'

const at = (t1cApiPort: string): Configuration => ({ t1cApiUrl: 'http://localhost', t1cApiPort })

/** A port on which nobody listens any more. */
const closed = await freePort().then(at)

const fail = (
  ports: Partial<Ports> = {},
  configuration = closed,
  options: InitializeOptions = {},
) => failureOf(initializeWith(openPage(ports).ports, configuration, options))

test('a browser hides whether nobody listens or the certificate is not trusted, and the error says so', async () => {
  expect(await fail()).toMatchObject({
    code: '199',
    reason: 'not-running',
    alsoPossible: ['certificate-untrusted'],
    wireCode: '112999',
    description: expect.stringMatching(/install it or start it; if it runs, .* certificate/),
  })
})

describe('a runtime that tells the cause', () => {
  test('knows that nobody listens', async () => {
    expect(await fail({ fetch })).toMatchObject({ reason: 'not-running', alsoPossible: [] })
  })

  test('knows that the certificate is not trusted', async () => {
    const port = await listen(createServer(await selfSigned()))
    const configuration = { t1cApiUrl: 'https://localhost', t1cApiPort: String(port) }
    expect(await fail({ fetch }, configuration)).toMatchObject({
      reason: 'certificate-untrusted',
      alsoPossible: [],
    })
  })
})

test('a connector that refuses the origin is told from one that is not there', async () => {
  const connector = await startConnector()
  connector.state.allowed = false
  expect(await fail({}, at(connector.registryPort))).toMatchObject({
    code: '199',
    reason: 'origin-refused',
    description: expect.stringMatching(/allowlist/),
  })
})

test('one that answers nothing at all, the probe included, is a timeout', async () => {
  const page = openPage()
  let probed = (): void => undefined
  const probe = new Promise<void>((resolve) => {
    probed = resolve
  })
  const ports: Ports = {
    ...page.ports,
    fetch: (_, { mode, signal }) => {
      if (mode !== 'no-cors') return Promise.reject(new TypeError('Failed to fetch'))
      probed()
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    },
  }
  const failure = failureOf(initializeWith(ports, closed, {}))
  await probe
  expect(page.elapse(3000)).toBe(true)
  expect(await failure).toMatchObject({ reason: 'timeout' })
})

test('a page that is not served over https is told that this is why', async () => {
  const insecure = { page: { secure: false, loopback: false, barred: false } }
  expect(await fail(insecure)).toMatchObject({ code: '199', reason: 'page-insecure' })
})

test('a page without WebCrypto cannot verify, and says so instead of believing', async () => {
  const connector = await startConnector()
  connector.makeConsent()
  const { ports } = openPage({ subtle: undefined })
  const client = await initializeWith(ports, at(connector.apiPort), {})
  expect(await failureOf(client.readers())).toMatchObject({ code: '900', reason: 'page-insecure' })
})

describe('the permission to call this machine', () => {
  test('denied is what it is', async () => {
    expect(await fail({ permission: async () => permission('denied') })).toMatchObject({
      reason: 'permission-denied',
      description: expect.stringMatching(/settings of the site/),
    })
  })

  test('a frame that cannot have it says what the page around it has to do', async () => {
    const frame = {
      page: { secure: true, loopback: false, barred: true },
      permission: async () => permission('denied'),
    }
    expect(await fail(frame)).toMatchObject({
      reason: 'permission-impossible',
      description: expect.stringContaining('allow="loopback-network"'),
    })
  })

  test('a frame whose browser does not say why says both', async () => {
    const frame = {
      page: { secure: true, loopback: false, barred: undefined },
      permission: async () => permission('denied'),
    }
    expect(await fail(frame)).toMatchObject({
      reason: 'permission-denied',
      alsoPossible: ['permission-impossible'],
      description: expect.stringMatching(/settings of the site.*allow="loopback-network"/),
    })
  })

  test('a page that wants no question without a click gets permission-needed, and asks nobody', async () => {
    const connector = await startConnector()
    const ports = { permission: async () => permission('prompt') }
    const error = await fail(ports, at(connector.registryPort), { mayPrompt: false })
    expect(error).toMatchObject({ code: '199', reason: 'permission-needed' })
    expect(connector.seen).toEqual([])
  })

  test('a question that was waved away is needed again', async () => {
    const onPermissionPrompt = vi.fn()
    const options = { onPermissionPrompt }
    const ports = { permission: async () => permission('prompt') }
    expect(await fail(ports, closed, options)).toMatchObject({
      reason: 'permission-needed',
      alsoPossible: ['not-running', 'certificate-untrusted', 'origin-refused'],
    })
    expect(onPermissionPrompt).toHaveBeenCalledOnce()
  })

  test('no time runs while the person is being asked, and it begins with the answer', async () => {
    const status = permission('prompt')
    const page = openPage({ permission: async () => status })
    const server = await startRaw(() => undefined)
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await server.came('/info')
    expect(page.elapse(5000)).toBe(false)
    status.decide('granted')
    expect(page.elapse(5000)).toBe(true)
    expect(await failure).toMatchObject({ code: '199', reason: 'timeout' })
  })

  test('a page that calls off while the question is open learns that it was', async () => {
    const server = await startRaw(() => undefined)
    const page = new AbortController()
    const ports = { permission: async () => permission('prompt') }
    const failure = fail(ports, at(server.port), { signal: page.signal })
    await server.came('/info')
    page.abort()
    expect(await failure).toMatchObject({ code: '199', reason: 'permission-pending' })
  })

  test('a page on this machine is asked nothing, and its time runs', async () => {
    const local = {
      page: { secure: true, loopback: true, barred: false },
      permission: async () => permission('prompt'),
    }
    const page = openPage(local)
    const server = await startRaw(() => undefined)
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await server.came('/info')
    expect(page.elapse(5000)).toBe(true)
    expect(await failure).toMatchObject({ reason: 'timeout' })
  })

  test('an answer that comes though the permission still says "prompt" shows that no question is open', async () => {
    const page = openPage({ permission: async () => permission('prompt') })
    let stall = (): void => undefined
    const stalled = new Promise<void>((resolve) => {
      stall = resolve
    })
    const server = await startRaw((_, response) => response.write('{', () => stall()))
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await stalled
    await vi.waitFor(() => expect(page.elapse(5000)).toBe(true), 5000)
    expect(await failure).toMatchObject({ reason: 'timeout' })
  })

  test('is declared for names of this machine, and for no others', async () => {
    const asked: unknown[] = []
    const fetch: Ports['fetch'] = (url, init) => {
      asked.push([new URL(url).hostname, init.targetAddressSpace, init.credentials])
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    for (const t1cApiUrl of ['https://localhost', 'https://127.0.0.1', 'https://t1c.example']) {
      await fail({ fetch }, { t1cApiUrl })
    }
    expect(asked).toEqual(
      ['localhost', '127.0.0.1', 't1c.example'].flatMap((host) => {
        const one = [host, host === 't1c.example' ? undefined : 'loopback', 'omit']
        return [one, one]
      }),
    )
  })
})
