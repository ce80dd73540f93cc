/** Chromium, with the root in the NSS database of a fresh home: what it opens without a warning, and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { trustRoots } from '../../../test/bed/certificates.ts'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type CertificateKeyPair, readCertificate } from '../../src/pki/certificate.ts'
import { readName } from '../../src/pki/names.ts'
import { installRoot } from '../../src/pki/trust-stores/install-root.ts'
import { findNssStores } from '../../src/pki/trust-stores/nss.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { createRunner } from '../../src/system/run-command.ts'
import { makeTestRoot } from './test-root.ts'

const now = Date.now()
const hosts = (...names: string[]) => names.flatMap((name) => readName(name) ?? [])

const flags = [
  ...chromiumFlags,
  // Names in the table below lead to this machine; nothing else is resolved.
  '--host-resolver-rules=MAP other.example.org 127.0.0.1',
]

let root: CertificateKeyPair
let stranger: CertificateKeyPair

beforeAll(async () => {
  const order = { now, owner: 'tests@here', constraints: 'full', hosts: [] } as const
  ;[root, stranger] = await Promise.all([makeTestRoot(order), makeTestRoot(order)])
})

/** A browser in a fresh home, and how it ends. */
async function open(prepare: (home: string) => Promise<unknown>) {
  const home = mkdtempSync(join(tmpdir(), 'cardwire-chromium-'))
  await prepare(home)
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: flags,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  })
  const close = async () => {
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
  return { browser, close }
}

const install = (home: string, only?: string) => async () => {
  const stores = await findNssStores({ home, environment: {}, run: createRunner() })
  const chosen = stores.filter(({ name }) => only === undefined || name === only)
  return installRoot(chosen, readCertificate(root.cert), [])
}

/** What the page shows, or the error in the browser's words. */
async function visit(browser: Browser, address: string): Promise<string> {
  const page = await browser.newPage()
  try {
    await page.goto(address)
    return (await page.textContent('body')) ?? ''
  } catch (error) {
    return /net::\w+/.exec(String(error))?.[0] ?? String(error)
  } finally {
    await page.close()
  }
}

/** Serves "hello" with a leaf on an address of this machine; answers with the port. */
function serve(leaf: CertificateKeyPair, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer({ cert: leaf.cert, key: leaf.key }, (_, response) =>
      response.end('hello'),
    )
    onTestFinished(() => void server.close())
    server.once('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      if (bound === null || typeof bound === 'string') reject(new Error('no port'))
      else resolve(bound.port)
    })
  })
}

describe('Chromium with the root in its database', () => {
  let browser: Browser
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ browser, close } = await open((home) => install(home)()))
  })
  afterAll(() => close())

  test.each([
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
  ])('opens https://%s without a warning', async (host, address) => {
    proves('root-constrained')
    const port = await serve(await makeLeaf(root, { now, hosts: [] }), address)
    expect(await visit(browser, `https://${host}:${port}/`)).toBe('hello')
  })

  test.each([
    ['another name', 'other.example.org', '127.0.0.1'],
    ['another address', '127.0.0.2', '127.0.0.2'],
  ])('refuses a leaf for %s, though the same root signed it', async (_, host, address) => {
    proves('root-constrained', 'root-key-stolen')
    const leaf = await makeLeaf(root, { now, hosts: hosts(host) })
    expect(readCertificate(leaf.cert).names).toContain(host)
    const port = await serve(leaf, address)
    expect(await visit(browser, `https://${host}:${port}/`)).toMatch(/^net::ERR_CERT_/)
  })

  test('refuses a leaf of a root that is not in its trust store', async () => {
    proves('root-constrained')
    const port = await serve(await makeLeaf(stranger, { now, hosts: [] }), '127.0.0.1')
    expect(await visit(browser, `https://localhost:${port}/`)).toBe(
      'net::ERR_CERT_AUTHORITY_INVALID',
    )
  })
})

test('Chromium on a home with the older database alone reads that one', async () => {
  const { browser, close } = await open((home) => install(home, 'nss:.pki/nssdb')())
  onTestFinished(close)
  const port = await serve(await makeLeaf(root, { now, hosts: [] }), '127.0.0.1')
  expect(await visit(browser, `https://localhost:${port}/`)).toBe('hello')
})

test('Without constraints the very same foreign leaf would be accepted: it is the constraints that refuse it', async () => {
  const order = { now, owner: 'tests@here', constraints: 'none', hosts: [] } as const
  const unbound = await makeTestRoot(order)
  // Nothing of the connector would do this.
  const { browser, close } = await open((home) =>
    trustRoots(join(home, '.local/share/pki/nssdb'), [unbound.cert]),
  )
  onTestFinished(close)
  const leaf = await makeLeaf(unbound, { now, hosts: hosts('other.example.org') })
  const port = await serve(leaf, '127.0.0.1')
  expect(await visit(browser, `https://other.example.org:${port}/`)).toBe('hello')
})
