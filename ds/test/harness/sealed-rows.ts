/** A service with everything that its secret seals, and what a secret opens in its database. */
import { setImmediate } from 'node:timers/promises'
import { compactDecrypt } from 'jose'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { webRandom } from '../../src/assemble.ts'
import type { SealedRow } from '../../src/auth/keys/sealed.ts'
import { createVault } from '../../src/auth/keys/vault.ts'
import { addSecondFactor, createAccount, createCode, getToken, logIn } from './account.ts'
import { createVersion, getData } from './arrange.ts'
import { createDevice } from './device.ts'
import { withDatabase } from './stored-data.ts'

/** The columns with sealed texts, and what each text is sealed for: by hand, because stored data has to open later. */
const columns: readonly [table: string, key: string, column: string, row: string][] = [
  ['signing_keys', 'id', 'private_key', ''],
  ['configurations', 'id', 'secret', ''],
  ['revisions', 'id', 'secret', ''],
  ['versions', 'id', 'wrapped_key', 'installation key of '],
  ['api_keys', 'hash', 'sealed', 'API key '],
  ['administrators', 'name', 'totp_secret', 'second factor of '],
  ['browser_sessions', 'id', 'tokens', ''],
  ['webhooks', 'id', 'secret', 'webhook '],
  ['webhooks', 'id', 'previous_secret', 'webhook '],
  ['use_keys', 'month', 'key', 'unique devices of '],
]

/** Needed by a service that gets sealed rows. */
export const sealingSettings = { DS_STAMP_INSTALLERS: 'on' }

/** Stores a text of each kind; resolves with what checks that the running service opens them. `secret`: in base64. */
export async function createSealedRows(service: DistributionService, secret: string) {
  const token = await service.login()
  const version = await createVersion(service, token)
  const config = { uri: 'https://keys.example/k.p12', password: 'a-password-of-a-keystore' }
  const body = { versionId: version.id, type: 'SSL_KEYSTORE', config }
  getData(await service.request('PUT', '/v3/configurations', { token, body }))
  const account = await createAccount(service)
  const factor = await addSecondFactor(service, account, await getToken(service, account))
  await storeExternalSession(service, secret)
  const webhook = { name: 'A', url: 'https://hooks.invalid/', events: ['rollout.halted'] }
  const hook = `/v3/webhooks/${crypto.randomUUID()}`
  getData(await service.request('PUT', hook, { token, body: { ...webhook, enabled: false } }))
  getData(await service.request('POST', `${hook}/secret`, { token, body: {} }))
  await storeGatewayKey(service, secret)
  const device = await createDevice(service, version)
  await service.request('POST', `/v3/devices/${device.id}/approve`, { token })

  await device.sync({ batches: [createBatch()] })

  return async (): Promise<unknown> => {
    // The key of the month is the same: the device counts once.
    const { reply } = await device.sync({ batches: [createBatch()] })
    const path = '/v3/counters/organizations'
    const { devices } = getData(await service.request('GET', path, { token }))
    if (devices !== 1) throw new Error(`The device counts ${devices} times`)
    const password = (await compactDecrypt(reply.keystore.password, device.decryptionKey)).plaintext
    // The code of the step after the one that confirmed the factor: each works once, so it is stored as never used.
    await withDatabase(service, ({ run }) =>
      run('update administrators set totp_step = 1 where totp_step is not null'),
    )
    const login = await logIn(service, account, { totp: createCode(factor) })
    const listed = await service.request('GET', '/v3/versions', { token })
    return [new TextDecoder().decode(password), login.status, listed.status]
  }
}

/** A use of today without an application. */
const createBatch = () => {
  const day = new Date().toISOString().slice(0, 10)
  const use = { label: '-', module: 'eid', useCase: 'print', day, count: 1 }
  return { id: crypto.randomUUID(), entries: [use] }
}

/** A session as an external provider has it: such a service has no other accounts. */
async function storeExternalSession(service: DistributionService, secret: string): Promise<void> {
  const [vault, now] = [await openVault(secret), Date.now()]
  const tokens = await vault.wrap('{"tokens":"external"}', 'external-session' as SealedRow)
  await withDatabase(service, ({ run }) =>
    run(
      `insert into browser_sessions (id, hash, subject, name, tokens, created_at, last_used_at, expires_at, address, user_agent)
      values ('external-session', 'hash', 'subject', 'name', ?, ?, ?, ?, '', '')`,
      tokens,
      now,
      now,
      now + 3_600_000,
    ),
  )
}

/** A key as a service with another gateway has it. */
async function storeGatewayKey(service: DistributionService, secret: string): Promise<void> {
  const sealed = await (await openVault(secret)).wrap('a key', 'API key hash' as SealedRow)
  await withDatabase(service, async ({ run }) => {
    await run("insert into consumers (kind, id, created_at) values ('application', 'sealed', 1)")
    await run(
      `insert into api_keys (hash, kind, consumer_id, created_at, sealed)
      values ('hash', 'application', 'sealed', 1, ?)`,
      sealed,
    )
  })
}

/** How many texts of each table a secret opens, of how many. */
export async function countOpened(
  service: Pick<DistributionService, 'database' | 'folder'>,
  secret: string,
): Promise<Readonly<Record<string, readonly [opened: number, of: number]>>> {
  const vault = await openVault(secret)
  return withDatabase(service, async ({ run }) => {
    const counts: Record<string, readonly [number, number]> = {}
    for (const [table, key, column, prefix] of columns) {
      const found = await run(
        `select ${key} as id, ${column} as text from ${table} where ${column} is not null`,
      )
      const opened = await Promise.all(
        found.map(({ id, text }) =>
          vault.unwrap(text, `${prefix}${id}` as SealedRow).then(
            () => 1,
            () => 0,
          ),
        ),
      )
      counts[table] = [opened.filter((one) => one === 1).length, found.length]
    }
    return counts
  })
}

const openVault = (secret: string) =>
  createVault(new Uint8Array(Buffer.from(secret, 'base64')), webRandom)

/** Asks the service without pause until `stop`, which resolves with the statuses that came. */
export function keepAsking(service: DistributionService, token: string) {
  const statuses: number[] = []
  let goesOn = true
  const ask = async () => {
    while (goesOn) {
      statuses.push((await service.request('GET', '/v3/versions', { token })).status)
      await setImmediate()
    }
  }
  const asking = Promise.all([ask(), ask(), ask()])
  return async () => {
    goesOn = false
    await asking
    return new Set(statuses)
  }
}
