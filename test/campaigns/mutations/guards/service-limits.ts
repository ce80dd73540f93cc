/** Guards of the distribution service against what devices and strangers make it store, show and compute. */
import type { Guard } from '../guard.ts'

const reports = 'ds/test/worst-reports.test.ts'
const logins = 'ds/test/login-limits.test.ts'

export const serviceLimitGuards: readonly Guard[] = [
  {
    rule: 'device-report-large',
    file: 'client/src/protocol/reported-text.ts',
    search: '    z.overwrite((text) => toReportedText(text, max)),\n',
    replace: '',
    tests: ['client/src/protocol/worst-texts.test.ts'],
  },
  {
    rule: 'device-report-large',
    file: 'client/src/protocol/sync.ts',
    search: '  at: z.iso.datetime().check(z.maxLength(40)),\n',
    replace: '  at: z.iso.datetime(),\n',
    tests: ['client/src/protocol/worst-texts.test.ts'],
  },
  {
    rule: 'device-report-large',
    file: 'ds/src/routes/device-lists.ts',
    search: 'splitByWeight(await weighDevices(reader, ids), maxPartWeight)',
    replace: '[ids]',
    tests: [reports],
  },
  {
    rule: 'login-delays-flood',
    file: 'ds/src/auth/identity/login-delay.ts',
    search: '    createAddressCleanup(db, address),\n',
    replace: '',
    tests: [logins],
  },
  {
    rule: 'login-delays-flood',
    file: 'ds/src/auth/identity/login-attempts.ts',
    search: '      await removeOldDelays()\n',
    replace: '',
    tests: [logins],
  },
  {
    rule: 'logins-flood',
    file: 'ds/src/auth/identity/store-session.ts',
    search: '    await limitLogins(name)\n',
    replace: '',
    tests: [logins],
  },
  {
    rule: 'logins-flood',
    file: 'ds/src/auth/identity/external-sessions.ts',
    search: '      await limitLogins(`${issuer} ${subject}`)\n',
    replace: '',
    tests: ['ds/test/suites/external-login.suite.ts'],
  },
  {
    rule: 'worker-password-flood',
    file: 'ds/src/auth/identity/worker-passwords.ts',
    search: '    if (waiting.size >= maxWaiting)\n',
    replace: '    if (waiting.size < 0)\n',
    tests: ['ds/src/auth/identity/worker-passwords.test.ts'],
  },
  {
    rule: 'worker-password-flood',
    file: 'ds/src/auth/identity/worker-passwords.ts',
    search: '      freeFrom = clock() + restMs\n',
    replace: '      freeFrom = 0\n',
    tests: ['ds/src/auth/identity/worker-passwords.test.ts'],
  },
  {
    rule: 'password-guessing',
    file: 'ds/src/auth/identity/login-pace.ts',
    search: '      if (!isExceeded && !isSlowed(address)) return\n',
    replace: '      if (!isExceeded) return\n',
    tests: ['ds/test/time.test.ts'],
  },
  {
    rule: 'preflights-read-allowlists',
    file: 'ds/src/sync/allowed-origins.ts',
    search: 'cached.sequence === sequence || ',
    replace: '',
    tests: ['ds/test/preflights.test.ts'],
  },
  {
    rule: 'preflights-read-allowlists',
    file: 'ds/src/sync/allowed-origins.ts',
    search: "return singleFlight('origins', find, () => read(sequence))",
    replace: 'return find()?.value ?? read(sequence)',
    tests: ['ds/test/preflights.test.ts'],
  },
  {
    rule: 'one-reading',
    file: 'ds/src/sync/catalog.ts',
    search: "return singleFlight('catalog', find, () => read(sequence))",
    replace: 'return find()?.value ?? read(sequence)',
    tests: ['ds/test/one-reading.test.ts'],
  },
  {
    rule: 'one-reading',
    file: 'ds/src/sync/single-flight.ts',
    search: '      if (flight.failure) throw flight.failure.error\n',
    replace: '',
    tests: ['ds/src/sync/single-flight.test.ts'],
  },
  {
    rule: 'rotation-in-audit',
    file: 'ds/src/admin/rotate-secret.ts',
    search: '      await writeAudit(run, resealed)\n',
    replace: '',
    tests: ['ds/test/secret-rotation.test.ts'],
  },
  {
    rule: 'backup-without-its-secret',
    file: 'ds/src/admin/backup.ts',
    search: 'if (await opens(run, await createVault(secret, webRandom))) return secret',
    replace: 'return secret',
    tests: ['ds/test/secret-rotation.test.ts'],
  },
  {
    rule: 'busy-login-uncounted',
    file: 'ds/src/auth/identity/login-attempts.ts',
    search: '        await takeBack(counted)\n',
    replace: '',
    tests: ['ds/test/uncounted-logins.test.ts'],
  },
  {
    rule: 'busy-login-uncounted',
    file: 'ds/src/auth/identity/login-attempts.ts',
    search: '        await tryTo(() => forgetLogins(db, account, address))\n',
    replace: '',
    tests: ['ds/test/uncounted-logins.test.ts'],
  },
]
