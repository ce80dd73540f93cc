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
    search: 'list.slice(0, Math.floor(remaining / (wanted.length - index)))',
    replace: 'list.slice(0, remaining + 0 * index)',
    tests: allowlistTests,
  },
  {
    rule: 'other-account-registry',
    file: directory,
    search: '(agent) => agent.user === undefined || user === undefined || agent.user === user,',
    replace: '(agent) => agent.user !== null || user === undefined,',
    tests: directoryTests,
  },
  {
    rule: 'other-account-agent-id',
    file: directory,
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
    search: '  if (lstatSync(folder).uid === uid && statSync(folder).uid === uid) return\n',
    replace: '  if (statSync(folder).uid >= 0 && lstatSync(folder).uid >= 0) return\n',
    tests: ['connector/src/system/restrict-folder.test.ts'],
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
    rule: 'library-injected',
    file: 'connector/build/mach-o-signature.ts',
    search: 'const adHocHardened = 0x10002\n',
    replace: 'const adHocHardened = 0x2\n',
    tests: ['connector/test/build.test.ts'],
  },
]

export const unguardedAccounts: Unguarded = {
  'other-connector-answers': 'the stores of each user are the guard: no code separates them',
  'processes-killed':
    'what stops it is the order of writes all over the programs; a campaign kills them',
}
