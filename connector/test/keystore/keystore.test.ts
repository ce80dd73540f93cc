/** The keystore of a device against the real service: fetched, kept, replaced, refused. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Keystore, openKeystore } from '../../src/keystore/keystore.ts'
import { openFaults } from '../../src/sync/faults.ts'
import { openIdentity } from '../../src/sync/identity.ts'
import { openLink } from '../../src/sync/link.ts'
import { createSchedule } from '../../src/sync/schedule.ts'
import { openDevice, type TestDevice } from '../sync/device.ts'
import {
  type DistributionService,
  registerVersion,
  startDistributionService,
} from '../sync/distribution-service.ts'
import { keyKinds, type OpenSsl, openSsl, type Pair } from './openssl.ts'

let service: DistributionService
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
  /** Synchronises, and does what the service says of the keystore. */
  follow(): Promise<void>
  /** As the process that comes after this one. */
  restart(clock?: () => number): Promise<void>
  /** Acts when a try that failed is due again; undefined: none is. */
  due(): (() => void) | undefined
}

let machine: Machine
beforeEach(async () => {
  versions += 1
  const version = `4.0.${versions}`
  const { installationApiKey } = await registerVersion(service, version)
  const device = await openDevice({
    dsUrl: service.url,
    version,
    installationKey: installationApiKey,
  })
  closing.push(device.close)
  const { decrypt } = await openIdentity(device.runtime)
  const caFile = join(device.runtime, 'far.pem')
  writeFileSync(caFile, far.cert)
  let faults = openFaults(Date.now)
  let due: (() => void) | undefined
  let configuration: string | undefined
  const open = (clock = Date.now) =>
    openKeystore({
      ...{ runtime: device.runtime, ask: device.ask, decrypt, faults, clock },
      link: openLink({ caFile }),
      schedule: createSchedule(() => 0.5),
      later: (_, act) => {
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
      if (file) {
        await mkdir(join(service.folder, 'packages/keys'), { recursive: true })
        await writeFile(join(service.folder, `packages/keys/${version}.p12`), file)
      }
      const { id } = await service.admin('PUT', '/v3/configurations', {
        ...{ type: 'SSL_KEYSTORE', versionId: version },
        ...(configuration !== undefined && { id: configuration }),
        config: { uri, password, ...(digest !== undefined && { digest }) },
      })
      configuration = id
    },
    async follow() {
      await device.once()
      await machine.keystore.apply(device.policy()?.keystore)
    },
    async restart(clock) {
      faults = openFaults(Date.now)
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

test('a keystore of the service is fetched, opened and kept for its owner alone', async () => {
  const pair = ssl.certificate({ key: keyKinds.rsa })
  await machine.configure({ file: ssl.keystore(pair) })
  await machine.follow()
  expect(machine.keystore.served()).toMatchObject({
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

test('the same one is not fetched again', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const asked = () => machine.device.calls.filter(({ url }) => url.endsWith('/keystore')).length
  expect(asked()).toBe(1)
  await machine.follow()
  await machine.restart()
  await machine.follow()
  expect(asked()).toBe(1)
})

test('after a restart it is there without the service', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const before = machine.keystore.served()
  await machine.restart()
  expect(machine.keystore.served()).toEqual(before)
})

test.each(['keystore.pem', 'keystore.json'])(
  'a %s that was altered is not served, and fetched anew',
  async (name) => {
    await machine.configure({ file: ssl.keystore(ssl.certificate()) })
    await machine.follow()
    const before = machine.keystore.served()
    const text = readFileSync(kept(name), 'utf8')
    writeFileSync(kept(name), text.replace(/[b-y](?=[^b-y]*$)/, 'z'))
    expect(readFileSync(kept(name), 'utf8')).not.toBe(text)
    await machine.restart()
    expect(machine.keystore.served()).toBeUndefined()
    await machine.follow()
    expect(machine.keystore.served()).toEqual(before)
    expect(readFileSync(kept(name), 'utf8')).toBe(text)
  },
)

test('one that was altered while it is served stays, and is written anew', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const text = readFileSync(kept('keystore.pem'), 'utf8')
  writeFileSync(kept('keystore.pem'), 'nothing')
  await machine.follow()
  expect(readFileSync(kept('keystore.pem'), 'utf8')).toBe(text)
})

test('another one takes its place, and whoever serves hears of it', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const heard: (readonly string[] | undefined)[] = []
  machine.keystore.onChange(() => heard.push(machine.keystore.served()?.names))
  await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['new.example.com'] })) })
  await machine.follow()
  await machine.follow()
  expect(heard).toEqual([['new.example.com']])
})

test('one that the service has no more is given up', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate()) })
  await machine.follow()
  const { items } = await service.admin('GET', '/v3/configurations?size=100')
  const { id } = items.find(({ versionId }: { versionId: string }) => versionId === machine.version)
  await service.admin('DELETE', `/v3/configurations/${id}`)
  await machine.follow()
  expect(machine.keystore.served()).toBeUndefined()
  await machine.restart()
  expect(machine.keystore.served()).toBeUndefined()
})

test('one that expires while it is kept is served no more', async () => {
  await machine.configure({ file: ssl.keystore(ssl.certificate({ days: 30 })) })
  await machine.follow()
  const later = () => Date.now() + 31 * 86_400_000
  await machine.restart(later)
  expect(machine.keystore.served()).toBeUndefined()
  await machine.follow()
  expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: .*expired/)])
  expect(machine.keystore.served()).toBeUndefined()
})

describe('a keystore that lies elsewhere', () => {
  test('is fetched over https, behind a redirect too', async () => {
    const file = ssl.keystore(ssl.certificate())
    const uri = await farServer(({ url }, response) => {
      if (url === '/new.p12') return response.end(file)
      return response.writeHead(302, { location: '/new.p12' }).end()
    })
    await machine.configure({ uri: `${uri}/old.p12` })
    await machine.follow()
    expect(machine.keystore.served()?.names).toEqual(['connector.example.com'])
  })

  test('is looked at again at each synchronisation where no digest is known', async () => {
    let file = ssl.keystore(ssl.certificate())
    const uri = await farServer((_, response) => response.end(file))
    await machine.configure({ uri })
    await machine.follow()
    file = ssl.keystore(ssl.certificate({ names: ['new.example.com'] }))
    await machine.follow()
    expect(machine.keystore.served()?.names).toEqual(['new.example.com'])
  })

  test('and has another digest is refused', async () => {
    const uri = await farServer((_, response) => response.end(ssl.keystore(ssl.certificate())))
    await machine.configure({ uri, digest: 'ab'.repeat(32) })
    await machine.follow()
    expect(machine.keystore.served()).toBeUndefined()
    expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: .*SHA-256 is/)])
  })

  test('and leads to http is refused before it is asked for', async () => {
    const uri = await farServer((_, response) =>
      response.writeHead(302, { location: 'http://keys.example/store.p12' }).end(),
    )
    await machine.configure({ uri })
    await machine.follow()
    expect(machine.faults()).toEqual([expect.stringContaining('over https alone')])
  })

  test('and has 50 MB is refused, without being read to its end', async () => {
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

  test('and cannot be had is told, and tried again until it can', async () => {
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

describe('a keystore that is no good leaves the one in force, and the service is told why:', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a wrong password',
      () => machine.configure({ file: ssl.keystore(ssl.certificate()), password: 'another' }),
      /its password is another one/,
    ],
    [
      'an expired certificate',
      () => machine.configure({ file: ssl.keystore(ssl.certificate({ days: -1 })) }),
      /expired at/,
    ],
    [
      'no PKCS#12',
      () => machine.configure({ file: Buffer.from(ssl.certificate().cert) }),
      /no PKCS#12/,
    ],
    ['50 MB', () => machine.configure({ file: Buffer.alloc(50_000_000) }), /more than 5242880/],
  ])('%s', async (_, configure, reason) => {
    await machine.configure({ file: ssl.keystore(ssl.certificate()) })
    await machine.follow()
    const before = machine.keystore.served()
    await configure()
    await machine.follow()
    expect(machine.keystore.served()).toEqual(before)
    expect(machine.faults()).toEqual([expect.stringMatching(/^keystore-refused: /)])
    expect(machine.faults()[0]).toMatch(reason)
    expect(machine.due()).toBeUndefined()
    await machine.configure({ file: ssl.keystore(ssl.certificate({ names: ['good.example'] })) })
    await machine.follow()
    expect(machine.faults()).toEqual([])
    expect(machine.keystore.served()?.names).toEqual(['good.example'])
  })
})
