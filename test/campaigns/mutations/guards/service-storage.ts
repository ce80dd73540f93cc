/** Guards of the distribution service's database, secrets and log. */
import type { Guard } from '../guard.ts'

const postgres = 'ds/src/db/postgres.ts'
const health = 'ds/src/db/health-check.ts'

export const serviceStorageGuards: readonly Guard[] = [
  {
    rule: 'log-reader-gone',
    file: 'ds/src/self-hosted/line-writer.ts',
    search: 'text.length + line.length <= maxWaiting',
    replace: 'text.length + line.length <= Number.POSITIVE_INFINITY',
    tests: ['ds/src/self-hosted/line-writer.test.ts'],
  },
  {
    rule: 'log-reader-gone',
    file: 'ds/src/self-hosted/line-writer.ts',
    search: "(lost > 0 ? describeLoss(lost) : '')",
    replace: "(lost < 0 ? describeLoss(lost) : '')",
    tests: ['ds/src/self-hosted/line-writer.test.ts'],
  },
  {
    rule: 'secrets-on-stderr',
    file: 'ds/src/db/describe-error.ts',
    search: "statement === undefined ? error.message : 'a statement failed'",
    replace: 'error.message',
    tests: ['ds/src/db/describe-error.test.ts'],
  },
  {
    rule: 'secrets-on-stderr',
    file: 'ds/src/self-hosted/start-error.ts',
    search: ': formatError(error)',
    replace: ': `${error}`',
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'disk-full',
    file: health,
    search: '    await db\n      .insert(quotas)\n',
    replace: '    void db\n      .insert(quotas)\n',
    tests: ['ds/test/storage.test.ts'],
  },
  {
    rule: 'disk-full',
    file: 'ds/src/routes/send-installer.ts',
    search: "    const requestId = context.get('requestId')\n",
    replace: "    if (error) throw error\n    const requestId = context.get('requestId')\n",
    tests: ['ds/test/storage.test.ts'],
  },
  {
    rule: 'nodes-race',
    file: 'ds/src/auth/identity/login-delay.ts',
    search: 'sql`cast(${now + nodeClockSkewS * 1000} as bigint)',
    replace: 'sql`cast(${now} as bigint) - 3600000',
    tests: ['ds/test/time.test.ts'],
  },
  {
    rule: 'secret-rotated',
    file: 'ds/src/admin/exclusive-database.ts',
    search: "    connection.pragma('locking_mode = EXCLUSIVE')\n",
    replace: '',
    tests: ['ds/test/secret-rotation.test.ts'],
  },
  {
    rule: 'secret-rotated',
    file: 'ds/src/admin/reseal.ts',
    search: '  if ((await open(next)) !== undefined) return undefined\n',
    replace: '  if (text) return undefined\n',
    tests: ['ds/test/secret-rotation.test.ts'],
  },
  {
    rule: 'node-other-secret',
    file: 'ds/src/self-hosted/run.ts',
    search:
      "  await withStartError('read the signing keys', () => services.keyring.list('application'))\n",
    replace: '',
    tests: ['ds/test/postgres/nodes.test.ts'],
  },
  {
    rule: 'postgres-text',
    file: 'ds/src/db/dialect.ts',
    search: "value.replaceAll('\\0', '\\ufffd')",
    replace: 'value',
    tests: ['ds/src/db/dialect.test.ts'],
  },
  {
    rule: 'postgres-long-lists',
    file: postgres,
    search: '    read: runIn(lists),\n',
    replace: '    read: runIn(pool),\n',
    tests: ['ds/test/postgres/driver.test.ts'],
  },
  {
    rule: 'postgres-outage',
    file: 'ds/src/db/storage-fault.ts',
    search: '  [/^(08|57P)/, ',
    replace: '  [/^08/, ',
    tests: ['ds/test/postgres/driver.test.ts'],
  },
  {
    rule: 'postgres-outage',
    file: 'ds/src/db/postgres-error.ts',
    search: 'return /^(08|57P|25006)/.test(this.state)',
    replace: 'return /^(08|57P)/.test(this.state)',
    tests: ['ds/test/postgres/driver.test.ts'],
  },
  {
    rule: 'database-damaged',
    file: health,
    search: '    if (damage !== undefined) {\n      throw',
    replace: "    if (damage === '') {\n      throw",
    tests: ['ds/src/db/health-check.test.ts'],
  },
  {
    rule: 'database-damaged',
    file: health,
    search: "      return report === 'ok' ? undefined : ",
    replace: "      return report !== '' ? undefined : ",
    tests: ['ds/src/db/health-check.test.ts'],
  },
  {
    rule: 'stored-tokens-stolen',
    file: 'ds/src/auth/identity/sealed-tokens.ts',
    search: '    vault.wrap(JSON.stringify(tokens), toRow(id))\n',
    replace: '    JSON.stringify([tokens, toRow(id)])\n',
    tests: ['ds/test/suites/external-login.suite.ts'],
  },
  {
    rule: 'stored-tokens-stolen',
    file: 'ds/src/auth/identity/second-factor.ts',
    search: 'wrapped: await vault.wrap(secret, toRow(name))',
    replace: 'wrapped: secret',
    tests: ['ds/test/suites/account.suite.ts'],
  },
]
