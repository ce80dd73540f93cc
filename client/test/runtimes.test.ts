/** The exchange of an API key, and signatures, on every runtime that a back end may have. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../test/bed/free-port.ts'
import { proves } from '../../test/bed/proves.ts'
import { waitForValue } from '../../test/bed/wait-for.ts'
import { completeSignature, prepareSignature } from '../server/src/index.ts'
import { makeHolder } from './harness/authority.ts'
import { signDigest } from './harness/card-signature.ts'
import { listen } from './harness/listen.ts'
import { makeSigner, signerKeys } from './harness/signers.ts'
import { token } from './harness/token.ts'

const client = fileURLToPath(new URL('..', import.meta.url))
const program = (name: string): string => join(client, '../node_modules/.bin', name)
const run = promisify(execFile)

/** Two questions at once, then one that is answered from memory. */
const script = `
  const ask = async (dsUrl) => {
    const tokens = applicationTokens({ dsUrl, apiKey: 'key' })
    const both = await Promise.all([tokens.token(), tokens.token()])
    return JSON.stringify(new Set([...both, await tokens.token()]).size)
  }`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-runtimes-'))
  const bundle = `--outfile=${join(folder, 'server.mjs')}`
  await run(program('bun'), ['build', join(client, 'server/src/index.ts'), bundle])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** `delayMs`: how long it takes to answer the first request. */
async function service(delayMs = 0) {
  let requestCount = 0
  const port = await listen(
    createServer((_, response) => {
      requestCount += 1
      const answer = token({ iat: 0, exp: 1200, requestCount })
      const send = () => response.end(JSON.stringify({ success: true, data: answer }))
      setTimeout(send, requestCount === 1 ? delayMs : 0)
    }),
  )
  return { dsUrl: `http://127.0.0.1:${port}`, requestCount: () => requestCount }
}

test.each([
  ['Node', 'node', []],
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--allow-net', '--no-lock']],
])('on %s one token is fetched for all calls', async (name, command, args) => {
  const { dsUrl, requestCount } = await service()
  const file = join(folder, `${name}.mjs`)
  await writeFile(
    file,
    `import { applicationTokens } from './server.mjs'${script}
    console.log(await ask(${JSON.stringify(dsUrl)}))`,
  )
  const { stdout } = await run(program(command), [...args, file], {
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect([stdout.trim(), requestCount()]).toEqual(['1', 1])
})

test('on Workers one token is fetched for all calls', async () => {
  const { dsUrl, requestCount } = await service()
  const ask = await startWorker(
    `import { applicationTokens } from 'server.mjs'${script}
    export default { fetch: async () => new Response(await ask(${JSON.stringify(dsUrl)})) }`,
  )
  expect([await ask(), requestCount()]).toEqual(['1', 1])
})

test('on Workers a request that ends while it fetches the token keeps it from no other', async () => {
  proves('token-request-ended')
  const { dsUrl, requestCount } = await service(600_000)
  const ask = await startWorker(
    `import { applicationTokens } from 'server.mjs'
    const tokens = applicationTokens(${JSON.stringify({ dsUrl, apiKey: 'key' })})
    const answers = {
      '/hasty': () => tokens.token({ signal: AbortSignal.timeout(300) }),
      '/token': () => tokens.token(),
    }
    export default {
      fetch: async ({ url }) => {
        try {
          return new Response(await answers[new URL(url).pathname]())
        } catch (error) {
          return new Response(error.name + ': ' + error.message)
        }
      },
    }`,
  )
  expect(await ask('/hasty')).toMatch(/^TimeoutError: /)
  const form = /^[\w-]+\.[\w-]+\.[\w-]+$/
  expect(await Promise.all([ask('/token'), ask('/token')])).toEqual([
    expect.stringMatching(form),
    expect.stringMatching(form),
  ])
  expect(await ask('/token')).toMatch(form)
  expect(requestCount()).toBeLessThan(4)
})

/** Makes the state of a signature again, and verifies a signature in CMS and what cards signed over a digest. */
const signatureScript = (cases: readonly SignatureCase[]) => `
  const cases = ${JSON.stringify(cases)}
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const toText = (list) => btoa(String.fromCharCode(...list))
  const verifyAll = async () => {
    const said = []
    for (const { kind, content, certificate, hash, digest, value, cms, root } of cases) {
      const roots = [root]
      const signingTime = new Date(${signingTime.getTime()})
      const prepared = await prepareSignature({
        content: bytes(content), certificate: bytes(certificate), signingTime,
      })
      const isSame = toText(prepared.digest) === digest && prepared.hash === hash
      const { subject } = await verifyCmsSignature({
        signature: bytes(cms), content: bytes(content), roots,
      })
      const result = await verifySignature({
        digest: bytes(digest), hash, signature: bytes(value), certificate: bytes(certificate), roots,
      })
      said.push([kind, isSame, subject.CN[0], result.subject.CN[0]].join(' '))
    }
    return said.join(', ')
  }`
const signatureNames = 'prepareSignature, verifyCmsSignature, verifySignature'
const signingTime = new Date('2026-06-01T10:00:00Z')

interface SignatureCase {
  readonly kind: string
  readonly content: string
  readonly certificate: string
  readonly hash: string
  readonly digest: string
  readonly value: string
  readonly cms: string
  readonly root: string
}

/** For each kind of key. */
async function makeSignatures(): Promise<readonly SignatureCase[]> {
  const root = await makeHolder({ subject: '/CN=Root' })
  const content = Buffer.from('The seller hands over the bicycle.')
  const toText = (list: Uint8Array) => Buffer.from(list).toString('base64')
  return Promise.all(
    Object.entries(signerKeys).map(async ([kind, { key, curve }]) => {
      const signer = await makeSigner({ root, intermediate: root }, { key })
      const prepared = await prepareSignature({ content, certificate: signer.der, signingTime })
      const value = await signDigest(signer, prepared, curve)
      return {
        kind,
        content: toText(content),
        certificate: toText(signer.der),
        hash: prepared.hash,
        digest: toText(prepared.digest),
        value: toText(value),
        cms: toText(await completeSignature(prepared, value)),
        root: root.certificate,
      }
    }),
  )
}

const verified = ['RSA', 'P-256', 'P-384', 'P-521']
  .map((kind) => `${kind} true An Vermeer An Vermeer`)
  .join(', ')

test.each([
  ['Node', 'node', []],
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--no-lock']],
])('on %s signatures are prepared and verified', async (name, command, args) => {
  const file = join(folder, `${name}-signatures.mjs`)
  await writeFile(
    file,
    `import { ${signatureNames} } from './server.mjs'${signatureScript(await makeSignatures())}
    console.log(await verifyAll())`,
  )
  const { stdout } = await run(program(command), [...args, file], {
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(stdout.trim()).toBe(verified)
})

test('on Workers signatures are prepared and verified', async () => {
  const ask = await startWorker(
    `import { ${signatureNames} } from 'server.mjs'${signatureScript(await makeSignatures())}
    export default { fetch: async () => new Response(await verifyAll().catch(String)) }`,
  )
  expect(await ask()).toBe(verified)
})

/** Returns a function that asks it for a path. */
async function startWorker(script: string): Promise<(path?: string) => Promise<string>> {
  const port = await findFreePort()
  await writeFile(join(folder, 'worker.mjs'), script)
  await writeFile(join(folder, 'worker.capnp'), workerConfig(port))
  const worker = spawn(program('workerd'), ['serve', join(folder, 'worker.capnp')], {
    stdio: 'ignore',
  })
  const ended = once(worker, 'exit')
  onTestFinished(async () => {
    // Without waiting for requests that never end.
    worker.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await waitForValue(() => connectTo(port))
  return async (path = '/') =>
    (await fetch(url + path, { signal: AbortSignal.timeout(20_000) })).text()
}

/** True once something listens; undefined until then. */
async function connectTo(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

/** As workerd.capnp describes it: one worker, one port, and loopback within its reach. */
const workerConfig = (port: number) => `
  using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [
      (name = "main", worker = .worker),
      (name = "internet", network = (allow = ["public", "private", "local"])),
    ],
    sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
  );
  const worker :Workerd.Worker = (
    modules = [
      (name = "worker.mjs", esModule = embed "worker.mjs"),
      (name = "server.mjs", esModule = embed "server.mjs"),
    ],
    compatibilityDate = "2026-06-01",
  );
`
