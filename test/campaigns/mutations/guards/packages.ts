/** Guards of packages and of their publication. */
import type { Guard, Unguarded } from '../guard.ts'

const actions = 'connector/packages/windows/actions.ts'
const windowsTests = ['connector/test/packages/windows.test.ts'] as const
const shellFunctions = 'connector/packages/linux/scripts/functions.sh'
const machineFolder = 'connector/packages/windows/setup/machine-folder.c'
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
    rule: 'pkg-path',
    file: 'connector/packages/macos/scripts/functions.sh',
    search: 'PATH=/usr/bin:/bin:/usr/sbin:/sbin\n',
    replace: 'PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin\n',
    tests: ['connector/test/packages/macos-link.test.ts'],
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
    file: machineFolder,
    search: '  if (!is_ours(folder)) {\n',
    replace: '  if (folder == INVALID_HANDLE_VALUE) {\n',
    tests: hostileTests,
  },
  {
    rule: 'program-data-planted',
    file: machineFolder,
    search: '    if (!ours) done = move_aside(child, path, entry.cFileName) && done;\n',
    replace: '    if (ours < FALSE) done = move_aside(child, path, entry.cFileName) && done;\n',
    tests: hostileTests,
  },
  {
    rule: 'program-data-linked',
    file: 'connector/packages/windows/setup/pins.c',
    search: ' &&\n      !is_link(path))\n',
    replace: ' &&\n      (is_link(path) || TRUE))\n',
    tests: hostileTests,
  },
]

export const unguardedPackages: Unguarded = {
  'stamped-key-leaked':
    'what stops it is that the installers write the key to one place; tests install them and look everywhere',
}
