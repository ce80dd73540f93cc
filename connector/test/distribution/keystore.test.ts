/** The keystore of a device against the real service: fetched, stored, replaced, refused. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openIdentity } from '../../src/distribution/client/identity.ts'
import { createTransport, type HttpTransport } from '../../src/distribution/client/transport.ts'
import { fetchKeystore } from '../../src/distribution/keystore/fetch-keystore.ts'
import { type Keystore, openKeystore } from '../../src/distribution/keystore/keystore.ts'
import {
  createKeystoreOpener,
  type OpenKeystoreFile,
} from '../../src/distribution/keystore/open-keystore-file.ts'
import { createFaults } from '../../src/distribution/sync/faults.ts'
import { createSchedule } from '../../src/distribution/sync/schedule.ts'
import { listDamagedFiles } from '../../src/system/damaged-files.ts'
import { keyKinds, type OpenSsl, openSsl, type Pair } from '../keystore/openssl.ts'
import { openDevice, type TestDevice } from './device.ts'

const keystoreWorker = new URL(
  '../../src/distribution/keystore/keystore-worker.ts',
  import.meta.url,
)

let service: DistributionService
let openFile: OpenKeystoreFile
let ssl: OpenSsl
let far: Pair
const closing: (() => unknown)[] = []
let versions = 0

beforeAll(async () => {
  ssl = openSsl()
  far = ssl.certificate({ names: ['localhost'], key: keyKinds.rsa })
  service = await startDistributionService()
})
afterAll(async () => {
  await service?.stop()
  ssl.close()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Machine {
  readonly version: string
  readonly device: TestDevice
  keystore: Keystore
  /** What it would tell the service next: kind and detail. */
  faults(): readonly string[]
  /** Configures a file of the service, or an address. */
  configure(config: {
    uri?: string
    file?: Buffer
    password?: string
    digest?: string
  }): Promise<void>
  /** Synchronizes, and does what the service says of the keystore. */
  follow(): Promise<void>
  /** As the process that comes after this one. */
  restart(clock?: () => number): Promise<void>
  /** Acts when a try that failed is due again; undefined: none is. */
  due(): (() => void) | undefined
}

let machine: Machine
beforeEach(async () => {
  versions += 1
  openFile = createKeystoreOpener(keystoreWorker)
  const version = `4.0.${versions}`
  const { installationApiKey } = await service.registerVersion(version)
  const device = await openDevice({
    dsUrl: service.url,
    version,
    installationKey: installationApiKey,
  })
  closing.push(device.close)
  const { decrypt } = await openIdentity(device.runtime, { warn: () => undefined })
  const caFile = join(device.runtime, 'far.pem')
  writeFileSync(caFile, far.cert)
  let faults = createFaults(Date.now)
  let due: (() => void) | undefined
  let configuration: string | undefined
  const open = (clock = Date.now) =>
    openKeystore({
      runtime: device.runtime,
      dsUrl: service.url,
      send: device.send,
      decrypt,
      faults,
      clock,
      openFile,
      transport: createTransport({ caFile }),
      schedule: createSchedule(() => 0.5),
      startTimer: (_, act) => {
        due = act
        return () => {
          due = undefined
        }
      },
      log: {
        info: (event) => void device.logged.push(event),
        warn: (event) => void device.logged.push(event),
        error: (event, fields) => void device.logged.push(`${event}: ${fields?.['reason']}`),
      },
    })
  machine = {
    version,
    device,
    keystore: await open(),
    faults: () => faults.list().map(({ kind, detail }) => `${kind}: ${detail}`),
    async configure({ uri = `file:///keys/${version}.p12`, file, password = 'secret', digest }) {
      if (file) await service.putKeystore(`keys/${version}.p12`, file)
      const { id } = await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
        type: 'SSL_KEYSTORE',
        versionId: version,
        ...(configuration !== undefined && { id: configuration }),
        config: { uri, password, ...(digest !== undefined && { digest }) },
      })
      configuration = id
    },
    async follow() {
      await device.syncOnce()
      await machine.keystore.apply(device.policy()?.keystore)
    },
    async restart(clock) {
      faults = createFaults(Date.now)
      due = undefined
      machine.keystore = await open(clock)
    },
    due: () => due,
  }
})

const kept = (name: string) => join(machine.device.runtime, name)

/** A server of files over https, believed by way of a file of roots. */
async function farServer(answer: RequestListener): Promise<string> {
  const server = createServer({ cert: far.cert, key: far.key }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

/** At another address: the service opens the keystores that it stores itself, and refuses what connectors would refuse. */
async function configureFar(file: Buffer, password?: string): Promise<void> {
  const uri = await farServer((_, response) => response.end(file))
  const digest = createHash('sha256').update(file).digest('hex')
  await machine.configure({ uri, digest, ...(password !== undefined && { password }) })
}

test('a keystore of the service is fetched, decrypted and stored for its owner only', async () => {
  const pair = ssl.certificate({ key: keyKinds.rsa })
  await machine.configure({ file: ssl.keystore(pair) })
  await machine.follow()
  expect(machine.keystore.current()).toMatchObject({
    names: ['connector.example.com'],
    digest: machine.device.policy()?.keystore?.digest,
  })
  expect(machine.keystore.digest()).toBe(machine.device.policy()?.keystore?.digest)
  for (const name of ['keystore.pem', 'keystore.json'])
    expect(statSync(kept(name)).mode & 0o777).toBe(0o600)
  const pem = ssl.run(
    ['x509', '-noout', '-fingerprint'],
    readFileSync(kept('keystore.pem'), 'utf8'),
  )
  expect(pem).toBe(ssl.run(['x509', '-noout', '-fingerprint'], pair.cert))
  expect(machine.faults()).toEqual([])
  expect(machine.device.logged.join()).not.toContain('secret')
})

test('the same keystore is not fetched again', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const countFetches = () =>
    machine.device.calls.filter(({ url }) => url.endsWith('/keystore')).length
  expect(countFetches()).toBe(1)
  await machine.follow()
  await machine.restart()
  await machine.follow()
  expect(countFetches()).toBe(1)
})

test('a stored keystore is in force after a restart without the service', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const before = machine.keystore.current()
  await machine.restart()
  expect(machine.keystore.current()).toEqual(before)
})

test.each(['keystore.pem', 'keystore.json'])(
  'a %s that was altered is not served, and the keystore is fetched again',
  async (name) => {
    proves('keystore-checked-at-start')
    await machine.configure({ file: ssl.keystore(ssl.certificate()) })
    await machine.follow()
    const before = machine.keystore.current()
    const text = readFileSync(kept(name), 'utf8')
    writeFileSync(kept(name), text.replace(/[b-y](?=[^b-y]*$)/, 'z'))
    expect(readFileSync(kept(name), 'utf8')).not.toBe(text)
    const altered = readFileSync(kept(name), 'utf8')
    await machine.restart()
    expect(machine.keystore.current()).toBeUndefined()
    const damaged = listDamagedFiles(machine.device.runtime).find((file) => file.name === name)
    expect(readFileSync(damaged?.path ?? '', 'utf8')).toBe(altered)
    await machine.follow()
    expect(machine.keystore.current()).toEqual(before)
    expect(readFileSync(kept(name), 'utf8')).toBe(text)
  },
)

test.each(['keystore.pem', 'keystore.json'])(
  'a %s that cannot be read is not taken for altered, and nothing is removed',
  async (name) => {
    proves('data-file-damaged')
    await machine.configure({ file: ssl.keystore(ssl.certificate()) })
    await machine.follow()
    const text = readFileSync(kept(name), 'utf8')
    rmSync(kept(name))
    symlinkSync(name, kept(name))
    await expect(machine.restart()).rejects.toThrow('ELOOP')
    expect(listDamagedFiles(machine.device.runtime)).toEqual([])
    rmSync(kept(name))
    writeFileSync(kept(name), text)
    await machine.restart()
    expect(machine.keystore.current()).toBeDefined()
  },
)

test('a keystore whose file was altered stays in force, and is stored again', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const text = readFileSync(kept('keystore.pem'), 'utf8')
  writeFileSync(kept('keystore.pem'), 'nothing')
  await machine.follow()
  expect(readFileSync(kept('keystore.pem'), 'utf8')).toBe(text)
})

test('another keystore replaces the one in force, and calls the listeners', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const changes: (readonly string[] | undefined)[] = []
  machine.keystore.onChange(() => changes.push(machine.keystore.current()?.names))
  await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['new.example.com'] })) })
  await machine.follow()
  await machine.follow()
  expect(changes).toEqual([['new.example.com']])
})

test('a keystore that the service has removed is removed here too', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const { items } = await service.admin('GET', '/v3/configurations?size=100')
  const { id } = items.find(({ versionId }: { versionId: string }) => versionId === machine.version)
  await service.admin('DELETE', `/v3/configurations/${id}?maxReach=999999999`)
  await machine.follow()
  expect(machine.keystore.current()).toBeUndefined()
  await machine.restart()
  expect(machine.keystore.current()).toBeUndefined()
})

test('a keystore that expires is not served any more', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate({ days: 30 })) })
  await machine.follow()
  const later = () => Date.now() + 31 * 86_400_000
  await machine.restart(later)
  expect(machine.keystore.current()).toBeUndefined()
  await machine.follow()
  expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: .*expired/)])
  expect(machine.keystore.current()).toBeUndefined()
})

describe('a keystore at another address', () => {
  test('is fetched over https, behind a redirect too', async () => {
    const file = ssl.keystore(ssl.certificate())
    const uri = await farServer(({ url }, response) => {
      if (url === '/new.p12') return response.end(file)
      return response.writeHead(302, { location: '/new.p12' }).end()
    })
    await machine.configure({ uri: `${uri}/old.p12` })
    await machine.follow()
    expect(machine.keystore.current()?.names).toEqual(['connector.example.com'])
  })

  test('is fetched again at each synchronization when its digest is unknown', async () => {
    let file = ssl.keystore(ssl.certificate())
    const uri = await farServer((_, response) => response.end(file))
    await machine.configure({ uri })
    await machine.follow()
    file = ssl.keystore(ssl.certificate({ names: ['new.example.com'] }))
    await machine.follow()
    expect(machine.keystore.current()?.names).toEqual(['new.example.com'])
  })

  test.each([
    ['without a MAC', { options: ['-nomac'] }],
    ['with a MAC of no password', { password: '' }],
  ] as const)('without a digest is refused %s: anyone could have made it', async (_, made) => {
    proves('keystore-swapped')
    const file = ssl.keystore(ssl.certificate(), made)
    const uri = await farServer((_, response) => response.end(file))
    await machine.configure({ uri, ...('password' in made && { password: '' }) })
    await machine.follow()
    expect(machine.keystore.current()).toBeUndefined()
    expect(machine.faults()).toEqual([
      expect.stringMatching(/^keystore-refused: .*anyone could have made it/),
    ])
    const digest = createHash('sha256').update(file).digest('hex')
    await machine.configure({ uri, digest, ...('password' in made && { password: '' }) })
    await machine.follow()
    expect(machine.keystore.current()?.names).toEqual(['connector.example.com'])
  })

  test('is refused with another digest', async () => {
    proves('keystore-swapped')
    const uri = await farServer((_, response) => response.end(ssl.keystore(ssl.certificate())))
    await machine.configure({ uri, digest: 'ab'.repeat(32) })
    await machine.follow()
    expect(machine.keystore.current()).toBeUndefined()
    expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: .*SHA-256 is/)])
  })

  test('is refused before the request when it redirects to http', async () => {
    const uri = await farServer((_, response) =>
      response.writeHead(302, { location: 'http://keys.example/store.p12' }).end(),
    )
    await machine.configure({ uri })
    await machine.follow()
    expect(machine.faults()).toEqual([expect.stringContaining('over https only')])
  })

  test('is refused before the request when another machine redirects to this one', async () => {
    proves('redirect-to-loopback')
    const requested: string[] = []
    const transport: HttpTransport = async ({ url }) => {
      requested.push(url)
      return { status: 302, headers: { location: 'http://127.0.0.1:631/' }, body: new Uint8Array() }
    }
    const reference = { uri: 'https://files.example/a.p12', guarded: false, password: 'x' }
    await expect(
      fetchKeystore(reference, {
        dsUrl: 'https://192.0.2.1',
        transport,
        send: machine.device.send,
      }),
    ).rejects.toThrow('files.example redirects to this computer')
    expect(requested).toEqual(['https://files.example/a.p12'])
  })

  test('is fetched with a check of every address, where the service is on another machine', async () => {
    proves('redirect-to-loopback')
    const requested: unknown[] = []
    const transport: HttpTransport = async ({ url, elsewhere }) => {
      requested.push([url, elsewhere])
      return { status: 302, headers: { location: '/b.p12' }, body: new Uint8Array() }
    }
    const reference = { uri: 'https://files.example/a.p12', guarded: false, password: 'x' }
    const fetch = (dsUrl: string) =>
      fetchKeystore(reference, { dsUrl, transport, send: machine.device.send })
    await expect(fetch('https://192.0.2.1')).rejects.toThrow('redirects')
    await expect(fetch(service.url)).rejects.toThrow('redirects')
    expect([0, 1, 6].map((request) => requested[request])).toEqual([
      ['https://files.example/a.p12', true],
      ['https://files.example/b.p12', true],
      ['https://files.example/a.p12', false],
    ])
  })

  test('is refused before the request when a service of another machine names this one', async () => {
    proves('redirect-to-loopback')
    const transport: HttpTransport = () => expect.unreachable()
    const reference = { uri: 'http://localhost:631/a.p12', guarded: false, password: 'x' }
    await expect(
      fetchKeystore(reference, {
        dsUrl: 'https://192.0.2.1',
        transport,
        send: machine.device.send,
      }),
    ).rejects.toThrow('localhost:631 is this computer')
  })

  test('is refused with 50 MB, without reading all of it', async () => {
    let sent = 0
    const uri = await farServer((_, response) => {
      const part = Buffer.alloc(64 * 1024)
      const send = () => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += part.length
          if (!response.write(part)) return response.once('drain', send)
        }
        return response.end()
      }
      send()
    })
    await machine.configure({ uri })
    await machine.follow()
    expect(machine.faults()).toEqual([
      'keystore-refused: Cannot use the keystore: it has more than 5242880 bytes',
    ])
    expect(sent).toBeLessThan(25_000_000)
  })

  test('is reported as missing while it cannot be fetched, and tried again', async () => {
    let status = 500
    const file = ssl.keystore(ssl.certificate())
    const uri = await farServer((_, response) => {
      response.writeHead(status).end(status === 200 ? file : 'no')
    })
    await machine.configure({ uri })
    await machine.follow()
    expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-missing: .*status 500/)])
    machine.due()?.()
    await machine.keystore.apply(machine.device.policy()?.keystore)
    expect(machine.device.logged.filter((line) => line.includes('not in force'))).toHaveLength(1)
    status = 200
    const served = new Promise<void>((resolve) => machine.keystore.onChange(resolve))
    expect(machine.due()).toBeDefined()
    machine.due()?.()
    await served
    expect(machine.faults()).toEqual([])
  })
})

test('a keystore that is withdrawn while it is opened is given up, and the next one is in force', async () => {
  proves('keystore-slow')
  const begun = Promise.withResolvers<void>()
  const openKeystoreFile = openFile
  let opened = 0
  openFile = (request, signal) => {
    opened += 1
    if (opened > 1) return openKeystoreFile(request, signal)
    begun.resolve()
    // As a file that takes hours.
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  }
  await machine.restart()
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.device.syncOnce()
  const first = machine.keystore.apply(machine.device.policy()?.keystore)
  await begun.promise
  await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['next.example'] })) })
  await Promise.all([first, machine.follow()])
  expect(machine.keystore.current()?.names).toEqual(['next.example'])
  expect(machine.faults()).toEqual([])
  expect(machine.device.logged.filter((line) => line.includes('in force'))).toHaveLength(1)
})

test('a keystore that was refused is not opened again at each synchronization', async () => {
  proves('keystore-slow')
  let opened = 0
  const openKeystoreFile = createKeystoreOpener(keystoreWorker)
  openFile = (request, signal) => {
    opened += 1
    return openKeystoreFile(request, signal)
  }
  await machine.restart()
  await configureFar(ssl.keystore(ssl.certificate()), 'another')
  await machine.follow()
  await machine.follow()
  expect(opened).toBe(1)
  expect(machine.faults()).toEqual([expect.stringContaining('its password is wrong')])
})

/** The file was changed after it was configured. */
async function configureHuge(): Promise<void> {
  await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['huge.example'] })) })
  await service.putKeystore(`keys/${machine.version}.p12`, Buffer.alloc(50_000_000))
}

describe('an invalid keystore is reported with the reason, and leaves the one in force:', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a wrong password',
      () => configureFar(ssl.keystore(ssl.certificate()), 'another'),
      /its password is wrong/,
    ],
    [
      'an expired certificate',
      () => configureFar(ssl.keystore(ssl.certificate({ days: -1 }))),
      /expired at/,
    ],
    ['no PKCS#12', () => configureFar(Buffer.from(ssl.certificate().cert)), /no PKCS#12/],
    ['50 MB', () => configureHuge(), /more than 5242880/],
  ])('%s', async (_, configure, reason) => {
    proves('invalid-keystore')
    await machine.configure({ file: ssl.keystore(ssl.certificate()) })
    await machine.follow()
    const before = machine.keystore.current()
    await configure()
    await machine.follow()
    expect(machine.keystore.current()).toEqual(before)
    expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: /)])
    expect(machine.faults()[0]).toMatch(reason)
    expect(machine.due()).toBeUndefined()
    await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['good.example'] })) })
    await machine.follow()
    expect(machine.faults()).toEqual([])
    expect(machine.keystore.current()?.names).toEqual(['good.example'])
  })
})
