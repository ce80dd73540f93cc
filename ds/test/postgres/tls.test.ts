/** Connections to PostgreSQL are encrypted, to a server whose certificate is verified. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdentity } from '../../../test/bed/certificates.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { parseDatabaseAddress } from '../../src/rules/database-address.ts'
import { connect } from '../../src/self-hosted/open-database.ts'

let folder: string
let server: PostgresServer
let address: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-postgres-tls-'))
  const { root, cert, key } = await createIdentity('localhost')
  await writeFile(join(folder, 'root.pem'), root)
  server = await startPostgres({ certificate: cert, key })
  address = (await server.createDatabase()).replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Whether the connection is encrypted; rejects when there is none. */
async function isEncrypted(text: string): Promise<boolean> {
  const parsed = parseDatabaseAddress(text)
  if (parsed.kind === 'file') throw new Error(`${text} is a file`)
  const driver = await connect(parsed.address)
  try {
    const sql = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
    return (await driver.run({ sql, params: [] }))[0]?.[0] === 1
  } finally {
    await driver.close()
  }
}
const root = () => `sslrootcert=${join(folder, 'root.pem')}`

test.each(['verify-full', 'require'])(
  'sslmode=%s encrypts to a server with a certificate of the authority',
  async (mode) => {
    expect(await isEncrypted(`${address}?sslmode=${mode}&${root()}`)).toBe(true)
  },
)

test('sslmode=verify-full refuses a certificate of an unknown authority', async () => {
  proves('postgres-intercepted')
  await expect(isEncrypted(`${address}?sslmode=verify-full`)).rejects.toThrow(
    /^the database cannot be reached: .*certificate/,
  )
})

test('sslmode=verify-full refuses the certificate of another name', async () => {
  proves('postgres-intercepted')
  const other = address.replace('localhost', '127.0.0.1')
  await expect(isEncrypted(`${other}?sslmode=verify-full&${root()}`)).rejects.toThrow(
    /^the database cannot be reached: .*altnames/,
  )
})

test('a server without TLS is refused where it is asked for', async () => {
  proves('postgres-intercepted')
  const plain = await startPostgres()
  const other = await plain.createDatabase()
  await expect(isEncrypted(`${other}?sslmode=verify-full&${root()}`)).rejects.toThrow(
    'the database cannot be reached: The server does not support SSL connections',
  )
  expect(await isEncrypted(`${other}?sslmode=disable`)).toBe(false)
  await plain.remove()
})
