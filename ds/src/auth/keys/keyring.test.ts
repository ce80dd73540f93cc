/** The life of signing keys in a real database, under a clock that is moved by hand. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactVerify, decodeProtectedHeader, importJWK, type JWTPayload } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { webRandom } from '../../assemble.ts'
import { createAudit, localSource, type OperationAudit } from '../../db/audit.ts'
import { createDatabase, type Driver } from '../../db/database.ts'
import type { FileDriver } from '../../db/file-driver.ts'
import { openNodeSqlite } from '../../db/node-sqlite.ts'
import { signingKeys } from '../../db/schema.ts'
import { applyMigrations } from '../../self-hosted/migrations.ts'
import { readSettings } from '../../settings.ts'
import { listRotationStatements } from './key-chain.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import type { PublishedKey } from './signing-key.ts'
import { createVault } from './vault.ts'

const hourMs = 3_600_000
const overlapMs = 24 * hourMs
const start = Date.UTC(2026, 0, 1)

let now = start
const clock = () => now
/** The time of claims: seconds from now. */
const seconds = (from = 0) => Math.floor(now / 1000) + from

let folder: string
let driver: FileDriver
let audit: OperationAudit
beforeEach(async () => {
  now = start
  folder = await mkdtemp(join(tmpdir(), 'cardwire-keyring-'))
  driver = openNodeSqlite(join(folder, 'test.sqlite'))
  await applyMigrations(driver)
  audit = createAudit({ db: createDatabase(driver), clock }, 'test', localSource)
})
afterEach(async () => {
  driver.close()
  await rm(folder, { recursive: true, force: true })
})

/** A service of its own over the one database. */
async function keyringOf({
  algorithm = 'ES256',
  secret = 'a',
  over = driver as Driver,
  aheadMs = 0,
} = {}): Promise<Keyring> {
  const vault = await createVault(new TextEncoder().encode(secret.repeat(32)), webRandom)
  const settings = readSettings({ DS_TOKEN_ALG: algorithm, DS_KEY_OVERLAP: '86400' })
  const own = () => now + aheadMs
  return createKeyring({ db: createDatabase(over), clock: own, vault, settings })
}

/** The database, to which `meanwhile` happens just before a table gets a row for the first time. */
function interrupted(meanwhile: () => Promise<unknown>, table = 'signing_keys'): Driver {
  let happened = false
  const happen = async (sql: string) => {
    if (happened || !sql.startsWith(`insert into "${table}"`)) return
    happened = true
    await meanwhile()
  }
  return {
    async run(statement) {
      await happen(statement.sql)
      return driver.run(statement)
    },
    async batch(statements) {
      for (const { sql } of statements) await happen(sql)
      return driver.batch(statements)
    },
  }
}

const demands = { typ: 'cw-app+jwt', issuer: 'https://ds.example', audience: 'connector' }
const claims = (): JWTPayload => ({
  sub: 'till',
  iss: demands.issuer,
  aud: demands.audience,
  iat: seconds(),
  exp: seconds(1200),
})
const signed = (keyring: Keyring, changed: Readonly<Record<string, unknown>> = {}) =>
  keyring.sign('application', demands.typ, { ...claims(), ...changed })
const states = async (keyring: Keyring) =>
  (await keyring.list('application')).map(({ state }) => state)
const ids = async (keyring: Keyring) => (await keyring.list('application')).map(({ id }) => id)
const signer = async (keyring: Keyring) => decodeProtectedHeader(await signed(keyring)).kid

describe('a keyring', () => {
  test('makes its first key, which signs at once', async () => {
    const keyring = await keyringOf()
    const [key, ...more] = await keyring.list('application')

    expect(more).toEqual([])
    expect(key).toMatchObject({ state: 'signing', algorithm: 'ES256', signsFrom: start })
    expect(await signer(keyring)).toBe(key?.id)
  })

  test('has other keys for another use', async () => {
    const keyring = await keyringOf()
    const [administrator] = await keyring.list('administrator')

    expect(await ids(keyring)).not.toContain(administrator?.id)
  })

  test('publishes no private part', async () => {
    const keyring = await keyringOf()
    const [key] = await keyring.list('application')

    expect(Object.keys(key?.jwk ?? {}).toSorted()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ])
  })

  test('stores no private part that can be read', async () => {
    proves('database-stolen')
    await signed(await keyringOf())
    const [row] = await createDatabase(driver).select().from(signingKeys)

    expect(row?.privateKey).toMatch(/^[A-Za-z0-9+/=]+$/)
    expect(atob(row?.privateKey ?? '')).not.toContain('"d"')
    expect(row?.publicKey).not.toHaveProperty('d')
  })
})

describe('a keyring over stored keys', () => {
  test('keeps its key when the service starts again', async () => {
    const before = await ids(await keyringOf())

    expect(await ids(await keyringOf())).toEqual(before)
  })

  test('agrees with another that starts at the same moment', async () => {
    const one = await keyringOf()
    const other = await keyringOf({ over: interrupted(() => one.list('application')) })
    const token = await signed(other)

    expect(decodeProtectedHeader(token).kid).toBe(await signer(one))
    expect(await one.verify('application', token, demands)).toEqual(claims())
    expect(await createDatabase(driver).$count(signingKeys)).toBe(1)
  })

  test('makes one key for many calls at once', async () => {
    const keyring = await keyringOf()
    const tokens = await Promise.all(Array.from({ length: 10 }, () => signed(keyring)))

    expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1)
    expect(await createDatabase(driver).$count(signingKeys)).toBe(1)
  })

  test('reports that its keys were stored under another secret', async () => {
    await signed(await keyringOf())
    const keyring = await keyringOf({ secret: 'b' })

    await expect(signed(keyring)).rejects.toThrow(
      /^Cannot unwrap the secret of row ".+": it was stored under another DS_SECRET$/,
    )
  })

  test('unwraps each key once, however often it reads them', async () => {
    const vault = await createVault(new Uint8Array(32), webRandom)
    let unwrapped = 0
    const counting: typeof vault = {
      ...vault,
      unwrap(wrapped, rowId) {
        unwrapped += 1
        return vault.unwrap(wrapped, rowId)
      },
    }
    const db = createDatabase(driver)
    const keyring = createKeyring({ db, clock, vault: counting, settings: readSettings({}) })
    for (let read = 0; read < 3; read += 1) {
      await keyring.list('application')
      now += 60_000
    }

    expect(unwrapped).toBe(1)
  })

  test('tries again after a read that failed', async () => {
    const keyring = await keyringOf()
    await driver.run({ sql: 'alter table signing_keys rename to away', params: [] })
    await expect(signed(keyring)).rejects.toThrow()
    await driver.run({ sql: 'alter table away rename to signing_keys', params: [] })

    expect(await states(keyring)).toEqual(['signing'])
    expect(await signer(keyring)).toBeDefined()
  })
})

describe('rotate', () => {
  test('announces a key, which signs after the overlap, and retires the old one', async () => {
    const keyring = await keyringOf()
    const old = await signer(keyring)
    const announced = await keyring.rotate('application', audit)
    expect(announced).toMatchObject({ state: 'announced', signsFrom: start + overlapMs })
    expect(await states(keyring)).toEqual(['signing', 'announced'])

    now = start + overlapMs - 1
    expect(await signer(keyring)).toBe(old)

    now = start + overlapMs
    expect(await signer(keyring)).toBe(announced.id)
    expect(await states(keyring)).toEqual(['retiring', 'signing'])

    now = start + 2 * overlapMs - 1
    expect(await states(keyring)).toEqual(['retiring', 'signing'])

    now = start + 2 * overlapMs
    expect(await ids(keyring)).toEqual([announced.id])
    expect(await states(keyring)).toEqual(['signing'])
  })

  test.each(['application', 'reply'] as const)(
    'announces eight keys for %s at most, which all verifiers get, until one of them signs',
    async (use) => {
      proves('keys-flood')
      const keyring = await keyringOf()
      for (let key = 0; key < 8; key += 1) {
        await keyring.rotate(use, audit)
        now += hourMs
      }
      const keys = await keyring.list(use)
      await expect(keyring.rotate(use, audit)).rejects.toMatchObject({
        name: 'too-many-requests',
        extras: { retryAfterS: (overlapMs - 8 * hourMs) / 1000 },
      })
      expect(await keyring.list(use)).toEqual(keys)
      now = start + overlapMs
      expect(await keyring.rotate(use, audit)).toMatchObject({ state: 'announced' })
    },
  )

  test('announces no more than eight keys when two administrators rotate at the same moment', async () => {
    proves('keys-flood', 'limits-together')
    const other = await keyringOf()
    for (let key = 0; key < 7; key += 1) await other.rotate('application', audit)
    let reads = 0
    const over: Driver = {
      ...driver,
      async run(statement) {
        // The first reading has counted the keys, the second one is that of the new key.
        if (statement.sql.includes('from "signing_keys"') && ++reads === 2)
          await other.rotate('application', audit)
        return driver.run(statement)
      },
    }
    const keyring = await keyringOf({ over })
    await expect(keyring.rotate('application', audit)).rejects.toMatchObject({
      name: 'too-many-requests',
    })
    expect((await states(other)).filter((state) => state === 'announced')).toHaveLength(8)
  })

  test('keeps the newest 4,096 endorsements, as many as devices read', async () => {
    proves('keys-flood')
    const db = createDatabase(driver)
    await driver.run({
      sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000)
        insert into successions (key_id, statement, created_at) select 'key ' || n, 'statement ' || n, n from numbers`,
      params: [],
    })
    expect(await listRotationStatements(db)).toHaveLength(4096)
    const keyring = await keyringOf()
    await keyring.rotate('reply', audit)
    await keyring.list('reply')
    const [[rows] = []] = await driver.run({
      sql: 'select count(*) from successions',
      params: [],
    })
    expect(rows).toBe(4096)
    const listed = await listRotationStatements(db)
    expect(listed[0]).toBe('statement 907')
    expect(listed.slice(-3, -2)).toEqual(['statement 5000'])
  })

  test('leaves the keys of another use alone', async () => {
    const keyring = await keyringOf()
    const before = await keyring.list('administrator')
    await keyring.rotate('application', audit)

    expect(await keyring.list('administrator')).toEqual(before)
  })

  test('accepts tokens of the old key while it retires, and none when it is gone', async () => {
    const keyring = await keyringOf()
    await keyring.rotate('application', audit)
    const token = await signed(keyring, { exp: seconds(100 * 86_400) })

    now = start + 2 * overlapMs - 1
    expect(await keyring.verify('application', token, demands)).toMatchObject({ sub: 'till' })

    now = start + 2 * overlapMs
    await expect(keyring.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })

  test('deletes a key that is gone, so that a clock that is set back has its successor sign', async () => {
    const { keyring, old, signing } = await rotated()
    now += overlapMs
    await keyring.list('application')
    now = start

    expect(await ids(keyring)).toEqual([signing])
    expect(await signer(keyring)).toBe(signing)
    const stored = await createDatabase(driver).select({ id: signingKeys.id }).from(signingKeys)
    expect(stored.map(({ id }) => id)).not.toContain(old)
  })

  test('signs with the successor of a key that is gone while the database takes no write', async () => {
    const { signing } = await rotated()
    now += overlapMs
    const full = async () => Promise.reject(new Error('database or disk is full'))
    const keyring = await keyringOf({
      over: {
        run: (statement) => (statement.sql.startsWith('delete') ? full() : driver.run(statement)),
        batch: full,
      },
    })

    expect(await ids(keyring)).toEqual([signing])
    expect(await signer(keyring)).toBe(signing)
  })

  test('makes the first key too, when there is none', async () => {
    const keyring = await keyringOf()
    await keyring.rotate('application', audit)

    expect(await states(keyring)).toEqual(['signing', 'announced'])
    expect(await signer(keyring)).toBeDefined()
  })
})

/** The keys of replies that a device trusts which knows only `known`: those that an endorsement leads to. */
async function followEndorsements(known: PublishedKey): Promise<readonly string[]> {
  const trusted = new Map([[known.id, known.jwk]])
  for (const statement of await listRotationStatements(createDatabase(driver))) {
    const jwk = trusted.get(decodeProtectedHeader(statement).kid ?? '')
    if (!jwk) continue
    const { payload } = await compactVerify(statement, await importJWK(jwk, 'ES256'))
    const { key } = JSON.parse(new TextDecoder().decode(payload))
    trusted.set(key.kid, key)
  }
  return [...trusted.keys()]
}

describe('a node whose clock is 30 days ahead', () => {
  const aheadMs = 30 * 24 * hourMs
  const fleet = async () => ({ right: await keyringOf(), ahead: await keyringOf({ aheadMs }) })

  test('removes a replaced key for all nodes, and devices that know only that one are led to the key that signs', async () => {
    proves('node-clock-ahead')
    const { right, ahead } = await fleet()
    const [known] = await right.list('reply')
    if (!known) throw new Error('Expected a key')
    const announced = await right.rotate('reply', audit)
    await ahead.list('reply')
    now += 2000

    const left = await right.list('reply')
    expect(left.map(({ id, state }) => [id, state])).toEqual([
      [announced.id, 'signing'],
      [expect.any(String), 'standby'],
    ])
    expect(await followEndorsements(known)).toEqual(
      expect.arrayContaining(left.map(({ id }) => id)),
    )
    expect((await right.findSigningKey('reply')).id).toBe(announced.id)
    // However often keys are replaced on either node.
    for (const node of [ahead, right, ahead]) {
      await node.rotate('reply', audit)
      now += 2000
      await Promise.all([ahead.list('reply'), right.list('reply')])
      now += 2000
      expect(await followEndorsements(known)).toContain((await right.findSigningKey('reply')).id)
      expect(await followEndorsements(known)).toContain((await ahead.findSigningKey('reply')).id)
    }
  })

  test.each(['application', 'administrator'] as const)(
    'leaves a key for %s that signs on each node, and what one signs the other accepts',
    async (use) => {
      proves('node-clock-ahead')
      const { right, ahead } = await fleet()
      await right.list(use)
      await right.rotate(use, audit)
      await ahead.list(use)
      now += 2000
      const token = await right.sign(use, demands.typ, claims())
      expect(await right.verify(use, token, demands)).toMatchObject({ sub: 'till' })
      expect((await ahead.list(use)).map(({ id }) => id)).toContain(
        decodeProtectedHeader(token).kid,
      )
    },
  )

  test('removes no key that nothing has replaced', async () => {
    proves('node-clock-ahead')
    const { right, ahead } = await fleet()
    for (const use of ['reply', 'application', 'administrator'] as const) {
      const before = (await right.list(use)).map(({ id }) => id)
      await ahead.list(use)
      now += 2000
      expect((await right.list(use)).map(({ id }) => id)).toEqual(before)
    }
  })
})

describe('rotate, beside another keyring,', () => {
  test('is known to another keyring a second later, for a token of the new key', async () => {
    const [here, there] = await Promise.all([keyringOf(), keyringOf()])
    await here.list('application')
    await there.list('application')
    await here.rotate('application', audit)
    const [signing] = await ids(here)
    if (signing) await here.retire(signing, audit)
    now += 1000

    expect(await there.verify('application', await signed(here), demands)).toEqual(claims())
  })

  test('is refused for one of two rotations at the same moment', async () => {
    const here = await keyringOf()
    await here.list('application')
    const there = await keyringOf({ over: interrupted(() => here.rotate('application', audit)) })

    await expect(there.rotate('application', audit)).rejects.toMatchObject({
      name: 'changed-meanwhile',
    })
    now += 2000
    expect(await states(there)).toEqual(['signing', 'announced'])
  })
})

describe('retire', () => {
  test('has the announced key sign at once in place of the one that signs', async () => {
    const keyring = await keyringOf()
    const [signing = ''] = await ids(keyring)
    const announced = await keyring.rotate('application', audit)
    now += hourMs

    expect(await keyring.retire(signing, audit)).toBe(true)
    expect(await ids(keyring)).toEqual([announced.id])
    expect(await states(keyring)).toEqual(['signing'])
    expect(await signer(keyring)).toBe(announced.id)
  })

  test('makes a new key in place of the one that signs when none is announced', async () => {
    const keyring = await keyringOf()
    const [signing = ''] = await ids(keyring)
    await keyring.retire(signing, audit)

    expect(await states(keyring)).toEqual(['signing'])
    expect(await ids(keyring)).not.toContain(signing)
  })

  test('removes an announced key, and the one that signs continues', async () => {
    const keyring = await keyringOf()
    const signing = await signer(keyring)
    const announced = await keyring.rotate('application', audit)
    await keyring.retire(announced.id, audit)
    now += overlapMs

    expect(await states(keyring)).toEqual(['signing'])
    expect(await signer(keyring)).toBe(signing)
  })

  test('returns false for an unknown key', async () => {
    const keyring = await keyringOf()
    await keyring.list('application')

    expect(await keyring.retire('nobody', audit)).toBe(false)
    expect(await states(keyring)).toEqual(['signing'])
  })
})

describe('retire, after a rotation,', () => {
  test('never has a retiring key sign again', async () => {
    const { keyring, old, signing } = await rotated()
    await keyring.retire(signing, audit)

    expect(await states(keyring)).toEqual(['retiring', 'signing'])
    expect(await ids(keyring)).toContain(old)
    expect(await signer(keyring)).not.toBe(old)
  })

  test('never has a retiring key sign again while another is announced', async () => {
    const { keyring, signing } = await rotated()
    const announced = await keyring.rotate('application', audit)
    await keyring.retire(signing, audit)

    expect(await states(keyring)).toEqual(['retiring', 'signing'])
    expect(await signer(keyring)).toBe(announced.id)
  })

  test.each([
    { which: 'the key that signs', retired: 0 },
    { which: 'the announced key', retired: 1 },
  ])('never brings back a key that is gone, when $which is retired', async ({ retired }) => {
    const { keyring, old } = await rotated()
    now += 2 * overlapMs
    await keyring.rotate('application', audit)
    const key = (await ids(keyring))[retired] ?? ''
    await keyring.retire(key, audit)

    expect(await states(keyring)).toEqual(['signing'])
    expect(await ids(keyring)).not.toContain(old)
    expect(await ids(keyring)).not.toContain(key)
  })

  test('never brings back a key that is gone, when the one after it is retired', async () => {
    const { keyring, old, signing } = await rotated()
    await keyring.rotate('application', audit)
    now += overlapMs
    expect(await states(keyring)).toEqual(['retiring', 'signing'])
    await keyring.retire(signing, audit)

    expect(await states(keyring)).toEqual(['signing'])
    expect(await ids(keyring)).not.toContain(old)
  })
})

describe('the tokens of a retired key', () => {
  test('are invalid at once', async () => {
    const keyring = await keyringOf()
    const token = await signed(keyring)
    await keyring.retire((await ids(keyring))[0] ?? '', audit)

    await expect(keyring.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })

  test('are invalid at once, also when a slow reading from before ends after it', async () => {
    proves('nodes-race')
    const slow = Promise.withResolvers<void>()
    let isSlow = false
    const keyring = await keyringOf({
      over: {
        ...driver,
        async run(statement) {
          const rows = await driver.run(statement)
          const wasSlow = isSlow
          isSlow = false
          if (wasSlow) await slow.promise
          return rows
        },
      },
    })
    const token = await signed(keyring)
    const [signing = ''] = await ids(keyring)
    now += 1000
    isSlow = true
    const reading = keyring.list('application')
    await keyring.retire(signing, audit)
    slow.resolve()
    await reading

    await expect(keyring.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })

  test('are invalid in another keyring within a second', async () => {
    const [here, there] = await Promise.all([keyringOf(), keyringOf()])
    const token = await signed(here)
    await there.verify('application', token, demands)
    await here.retire((await ids(here))[0] ?? '', audit)
    now += 1000

    await expect(there.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })

  test('are invalid in another keyring a second after it began to read the keys', async () => {
    const here = await keyringOf()
    const token = await signed(here)
    const [signing = ''] = await ids(here)
    let isSlow = true
    const there = await keyringOf({
      over: {
        ...driver,
        async run(statement) {
          const rows = await driver.run(statement)
          if (isSlow) await here.retire(signing, audit)
          if (isSlow) now += 900
          isSlow = false
          return rows
        },
      },
    })
    await there.list('application')
    now += 100

    await expect(there.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })
})

describe('retire, while another administrator changes the keys,', () => {
  test('changes nothing when the key is rotated at the same moment', async () => {
    const here = await keyringOf()
    const [signing = ''] = await ids(here)
    const there = await keyringOf({ over: interrupted(() => here.rotate('application', audit)) })

    await expect(there.retire(signing, audit)).rejects.toMatchObject({ name: 'changed-meanwhile' })
    expect(await states(there)).toEqual(['signing', 'announced'])
    expect(await ids(there)).toContain(signing)
  })

  test('changes nothing when the key that would sign next is retired at the same moment', async () => {
    const here = await keyringOf()
    const [signing, standby] = await here.list('reply')
    const there = await keyringOf({
      over: interrupted(() => here.retire(standby?.id ?? '', audit), 'audit'),
    })

    await expect(there.retire(signing?.id ?? '', audit)).rejects.toMatchObject({
      name: 'changed-meanwhile',
    })
    const left = await (await keyringOf()).list('reply')
    expect(left.map(({ state }) => state)).toEqual(['signing', 'standby'])
    expect(left[0]?.id).toBe(signing?.id)
  })

  test('changes nothing when the standby key begins to sign at the same moment', async () => {
    const here = await keyringOf()
    const [signing, standby] = await here.list('reply')
    const there = await keyringOf({
      over: interrupted(() => here.retire(signing?.id ?? '', audit), 'audit'),
    })

    await expect(there.retire(standby?.id ?? '', audit)).rejects.toMatchObject({
      name: 'changed-meanwhile',
    })
    const left = await (await keyringOf()).list('reply')
    expect(left.map(({ state }) => state)).toEqual(['signing', 'standby'])
    expect(left[0]?.id).toBe(standby?.id)
  })
})

describe('another DS_TOKEN_ALG', () => {
  test('announces one key of the new algorithm, though two services start at once', async () => {
    const old = await keyringOf()
    await old.list('application')
    const one = await keyringOf({ algorithm: 'RS256' })
    const other = await keyringOf({
      algorithm: 'RS256',
      over: interrupted(() => one.list('application')),
    })
    const keys = await other.list('application')

    expect(keys.map(({ state, algorithm }) => [state, algorithm])).toEqual([
      ['signing', 'ES256'],
      ['announced', 'RS256'],
    ])
  })

  test('signs with the new algorithm after the overlap', async () => {
    await signed(await keyringOf())
    const keyring = await keyringOf({ algorithm: 'RS256' })
    expect(decodeProtectedHeader(await signed(keyring)).alg).toBe('ES256')
    now += overlapMs
    const token = await signed(keyring)

    expect(decodeProtectedHeader(token).alg).toBe('RS256')
    expect(await keyring.verify('application', token, demands)).toEqual(claims())
  })

  test('leaves the keys of administrators as they are', async () => {
    const keyring = await keyringOf({ algorithm: 'RS256' })
    const keys = await keyring.list('administrator')

    expect(keys.map(({ algorithm }) => algorithm)).toEqual(['ES256'])
  })
})

describe('verify', () => {
  test('returns the claims of a token of the service', async () => {
    const keyring = await keyringOf()

    expect(await keyring.verify('application', await signed(keyring), demands)).toEqual(claims())
  })

  test.each([
    { what: 'another audience', changed: { aud: 'cardwire-ds' } },
    { what: 'no audience', changed: { aud: undefined } },
    { what: 'another issuer', changed: { iss: 'https://other.example' } },
    { what: 'no issuer', changed: { iss: undefined } },
    { what: 'no subject', changed: { sub: undefined } },
    { what: 'no time of issue', changed: { iat: undefined } },
    { what: 'no end', changed: { exp: undefined } },
    { what: 'an end more than 30 seconds ago', changed: { exp: start / 1000 - 31 } },
    { what: 'a beginning more than 30 seconds ahead', changed: { nbf: start / 1000 + 31 } },
  ])('refuses a token with $what', async ({ changed }) => {
    const keyring = await keyringOf()
    const token = await signed(keyring, changed)

    await expect(keyring.verify('application', token, demands)).rejects.toThrow()
  })

  test.each([
    { what: 'an end up to 30 seconds ago', changed: { exp: start / 1000 - 29 } },
    { what: 'a beginning up to 30 seconds ahead', changed: { nbf: start / 1000 + 29 } },
  ])('accepts a token with $what, because clocks differ', async ({ changed }) => {
    const keyring = await keyringOf()
    const token = await signed(keyring, changed)

    expect(await keyring.verify('application', token, demands)).toMatchObject({ sub: 'till' })
  })

  test('refuses a token of another type', async () => {
    proves('token-forged', 'invalid-tokens-refused')
    const keyring = await keyringOf()
    const token = await keyring.sign('application', 'at+jwt', claims())

    await expect(keyring.verify('application', token, demands)).rejects.toThrow('"typ"')
  })

  test('refuses a token that was signed for another use', async () => {
    proves('token-forged')
    const keyring = await keyringOf()
    const token = await keyring.sign('administrator', demands.typ, claims())

    await expect(keyring.verify('application', token, demands)).rejects.toThrow('no applicable key')
  })

  test.each([
    { what: 'other claims', change: (_: string, payload: string) => payload.replace(/.$/, 'x') },
    { what: 'no signature', change: (head: string, payload: string) => `${head}.${payload}.` },
    {
      what: 'no algorithm',
      change: (_: string, payload: string) =>
        `${btoa(JSON.stringify({ alg: 'none', typ: demands.typ })).replaceAll('=', '')}.${payload}.`,
    },
    { what: 'no parts', change: () => 'token' },
    { what: 'nothing in it', change: () => '' },
  ])('refuses a token with $what', async ({ change }) => {
    const keyring = await keyringOf()
    const [head = '', payload = ''] = (await signed(keyring)).split('.')

    await expect(
      keyring.verify('application', change(head, payload), demands),
    ).rejects.toBeInstanceOf(Error)
  })
})

/** A keyring whose first key retires and whose second signs. */
async function rotated(): Promise<{ keyring: Keyring; old: string; signing: string }> {
  const keyring = await keyringOf()
  await keyring.rotate('application', audit)
  now += overlapMs
  const [old = '', signing = ''] = await ids(keyring)
  return { keyring, old, signing }
}
