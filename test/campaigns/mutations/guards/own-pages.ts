/** Guards of the page of `cardwire open`, of streams to pages, and of the example. */
import type { Guard } from '../guard.ts'

const checks = 'connector/src/api/page/page-checks.ts'
const checkTests = ['connector/src/api/page/page-checks.test.ts'] as const
const watch = 'connector/src/api/access-watch.ts'
const watchTests = ['connector/src/api/access-watch.test.ts'] as const
const sessions = 'client/example/back-end/sessions.ts'
const exampleTests = ['client/example/test/back-end.test.ts'] as const

export const ownPageGuards: readonly Guard[] = [
  {
    rule: 'open-page-attacked',
    file: checks,
    search: "if (headers.get('host') !== new URL(address).host)",
    replace: "if (headers.get('host') === '')",
    tests: checkTests,
  },
  {
    rule: 'open-page-attacked',
    file: checks,
    search: '  if (!sites.includes(site)) return',
    replace: "  if (site === '') return",
    tests: checkTests,
  },
  {
    rule: 'open-page-attacked',
    file: checks,
    search: "  if (isNavigation && destination !== null && destination !== 'document')\n",
    replace: "  if (isNavigation && destination === '')\n",
    tests: checkTests,
  },
  {
    rule: 'open-page-attacked',
    file: checks,
    search: '  return origins.includes(origin) ? undefined : ',
    replace: "  return origin !== '' ? undefined : ",
    tests: checkTests,
  },
  {
    rule: 'stream-unread',
    file: 'connector/src/api/reader-feed.ts',
    search: 'recentEvents.splice(0, Math.max(0, recentEvents.length - maxEvents))',
    replace: 'recentEvents.splice(0, 0)',
    tests: ['connector/src/api/reader-event-routes.test.ts'],
  },
  {
    rule: 'events-outlive',
    file: watch,
    search: '    if (!consents.isActive(caller.consentId)) {\n',
    replace: "    if (caller.consentId === '') {\n",
    tests: watchTests,
  },
  {
    rule: 'events-outlive',
    file: watch,
    search: '    if (!isOriginAllowed(caller.origin, allowlist())) {\n',
    replace: "    if (caller.origin === '') {\n",
    tests: watchTests,
  },
  {
    rule: 'events-outlive',
    file: watch,
    search: ' || clock() >= caller.expiresAt) {\n',
    replace: ' || caller.expiresAt < 0) {\n',
    tests: watchTests,
  },
  {
    rule: 'events-outlive',
    file: watch,
    search: '    if (end !== undefined) return createPolicyProblem(end)\n',
    replace: '    void end\n',
    tests: watchTests,
  },
  {
    rule: 'example-token-taken',
    file: sessions,
    search: '      if (!session) return refuse(context)\n',
    replace: '      if (!session) void refuse(context)\n',
    tests: exampleTests,
  },
  {
    rule: 'example-token-taken',
    file: sessions,
    search: '        start(context)\n        makeKey()\n',
    replace: '        start(context)\n',
    tests: exampleTests,
  },
  {
    rule: 'example-token-taken',
    file: sessions,
    search: "      sameSite: 'Strict',\n",
    replace: '',
    tests: exampleTests,
  },
  {
    rule: 'example-token-taken',
    file: sessions,
    search: '      httpOnly: true,\n',
    replace: '',
    tests: exampleTests,
  },
]
