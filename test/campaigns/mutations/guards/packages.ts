/** Guards of packages, their publication and the example. */
import type { Guard, Unguarded } from '../guard.ts'

const actions = 'connector/packages/windows/actions.ts'
const windowsTests = ['connector/test/packages/windows.test.ts'] as const
const repositoryTests = ['connector/test/packages/apt-repository.test.ts'] as const
const shellFunctions = 'connector/packages/linux/scripts/functions.sh'
const exampleTests = ['client/example/test/back-end.test.ts'] as const

export const packageGuards: readonly Guard[] = [
  {
    rule: 'msiexec-planted',
    file: 'connector/src/distribution/update/install-plan.ts',
    search: "[findInSystem32('msiexec.exe'), ",
    replace: "[findInSystem32 ? 'msiexec.exe' : '', ",
    tests: ['connector/src/distribution/update/install-plan.test.ts'],
  },
  {
    rule: 'stamped-package-published',
    file: 'connector/publish/repository/apt.ts',
    search: '    if (isStamped)\n',
    replace: "    if (isStamped && path === '')\n",
    tests: repositoryTests,
  },
  {
    rule: 'windows-repair-settings',
    file: actions,
    search:
      '    type: types.library + options.deferred + options.hideData,\n    condition: installingAnew,\n',
    replace:
      '    type: types.library + options.deferred + options.hideData,\n    condition: installing,\n',
    tests: windowsTests,
  },
  {
    rule: 'msi-key-leaked',
    file: actions,
    search: '    type: types.library + options.deferred + options.hideData,\n',
    replace: '    type: types.library + options.deferred,\n',
    tests: windowsTests,
  },
  {
    rule: 'msi-key-leaked',
    file: actions,
    search: '  secrets: settings.filter(({ isSecret }) => isSecret).map',
    replace: '  secrets: settings.filter(({ isSecret }) => !isSecret).map',
    tests: windowsTests,
  },
  {
    rule: 'example-token-taken',
    file: 'client/example/back-end/sessions.ts',
    search: '      if (!session) return refuse(context)\n',
    replace: '',
    tests: exampleTests,
  },
  {
    rule: 'example-token-taken',
    file: 'client/example/back-end/sessions.ts',
    search: '        makeKey()\n',
    replace: '',
    tests: exampleTests,
  },
  {
    rule: 'example-token-taken',
    file: 'client/example/back-end/sessions.ts',
    search: "      sameSite: 'Strict',\n",
    replace: '',
    tests: exampleTests,
  },
  {
    rule: 'purge-link',
    file: shellFunctions,
    search: '        if [ -L "$path" ] || [ ! -d "$path" ]; then exit 0; fi\n',
    replace: '        if [ ! -d "$path" ]; then exit 0; fi\n',
    tests: ['connector/test/packages/purge-links.test.ts'],
  },
  {
    rule: 'purge-link',
    file: shellFunctions,
    search: '    setpriv --reuid="$uid" --regid="$gid" --init-groups --inh-caps=-all "$@"\n',
    replace: '    setpriv "$@"\n',
    tests: ['connector/test/packages/purge-links.test.ts'],
  },
  {
    rule: 'publish-redirected',
    file: 'connector/publish/service.ts',
    search: "{ ...init, redirect: 'manual' }",
    replace: 'init',
    tests: ['connector/test/publish.test.ts'],
  },
]

export const unguardedPackages: Unguarded = {
  'repository-posed': 'apt and dnf are the guard: they check what the repository signs',
  'stamped-key-leaked':
    'what stops it is that the installers write the key to one place; tests install them and look everywhere',
}
