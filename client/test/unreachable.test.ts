/** The reasons of an error when no connector answers. */
import { createServer } from 'node:https'
import { describe, expect, test, vi } from 'vitest'
import { createIdentity } from '../../test/bed/certificates.ts'
import { findFreePort } from '../../test/bed/free-port.ts'
import { proves } from '../../test/bed/proves.ts'
import type { Configuration } from '../src/configuration.ts'
import { initializeWith } from '../src/initialize.ts'
import type { InitializeOptions } from '../src/initialize-options.ts'
import type { Ports } from '../src/ports.ts'
import { startConnector } from './harness/connector.ts'
import { failureOf } from './harness/failure.ts'
import { listen } from './harness/listen.ts'
import { openPage, permission } from './harness/page.ts'
import { startScriptedServer } from './harness/scripted-server.ts'

const at = (t1cApiPort: string): Configuration => ({ t1cApiUrl: 'http://localhost', t1cApiPort })

/** A port where no program listens. */
const closed = await findFreePort().then(String).then(at)

const fail = (
  ports: Partial<Ports> = {},
  configuration = closed,
  options: InitializeOptions = {},
) => failureOf(initializeWith(openPage(ports).ports, configuration, options))

test('not-running has certificate-untrusted as another possible reason, because browsers hide the difference', async () => {
  proves('client-error-199')
  expect(await fail()).toMatchObject({
    code: '199',
    reason: 'not-running',
    alsoPossible: ['certificate-untrusted'],
    wireCode: '112999',
    description: expect.stringMatching(
      /install it or start it; if it is already running, .* certificate/,
    ),
  })
})

describe('a runtime that shows the cause', () => {
  test('distinguishes that no program listens', async () => {
    expect(await fail({ fetch })).toMatchObject({ reason: 'not-running', alsoPossible: [] })
  })

  test('distinguishes that the certificate is not trusted', async () => {
    const port = await listen(createServer(await createIdentity('localhost')))
    const configuration = { t1cApiUrl: 'https://localhost', t1cApiPort: String(port) }
    expect(await fail({ fetch }, configuration)).toMatchObject({
      reason: 'certificate-untrusted',
      alsoPossible: [],
    })
  })
})

test('a connector that refuses the origin is distinguished from one that is not running', async () => {
  const connector = await startConnector()
  connector.state.allowed = false
  expect(await fail({}, at(connector.registryPort))).toMatchObject({
    code: '199',
    reason: 'origin-refused',
    description: expect.stringMatching(/allowlist/),
  })
})

test('a connector that answers neither the request nor the probe is not-responding', async () => {
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
  expect(await failure).toMatchObject({ reason: 'not-responding' })
})

test('a page that is not served over https is page-insecure', async () => {
  const insecure = { page: { secure: false, loopback: false, blockedByPolicy: false } }
  expect(await fail(insecure)).toMatchObject({ code: '199', reason: 'page-insecure' })
})

test('a page without WebCrypto rejects answers that it cannot verify', async () => {
  const connector = await startConnector()
  connector.makeConsent()
  const { ports } = openPage({ subtle: undefined })
  const client = await initializeWith(ports, at(connector.apiPort), {})
  expect(await failureOf(client.readers())).toMatchObject({ code: '900', reason: 'page-insecure' })
})

test('a page whose own Content-Security-Policy blocks the connector is csp-blocked, whatever the permission', async () => {
  const ports = {
    isBlockedByCsp: async (address: string) => address.startsWith('http://localhost:'),
    queryPermission: async () => permission('prompt'),
  }
  expect(await fail(ports)).toMatchObject({
    code: '199',
    reason: 'csp-blocked',
    description: expect.stringMatching(/add http:\/\/localhost:\* to its connect-src$/),
  })
})

describe('the permission to call this machine', () => {
  test('denied is permission-denied', async () => {
    expect(await fail({ queryPermission: async () => permission('denied') })).toMatchObject({
      reason: 'permission-denied',
      description: expect.stringMatching(/site settings/),
    })
  })

  test('blocked in a frame is permission-impossible, with what the page around it has to do', async () => {
    const frame = {
      page: { secure: true, loopback: false, blockedByPolicy: true },
      queryPermission: async () => permission('denied'),
    }
    expect(await fail(frame)).toMatchObject({
      reason: 'permission-impossible',
      description: expect.stringContaining('allow="loopback-network"'),
    })
  })

  test('denied in a frame has both reasons where the browser does not show which', async () => {
    const frame = {
      page: { secure: true, loopback: false, blockedByPolicy: undefined },
      queryPermission: async () => permission('denied'),
    }
    expect(await fail(frame)).toMatchObject({
      reason: 'permission-denied',
      alsoPossible: ['permission-impossible'],
      description: expect.stringMatching(/site settings.*allow="loopback-network"/),
    })
  })

  test('with mayPrompt false is permission-needed, and no request is sent', async () => {
    const connector = await startConnector()
    const ports = { queryPermission: async () => permission('prompt') }
    const error = await fail(ports, at(connector.registryPort), { mayPrompt: false })
    expect(error).toMatchObject({ code: '199', reason: 'permission-needed' })
    expect(connector.requests).toEqual([])
  })

  test('dismissed is permission-needed', async () => {
    const onPermissionPrompt = vi.fn()
    const options = { onPermissionPrompt }
    const ports = { queryPermission: async () => permission('prompt') }
    expect(await fail(ports, closed, options)).toMatchObject({
      reason: 'permission-needed',
      alsoPossible: ['not-running', 'certificate-untrusted', 'origin-refused'],
    })
    expect(onPermissionPrompt).toHaveBeenCalledOnce()
  })

  test('stops the timeout while the prompt is open', async () => {
    const status = permission('prompt')
    const page = openPage({ queryPermission: async () => status })
    const server = await startScriptedServer(() => undefined)
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await server.waitForRequest('/info')
    expect(page.elapse(5000)).toBe(false)
    status.decide('granted')
    expect(page.elapse(5000)).toBe(true)
    expect(await failure).toMatchObject({ code: '199', reason: 'not-responding' })
  })

  test('with an open prompt makes an aborted call permission-pending', async () => {
    const server = await startScriptedServer(() => undefined)
    const page = new AbortController()
    const ports = { queryPermission: async () => permission('prompt') }
    const failure = fail(ports, at(server.port), { signal: page.signal })
    await server.waitForRequest('/info')
    page.abort()
    expect(await failure).toMatchObject({ code: '199', reason: 'permission-pending' })
  })

  test('is not queried for a page on this machine, whose timeout runs', async () => {
    const local = {
      page: { secure: true, loopback: true, blockedByPolicy: false },
      queryPermission: async () => permission('prompt'),
    }
    const page = openPage(local)
    const server = await startScriptedServer(() => undefined)
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await server.waitForRequest('/info')
    expect(page.elapse(5000)).toBe(true)
    expect(await failure).toMatchObject({ reason: 'not-responding' })
  })

  test('in the state "prompt" does not stop the timeout after a response', async () => {
    const page = openPage({ queryPermission: async () => permission('prompt') })
    let stall = (): void => undefined
    const stalled = new Promise<void>((resolve) => {
      stall = resolve
    })
    const server = await startScriptedServer((_, response) => response.write('{', () => stall()))
    const failure = failureOf(initializeWith(page.ports, at(server.port), {}))
    await stalled
    await expect.poll(() => page.elapse(5000)).toBe(true)
    expect(await failure).toMatchObject({ reason: 'not-responding' })
  })

  test('is requested for names of this machine, and for no others', async () => {
    const requests: unknown[] = []
    const fetch: Ports['fetch'] = (url, init) => {
      requests.push([new URL(url).hostname, init.targetAddressSpace, init.credentials])
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    for (const t1cApiUrl of ['https://localhost', 'https://127.0.0.1', 'https://t1c.example']) {
      await fail({ fetch }, { t1cApiUrl })
    }
    expect(requests).toEqual(
      ['localhost', '127.0.0.1', 't1c.example'].flatMap((host) => {
        const one = [host, host === 't1c.example' ? undefined : 'loopback', 'omit']
        return [one, one]
      }),
    )
  })
})
