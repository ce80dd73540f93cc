/** Guards of the distribution service against strangers, pages, devices and failures. */
import type { Guard, Unguarded } from '../guard.ts'

const authorize = 'ds/src/auth/authorize.ts'
const addresses = 'ds/src/rules/client-address.ts'
const databaseAddress = 'ds/src/rules/database-address.ts'
const packages = 'ds/src/self-hosted/file-packages.ts'
const refusals = 'ds/src/db/refusals.ts'
const form = 'ds/src/http/upload-form.ts'
const limits = 'client/src/protocol/receive-body.ts'

export const serviceGuards: readonly Guard[] = [
  {
    rule: 'stranger-manages',
    file: 'client/src/protocol/audit.ts',
    search: "  name: 'listAudit',\n",
    replace: "  access: 'anyone',\n  name: 'listAudit',\n",
    tests: ['client/src/protocol/access.test.ts'],
  },
  {
    rule: 'token-forged',
    file: 'ds/src/auth/keys/keyring.ts',
    search: '    typ,\n    issuer,\n',
    replace: '    issuer,\n',
    tests: ['ds/src/auth/keys/keyring.test.ts'],
  },
  {
    rule: 'token-forged',
    file: 'ds/src/auth/keys/keyring.ts',
    search: "({ id, state }) => id === kid && state !== 'gone',",
    replace: "({ state }) => kid !== '' && state !== 'gone',",
    tests: ['ds/test/suites/access.suite.ts'],
  },
  {
    rule: 'role-exceeded',
    file: authorize,
    search: '  if (!includesRole(identity.role, needed)) {',
    replace: '  if (!includesRole(identity.role, needed) && needed.length === 0) {',
    tests: ['ds/test/suites/roles.suite.ts'],
  },
  {
    rule: 'role-exceeded',
    file: 'client/src/protocol/role.ts',
    search: 'roles.indexOf(role) >= roles.indexOf(needed)',
    replace: 'roles.includes(role) && roles.includes(needed)',
    tests: ['client/src/protocol/access.test.ts'],
  },
  {
    rule: 'page-manages',
    file: authorize,
    search: "    if (operation.pages === 'refused') refusePages(context)\n",
    replace:
      '    if (operation.pages === undefined && context === undefined) refusePages(context)\n',
    tests: ['ds/test/suites/access.suite.ts'],
  },
  {
    rule: 'stale-access',
    file: 'ds/src/auth/identity/embedded.ts',
    search: '      if (role === undefined)\n        throw',
    replace: "      if (role === undefined && sub === '')\n        throw",
    tests: ['ds/test/suites/identity.suite.ts'],
  },
  {
    rule: 'stale-access',
    file: authorize,
    search: "    context.set('caller', await authorize(context.get('operation'), context))\n",
    replace: '',
    tests: ['ds/test/held-requests.test.ts'],
  },
  {
    rule: 'stamped-key-public',
    file: 'ds/src/routes/register-device.ts',
    search: '    if (!isPublic) await requireInstallationKey(services, context, caller.version)\n',
    replace: '',
    tests: ['ds/test/held-requests.test.ts'],
  },
  {
    rule: 'account-takeover',
    file: 'ds/src/auth/identity/accounts.ts',
    search: "const isDispensable = ne(administrators.role, 'administrator')\n",
    replace: "const isDispensable = ne(administrators.role, '')\n",
    tests: ['ds/test/faster-editor.test.ts'],
  },
  {
    rule: 'refresh-token-stolen',
    file: 'ds/src/auth/identity/embedded.ts',
    search: 'and(eq(sessions.id, id), eq(sessions.generation, generation))',
    replace: 'and(eq(sessions.id, id))',
    tests: ['ds/test/suites/identity.suite.ts'],
  },
  {
    rule: 'code-guessing',
    file: 'ds/src/auth/identity/password-login.ts',
    search: "    return attempts.refuse(address, createGrantRefusedProblem('code'))\n",
    replace:
      "    await attempts.forget(name, address)\n    throw createGrantRefusedProblem('code')\n",
    tests: ['ds/test/suites/account.suite.ts'],
  },
  {
    rule: 'password-guessing-with-token',
    file: 'ds/src/auth/identity/own-password.ts',
    search: '  const made = await attempts.count(identity.subject, address, async () => {\n',
    replace: '  const made = await attempts.count(crypto.randomUUID(), address, async () => {\n',
    tests: ['ds/test/suites/account.suite.ts'],
  },
  {
    rule: 'rejections-flood',
    file: refusals,
    search: '    deleteBeyond(db, now, refusalBounds.rowsPerAddress, address),\n',
    replace: '',
    tests: ['ds/src/db/refusals.test.ts'],
  },
  {
    rule: 'rejections-flood',
    file: refusals,
    search: '    deleteBeyond(db, now, refusalBounds.rows),\n',
    replace: '',
    tests: ['ds/src/db/refusals.test.ts'],
  },
  {
    rule: 'answer-stored',
    file: 'ds/src/http/request-log.ts',
    search:
      "    if (!res.headers.has('cache-control')) res.headers.set('cache-control', 'no-store')\n",
    replace: '',
    tests: ['ds/test/stored-answers.test.ts'],
  },
  {
    rule: 'download-traversal',
    file: 'ds/src/self-hosted/file-packages.ts',
    search: '  if (createEtag(await handle.stat({ bigint: true })) === etag) return handle\n',
    replace: '  if (etag !== undefined) return handle\n',
    tests: ['ds/src/self-hosted/file-packages.test.ts'],
  },
  {
    rule: 'download-traversal',
    file: packages,
    search: '        if (!path.startsWith(root + sep)) return undefined\n',
    replace: '        if (sep === root) return undefined\n',
    tests: ['ds/src/self-hosted/file-packages.test.ts'],
  },
  {
    rule: 'upload-traversal',
    file: 'ds/src/self-hosted/stored-files.ts',
    search: '    return isInside && stats.isFile() ? ',
    replace: '    return isInside !== undefined ? ',
    tests: ['ds/src/self-hosted/stored-files.test.ts'],
  },
  {
    rule: 'upload-endless',
    file: 'client/src/protocol/transfer-watch.ts',
    search: '    late = createError()\n    failRead(late)\n',
    replace: '    if (rate === undefined) late = createError()\n',
    tests: ['ds/src/http/receive-upload.test.ts'],
  },
  {
    rule: 'downloads-unread',
    file: packages,
    search: '    if (count > max) {',
    replace: '    if (count > max * 1e9) {',
    tests: ['ds/src/self-hosted/file-packages.test.ts'],
  },
  {
    rule: 'secrets-in-log',
    file: 'ds/src/db/describe-error.ts',
    search: "    message: statement === undefined ? error.message : 'a statement failed',\n",
    replace: '    message: error.message,\n',
    tests: ['ds/src/db/describe-error.test.ts'],
  },
  {
    rule: 'database-stolen',
    file: 'ds/src/auth/keys/vault.ts',
    search: "importKey('raw', secret, 'HKDF'",
    replace: "importKey('raw', new Uint8Array(secret.length), 'HKDF'",
    tests: ['ds/src/auth/keys/vault.test.ts'],
  },
  {
    rule: 'slow-clients',
    file: limits,
    search: '  const timer = setTimeout(() => late.reject(createTooSlow()), leastRate.windowMs)\n',
    replace: '  const timer = setTimeout(() => undefined, leastRate.windowMs)\n',
    tests: ['client/src/protocol/receive-body.test.ts'],
  },
  {
    rule: 'log-flood',
    file: limits,
    search: '    if (error instanceof Problem) throw error\n',
    replace: '    if (error) throw error\n',
    tests: ['client/src/protocol/receive-body.test.ts'],
  },
  {
    rule: 'many-clients',
    file: limits,
    search: '    if (size > maxBytes) throw createBodyTooLarge(maxBytes)\n',
    replace: '',
    tests: ['ds/test/suites/input.suite.ts'],
  },
  {
    rule: 'many-clients',
    file: 'client/src/protocol/transfer-watch.ts',
    search: '  return { read, end: watch.end }\n',
    replace:
      '  const whole = new Promise<never>(() => undefined)\n  return { read: () => Promise.race([read(), whole]), end: watch.end }\n',
    tests: ['client/src/protocol/transfer-watch.test.ts'],
  },
  {
    rule: 'large-sign-in-form',
    file: limits,
    search: '  form: 16 * 1024,\n',
    replace: '  form: 1024 * 1024,\n',
    tests: ['ds/test/suites/input.suite.ts'],
  },
  {
    rule: 'device-hogs-sync',
    file: 'ds/src/http/load-shedding.ts',
    search: '    if (count >= maxPerDevice) throw createDeviceBusyProblem()\n',
    replace: '    if (count < 0) throw createDeviceBusyProblem()\n',
    tests: ['ds/src/http/load-shedding.test.ts'],
  },
  {
    rule: 'deep-json',
    file: 'client/src/protocol/parse-json.ts',
    search: '    if (depth > maxJsonDepth) return true\n',
    replace: '    if (depth < -1) return true\n',
    tests: ['client/src/protocol/parse-json.test.ts'],
  },
  {
    rule: 'large-answers',
    file: 'client/src/protocol/problem.ts',
    search: 'faults.slice(0, problemBounds.faults)',
    replace: 'faults',
    tests: ['client/src/protocol/parse-input.test.ts'],
  },
  {
    rule: 'costly-header',
    file: 'client/src/protocol/origin.ts',
    search: '  if (host !== undefined && isTooLong(host)) return []\n',
    replace: '',
    tests: ['client/src/protocol/origin.test.ts'],
  },
  {
    rule: 'postgres-intercepted',
    file: databaseAddress,
    search: "  if (mode === 'disable') return 'disable'\n",
    replace: "  if (mode === 'disable' || mode === 'require') return 'disable'\n",
    tests: ['ds/src/rules/database-address.test.ts'],
  },
  {
    rule: 'database-password-logged',
    file: databaseAddress,
    search: 'function formatPostgresAddress({ host, port, database }: PostgresAddress): string {\n',
    replace:
      "function formatPostgresAddress({ host, port, database, password = '' }: PostgresAddress): string {\n  if (password !== '') return password\n",
    tests: ['ds/src/rules/database-address.test.ts'],
  },
  {
    rule: 'forwarded-for-forged',
    file: addresses,
    search:
      '    if (!trusted.some((network) => matches(address, network))) return toSubscriber(address)\n',
    replace: '    if (hop === hops[0]) return toSubscriber(address)\n',
    tests: ['ds/src/rules/client-address.test.ts'],
  },
  {
    rule: 'forwarded-for-forged',
    file: addresses,
    search: 'const subscriberBits = 56\n',
    replace: 'const subscriberBits = 128\n',
    tests: ['ds/src/rules/client-address.test.ts'],
  },
  {
    rule: 'metrics-rebinding',
    file: authorize,
    search: "    isOwnHost(req.header('host'), [settings.host, new URL(url).hostname])",
    replace: "    (isOwnHost('localhost', [settings.host]) || url === '')",
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'proxy-untrusted',
    file: 'ds/src/self-hosted/untrusted-proxies.ts',
    search: '    if (reportedAt.has(peer) || reportedAt.size >= maxAddresses) return\n',
    replace: '    if (reportedAt.has(peer)) return\n',
    tests: ['ds/src/self-hosted/untrusted-proxies.test.ts'],
  },
  {
    rule: 'edit-overwritten',
    file: 'ds/src/http/preconditions.ts',
    search: '  return condition.length === 0 ? sql`false` : ',
    replace: '  return condition.length >= 0 ? undefined : ',
    tests: ['ds/test/faster-editor.test.ts'],
  },
  {
    rule: 'form-file-swapped',
    file: form,
    search:
      '    if (start !== size || tail.length > expected.length || !tail.every((b, i) => b === expected[i]))\n      throw',
    replace: '    if (start < 0 && tail === expected)\n      throw',
    tests: ['ds/src/http/upload-form.test.ts'],
  },
  {
    rule: 'form-head-large',
    file: form,
    search: '    if (text.length >= maxHeadBytes) {',
    replace: '    if (text.length < 0) {',
    tests: ['ds/src/http/upload-form.test.ts'],
  },
  {
    rule: 'removed-owner-key',
    file: 'ds/src/gateway/owners.ts',
    search: 'eq(table.id, consumer.id))) > 0 ?',
    replace: 'eq(table.id, consumer.id))) >= 0 ?',
    tests: ['ds/test/gateway/gateway.test.ts'],
  },
  {
    rule: 'removed-owner-key',
    file: 'ds/src/routes/embed-settings.ts',
    search: '  return row?.wrappedKey\n',
    replace: '  return row?.wrappedKey ?? null\n',
    tests: ['ds/test/gateway/gateway.test.ts'],
  },
  {
    rule: 'database-of-later-version',
    file: 'ds/src/db/known-migrations.ts',
    search: '  if (unknown.length === 0) return\n',
    replace: '  if (unknown.length >= 0) return\n',
    tests: ['ds/src/db/known-migrations.test.ts'],
  },
  {
    rule: 'root-follows-links',
    file: 'ds/release/files/debian/postinst',
    search: '-m 0700 /var/lib/cardwire-ds "$backups"',
    replace: '-m 0700 /var/lib/cardwire-ds /var/lib/cardwire-ds/packages "$backups"',
    tests: ['ds/test/links-of-the-account.test.ts'],
  },
  {
    rule: 'root-terminal',
    file: 'ds/release/files/bin/cardwire-ds-admin',
    search: 'exec setsid --fork --wait setpriv ',
    replace: 'exec setpriv ',
    tests: ['ds/test/links-of-the-account.test.ts'],
  },
  {
    rule: 'repository-planted',
    file: 'connector/publish/repository/folder.ts',
    search: '  if (real !== path) throw ',
    replace: "  if (real === '') throw ",
    tests: ['connector/test/packages/hostile-repository.test.ts'],
  },
  {
    rule: 'repository-planted',
    file: 'connector/publish/repository/plan-update.ts',
    search: '  if (candidate === undefined && listed === undefined)\n',
    replace: '  if (candidate === undefined && listed === undefined && !isFile)\n',
    tests: ['connector/test/packages/hostile-repository.test.ts'],
  },
  {
    rule: 'database-as-installer',
    file: 'ds/src/self-hosted/prepare.ts',
    search: 'if (isBelow(real, await resolveLinks(resolve(top))))',
    replace: "if (isBelow(real, (await resolveLinks(resolve(top))) + '!'))",
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'database-as-installer',
    file: 'ds/src/self-hosted/prepare.ts',
    search: 'for (const path of [dirname(database.file), database.file])',
    replace: 'for (const path of [dirname(database.file)])',
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'database-as-installer',
    file: 'ds/src/admin/main.ts',
    search: "    await requireElsewhere('backups', folder, settings)\n",
    replace: '',
    tests: ['ds/test/admin.test.ts'],
  },
]

export const unguardedService: Unguarded = {
  'service-killed':
    'what stops it is the order of writes and the journal of the database; a campaign kills it',
  'generated-requests':
    'what stops it is the parsing by the contract as a whole; a campaign sends the requests',
}
