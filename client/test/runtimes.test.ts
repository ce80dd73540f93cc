/** The exchange of an API key on every runtime that a back end may have. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../test/bed/free-port.ts'
import { waitForValue } from '../../test/bed/wait-for.ts'
import { listen } from './harness/listen.ts'
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
  await run(program('bun'), ['build', join(client, 'src/server.ts'), bundle])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function service() {
  let requestCount = 0
  const port = await listen(
    createServer((_, response) => {
      requestCount += 1
      response.end(
        JSON.stringify({ success: true, data: token({ iat: 0, exp: 1200, requestCount }) }),
      )
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
  const port = await findFreePort()
  await writeFile(
    join(folder, 'worker.mjs'),
    `import { applicationTokens } from 'server.mjs'${script}
    export default { fetch: async () => new Response(await ask(${JSON.stringify(dsUrl)})) }`,
  )
  await writeFile(join(folder, 'worker.capnp'), workerConfig(port))
  const worker = spawn(program('workerd'), ['serve', join(folder, 'worker.capnp')], {
    stdio: 'ignore',
  })
  const ended = once(worker, 'exit')
  try {
    const answer = await waitForValue(() =>
      fetch(`http://127.0.0.1:${port}/`).catch(() => undefined),
    )
    expect([await answer.text(), requestCount()]).toEqual(['1', 1])
  } finally {
    worker.kill()
    await ended
  }
})

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
