/** Guards of the administration in the browser, and of sign-ins at an external provider. */
import type { Guard, Unguarded } from '../guard.ts'

const login = ['ds/test/suites/external-login.suite.ts'] as const
const sessions = ['ds/test/external-sessions.test.ts'] as const
const attacks = ['ds/test/pages/attacks.test.ts'] as const
const openId = 'ds/src/auth/identity/openid-client.ts'
const ownOrigin = 'ds/src/pages/frame/own-origin.ts'
const ownOriginTests = ['ds/src/pages/frame/own-origin.test.ts'] as const

export const administrationGuards: readonly Guard[] = [
  {
    rule: 'external-sign-in-forged',
    file: openId,
    search: 'oauth.validateAuthResponse(server, client, callback, state)',
    replace: 'oauth.validateAuthResponse(server, client, callback, oauth.skipStateCheck)',
    tests: login,
  },
  {
    rule: 'external-sign-in-forged',
    file: 'ds/src/auth/identity/authorization-code.ts',
    search: '    return transaction.expiresAt > clock() ? transaction : throwRefused()\n',
    replace: '    return clock() > 0 ? transaction : throwRefused()\n',
    tests: ['ds/test/external-sessions.test.ts'],
  },
  {
    rule: 'docs-session-misused',
    file: 'ds/src/pages/session-api.ts',
    search: "[...roles, 'application', 'local'].includes(access)",
    replace: 'access.length + roles.length > 0',
    tests: ['ds/test/suites/session-api.suite.ts'],
  },
  {
    rule: 'docs-session-misused',
    file: 'ds/src/pages/session-api.ts',
    search: '    if (!isFromPage(context) || !operation)',
    replace: '    if (!operation)',
    tests: ['ds/test/suites/session-api.suite.ts'],
  },
  {
    rule: 'cross-site-request',
    file: ownOrigin,
    search: " === req.header('host') && isSafeOrigin(origin)\n",
    replace: " === req.header('host')\n",
    tests: ownOriginTests,
  },
  {
    rule: 'cross-site-request',
    file: ownOrigin,
    search: "  if (site !== undefined) return site === 'same-origin'\n",
    replace: '',
    tests: ownOriginTests,
  },
  {
    rule: 'sign-in-intercepted',
    file: 'ds/src/pages/login/login.tsx',
    search: '    if (!isOpenedSafely(context)) return showPlainHttp(context)\n',
    replace: '    isOpenedSafely(context)\n',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'csv-formula',
    file: 'ds/src/rules/csv.ts',
    search: `cell.replace(startInside, "$1'")`,
    replace: `cell.replace(startInside, '$1')`,
    tests: ['ds/src/rules/csv.test.ts'],
  },
  {
    rule: 'session-outlives',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '    gt(browserSessions.lastUsedAt, now - browserSessionIdleMs),\n',
    replace: '',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-outlives',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '    gt(browserSessions.expiresAt, now),\n',
    replace: '',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-outlives',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '    isPast(browserSessions.lastUsedAt, now),\n',
    replace: '',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-outlives',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: 'Math.abs(now - session.lastUsedAt) < useIntervalMs',
    replace: 'now - session.lastUsedAt < useIntervalMs',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-outlives',
    file: 'ds/src/auth/identity/session-validity.ts',
    search: ', isPast(sessions.createdAt, now))',
    replace: ')',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'key-set-outlived',
    file: 'ds/src/auth/identity/external.ts',
    search: '    if (now < usedAt) keys = undefined\n',
    replace: '',
    tests: ['ds/src/auth/identity/external.test.ts'],
  },
  {
    rule: 'session-fixed',
    file: 'ds/src/pages/login/login.tsx',
    search: '      if (earlier) await services.browserSessions.end(earlier)\n',
    replace: '      void earlier\n',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-row-stolen',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '        hash: await digest(cookie),\n',
    replace: '        hash: cookie,\n',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'user-names-probed',
    file: 'ds/src/auth/identity/password-login.ts',
    search: 'if (!(await passwords.verify(password, account?.passwordHash)) || !account) return',
    replace: 'if (!account || !(await passwords.verify(password, account.passwordHash))) return',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'session-cookie-leaked',
    file: 'ds/src/pages/frame/session.ts',
    search: '    httpOnly: true,\n',
    replace: '',
    tests: ['ds/test/page-sessions.test.ts'],
  },
  {
    rule: 'sign-in-redirect',
    file: 'ds/src/pages/frame/target.ts',
    search: "? to : ''",
    replace: '? to : to',
    tests: ['ds/test/suites/administration.suite.ts'],
  },
  {
    rule: 'ended-session-cookie',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '      await db.delete(browserSessions).where(eq(browserSessions.id, id))\n',
    replace: '      void id\n',
    tests: ['ds/test/suites/administration.suite.ts'],
  },
  {
    rule: 'administrator-locked-out',
    file: 'ds/src/auth/identity/login-attempts.ts',
    search: 'enforceLoginDelay(services, account, address)',
    replace: "enforceLoginDelay(services, account, '')",
    tests: ['ds/test/suites/identity.suite.ts'],
  },
  {
    rule: 'administrator-locked-out',
    file: 'ds/src/auth/identity/login-pace.ts',
    search: '      if (await admitLogin(address, paceMs)) return\n',
    replace: '',
    tests: ['ds/test/time.test.ts'],
  },
  {
    rule: 'administrator-locked-out',
    file: 'ds/src/auth/identity/login-pace.ts',
    search: "    takeBack: (address) => limits.refund('login', address),\n",
    replace: '    takeBack: async () => undefined,\n',
    tests: ['ds/test/time.test.ts'],
  },
  {
    rule: 'external-user-removed',
    file: 'ds/src/auth/identity/sealed-tokens.ts',
    search: '        await services.browserSessions.end(session)\n        return undefined\n',
    replace: '        return tokens.access\n',
    tests: sessions,
  },
  {
    rule: 'external-user-removed',
    file: 'ds/src/auth/identity/browser-sessions.ts',
    search: '    gt(browserSessions.expiresAt, now),\n',
    replace: '',
    tests: sessions,
  },
  {
    rule: 'external-secrets-logged',
    file: openId,
    search: 'error instanceof Error ? `${error.name}: ${error.message}` :',
    replace:
      "error instanceof Error ? globalThis.process.getBuiltinModule('node:util').inspect(error) :",
    tests: login,
  },
  {
    rule: 'stored-name-markup',
    file: 'ds/src/pages/charts/chart.tsx',
    search: '>{title}</title>',
    replace: ' dangerouslySetInnerHTML={{ __html: title }} />',
    tests: ['ds/src/pages/charts/chart.test.ts'],
  },
  {
    rule: 'signed-in-user-attacked',
    file: 'ds/src/pages/add-pages.ts',
    search: ' || isFromOwnPage(context, url)) return next()\n',
    replace: ' || method) return next()\n',
    tests: attacks,
  },
  {
    rule: 'signed-in-user-attacked',
    file: 'ds/src/pages/add-pages.ts',
    search: '  "frame-ancestors \'none\'",\n',
    replace: '',
    tests: attacks,
  },
  {
    rule: 'signed-in-user-attacked',
    file: 'ds/src/pages/add-pages.ts',
    search: "  headers.set('cross-origin-opener-policy', 'same-origin')\n",
    replace: '',
    tests: attacks,
  },
  {
    rule: 'signed-in-user-attacked',
    file: 'ds/src/pages/frame/session.ts',
    search: "    sameSite: 'Strict',\n",
    replace: "    sameSite: 'None',\n",
    tests: attacks,
  },
  {
    rule: 'keystore-password-shown',
    file: 'ds/src/pages/configurations/keystore-draft.tsx',
    search: "  hasSecret: password !== '',\n",
    replace: '',
    tests: ['ds/test/pages/configurations.test.ts'],
  },
  {
    rule: 'keystore-password-shown',
    file: 'ds/src/pages/configurations/keystore-draft.tsx',
    search: "    ['digest', digest],\n",
    replace: "    ['digest', digest],\n    ['password', password],\n",
    tests: ['ds/test/pages/configurations.test.ts'],
  },
]

export const unguardedAdministration: Unguarded = {
  'viewer-forges-form': 'what stops it is the operation that each form calls: `role-exceeded`',
}
