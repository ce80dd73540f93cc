/** The HTTP transport against servers that respond late, incompletely, or with another certificate. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { Unreachable } from '../../src/distribution/client/connection-options.ts'
import { createTransport, deadlines } from '../../src/distribution/client/transport.ts'

let folder: string
const closing: (() => void)[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-link-'))
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=service'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
    ],
    { stdio: 'ignore' },
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  for (const close of closing.splice(0)) close()
  for (const name of ['HTTPS_PROXY', 'NO_PROXY']) delete process.env[name]
})

const caFile = () => join(folder, 'cert.pem')
const short = { connectMs: 300, overallMs: 700 }
/** For what has to succeed on a busy machine too. */
const patient = { deadlines: { connectMs: 1500, overallMs: 10_000 } }

async function listen<S extends Server>(server: S): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A service over https; without a text it takes requests and never answers. */
const createTlsServer = (text?: string, onRequest: () => void = () => undefined) =>
  createHttpsServer(
    { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(caFile()) },
    (_, response) => {
      onRequest()
      if (text !== undefined) response.end(text)
    },
  )

const get = (port: number, options = {}) =>
  createTransport({ caFile: caFile(), deadlines: short, ...options })({
    method: 'GET',
    url: `https://localhost:${port}/`,
  })

test('the deadlines are those of the specification', () => {
  expect(deadlines).toEqual({ connectMs: 10_000, overallMs: 15_000 })
})

test('a service with a root of CARDWIRE_CA_FILE is trusted', async () => {
  const port = await listen(createTlsServer('hello'))
  const { status, body } = await get(port)
  expect([status, new TextDecoder().decode(body)]).toEqual([200, 'hello'])
})

test('a service with another root gets no request', async () => {
  proves('service-posed')
  let requests = 0
  const count = () => {
    requests += 1
  }
  const port = await listen(createTlsServer('hello', count))
  await expect(get(port, { caFile: undefined })).rejects.toThrow(/certificate/)
  expect(requests).toBe(0)
})

test('a host that another machine chose gets no request when its name resolves to this machine', async () => {
  proves('redirect-to-loopback')
  let requests = 0
  const count = () => {
    requests += 1
  }
  const port = await listen(createTlsServer('hello', count))
  const url = `https://localhost:${port}/`
  const send = createTransport({ caFile: caFile() })
  await expect(send({ method: 'GET', url, elsewhere: true })).rejects.toThrow('is this computer')
  expect(requests).toBe(0)
  expect((await send({ method: 'GET', url, elsewhere: false })).status).toBe(200)
})

test('a full listen queue ends at the connect deadline', async () => {
  // A backlog of nothing, and nobody accepts: further connections wait in the kernel.
  const held = fillListenQueue()
  closing.push(held.close)
  const { port } = await held.full
  await expect(get(port)).rejects.toThrow('no connection in 0.3 s')
})

test('a server that accepts and sends nothing ends at the overall deadline', async () => {
  const port = await listen(createServer())
  await expect(get(port, { deadlines: { connectMs: 5000, overallMs: 400 } })).rejects.toThrow(
    'no response in 0.4 s',
  )
})

test('a service that reads the request and sends nothing ends at the overall deadline', async () => {
  const port = await listen(createTlsServer())
  await expect(get(port)).rejects.toThrow('no response in 0.7 s')
})

test('an incomplete response is an error', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'))
  })
  const port = await listen(server)
  const response = createTransport({ deadlines: short })({
    method: 'GET',
    url: `http://127.0.0.1:${port}/`,
  })
  await expect(response).rejects.toBeInstanceOf(Unreachable)
})

test('a name that does not resolve is in the error', async () => {
  const response = createTransport({ deadlines: { connectMs: 5000, overallMs: 5000 } })({
    method: 'GET',
    url: 'https://nobody.invalid/',
  })
  await expect(response).rejects.toThrow('Cannot reach nobody.invalid')
})

test.each(['http://', ''])(
  'the proxy of the environment, with %j in front, is used unless NO_PROXY names the host',
  async (scheme) => {
    const port = await listen(createTlsServer('hello'))
    const urls: (string | undefined)[] = []
    const proxy = createProxy(port, (url) => void urls.push(url))
    process.env['HTTPS_PROXY'] = `${scheme}127.0.0.1:${await listen(proxy)}`
    expect((await get(port, patient)).status).toBe(200)
    expect(urls).toEqual([`localhost:${port}`])
    process.env['NO_PROXY'] = 'localhost'
    expect((await get(port, patient)).status).toBe(200)
    expect(urls).toHaveLength(1)
  },
)

/** A proxy that connects to this port, whatever it is asked for. */
function createProxy(port: number, onConnect: (url: string | undefined) => void = () => undefined) {
  const proxy = createHttpServer()
  proxy.on('connect', ({ url }, socket) => {
    onConnect(url)
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on('error', () => undefined)
  })
  return proxy
}

test('a proxy that accepts and sends nothing ends at the connect deadline', async () => {
  const port = await listen(createTlsServer('hello'))
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listen(createServer())}`
  await expect(get(port)).rejects.toThrow('no connection in 0.3 s')
})

test('a response may take longer than the connect deadline, through a proxy too', async () => {
  const options = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(caFile()) }
  const slow = createHttpsServer(options, (_, response) => {
    setTimeout(() => response.end('late'), 2000)
  })
  const port = await listen(slow)
  expect((await get(port, patient)).status).toBe(200)
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listen(createProxy(port))}`
  expect((await get(port, patient)).status).toBe(200)
})

test('a missing file of roots is in the error, and no request is sent', async () => {
  const response = get(await listen(createTlsServer('hello')), {
    caFile: join(folder, 'absent.pem'),
  })
  await expect(response).rejects.toThrow(/CARDWIRE_CA_FILE.*absent\.pem/)
})

/** A listener that another process holds without ever accepting, and connections that fill its queue. */
function fillListenQueue() {
  const holder = Bun.spawn(
    [
      'python3',
      '-c',
      'import socket,sys\ns=socket.socket()\ns.bind(("127.0.0.1",0))\ns.listen(0)\nprint(s.getsockname()[1],flush=True)\nsys.stdin.read()',
    ],
    { stdin: 'pipe', stdout: 'pipe' },
  )
  const sockets: Socket[] = []
  const full = (async () => {
    const { value } = await holder.stdout.getReader().read()
    const port = Number(new TextDecoder().decode(value))
    // The queue of 0 takes one; the kernel drops what comes behind.
    for (let n = 0; n < 4; n += 1)
      sockets.push(connect(port, '127.0.0.1').on('error', () => undefined))
    await new Promise((resolve) => sockets[0]?.once('connect', resolve))
    return { port }
  })()
  return {
    full,
    close() {
      for (const socket of sockets) socket.destroy()
      holder.kill()
    },
  }
}
