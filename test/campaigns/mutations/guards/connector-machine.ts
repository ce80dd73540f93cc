/** Guards of registries, other accounts, trusted roots and stored state. */
import type { Guard, Unguarded } from '../guard.ts'

const database = 'connector/src/system/state/database.ts'
const databaseTests = ['connector/test/consent/state-database.test.ts'] as const
const service = 'connector/src/registry/service/install.ts'
const serviceTests = ['connector/src/registry/service/install.test.ts'] as const
const trustTests = ['connector/test/certs/trust.test.ts'] as const
const grants = 'connector/src/user/consent/grants.ts'
const grantTests = ['connector/src/user/consent/grants.test.ts'] as const

export const machineGuards: readonly Guard[] = [
  {
    rule: 'registry-foreign',
    file: 'connector/src/system/ipc/pinned-tls.ts',
    search: '  if (certificate) return { socket, certificate }\n',
    replace: '  if (socket) return { socket, certificate: certificate as never }\n',
    tests: ['connector/test/registry/registry.test.ts'],
  },
  {
    rule: 'registry-root-misused',
    file: service,
    search: "  if (typeof judged === 'string') {",
    replace: '  if (judged === undefined) {',
    tests: serviceTests,
  },
  {
    rule: 'registry-root-misused',
    file: service,
    search: '    await uninstallRoot(await stores(), root, { hosts })\n    throw',
    replace: '    throw',
    tests: serviceTests,
  },
  {
    rule: 'old-root-trusted',
    file: 'connector/src/certificates/old-root.ts',
    search: '  await removeOldRoot(services, replacedRoot)\n',
    replace: '',
    tests: trustTests,
  },
  {
    rule: 'state-damaged',
    file: database,
    search: '    if (isNew && (known !== undefined || wasEmptied))\n',
    replace: '    if (isNew && wasEmptied)\n',
    tests: databaseTests,
  },
  {
    rule: 'state-damaged',
    file: database,
    search: "    if (check?.quick_check !== 'ok') throw",
    replace: '    if (check === undefined) throw',
    tests: databaseTests,
  },
  {
    rule: 'old-state-restored',
    file: database,
    search: '    if (!isNew && known !== undefined && revision < known)\n',
    replace: '    if (revision < 0)\n',
    tests: databaseTests,
  },
  {
    rule: 'connector-disk-full',
    file: 'connector/src/http/base-app.ts',
    search: '    if (isFileError(error)) {\n',
    replace: '    if (error === undefined && isFileError(error)) {\n',
    tests: ['connector/src/http/base-app.test.ts'],
  },
  {
    rule: 'connector-disk-full',
    file: 'connector/src/system/state/revision.ts',
    search: '  } catch {\n    // The change itself',
    replace: '  } catch (error) {\n    throw error\n    // The change itself',
    tests: ['connector/test/consent/unwritten-revision.test.ts'],
  },
  {
    rule: 'connector-disk-full',
    file: 'connector/src/system/log.ts',
    search: '    reportLost(count)\n',
    replace: '',
    tests: ['connector/src/system/log.test.ts'],
  },
  {
    rule: 'descriptors-exhausted',
    file: 'connector/src/distribution/policy/file-digests.ts',
    search: "exhaustion.has(code) ? 'exhausted' : ",
    replace: '',
    tests: ['connector/test/distribution/file-digests.test.ts'],
  },
  {
    rule: 'authentication-digest',
    file: grants,
    search: 'one.origin === origin && one.allow.includes(grant)',
    replace: 'origin && one.allow.includes(grant)',
    tests: grantTests,
  },
  {
    rule: 'user-grants-itself',
    file: grants,
    search: 'managed ?? (await openFile(path))',
    replace: '(await openFile(path)) ?? managed',
    tests: grantTests,
  },
  {
    rule: 'user-grants-itself',
    file: 'connector/src/small-file.ts',
    search: '    if (owners && !owners.includes(facts.uid)) throw',
    replace: '    if (facts.uid < 0) throw',
    tests: grantTests,
  },
  {
    rule: 'library-pin-reused',
    file: 'connector/src/sandbox/readers/token-readers.ts',
    search: '        if (!library.isOwn && needsReset(operation)) await resetCard(cards, reader)\n',
    replace: '',
    tests: ['connector/src/sandbox/readers/token-readers.test.ts'],
  },
  {
    rule: 'library-pin-reused',
    file: 'connector/src/sandbox/readers/operation-queue.ts',
    search: "      const isUrgent = operation.kind === 'reset'\n",
    replace: '      const isUrgent = false\n',
    tests: ['connector/src/sandbox/readers/operation-queue.test.ts'],
  },
  {
    rule: 'windows-key-authentication',
    file: 'connector/src/pki/key-usage.ts',
    search: "  '1.3.6.1.4.1.311.20.2.2', // szOID_KP_SMARTCARD_LOGON of wincrypt.h\n",
    replace: '',
    tests: ['connector/test/certs/key-usage.test.ts'],
  },
  {
    rule: 'windows-key-authentication',
    file: 'connector/src/pki/key-usage.ts',
    search: '  extended?.some((purpose) => loginPurposes.includes(purpose)) ?? true\n',
    replace: '  extended?.some((purpose) => loginPurposes.includes(purpose)) ?? false\n',
    tests: ['connector/test/certs/key-usage.test.ts'],
  },
  {
    rule: 'token-keys-forged',
    file: 'connector/src/distribution/client/verify-reply.ts',
    search: '  const { reply, signer } = await verifySignature(jws, keys)\n',
    replace:
      "  const reply = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())\n  const signer = keys[0] as never\n",
    tests: ['connector/test/distribution/posed-service.test.ts'],
  },
  {
    rule: 'root-key-stolen',
    file: 'connector/src/pki/trust-stores/install-root.ts',
    search: "    if (typeof judged === 'string') throw",
    replace: '    if (judged === undefined) throw',
    tests: trustTests,
  },
  {
    rule: 'registry-port-first',
    file: 'connector/src/system/ipc/pinned-tls.ts',
    search: '  if (certificate) return { socket, certificate }\n',
    replace: '  if (socket) return { socket, certificate: certificate as never }\n',
    tests: ['connector/test/registry/registry.test.ts'],
  },
  {
    rule: 'registry-port-taken',
    file: 'connector/src/registry/port-conflict.ts',
    search: "owner || 'another program'}",
    replace: "owner && 'another program'}",
    tests: ['connector/src/registry/port-conflict.test.ts'],
  },
  {
    rule: 'machine-settings-unread',
    file: 'connector/src/commands/command-context.ts',
    search: '      isUnread === true || (fault',
    replace: '      (isUnread === true && !isUnread) || (fault',
    tests: ['connector/src/commands/command-context.test.ts'],
  },
  {
    rule: 'machine-settings-unread',
    file: 'connector/src/system/settings-places.ts',
    search: '...(isUnread && { isUnread }) }',
    replace: '...(isUnread && {}) }',
    tests: ['connector/src/system/settings-places.test.ts'],
  },
  {
    rule: 'machine-settings-writable',
    file: 'connector/src/system/settings-places.ts',
    search: '    if (uid !== 0 || (mode & 0o022) !== 0) {',
    replace: '    if (uid !== 0) {',
    tests: ['connector/src/system/settings-places.test.ts'],
  },
  {
    rule: 'other-account-calls',
    file: 'connector/src/http/request-checks.ts',
    search: "    if (owner.kind === 'other' && !servesEveryone) {",
    replace: "    if (owner.kind === 'other' && servesEveryone) {",
    tests: ['connector/test/consent/routes.test.ts'],
  },
  {
    rule: 'other-account-waits',
    file: 'connector/src/registry/agent-directory.ts',
    search: '  agent.user === undefined || user === undefined || agent.user === user\n',
    replace: '  agent.user !== null || user === undefined\n',
    tests: ['connector/src/registry/agent-directory.test.ts'],
  },
  {
    rule: 'poll-session-guessed',
    file: 'connector/src/registry/agent-directory.ts',
    search: '      if (user !== undefined && agent.user !== undefined && user !== agent.user) {',
    replace: '      if (user === null) {',
    tests: ['connector/src/registry/agent-directory.test.ts'],
  },
  {
    rule: 'poll-session-guessed',
    file: 'connector/src/registry/agent-directory.ts',
    search: "randomBytes(32).toString('base64url')",
    replace: "randomBytes(4).toString('base64url')",
    tests: ['connector/src/registry/agent-directory.test.ts'],
  },
  {
    rule: 'other-account-floods',
    file: 'connector/src/user/consent/request-throttle.ts',
    search: "user ?? ''} ",
    replace: "origin ?? user ?? ''} ",
    tests: ['connector/test/registry/registry.test.ts'],
  },
]

export const unguardedMachine: Unguarded = {
  'open-port-reused': 'what stops it is that the page stores nothing in the browser',
  'registry-key-planted':
    'what stops it is that no operation gives the registry a certificate; for its settings: `machine-settings-planted`',
  'service-blocks-registry':
    'what stops it is the order of the start: the registry serves before it sends',
  'other-clipboard-read': 'the display of each user is the guard',
  'page-library': 'what stops it is that no code takes the path of a library from a page',
}
