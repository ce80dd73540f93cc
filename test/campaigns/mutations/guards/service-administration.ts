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
]

export const unguardedAdministration: Unguarded = {
  'viewer-forges-form': 'what stops it is the operation that each form calls: `role-exceeded`',
}
