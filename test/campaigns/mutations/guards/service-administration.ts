/** Guards of the administration in the browser, and of sign-ins at an external provider. */
import type { Guard, Unguarded } from '../guard.ts'

const login = ['ds/test/suites/external-login.suite.ts'] as const
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
    search: 'return (await passwords.verify(password, found?.passwordHash)) ? found : undefined',
    replace:
      'return found && (await passwords.verify(password, found.passwordHash)) ? found : undefined',
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
]

export const unguardedAdministration: Unguarded = {
  'viewer-forges-form': 'what stops it is the operation that each form calls: `role-exceeded`',
}
