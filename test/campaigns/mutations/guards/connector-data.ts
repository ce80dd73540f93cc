/** Guards of what comes from the distribution service and from file servers. */
import type { Guard, Unguarded } from '../guard.ts'

const reply = 'connector/src/distribution/client/verify-reply.ts'
const sessionTests = ['connector/test/distribution/session.test.ts'] as const
const chain = 'connector/src/distribution/client/key-chain.ts'
const statements = 'connector/src/distribution/client/signed-by-service.ts'
const registration = 'connector/src/distribution/sync/registration.ts'
const posedTests = ['connector/test/distribution/posed-service.test.ts'] as const
const redirect = 'connector/src/distribution/client/redirect.ts'
const redirectTests = ['connector/src/distribution/client/redirect.test.ts'] as const
const sender = 'connector/src/distribution/client/signed-sender.ts'
const senderTests = ['connector/src/distribution/client/signed-sender.test.ts'] as const

export const connectorDataGuards: readonly Guard[] = [
  {
    rule: 'reply-altered',
    file: reply,
    search: "  if (reply.aud !== device) throw new Error('it is for another device')\n",
    replace: '',
    tests: sessionTests,
  },
  {
    rule: 'reply-altered',
    file: reply,
    search:
      "  if (reply.re !== request.jti) throw new Error('it belongs to a different request')\n",
    replace: '',
    tests: sessionTests,
  },
  {
    rule: 'service-posed',
    file: 'connector/src/distribution/client/registration-keys.ts',
    search: '  const known = trusted.length === 0 ? valid : pick(trusted)\n',
    replace: '  const known = valid\n',
    tests: sessionTests,
  },
  {
    rule: 'refusal-forged',
    file: statements,
    search: '  requireContext(claims, context)\n  if (claims.code',
    replace: '  if (claims.code',
    tests: posedTests,
  },
  {
    rule: 'refusal-forged',
    file: statements,
    search: "  if (claims.code !== context.code) throw new Error('it is about something else')\n",
    replace: '',
    tests: posedTests,
  },
  {
    rule: 'refusal-forged',
    file: registration,
    search: '  if (trusted.includes(signer) || (await',
    replace: '  if (trusted.includes(signer) || signer !== undefined || (await',
    tests: posedTests,
  },
  {
    rule: 'assertion-ahead',
    file: sender,
    search: ' || nextMs - clockOffsetMs > maxCorrectionMs) throw error',
    replace: ') throw error',
    tests: senderTests,
  },
  {
    rule: 'assertion-ahead',
    file: sender,
    search: '    return send(request, subject, audience, nextMs, [',
    replace: '    clockOffsetMs = nextMs\n    return send(request, subject, audience, nextMs, [',
    tests: senderTests,
  },
  {
    rule: 'device-stolen',
    file: registration,
    search: "  error.code === 'device-blocked' &&\n",
    replace: '  error.code !== error.code &&\n',
    tests: sessionTests,
  },
  {
    rule: 'device-stolen',
    file: 'connector/src/distribution/sync/session.ts',
    search: '    isBlocked: () => state?.blockedAt !== undefined,\n',
    replace: '    isBlocked: () => false,\n',
    tests: sessionTests,
  },
  {
    rule: 'device-stolen',
    file: 'connector/src/api/authorize.ts',
    search: '  if (isPage) requirePolicy(parts)\n',
    replace: '',
    tests: ['connector/src/api/policy-problem.test.ts'],
  },
  {
    rule: 'registration-altered',
    file: statements,
    search: '  requireContext(claims, context)\n  return claims\n',
    replace: '  return context ? claims : claims\n',
    tests: posedTests,
  },
  {
    rule: 'succession-forged',
    file: chain,
    search:
      "        if ((await calculateJwkThumbprint(jwk)) !== kid) throw new Error('it names another key')\n",
    replace: '        void kid\n',
    tests: [
      'connector/test/distribution/key-chain.test.ts',
      'connector/src/distribution/client/key-chain.test.ts',
    ],
  },
  {
    rule: 'service-kept-away',
    file: 'connector/src/distribution/policy/expiry.ts',
    search: "      return reported.state === 'expired'",
    replace: '      return reported.state !== reported.state',
    tests: ['connector/src/distribution/policy/expiry.test.ts'],
  },
  {
    rule: 'stored-policy-changed',
    file: 'connector/src/distribution/sync/persisted-state.ts',
    search:
      '  const { reply } = await verifyReply(jws, [signer], { device, request: undefined })\n',
    replace:
      "  const reply = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())\n  void [signer, device, verifyReply]\n",
    tests: sessionTests,
  },
  {
    rule: 'service-reads-files',
    file: 'connector/src/distribution/policy/file-digests.ts',
    search: '  const outside = files.find(({ path }) => !isInsideFolder(path))\n',
    replace:
      '  const outside = files.find(({ path }) => isInsideFolder(path) && path.length < 0)\n',
    tests: ['connector/test/distribution/file-digests.test.ts'],
  },
  {
    rule: 'service-controls-terminal',
    file: 'client/protocol/src/printable.ts',
    search: 'text.replaceAll(unprintable, toEscape)',
    replace: 'text.replaceAll(/[]/g, unprintable.source)',
    tests: ['client/protocol/src/printable.test.ts'],
  },
  {
    rule: 'service-controls-terminal',
    file: 'connector/src/commands/json-output.ts',
    search: 'toPrintableLine(JSON.stringify(value))',
    replace: 'JSON.stringify(value)',
    tests: ['connector/src/commands/json-output.test.ts'],
  },
  {
    rule: 'service-controls-terminal',
    file: 'ds/src/admin/main.ts',
    search: "text.split('\\t').map(toPrintableText).join('\\t')",
    replace: "toPrintableText(text).replaceAll('\\\\u0009', '\\t')",
    tests: ['ds/test/apply-command.test.ts'],
  },
  {
    rule: 'service-controls-terminal',
    file: 'ds/src/admin/main.ts',
    search: "text.split('\\t').map(toPrintableText).join('\\t')",
    replace: 'text',
    tests: ['ds/test/apply-command.test.ts'],
  },
  {
    rule: 'service-controls-terminal',
    file: 'connector/src/system/desktop/dialog.ts',
    search: "['http:', 'https:'].includes(url.protocol) ? url.href : undefined",
    replace: 'url.href',
    tests: ['connector/src/system/desktop/dialog.test.ts'],
  },
  {
    rule: 'redirect-to-loopback',
    file: redirect,
    search: '  elsewhere && isOwnMachine(url.hostname) ? undefined : ',
    replace: '  elsewhere && isOwnMachine === undefined ? undefined : ',
    tests: redirectTests,
  },
  {
    rule: 'redirect-to-loopback',
    file: redirect,
    search: '  return toStep(new URL(url), !(await isServiceHere(dsUrl)))\n',
    replace: '  return toStep(new URL(url), (await isServiceHere(dsUrl)) === undefined)\n',
    tests: redirectTests,
  },
  {
    rule: 'recommendation-repeated',
    file: 'connector/src/distribution/policy/enforce.ts',
    search: '    isRecommending = true\n',
    replace: '    isRecommending = ended\n',
    tests: ['connector/test/distribution/enforce.test.ts'],
  },
  {
    rule: 'reply-large',
    file: 'connector/src/distribution/client/ds-response.ts',
    search: 'text.slice(0, maxDescriptionLength)',
    replace: 'text.slice(0, maxDescriptionLength * 1e9)',
    tests: ['connector/src/distribution/client/ds-response.test.ts'],
  },
  {
    rule: 'installer-slow',
    file: 'connector/src/distribution/update/download.ts',
    search: '    if (received >= minBytes) return\n',
    replace: '    if (received >= minBytes || received >= 0) return\n',
    tests: ['connector/test/distribution/download.test.ts'],
  },
  {
    rule: 'certificate-checks-off',
    file: 'connector/src/distribution/client/connection-options.ts',
    search: 'return { agent, rejectUnauthorized: true,',
    replace: 'return { agent,',
    tests: ['connector/test/distribution/skipped-checks.test.ts'],
  },
  {
    rule: 'certificate-checks-off',
    file: 'connector/src/distribution/token-authority.ts',
    search: ', tls: { rejectUnauthorized: true } }',
    replace: ' }',
    tests: ['connector/test/distribution/skipped-checks.test.ts'],
  },
  {
    rule: 'certificate-checks-off',
    file: 'ds/src/settings.ts',
    search: '  if (fault !== undefined) throw new SettingsError([fault])\n',
    replace: '',
    tests: ['ds/src/settings.test.ts'],
  },
  {
    rule: 'certificate-checks-off',
    file: 'client/server/src/index.ts',
    search: 'if (fault !== undefined && options.fetch === undefined && /^https:/i.test(address))',
    replace: "if (address === '')",
    tests: ['client/test/server.test.ts'],
  },
  {
    rule: 'successions-withheld',
    file: 'connector/src/distribution/client/key-chain.ts',
    search: 'z.array(z.string()).check(z.maxLength(maxSuccessions))',
    replace: 'z.array(z.string())',
    tests: ['connector/test/distribution/key-chain.test.ts'],
  },
  {
    rule: 'keystore-slow',
    file: 'pkcs12/work-budget.ts',
    search: '      if (roundsLeft < 0) {',
    replace: '      if (roundsLeft < -1e12) {',
    tests: ['connector/test/distribution/pkcs12.test.ts'],
  },
  {
    rule: 'keystore-swapped',
    file: 'pkcs12/open-pkcs12.ts',
    search: "  if (needsMac && (mac === undefined || password === ''))\n",
    replace: "  if (needsMac && mac === undefined && password === '')\n",
    tests: ['connector/test/distribution/keystore.test.ts'],
  },
  {
    rule: 'keystore-swapped',
    file: 'connector/src/distribution/keystore/fetch-keystore.ts',
    search: '  if (digest !== undefined && digest.toLowerCase() !== found) {',
    replace: '  if (digest === found && digest.toLowerCase() !== found) {',
    tests: ['connector/test/distribution/keystore.test.ts'],
  },
  {
    rule: 'key-set-outlived',
    file: 'connector/src/distribution/token-authority.ts',
    search: '    if (now < usedAt) set = openRemoteSet(url)\n',
    replace: '',
    tests: ['connector/src/distribution/token-authority.test.ts'],
  },
  {
    rule: 'retired-key-token',
    file: 'connector/src/distribution/sync/token-keys.ts',
    search: 'createLocalJWKSet({ keys: [...(policy()?.tokenKeys ?? [])] })',
    replace: 'createLocalJWKSet({ keys: [...((known ??= policy())?.tokenKeys ?? [])] })',
    tests: ['connector/test/distribution/token-keys.test.ts'],
  },
  {
    rule: 'retired-key-token',
    file: 'connector/src/distribution/sync/token-keys.ts',
    search: '        if (Math.abs(clock() - requestedAt) < cooldownMs) throw error\n',
    replace: '        if (cooldownMs < 0) throw error\n',
    tests: ['connector/test/distribution/token-keys.test.ts'],
  },
  {
    rule: 'service-offers-program',
    file: 'connector/src/distribution/update/check-release.ts',
    search: '    const file = release.files.find((one) => one.sha256 === sha256)\n',
    replace:
      '    const file = release.files.find((one) => one.sha256 !== sha256) ?? release.files[0]\n',
    tests: ['connector/test/distribution/check-release.test.ts'],
  },
  {
    rule: 'service-offers-program',
    file: 'connector/src/commands/install-offer.ts',
    search: '((yes || audience.hasChosen) && reason === undefined)',
    replace: 'yes || audience.hasChosen',
    tests: ['connector/src/commands/install-offer.test.ts'],
  },
  {
    rule: 'service-offers-program',
    file: 'connector/src/distribution/update/check-release.ts',
    search: '    if (release.version !== version)\n      throw',
    replace: "    if (release.version === '')\n      throw",
    tests: ['connector/test/distribution/check-release.test.ts'],
  },
]

export const unguardedData: Unguarded = {
  'browser-installer': 'what stops it is that no code opens the URL in a browser',
}
