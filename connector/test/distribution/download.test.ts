/** Downloads of installers over real https: the offered file is accepted, every other one is refused. */
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
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  DownloadFailed,
  type DownloadRequest,
  download,
} from '../../src/distribution/update/download.ts'
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

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function listenTls(answer: RequestListener): Promise<string> {
  const server = createServer({ cert: pair.cert, key: pair.key }, answer)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${await listen(server)}/cardwire.deb`
}

/** A service of this machine, as the servers of these tests are. */
const here = 'http://127.0.0.1:8080'
const path = () => join(folder, 'installer')
const get = (url: string, order: Partial<DownloadRequest> = {}) =>
  download({ url, dsUrl: here, path: path(), caFile: join(folder, 'ca.pem'), ...order })
async function catchReason(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DownloadFailed)
  expect(existsSync(path())).toBe(false)
  return error instanceof Error ? error.message : ''
}

test('download writes the offered installer into a file that only its owner can read', async () => {
  const url = await listenTls((_, response) => response.end(installer))
  const found = await get(url, { sha256: sha256.toUpperCase(), size: installer.length })
  expect(found).toMatchObject({ sha256, bytes: installer.length })
  expect(Buffer.from(found.firstBytes).toString()).toBe('cardwirecardwire')
  expect(readFileSync(path()).equals(installer)).toBe(true)
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('download reports its progress up to the last byte', async () => {
  const url = await listenTls((_, response) =>
    response.writeHead(200, { 'content-length': installer.length }).end(installer),
  )
  const reports: (readonly [number, number | undefined])[] = []
  await get(url, { progress: (...so) => reports.push(so) })
  expect(reports.length).toBeGreaterThan(2)
  expect(reports.map(([bytes]) => bytes)).toEqual(
    reports.map(([bytes]) => bytes).toSorted((a, b) => a - b),
  )
  expect(reports.at(-1)).toEqual([installer.length, installer.length])
})

test('download follows a redirect', async () => {
  const url = await listenTls(({ url: requested }, response) =>
    requested === '/there'
      ? response.end(installer)
      : response.writeHead(302, { location: '/there' }).end(),
  )
  expect(await get(url, { sha256 })).toMatchObject({ sha256 })
})

test('download does not overwrite an existing file', async () => {
  writeFileSync(path(), 'mine')
  const url = await listenTls((_, response) => response.end(installer))
  await expect(get(url)).rejects.toThrow('EEXIST')
  expect(readFileSync(path(), 'utf8')).toBe('mine')
})

describe('download refuses an installer', () => {
  test('with another digest', async () => {
    const url = await listenTls((_, response) => response.end(installer))
    expect(await catchReason(get(url, { sha256: 'ab'.repeat(32) }))).toContain(
      `its SHA-256 is ${sha256}`,
    )
  })

  test.each([
    ['one byte more', 1],
    ['one byte less', -1],
  ])('of %s than was offered', async (_, more) => {
    const url = await listenTls((_request, response) => {
      response.write(installer.subarray(0, 1000))
      response.end(installer.subarray(1000))
    })
    const reason = await catchReason(get(url, { size: installer.length + more }))
    expect(reason).toMatch(more < 0 ? /more than 2999999 bytes/ : /3000000 bytes, and not 3000001/)
  })

  test('whose content-length is another size, without reading it', async () => {
    const url = await listenTls((_, response) => {
      response.writeHead(200, { 'content-length': 10 * installer.length })
      for (let n = 0; n < 10; n += 1) response.write(installer)
    })
    const progress = () => expect.unreachable()
    const reason = await catchReason(get(url, { size: installer.length, progress }))
    expect(reason).toContain('it has 30000000 bytes, and not 3000000')
  })

  test('from a server whose root is not trusted', async () => {
    let requests = 0
    const url = await listenTls((_, response) => {
      requests += 1
      response.end(installer)
    })
    expect(await catchReason(get(url, { caFile: undefined, sha256 }))).toMatch(/certificate/)
    expect(requests).toBe(0)
  })

  test.each<[string, (socket: Socket | null) => unknown]>([
    ['ends', (socket) => socket?.end()],
    ['breaks', (socket) => socket?.destroy()],
  ])('whose connection %s in the middle', async (_, act) => {
    const url = await listenTls((_request, response) => {
      response.writeHead(200, { 'content-length': installer.length })
      response.write(installer.subarray(0, 1000), () => act(response.socket))
    })
    await catchReason(get(url))
  })

  test.each([
    ['in the middle', 1000],
    ['before its first byte', 0],
  ])('that falls silent %s', async (_, bytes) => {
    const url = await listenTls((_request, response) => {
      response.flushHeaders()
      if (bytes > 0) response.write(installer.subarray(0, bytes))
    })
    const timeouts = { connectMs: 5000, silentMs: 300 }
    expect(await catchReason(get(url, { timeouts }))).toMatch(
      /it (stopped in the middle|comes too slowly)/,
    )
  })

  test('from a server that accepts and sends nothing', async () => {
    const server = createTcpServer()
    closing.push(() => server.close())
    const url = `https://localhost:${await listen(server)}/`
    const timeouts = { connectMs: 300, silentMs: 300 }
    expect(await catchReason(get(url, { timeouts }))).toContain('is not responding')
  })

  test('that comes a byte at a time', async () => {
    proves('installer-slow')
    const url = await listenTls((_request, response) => {
      response.flushHeaders()
      const drip = setInterval(() => response.write('x'), 20)
      closing.push(() => clearInterval(drip))
    })
    const timeouts = { connectMs: 5000, silentMs: 300 }
    expect(await catchReason(get(url, { timeouts }))).toContain('it comes too slowly')
  })

  test('that takes longer than all of it may, however it comes', async () => {
    proves('installer-slow')
    const url = await listenTls((_request, response) => {
      response.flushHeaders()
      const drip = setInterval(() => response.write('x'), 20)
      closing.push(() => clearInterval(drip))
    })
    const timeouts = { connectMs: 5000, silentMs: 1000, overallMs: 2000, minBytes: 1 }
    expect(await catchReason(get(url, { timeouts }))).toContain('it takes too long')
  })

  test.each([404, 500])('that is answered with status %i', async (status) => {
    const url = await listenTls((_, response) => response.writeHead(status).end('no'))
    expect(await catchReason(get(url))).toContain(`status ${status}`)
  })

  test('that a service of another machine has on this one, before sending a request', async () => {
    proves('redirect-to-loopback')
    let requests = 0
    const url = await listenTls((_, response) => {
      requests += 1
      response.end(installer)
    })
    const dsUrl = 'https://192.0.2.1'
    expect(await catchReason(get(url, { dsUrl }))).toMatch(/localhost:\d+ is this computer/)
    // One whose name says nothing.
    const named = url.replace('localhost', hostname())
    expect(await catchReason(get(named, { dsUrl }))).toContain(`"${hostname()}" is this computer`)
    expect(requests).toBe(0)
  })

  test('that redirects in a circle', async () => {
    const url = await listenTls((_, response) => response.writeHead(302, { location: '/' }).end())
    expect(await catchReason(get(url))).toContain('more than 5 times')
  })

  test('over http from another machine without a digest, before sending a request', async () => {
    const url = await listenTls((_, response) =>
      response.writeHead(302, { location: 'http://downloads.example/x.deb' }).end(),
    )
    expect(await catchReason(get(url))).toContain('is not https')
    expect(await catchReason(get('ftp://downloads.example/x.deb', { sha256 }))).toContain(
      'is not https',
    )
  })
})

test('download accepts http from this machine', async () => {
  const server = createHttpServer((_, response) => response.end(installer))
  closing.push(() => server.close())
  expect(await get(`http://127.0.0.1:${await listen(server)}/`)).toMatchObject({ sha256 })
  expect(existsSync(path())).toBe(true)
})
