/** Guards against other accounts of the machine, and against faults of the machine. */
import type { Guard, Unguarded } from '../guard.ts'

const directory = 'connector/src/registry/agent-directory.ts'
const directoryTests = ['connector/src/registry/agent-directory.test.ts'] as const
const allowlist = 'connector/src/registry/allowlist.ts'
const allowlistTests = ['connector/src/registry/allowlist.test.ts'] as const

export const accountGuards: readonly Guard[] = [
  {
    rule: 'other-account-origins',
    file: allowlist,
    search: 'user === undefined ? [...shares.values()] : [shares.get(user), shares.get(undefined)]',
    replace: '[...shares.values()]',
    tests: allowlistTests,
  },
  {
    rule: 'other-account-evicts',
    file: allowlist,
    search: '      const lists: Lists = users.get(user) ?? new Map()\n',
    replace: '      const lists: Lists = [...users.values()][0] ?? new Map()\n',
    tests: allowlistTests,
  },
  {
    rule: 'other-account-registry',
    file: directory,
    search: '  agent.user === undefined || user === undefined || agent.user === user\n',
    replace: '  agent.user !== null || user === undefined\n',
    tests: directoryTests,
  },
  {
    rule: 'other-account-agent-id',
    file: 'connector/src/registry/agent-admission.ts',
    search: 'if (ofOthers.some(([, agent]) => user === undefined || agent.user === undefined)) {',
    replace: 'if (ofOthers.length < 0) {',
    tests: directoryTests,
  },
  {
    rule: 'private-files-read',
    file: 'connector/src/system/restrict-folder.ts',
    search: '    chmodSync(path, mode)\n',
    replace: '',
    tests: ['connector/src/system/restrict-folder.test.ts'],
  },
  {
    rule: 'state-links-planted',
    file: 'connector/src/system/restrict-folder.ts',
    search: '.every(({ uid }) => owners.includes(uid))',
    replace: '.every(({ uid }) => uid + owners.length >= 0)',
    tests: ['connector/src/system/restrict-folder.test.ts'],
  },
  {
    rule: 'state-links-planted',
    file: 'connector/src/commands/command-context.ts',
    search: "  if (owner === 'user') requireTrustedFolders(folders)\n",
    replace: "  if (folders.config === '') requireTrustedFolders(folders)\n",
    tests: ['connector/src/commands/command-context.test.ts'],
  },
  {
    rule: 'machine-settings-planted',
    file: 'connector/src/system/settings-places.ts',
    search: '    if (uid !== 0 || (mode & 0o022) !== 0) {',
    replace: '    if (uid < 0) {',
    tests: ['connector/src/system/settings-places.test.ts'],
  },
  {
    rule: 'user-name-spoofed',
    file: 'connector/src/registry/consent-broker.ts',
    search: '{ ...response.agent, username: agent.username }',
    replace: 'response.agent',
    tests: ['connector/src/registry/consent-broker.test.ts'],
  },
  {
    rule: 'started-twice',
    file: 'connector/src/system/single-instance.ts',
    search: "    database.run('BEGIN EXCLUSIVE')\n",
    replace: '',
    tests: ['connector/src/system/single-instance.test.ts'],
  },
  {
    rule: 'libraries-planted',
    file: 'connector/src/system/libraries/native.ts',
    search: '!isAbsolute(path)',
    replace: "path === ''",
    tests: ['connector/src/system/libraries/system-libraries.test.ts'],
  },
  {
    rule: 'elevated-user-settings',
    file: 'connector/src/commands/command-context.ts',
    search: "  owner === 'machine' && platform === 'win32'\n",
    replace: '  owner === platform\n',
    tests: ['connector/src/commands/command-context.test.ts'],
  },
  {
    rule: 'runtime-variables',
    file: 'connector/build/ignored-variables.ts',
    search: '    changed[at] = 0\n',
    replace: '',
    tests: ['connector/test/ignored-variables.test.ts'],
  },
  {
    rule: 'msi-repair-window',
    file: 'connector/packages/windows/actions.ts',
    search: "runProgram('registry trust --people', 6585, installingAnew)",
    replace: "runProgram('registry trust --people', 6585, installing)",
    tests: ['connector/test/packages/windows.test.ts'],
  },
  {
    rule: 'pkg-takes-folder',
    file: 'connector/packages/macos/scripts/postinstall.sh',
    search: 'as_owner "$folder" ln -sfn',
    replace: 'ln -sfn',
    tests: ['connector/test/packages/macos-link.test.ts'],
  },
  {
    rule: 'pkg-takes-folder',
    file: 'connector/packages/macos/scripts/functions.sh',
    search: '  for place in "$(dirname "$1")" "$1" "$1/."; do\n',
    replace: '  for place in "$1/."; do\n',
    tests: ['connector/test/packages/macos-link.test.ts'],
  },
  {
    rule: 'library-injected',
    file: 'connector/build/mach-o-signature.ts',
    search: 'const adHocHardened = 0x10002\n',
    replace: 'const adHocHardened = 0x2\n',
    tests: ['connector/test/build.test.ts'],
  },
  {
    rule: 'owner-look-up-race',
    file: 'connector/src/http/request-checks.ts',
    search: "    if (owner === undefined || owner.kind === 'gone') {",
    replace: '    if (owner === undefined) {',
    tests: ['connector/test/consent/routes.test.ts'],
  },
  {
    rule: 'other-account-compares',
    file: 'connector/src/http/request-checks.ts',
    search: "    if (owner.kind === 'other' && !servesEveryone) {",
    replace: "    if (owner.kind === 'other' && servesEveryone) {",
    tests: ['connector/test/consent/routes.test.ts'],
  },
  {
    rule: 'other-account-consent',
    file: 'connector/src/http/request-checks.ts',
    search: "    if (owner.kind === 'other' && !servesEveryone) {",
    replace: "    if (owner.kind === 'other' && servesEveryone) {",
    tests: ['connector/test/consent/routes.test.ts'],
  },
  {
    rule: 'api-ports-taken',
    file: 'connector/src/system/server.ts',
    search: '  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {',
    replace: '  for (let attempt = maxAttempts; attempt < 0; attempt += 1) {',
    tests: ['connector/src/system/server.test.ts'],
  },
  {
    rule: 'connector-log-secrets',
    file: 'connector/src/system/log.ts',
    search: 'redactByPattern(format, [...secretPatterns])',
    replace: 'redactByPattern(format, [])',
    tests: ['connector/src/system/log.test.ts'],
  },
  {
    rule: 'log-rotated-away',
    file: 'connector/src/system/event-counter.ts',
    search: '      return before < countLimits.listed\n',
    replace: '      return before >= 0\n',
    tests: ['connector/src/system/event-counter.test.ts'],
  },
  {
    rule: 'connector-clock-jump',
    file: 'connector/src/user/consent/active-consents.ts',
    search: '      if (hasExpired && isClockTrusted()) ',
    replace: '      if (hasExpired) ',
    tests: ['connector/test/consent/active-consents.test.ts'],
  },
  {
    rule: 'data-file-damaged',
    file: 'connector/src/system/clock-watch.ts',
    search: '  if (text !== undefined && stored === undefined) keepDamagedFile(path, log)\n',
    replace: '',
    tests: ['connector/src/system/clock-watch.test.ts'],
  },
  {
    rule: 'data-file-damaged',
    file: 'connector/src/system/clock-watch.ts',
    search: '    return ignoreMissing(error)\n',
    replace: '    return error instanceof Error ? undefined : ignoreMissing(error)\n',
    tests: ['connector/src/system/clock-watch.test.ts'],
  },
  {
    rule: 'lock-unread',
    file: 'connector/src/commands/own-api.ts',
    search: '  const release = tryLockFile(runtime, lockFileName)\n  release?.()\n',
    replace:
      '  let release: ReturnType<typeof tryLockFile> = () => undefined\n  try {\n    release = tryLockFile(runtime, lockFileName)\n  } catch {}\n  release?.()\n',
    tests: ['connector/src/commands/own-api.test.ts'],
  },
  {
    rule: 'consents-unread',
    file: 'connector/src/commands/open/read-view.ts',
    search: '    return {}\n',
    replace: '    return { consents: [] }\n',
    tests: ['connector/src/commands/open/read-view.test.ts'],
  },
  {
    rule: 'open-url-read',
    file: 'connector/src/api/page/page-access.ts',
    search: '      if (isUsed || now() >= validUntil || ',
    replace: '      if (now() >= validUntil || ',
    tests: ['connector/src/api/page/page-access.test.ts'],
  },
  {
    rule: 'open-url-read',
    file: 'connector/src/api/page/page-access.ts',
    search: ' || now() >= validUntil || ',
    replace: ' || ',
    tests: ['connector/src/api/page/page-access.test.ts'],
  },
  {
    rule: 'open-url-read',
    file: 'connector/src/api/page/page-checks.ts',
    search: "  return owner?.kind === 'ours' ? undefined : ",
    replace: "  return owner?.kind !== 'other' ? undefined : ",
    tests: ['connector/src/api/page/page-checks.test.ts'],
  },
]

export const unguardedAccounts: Unguarded = {
  'other-connector-answers': 'the stores of each user are the guard: no code separates them',
  'processes-killed':
    'what stops it is the order of writes all over the programs; a campaign kills them',
}
