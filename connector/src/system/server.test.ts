/** On which ports a server listens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { makeTestRoot } from '../../test/certs/test-root.ts'
import type { CertificateKeyPair } from '../pki/certificate.ts'
import { makeLeaf } from '../pki/x509.ts'
import { listen, listenOn, type Peer } from './server.ts'

let certificate: CertificateKeyPair
/** The root of the certificate, which the clients trust. */
let ca: string
beforeAll(async () => {
  const options = { now: Date.now(), hosts: [] }
  const root = await makeTestRoot({ ...options, owner: 'test', constraints: 'none' })
  ca = root.cert
  certificate = await makeLeaf(root, options)
})

test('a range that other programs have is left, and any free port is used on both addresses', async () => {
  proves('api-ports-taken')
  const holder = createServer().listen(0, '::1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const address = holder.address()
  const taken = address && typeof address === 'object' ? address.port : 0

  const server = listen({ first: taken, last: taken }, [certificate], (_, { port }) =>
    Response.json(port),
  )
  onTestFinished(() => server.stop())
  expect(server.port).not.toBe(taken)
  for (const host of ['127.0.0.1', '[::1]']) {
    const url = `https://${host}:${server.port}/`
    const response = await fetch(url, { tls: { ca } })
    // The port that the owner of the connection is looked up with.
    expect(await response.json()).toBe(server.port)
  }
  server.replaceCertificates([certificate])
  const again = await fetch(`https://127.0.0.1:${server.port}/`, {
    tls: { ca },
  })
  expect(again.status).toBe(200)
})

/** Tries to listen on the port in a separate process, until it has an address or is ended. */
const grab = `
  const port = Number(process.argv[1])
  console.log('trying')
  for (;;) {
    for (const hostname of process.argv.slice(2)) {
      try {
        Bun.listen({ hostname, port, socket: { data() {} } })
        console.log('took ' + hostname)
        await new Promise(() => setInterval(() => {}, 1000))
      } catch {}
    }
  }`

async function startGrabbing(port: number, ...addresses: readonly string[]) {
  const program = spawn(process.execPath, ['-e', grab, String(port), ...addresses], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void program.kill('SIGKILL'))
  let output = ''
  program.stdout.on('data', (data) => {
    output += data
  })
  await once(program.stdout, 'data')
  return { program, took: () => /took (.*)/.exec(output)?.[1] }
}

const respond = () => new Response('ours')

const ask = (address: string, port: number): Promise<string> =>
  fetch(`https://${address === '::1' ? '[::1]' : address}:${port}/`, {
    tls: { ca },
    // A program that has the port may not answer at all.
    signal: AbortSignal.timeout(2000),
  }).then(
    (response) => response.text(),
    () => 'nothing',
  )

test.runIf(process.platform === 'linux')(
  'another program never gets an address while certificates are replaced',
  async () => {
    proves('address-taken-over')
    const server = listen({ first: 1, last: 0 }, [certificate], respond)
    onTestFinished(() => server.stop())
    const grabber = await startGrabbing(server.port, '::1', '127.0.0.1')
    for (let count = 1; count <= 100; count += 1) {
      server.replaceCertificates([certificate])
      const answers = [await ask('127.0.0.1', server.port), await ask('::1', server.port)]
      expect([count, grabber.took(), ...answers]).toEqual([count, undefined, 'ours', 'ours'])
    }
  },
)

test('a server that has lost one address serves on neither until it has both', async () => {
  proves('address-taken-over')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const events: string[] = []
  const server = listen({ first: 1, last: 0 }, [certificate], respond, {
    onLost: (address, port) => events.push(`lost ${address} ${port === server.port}`),
    onRegained: (port) => events.push(`regained ${port === server.port}`),
    sharesPorts: false,
  })
  onTestFinished(() => server.stop())
  const { port } = server
  const { program, took } = await startGrabbing(port, '::1')
  while (events.length === 0) {
    server.replaceCertificates([certificate])
    await new Promise(setImmediate)
  }
  await expect.poll(took).toBe('::1')
  server.replaceCertificates([certificate])
  vi.advanceTimersByTime(5000)
  expect(await ask('127.0.0.1', port)).toBe('nothing')
  expect(events).toEqual(['lost ::1 true'])

  program.kill('SIGKILL')
  await once(program, 'close')
  vi.advanceTimersByTime(5000)
  expect([await ask('127.0.0.1', port), await ask('::1', port)]).toEqual(['ours', 'ours'])
  expect(events).toEqual(['lost ::1 true', 'regained true'])
})

test('no second server of the same account joins a port', () => {
  const server = listen({ first: 1, last: 0 }, [certificate], respond)
  onTestFinished(() => server.stop())
  expect(listenOn(server.port, [certificate], respond)).toBeUndefined()
})

test('a request whose connection was reset before it is handled has no peer', async () => {
  proves('owner-look-up-race')
  const peers = new Map<string, Peer | undefined>()
  const server = listen({ first: 1, last: 0 }, [certificate], ({ url }, { peer }) => {
    peers.set(new URL(url).pathname, peer)
    // Both requests are in the server's queue by then: the second one is read all the same.
    second.socket.resetAndDestroy()
    return new Response()
  })
  onTestFinished(() => server.stop())
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    const secure = connectTls({ socket, ca, servername: 'localhost' }).on('error', () => undefined)
    await once(secure, 'secureConnect')
    return { socket, secure }
  }
  const [first, second] = [await open(), await open()]
  const answered = once(first.secure, 'data')
  first.secure.write('GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n')
  second.secure.write('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await answered
  await expect.poll(() => [...peers.keys()]).toEqual(['/first', '/second'])
  expect(peers.get('/first')).toMatchObject({ address: '127.0.0.1' })
  expect(peers.get('/second')).toBeUndefined()
})
