/** Chromium with the policy file that has the root, in an /etc that nobody else sees: what it opens, what it refuses, what stays. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  type Certificate,
  type CertificateKeyPair,
  readCertificate,
} from '../../src/pki/certificate.ts'
import { readName } from '../../src/pki/names.ts'
import {
  chromiumPolicyFolders,
  chromiumPolicyName,
  createChromiumPolicy,
} from '../../src/pki/trust-stores/chromium-policy.ts'
import { installRoot, uninstallRoot } from '../../src/pki/trust-stores/install-root.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { judgeTestRoot, makeTestRoot } from './test-root.ts'

const now = Date.now()
let folder: string
let pair: CertificateKeyPair
let root: Certificate
let other: Certificate
beforeAll(async () => {
  const order = { now, owner: 'tests@here', constraints: 'full', hosts: [] } as const
  pair = await makeTestRoot(order)
  root = readCertificate(pair.cert)
  other = readCertificate((await makeTestRoot(order)).cert)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-chromium-policy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a browser with the policy', () => {
  let etc: string
  let program: string
  beforeEach(async () => {
    etc = join(folder, 'etc')
    cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
    program = join(folder, 'chromium')
    const script = `mount --bind ${etc} /etc && exec ${chromiumProgram} "$@"`
    const enter = 'unshare --user --map-root-user --mount'
    writeFileSync(program, `#!/bin/sh\nexec ${enter} sh -c '${script}' sh "$@"\n`)
    chmodSync(program, 0o755)
    const policies = join(etc, chromiumPolicyFolders.chromium.slice('/etc/'.length))
    await installRoot([createChromiumPolicy('chromium', policies)], root, [])
  })

  test.each([
    ['localhost', 'hello'],
    // The constraints of the root do not permit it.
    ['127.0.0.2', 'net::ERR_CERT_INVALID'],
  ])('opens https://%s: %s', async (host, expected) => {
    proves('root-constrained', 'root-key-stolen')
    const hosts = [readName(host)].flatMap((name) => name ?? [])
    const leaf = await makeLeaf(pair, { now, hosts })
    expect(await visit(await serve(leaf), host)).toBe(expected)
  })

  test('does not open what another root signed', async () => {
    proves('root-constrained')
    const stranger = await makeTestRoot({
      now,
      owner: 'tests@here',
      constraints: 'full',
      hosts: [],
    })
    const leaf = await makeLeaf(stranger, { now, hosts: [] })
    expect(await visit(await serve(leaf), 'localhost')).toBe('net::ERR_CERT_AUTHORITY_INVALID')
  })

  /** What the page shows, or the error in the browser's words, in a home without a database. */
  async function visit(port: number, host: string): Promise<string> {
    const home = mkdtempSync(join(folder, 'home-'))
    const browser = await chromium.launch({
      executablePath: program,
      args: [...chromiumFlags],
      env: { PATH: process.env['PATH'] ?? '', HOME: home },
    })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    try {
      await page.goto(`https://${host}:${port}/`)
      return (await page.textContent('body')) ?? ''
    } catch (error) {
      return /net::\w+/.exec(String(error))?.[0] ?? String(error)
    }
  }
})

function serve(leaf: CertificateKeyPair): Promise<number> {
  const server = createServer({ cert: leaf.cert, key: leaf.key }, (_, response) =>
    response.end('hello'),
  )
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '0.0.0.0', () => resolve((server.address() as AddressInfo).port)),
  )
}

describe('the file', () => {
  const policies = () => join(folder, 'browser/policies/managed')
  const read = () => JSON.parse(readFileSync(join(policies(), chromiumPolicyName), 'utf8'))
  const open = () => createChromiumPolicy('chromium', policies())
  const base64 = (certificate: Certificate) => Buffer.from(certificate.der).toString('base64')

  test('has each root once, and goes with the last one, with the folders that it made', async () => {
    proves('old-root-trusted')
    const store = open()
    for (const each of [root, other, root]) await store.install(judgeTestRoot(each.pem))
    expect(read()).toEqual({ CACertificates: [base64(other), base64(root)] })
    expect([await store.trusts(root), await store.trusts(other)]).toEqual([true, true])
    await store.uninstall(other)
    expect([await store.trusts(root), await store.trusts(other)]).toEqual([true, false])
    await store.uninstall(root)
    await store.uninstall(root)
    expect(readdirSync(folder)).toEqual([])
  })

  test('can be read by the browsers of everybody, whatever the umask of the administrator', async () => {
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    await open().install(judgeTestRoot(root.pem))
    const made = [join(folder, 'browser'), policies(), join(policies(), chromiumPolicyName)]
    expect(made.map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o755, 0o644])
  })

  test('leaves the policies of others, and their folder, as they are', async () => {
    mkdirSync(policies(), { recursive: true })
    writeFileSync(join(policies(), 'theirs.json'), '{ "HomepageLocation": "https://a.example" }')
    await open().install(judgeTestRoot(root.pem))
    await open().uninstall(root)
    expect(readdirSync(policies())).toEqual(['theirs.json'])
  })

  test('is not made beside one that sets the same policy, which names that one', async () => {
    mkdirSync(policies(), { recursive: true })
    const theirs = join(policies(), 'theirs.json')
    writeFileSync(theirs, '{ "CACertificates": [] }')
    const [result] = await installRoot([open()], root, [])
    expect(result).toMatchObject({ trusted: false, reason: expect.stringContaining(theirs) })
    expect(existsSync(join(policies(), chromiumPolicyName))).toBe(false)
  })

  test('can be removed when another one came to it, and is no trust until then', async () => {
    await open().install(judgeTestRoot(root.pem))
    writeFileSync(join(policies(), 'theirs.json'), '{ "CACertificates": [] }')
    expect(await open().trusts(root)).toBe(false)
    await uninstallRoot([open()], root, { hosts: [] })
    expect(readdirSync(policies())).toEqual(['theirs.json'])
  })
})
