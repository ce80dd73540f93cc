/** Guards of packages and of their publication. */
import type { Guard, Unguarded } from '../guard.ts'

const actions = 'connector/packages/windows/actions.ts'
const windowsTests = ['connector/test/packages/windows.test.ts'] as const
const shellFunctions = 'connector/packages/linux/scripts/functions.sh'
const windowsState = 'connector/packages/windows/setup/state.c'
const hostileTests = ['connector/test/binary/packages/hostile-windows.test.ts'] as const

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
    search: "{ ...init, signal, redirect: 'manual' }",
    replace: 'init',
    tests: ['connector/test/publish.test.ts'],
  },
  {
    rule: 'program-data-planted',
    file: windowsState,
    search:
      '  if (!is_ours(pin_folder(path, READ_CONTROL))) return move_aside(path, path, L"") && create_folder(path, machine_access);\n',
    replace: '',
    tests: hostileTests,
  },
  {
    rule: 'program-data-planted',
    file: windowsState,
    search: '  return move_files_of_users_aside(path);\n',
    replace: '  return path != NULL || move_files_of_users_aside(path);\n',
    tests: hostileTests,
  },
]

export const unguardedPackages: Unguarded = {
  'stamped-key-leaked':
    'what stops it is that the installers write the key to one place; tests install them and look everywhere',
}
