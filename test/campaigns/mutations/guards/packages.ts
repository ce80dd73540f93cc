/** Guards of packages and of their publication. */
import type { Guard, Unguarded } from '../guard.ts'

const actions = 'connector/packages/windows/actions.ts'
const windowsTests = ['connector/test/packages/windows.test.ts'] as const
const shellFunctions = 'connector/packages/linux/scripts/functions.sh'

export const packageGuards: readonly Guard[] = [
  {
    rule: 'msiexec-planted',
    file: 'connector/src/distribution/update/install-plan.ts',
    search: "[findInSystem32('msiexec.exe'), ",
    replace: "[findInSystem32 ? 'msiexec.exe' : '', ",
    tests: ['connector/src/distribution/update/install-plan.test.ts'],
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
  'stamped-key-leaked':
    'what stops it is that the installers write the key to one place; tests install them and look everywhere',
}
