/** Guards of the client library. */
import type { Guard, Unguarded } from '../guard.ts'

const path = 'client/server/src/certificate-path.ts'
const authenticationTests = ['client/test/authentication.test.ts'] as const
const spelling = 'client/server/src/certificate-spelling.ts'
const spellingTests = ['client/test/certificate-spelling.test.ts'] as const
const serverTests = ['client/test/server.test.ts'] as const

export const clientGuards: readonly Guard[] = [
  {
    rule: 'port-posed',
    file: 'client/src/verify-response.ts',
    search: '    if (!isGenuine) {',
    replace: '    if (isGenuine === undefined) {',
    tests: ['client/test/signature.test.ts'],
  },
  {
    rule: 'response-huge',
    file: 'client/protocol/src/call.ts',
    search: 'if (parts.push(value) > 999) parts = [await new Blob(parts).arrayBuffer()]\n',
    replace: 'parts.push(value)\n',
    tests: ['client/protocol/src/call.test.ts'],
  },
  {
    rule: 'response-huge',
    file: 'client/protocol/src/call.ts',
    search: 'const maxResponseBytes = 4 * 1024 * 1024\n',
    replace: 'const maxResponseBytes = 4096 * 1024 * 1024\n',
    tests: ['client/test/answers.test.ts'],
  },
  {
    rule: 'response-huge',
    file: 'client/src/files.ts',
    search: 'const maxFileBytes = 50 * 1024 * 1024\n',
    replace: 'const maxFileBytes = 5000 * 1024 * 1024\n',
    tests: ['client/test/answers.test.ts'],
  },
  {
    rule: 'response-huge',
    file: 'client/protocol/src/validators.ts',
    search: '!Array.isArray(value) || value.length > maxLength',
    replace: '!Array.isArray(value) || maxLength < 0',
    tests: ['client/test/answer-members.test.ts'],
  },
  {
    rule: 'response-huge',
    file: 'client/src/reader-events.ts',
    search: 'if (waits > maxWaiting)',
    replace: 'if (waits < 0)',
    tests: ['client/test/reader-events.test.ts'],
  },
  {
    rule: 'page-storage-changed',
    file: 'client/src/consent-storage.ts',
    search:
      'consents?.filter(({ length }) => length <= maxConsentLength).slice(0, maxConsents) ?? []',
    replace: 'consents?.filter(({ length }) => length <= maxConsentLength * 1000) ?? []',
    tests: ['client/src/consent-storage.test.ts'],
  },
  {
    rule: 'authentication-replayed',
    file: 'client/server/src/authentication.ts',
    search: '  if (!(await isSignedFor(parsed, certificate, options))) {',
    replace: '  if (!(await isSignedFor(parsed, certificate, options)) && now === undefined) {',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: 'client/server/src/trusted-path.ts',
    search: '  requirePurpose(certificate, options)\n',
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: 'client/server/src/trusted-path.ts',
    search: '  requireValidity(certificate, options)\n',
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search:
      "  if (!strongHashes.includes(certificate.signatureAlgorithm.hash?.name ?? '')) return false\n",
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search: 'constraints.pathLength === undefined || between <= constraints.pathLength',
    replace: 'constraints.pathLength === undefined || between >= 0',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search: ' || !hasAcceptedUsage(issuer, accepted)) continue',
    replace: ') continue',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search: '    issuer.getExtension(nameConstraints) === null &&\n',
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search: ' &&\n    !hasWeakKey(issuer)\n',
    replace: '\n',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-forged',
    file: path,
    search: '  if (hasUnknownCriticalExtension(certificate)) return undefined\n',
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'costly-certificate',
    file: path,
    search: '  requireOneSpelling(der)\n',
    replace: '',
    tests: authenticationTests,
  },
  {
    rule: 'costly-certificate',
    file: path,
    search: 'new X509Certificate(der, { berOptions })',
    replace: 'new X509Certificate(der)',
    tests: authenticationTests,
  },
  {
    rule: 'certificate-respelled',
    file: path,
    search: '  requireOneSpelling(der)\n',
    replace: '',
    tests: spellingTests,
  },
  {
    rule: 'certificate-respelled',
    file: 'client/server/src/der.ts',
    search: 'count > 3 || (tag & 0x1f) === 0x1f || !isShortest || end > part.length',
    replace: 'count > 3 || (tag & 0x1f) === 0x1f || end > part.length',
    tests: spellingTests,
  },
  {
    rule: 'certificate-respelled',
    file: spelling,
    search: '  if (name !== toHex(inner?.whole) || unusedBits !== 0) throw createError()\n',
    replace: '',
    tests: spellingTests,
  },
  {
    rule: 'certificate-respelled',
    file: spelling,
    search: '  if (name.includes(ellipticAlgorithm)) requireTwoNumbers(Uint8Array.from(value))\n',
    replace: '',
    tests: spellingTests,
  },
  {
    rule: 'api-key-leaked',
    file: 'client/protocol/src/call.ts',
    search: "      redirect: 'manual',\n",
    replace: '',
    tests: serverTests,
  },
  {
    rule: 'api-key-leaked',
    file: 'client/server/src/index.ts',
    search: "    if (protocol === 'https:' || ",
    replace: "    if (protocol !== '' || ",
    tests: serverTests,
  },
  {
    rule: 'api-key-leaked',
    file: 'client/server/src/index.ts',
    search: '  if (isBrowser()) {',
    replace: "  if (isBrowser() && options.apiKey === '') {",
    tests: serverTests,
  },
  {
    rule: 'application-token-outlived',
    file: 'client/server/src/index.ts',
    search: 'cachedToken.from <= now && ',
    replace: '',
    tests: serverTests,
  },
  {
    rule: 'token-request-ended',
    file: 'client/server/src/shared-call.ts',
    search: 'silentMs = other.beats === beats ? silentMs + pollMs : 0',
    replace: 'silentMs = 0',
    tests: ['client/test/runtimes.test.ts'],
  },
]

export const unguardedClient: Unguarded = {}
