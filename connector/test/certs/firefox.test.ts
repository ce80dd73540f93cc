/** Firefox with the policy file that names the root, in an /etc that nobody else sees: what it opens, and what it refuses. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect, createServer as createDoor, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { CertificateKeyPair } from '../../src/pki/certificate.ts'
import { readName } from '../../src/pki/names.ts'
import {
  createFirefoxPolicy,
  firefoxPolicyFile,
} from '../../src/pki/trust-stores/firefox-policy.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { judgeTestRoot, makeTestRoot } from './test-root.ts'

const now = Date.now()
let root: CertificateKeyPair
let folder: string
let etc: string

beforeAll(async () => {
  root = await makeTestRoot({ now, owner: 'tests@here', constraints: 'full', hosts: [] })
  folder = mkdtempSync(join(tmpdir(), 'cardwire-firefox-'))
  etc = join(folder, 'etc')
  cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Visits an address with a fresh profile, in the /etc of the test; ends with the test. */
function visit(address: string): void {
  const profile = mkdtempSync(join(folder, 'profile-'))
  const firefox = ['firefox-esr', '--headless', '--no-remote', '--profile', profile, address]
  const script = `mount --bind ${etc} /etc && exec ${firefox.join(' ')}`
  const [program, ...args] = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script]
  const child = spawn(program ?? '', args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: profile },
    stdio: 'ignore',
    detached: true,
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
}

/** What a server with a leaf hears first: a request, or that the browser went when it had seen the leaf. */
async function readFirstEvent(leaf: CertificateKeyPair, name: string): Promise<string> {
  const server = createServer({ cert: leaf.cert, key: leaf.key })
  // Before it, for the server is not told of a browser that goes.
  const door = createDoor((socket) => {
    const inside = connect(portOf(server), '127.0.0.1')
    socket.pipe(inside).pipe(socket)
    for (const end of [socket, inside]) end.on('error', () => undefined)
    socket.once('close', () => resolve('it went'))
  })
  onTestFinished(() => {
    for (const each of [server, door]) each.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await once(door.listen(0, name === 'localhost' ? '127.0.0.1' : name), 'listening')
  const { promise, resolve } = Promise.withResolvers<string>()
  server.once('request', (request, response) => {
    resolve(`request for ${request.headers.host?.split(':')[0]}`)
    response.end('hello')
  })
  visit(`https://${name}:${portOf(door)}/`)
  return promise
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

test('Without the policy it goes when it sees the leaf', async () => {
  expect(await readFirstEvent(await makeLeaf(root, { now, hosts: [] }), 'localhost')).toBe(
    'it went',
  )
})

test('With the policy it opens localhost and 127.0.0.1', async () => {
  proves('firefox-trust')
  const policy = join(etc, firefoxPolicyFile.slice('/etc'.length))
  mkdirSync(dirname(policy), { recursive: true })
  await createFirefoxPolicy(policy).install(judgeTestRoot(root.cert))
  const leaf = await makeLeaf(root, { now, hosts: [] })
  for (const name of ['localhost', '127.0.0.1'])
    expect(await readFirstEvent(leaf, name)).toBe(`request for ${name}`)
})

test('With the policy it goes all the same when the leaf is for another address', async () => {
  const hosts = ['127.0.0.2'].flatMap((name) => readName(name) ?? [])
  expect(await readFirstEvent(await makeLeaf(root, { now, hosts }), '127.0.0.2')).toBe('it went')
})
