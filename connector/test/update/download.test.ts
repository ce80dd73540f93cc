/** Installers over real https: the one that was offered is taken, every other one is refused. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DownloadFailed, type DownloadOrder, download } from '../../src/update/download.ts'
import { keyKinds, type OpenSsl, openSsl, type Pair } from '../keystore/openssl.ts'

let ssl: OpenSsl
let pair: Pair
let folder: string
const closing: (() => unknown)[] = []
beforeAll(() => {
  ssl = openSsl()
  pair = ssl.certificate({ names: ['localhost'], key: keyKinds.rsa })
})
afterAll(() => ssl.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-download-'))
  writeFileSync(join(folder, 'ca.pem'), pair.cert)
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  rmSync(folder, { recursive: true, force: true })
})

const installer = Buffer.alloc(3_000_000, 'cardwire')
const sha256 = createHash('sha256').update(installer).digest('hex')

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function secure(answer: RequestListener): Promise<string> {
  const server = createServer({ cert: pair.cert, key: pair.key }, answer)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${await listening(server)}/cardwire.deb`
}

const path = () => join(folder, 'installer')
const get = (url: string, order: Partial<DownloadOrder> = {}) =>
  download({ url, path: path(), caFile: join(folder, 'ca.pem'), ...order })
async function reasonOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DownloadFailed)
  expect(existsSync(path())).toBe(false)
  return error instanceof Error ? error.message : ''
}

test('the installer that was offered is in the file, for its owner alone', async () => {
  const url = await secure((_, response) => response.end(installer))
  const found = await get(url, { sha256: sha256.toUpperCase(), size: installer.length })
  expect(found).toMatchObject({ sha256, bytes: installer.length })
  expect(Buffer.from(found.first).toString()).toBe('cardwirecardwire')
  expect(readFileSync(path()).equals(installer)).toBe(true)
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('how far it is, is told to the last byte', async () => {
  const url = await secure((_, response) =>
    response.writeHead(200, { 'content-length': installer.length }).end(installer),
  )
  const told: (readonly [number, number | undefined])[] = []
  await get(url, { progress: (...so) => told.push(so) })
  expect(told.length).toBeGreaterThan(2)
  expect(told.map(([bytes]) => bytes)).toEqual(
    told.map(([bytes]) => bytes).toSorted((a, b) => a - b),
  )
  expect(told.at(-1)).toEqual([installer.length, installer.length])
})

test('a redirect is followed', async () => {
  const url = await secure(({ url: asked }, response) =>
    asked === '/there'
      ? response.end(installer)
      : response.writeHead(302, { location: '/there' }).end(),
  )
  expect(await get(url, { sha256 })).toMatchObject({ sha256 })
})

test('a file that is there is not written over', async () => {
  writeFileSync(path(), 'mine')
  const url = await secure((_, response) => response.end(installer))
  await expect(get(url)).rejects.toThrow('EEXIST')
  expect(readFileSync(path(), 'utf8')).toBe('mine')
})

describe('an installer is refused', () => {
  test('with another digest', async () => {
    const url = await secure((_, response) => response.end(installer))
    expect(await reasonOf(get(url, { sha256: 'ab'.repeat(32) }))).toContain(
      `its SHA-256 is ${sha256}`,
    )
  })

  test.each([
    ['one byte more', 1],
    ['one byte less', -1],
  ])('of %s than was offered', async (_, more) => {
    const url = await secure((_request, response) => {
      response.write(installer.subarray(0, 1000))
      response.end(installer.subarray(1000))
    })
    const reason = await reasonOf(get(url, { size: installer.length + more }))
    expect(reason).toMatch(more < 0 ? /more than 2999999 bytes/ : /3000000 bytes, and not 3000001/)
  })

  test('that says before that it is another size, without being read', async () => {
    const url = await secure((_, response) => {
      response.writeHead(200, { 'content-length': 10 * installer.length })
      for (let n = 0; n < 10; n += 1) response.write(installer)
    })
    const progress = () => expect.unreachable()
    const reason = await reasonOf(get(url, { size: installer.length, progress }))
    expect(reason).toContain('it has 30000000 bytes, and not 3000000')
  })

  test('of a service with a root that is not believed', async () => {
    let asked = 0
    const url = await secure((_, response) => {
      asked += 1
      response.end(installer)
    })
    expect(await reasonOf(get(url, { caFile: undefined, sha256 }))).toMatch(/certificate/)
    expect(asked).toBe(0)
  })

  test.each<[string, (socket: Socket | null) => unknown]>([
    ['ends', (socket) => socket?.end()],
    ['breaks', (socket) => socket?.destroy()],
  ])('whose connection %s in the middle', async (_, act) => {
    const url = await secure((_request, response) => {
      response.writeHead(200, { 'content-length': installer.length })
      response.write(installer.subarray(0, 1000), () => act(response.socket))
    })
    await reasonOf(get(url))
  })

  test.each([
    ['in the middle', 1000],
    ['before its first byte', 0],
  ])('that falls silent %s', async (_, bytes) => {
    const url = await secure((_request, response) => {
      response.flushHeaders()
      if (bytes > 0) response.write(installer.subarray(0, bytes))
    })
    const patience = { connectMs: 5000, silentMs: 300 }
    expect(await reasonOf(get(url, { patience }))).toContain('it stopped in the middle')
  })

  test('of a peer that accepts and says nothing', async () => {
    const server = createTcpServer()
    closing.push(() => server.close())
    const url = `https://localhost:${await listening(server)}/`
    const patience = { connectMs: 300, silentMs: 300 }
    expect(await reasonOf(get(url, { patience }))).toContain('does not answer')
  })

  test.each([404, 500])('that is answered with status %i', async (status) => {
    const url = await secure((_, response) => response.writeHead(status).end('no'))
    expect(await reasonOf(get(url))).toContain(`status ${status}`)
  })

  test('that leads in a circle', async () => {
    const url = await secure((_, response) => response.writeHead(302, { location: '/' }).end())
    expect(await reasonOf(get(url))).toContain('more than 5 times')
  })

  test('over http without a digest, of another machine, before it is asked for', async () => {
    const url = await secure((_, response) =>
      response.writeHead(302, { location: 'http://downloads.example/x.deb' }).end(),
    )
    expect(await reasonOf(get(url))).toContain('is not https')
    expect(await reasonOf(get('ftp://downloads.example/x.deb', { sha256 }))).toContain(
      'is not https',
    )
  })
})

test('over http of this machine it is taken', async () => {
  const server = createHttpServer((_, response) => response.end(installer))
  closing.push(() => server.close())
  expect(await get(`http://127.0.0.1:${await listening(server)}/`)).toMatchObject({ sha256 })
  expect(existsSync(path())).toBe(true)
})
