/** Guards against pages, and of the registry and its agents. */
import type { Guard, Unguarded } from '../guard.ts'

const consentTests = ['connector/test/consent/clipboard-consent-service.test.ts'] as const
const floodTests = ['connector/test/registry/flooded.test.ts'] as const
const patience = 'connector/src/registry/agent-patience.ts'
const patienceTests = ['connector/src/registry/agent-patience.test.ts'] as const
const brokerTests = ['connector/src/registry/consent-broker.test.ts'] as const
const directoryTests = ['connector/src/registry/agent-directory.test.ts'] as const
const checks = 'connector/src/http/request-checks.ts'
const verifier = 'connector/src/user/consent/verify-consents.ts'
const broker = 'connector/src/registry/consent-broker.ts'

export const pageGuards: readonly Guard[] = [
  {
    rule: 'page-not-listed',
    file: checks,
    search: '  if (isOriginAllowed(origin, allowlist(account))) return\n',
    replace: '  if (origin.length > 0) return\n',
    tests: ['connector/test/registry/registry.test.ts'],
  },
  {
    rule: 'request-without-origin',
    file: checks,
    search: "site !== undefined && site !== 'none') {",
    replace: "site === 'never') {",
    tests: ['connector/test/binary/api.test.ts'],
  },
  {
    rule: 'request-without-origin',
    file: checks,
    search: "if (req.header('x-csrf-token') !== csrfToken) {",
    replace: 'if (csrfToken.length === 0) {',
    tests: ['connector/test/binary/api.test.ts'],
  },
  {
    rule: 'connector-rebinding',
    file: checks,
    search: '  if (names().has(name) || ',
    replace: '  if (name.length >= 0 || ',
    tests: ['connector/test/binary/api.test.ts'],
  },
  {
    rule: 'page-without-consent',
    file: 'client/src/protocol/card-token.ts',
    search: '  params: z.object({\n    module: ',
    replace: "  access: 'anyone',\n  params: z.object({\n    module: ",
    tests: ['client/src/protocol/access.test.ts'],
  },
  {
    rule: 'page-without-consent',
    file: 'connector/src/api/authorize.ts',
    search: '  const consent = parts.consents.findLatest(origin)\n',
    replace: "  const consent = parts.consents.findLatest(origin) ?? { id: '' }\n",
    tests: ['connector/test/binary/access.test.ts'],
  },
  {
    rule: 'management-called',
    file: 'connector/src/api/authorize.ts',
    search:
      '  if (!isSameSecret(token, parts.managementToken)) throw refuseToken(parts, notManagement)\n',
    replace: '',
    tests: ['connector/test/binary/access.test.ts'],
  },
  {
    rule: 'connector-ended',
    file: 'client/src/protocol/connector-system.ts',
    search: "  access: 'management',\n  summary: 'Stop the connector',\n",
    replace: "  access: 'consented',\n  summary: 'Stop the connector',\n",
    tests: ['connector/test/binary/access.test.ts'],
  },
  {
    rule: 'code-word-guessed',
    file: 'connector/src/user/consent/grant-by-clipboard.ts',
    search: "    if (limitOrigin(origin) > 0 || limitReads('clipboard') > 0) {",
    replace: '    if (limitOrigin === limitReads) {',
    tests: consentTests,
  },
  {
    rule: 'foreign-consent-used',
    file: verifier,
    search: '    return consent.origin === origin ? recordUse(consent) : undefined',
    replace: '    return recordUse(consent)',
    tests: consentTests,
  },
  {
    rule: 'foreign-consent-used',
    file: 'connector/src/user/consent/issue-consent.ts',
    search: '    return isRepeated ? issued : undefined',
    replace: '    return issued',
    tests: consentTests,
  },
  {
    rule: 'consent-forged',
    file: verifier,
    search: ' || !isSignedBy(issuer, consent, decoded)) return undefined',
    replace: ') return undefined',
    tests: consentTests,
  },
  {
    rule: 'consent-forged',
    file: 'connector/src/user/consent/consent-token.ts',
    search: '[agentId, origin, id, String(issuedAt), String(expiresAt)]',
    replace: '[agentId]',
    tests: consentTests,
  },
  {
    rule: 'consent-without-click',
    file: 'connector/src/user/consent/issue-consent.ts',
    search: '  void notifyUser(services, origin)\n',
    replace: '',
    tests: consentTests,
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/kept-pins.ts',
    search: 'before?.id === id ? before.caller : user.caller\n',
    replace: 'user.caller\n',
    tests: ['connector/src/api/kept-pins.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/app.ts',
    search: "      if (caller.kind !== 'anyone') requireAccess(caller)\n",
    replace: '',
    tests: ['connector/test/binary/consent.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/sandbox/readers/operation-queue.ts',
    search: '    given.requireWanted?.()\n',
    replace: '',
    tests: ['connector/test/cards/card-access.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/read-card.ts',
    search: '    requireWanted()\n    return result\n',
    replace: '    return result\n',
    tests: ['connector/src/api/read-card.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/pin-call.ts',
    search: '    ended.check()\n',
    replace: '',
    tests: ['connector/src/api/pin-operation.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/access-watch.ts',
    search: '    if (!consents.isActive(caller.consentId)) {',
    replace: '    if (caller.consentId === undefined) {',
    tests: ['connector/src/api/reader-routes.test.ts'],
  },
  {
    rule: 'consent-given-again',
    file: 'connector/src/api/kept-pins.ts',
    search: '        access.findRevocation(found.caller) === undefined &&\n',
    replace: '',
    tests: ['connector/src/api/kept-pins.test.ts'],
  },
  {
    rule: 'code-word-guessed',
    file: 'connector/src/user/consent/request-throttle.ts',
    search: '      limitOrigin(origin)\n',
    replace: '      0\n',
    tests: ['connector/test/registry/many-users.test.ts'],
  },
  {
    rule: 'clipboard-read',
    file: 'connector/src/user/consent/clipboard-consent-service.ts',
    search: 'isOriginAllowed(origin, allowlist())',
    replace: 'isOriginAllowed(origin, [origin, ...allowlist()])',
    tests: consentTests,
  },
  {
    rule: 'registry-false-answer',
    file: 'connector/src/user/consent/grant-by-clipboard.ts',
    search:
      '    if (!isSameHmac(challenge, createChallenge(codeWord, { nonce, origin }))) return undefined\n',
    replace: '',
    tests: consentTests,
  },
  {
    rule: 'agent-false-proof',
    file: broker,
    search: 'if (isFrom(agent, response.granted) && isSameHmac(response.proof, expected)) {',
    replace: 'if (isFrom(agent, response.granted) && expected) {',
    tests: brokerTests,
  },
  {
    rule: 'agent-false-proof',
    file: broker,
    search: 'if (isFrom(agent, response.granted) && ',
    replace: 'if (',
    tests: brokerTests,
  },
  {
    rule: 'code-word-twice',
    file: broker,
    search: '      return ids.size === 1 ? proven[0]?.grant : undefined',
    replace: '      return proven[0]?.grant',
    tests: brokerTests,
  },
  {
    rule: 'page-as-agent',
    file: 'connector/src/registry/agent-routes.ts',
    search: "  if (names.some((name) => name === 'origin' || name.startsWith('sec-fetch-'))) {",
    replace: '  if (names.length === 0) {',
    tests: ['connector/test/registry/registry.test.ts'],
  },
  {
    rule: 'agents-silent',
    file: 'connector/src/registry/agent-admission.ts',
    search: '  if (!previous && isFull) {',
    replace: '  if (!previous && !isFull && sessions.size < 0) {',
    tests: directoryTests,
  },
  {
    rule: 'agents-silent',
    file: patience,
    search: 'if (late?.id === id && clock.now() < late.until) countResponse(agent)',
    replace: 'if (late?.id !== null) countResponse(agent)',
    tests: patienceTests,
  },
  {
    rule: 'agents-silent',
    file: patience,
    search: '    if (standing) return standing.owed === 0\n',
    replace: '    if (standing) return standing.owed >= 0\n',
    tests: patienceTests,
  },
  {
    rule: 'agents-silent',
    file: patience,
    search: '.length < maxSilentNewcomers',
    replace: '.length >= 0',
    tests: patienceTests,
  },
  {
    rule: 'agents-silent',
    file: patience,
    search: 'const owed = 2 ** doublings',
    replace: 'const owed = 1 ** doublings',
    tests: patienceTests,
  },
  {
    rule: 'agents-silent',
    file: 'connector/src/registry/pending-requests.ts',
    search: ' if (isFor(request, agent)) request.expire()\n',
    replace: ' if (isFor(request, agent)) request.settle(undefined)\n',
    tests: patienceTests,
  },
  {
    rule: 'connections-flood',
    file: 'connector/src/system/connection-limit.ts',
    search: '    const share = Math.min(limit.other, findEqualShare(held, limit.others))',
    replace:
      '    const share = Math.min(limit.own, findEqualShare(held, Number.POSITIVE_INFINITY))',
    tests: ['connector/src/system/connection-limit.test.ts'],
  },
  {
    rule: 'bodies-flood',
    file: 'connector/src/registry/allowlist.ts',
    search:
      '      own.size = evictOldest(own.lists, maxOriginsOf, ({ origins }) => origins.length)\n',
    replace: '',
    tests: ['connector/src/registry/allowlist.test.ts'],
  },
  {
    rule: 'processor-kept-busy',
    file: 'connector/src/registry/accept-body.ts',
    search: '    await waitForTurn(user)\n',
    replace: '    await waitForTurn(undefined)\n',
    tests: floodTests,
  },
  {
    rule: 'processor-kept-busy',
    file: 'connector/src/registry/accept-body.ts',
    search: '    if (waitMs === 0) return\n',
    replace: '    if (waitMs >= 0) return\n',
    tests: floodTests,
  },
  {
    rule: 'processor-kept-busy',
    file: 'connector/src/registry/allowlist.ts',
    search: 'previous?.digest === digest ? previous : ',
    replace: "previous?.digest === '' ? previous : ",
    tests: ['connector/src/registry/allowlist.test.ts'],
  },
  {
    rule: 'processor-kept-busy',
    file: 'client/src/protocol/parse-input.ts',
    search: 'const all = isSmall(value) ? ',
    replace: 'const all = isSmall(undefined) ? ',
    tests: ['client/src/protocol/parse-input.test.ts'],
  },
  {
    rule: 'registry-exploited',
    file: 'connector/src/small-file.ts',
    search: '    if (bytesRead > maxBytes) throw',
    replace: '    if (bytesRead < 0) throw',
    tests: ['connector/src/small-file.test.ts'],
  },
  {
    rule: 'large-requests',
    file: 'connector/src/http/request-checks.ts',
    search: '    if (size > maxHeaderBytes) {',
    replace: '    if (size < 0) {',
    tests: ['connector/test/binary/api.test.ts'],
  },
]

export const unguardedPages: Unguarded = {
  'folder-window-arguments': 'it says that the risk remains',
  'folder-path-shows-account': 'it says that the risk remains',
  'registry-killed': 'what stops it is what the registry does not store',
}
