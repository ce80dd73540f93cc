/** Guards of what is installed: packages, their repositories, updates, and the keys that tokens are verified with. */
import type { Guard } from '../guard.ts'

const slot = 'connector/src/system/msi-slot.ts'
const slotTests = ['connector/test/packages/slotted-msi.test.ts'] as const
const copy = 'connector/src/distribution/update/copy-installer.ts'
const copyTests = ['connector/test/distribution/copy-installer.test.ts'] as const
const apt = 'connector/publish/repository/apt.ts'
const aptTests = ['connector/test/packages/apt-repository.test.ts'] as const
const repositoryTests = ['connector/test/packages/hostile-repository.test.ts'] as const
const publishTests = ['connector/test/publish-replies.test.ts'] as const

export const releaseGuards: readonly Guard[] = [
  {
    rule: 'windows-package-changed',
    file: slot,
    search: '      value !== undefined && stampedNames.includes(name) ? ',
    replace: '      value !== undefined ? ',
    tests: slotTests,
  },
  {
    rule: 'windows-package-changed',
    file: slot,
    search: '  const head = Buffer.concat([attributeHead, ',
    replace:
      '  const [attributeHead, slotElement] = [Buffer.of(), Buffer.of()]\n  const head = Buffer.concat([attributeHead, ',
    tests: slotTests,
  },
  {
    rule: 'installer-swapped',
    file: copy,
    search: 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK',
    replace: 'O_RDONLY | O_NONBLOCK',
    tests: copyTests,
  },
  {
    rule: 'installer-swapped',
    file: copy,
    search: '    if (!(await source.stat()).isFile()) ',
    replace: '    if (!source) ',
    tests: copyTests,
  },
  {
    rule: 'installer-swapped',
    file: copy,
    search: "open(to, 'wx', 0o644)",
    replace: "open(to, 'w', 0o644)",
    tests: copyTests,
  },
  {
    rule: 'installer-swapped',
    file: copy,
    search: '    hash.update(part)\n',
    replace: '    if (firstBytes.length === 0) hash.update(part)\n',
    tests: copyTests,
  },
  {
    rule: 'installer-swapped',
    file: 'connector/src/commands/install-update.ts',
    search: '    if (sha256 !== files.sha256)\n',
    replace: "    if (sha256 === '')\n",
    tests: ['connector/test/binary/suites/update.suite.ts'],
  },
  {
    rule: 'repository-posed',
    file: apt,
    search: "    `SHA256: ${hash('sha256', path)}`,\n",
    replace: '',
    tests: aptTests,
  },
  {
    rule: 'stamped-package-published',
    file: apt,
    search: '    if (isStamped)\n',
    replace: "    if (isStamped && path === '')\n",
    tests: aptTests,
  },
  {
    rule: 'token-keys-forged',
    file: 'connector/src/setting-values.ts',
    search: 'z.union([protectedUrl, absolutePath])',
    replace: 'z.union([z.url(), absolutePath])',
    tests: ['connector/src/settings.test.ts'],
  },
  {
    rule: 'publish-misled',
    file: 'connector/publish/read-reply.ts',
    search: '    if (length > maxBytes)\n',
    replace: '    if (length > maxBytes * 1e6)\n',
    tests: publishTests,
  },
  {
    rule: 'publish-misled',
    file: 'connector/publish/main.ts',
    search: '    ? toPrintableLine(error.message)\n',
    replace: '    ? error.message\n',
    tests: publishTests,
  },
  {
    rule: 'repository-planted',
    file: 'connector/publish/repository/folder.ts',
    search:
      '    return act(existsSync(descriptors) ? join(descriptors, String(descriptor)) : path)\n',
    replace: '    return act(path)\n',
    tests: repositoryTests,
  },
  {
    rule: 'repository-planted',
    file: 'connector/publish/repository/stored-files.ts',
    search: '    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)\n',
    replace: '    descriptor = openSync(path, O_RDONLY | O_NONBLOCK)\n',
    tests: repositoryTests,
  },
  {
    rule: 'repository-planted',
    file: 'connector/publish/repository/stored-files.ts',
    search:
      '  return content !== undefined && computeDigest(content) === sha256 ? content : undefined\n',
    replace: '  return content\n',
    tests: repositoryTests,
  },
  {
    rule: 'repository-file-posed',
    file: 'connector/publish/repository/stored-files.ts',
    search:
      '    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor) : undefined\n',
    replace: '    return readFileSync(descriptor)\n',
    tests: ['connector/test/publish-stored.test.ts'],
  },
]
