/** Guards of the distribution service around installers, keystores and connections. */
import type { Guard, Unguarded } from '../guard.ts'

const keystores = ['ds/test/suites/keystore.suite.ts'] as const
const keystoreFiles = ['ds/test/suites/keystore-files.suite.ts'] as const
const prepare = 'ds/src/self-hosted/prepare.ts'
const unread = ['ds/test/node-unread-responses.test.ts'] as const

export const serviceFileGuards: readonly Guard[] = [
  {
    rule: 'first-password-logged',
    file: 'ds/src/self-hosted/prepare.ts',
    search: "  if (!isOnTerminal) return (await hasAdministrator(db)) ? undefined : 'missing'\n",
    replace: '',
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'application-reads-keys',
    file: 'ds/src/routes/versions.ts',
    search: "  if (caller.kind === 'administrator') return version\n",
    replace: '  if (caller) return version\n',
    tests: ['ds/test/suites/versions.suite.ts'],
  },
  {
    rule: 'digest-abandoned',
    file: 'ds/src/self-hosted/file-digests.ts',
    search: '    requireRequest(signal)\n    hash',
    replace: '    hash',
    tests: ['ds/test/abandoned-digests.test.ts'],
  },
  {
    rule: 'digests-flood',
    file: 'ds/src/self-hosted/file-digests.ts',
    search: 'find() ?? runInTurn(async () => find() ?? compute())',
    replace: 'find() ?? compute()',
    tests: ['ds/src/self-hosted/file-digests.test.ts'],
  },
  {
    rule: 'digests-flood',
    file: 'ds/src/self-hosted/file-digests.ts',
    search: 'find() ?? runInTurn(async () => find() ?? compute())',
    replace: 'runInTurn(compute)',
    tests: ['ds/src/self-hosted/file-digests.test.ts'],
  },
  {
    rule: 'internal-fetch',
    file: 'ds/src/routes/send-installer.ts',
    search: '    return context.body(null, 302, { location: new URL(uri).href })\n',
    replace: '    return fetch(uri)\n',
    tests: ['ds/test/suites/downloads.suite.ts'],
  },
  {
    rule: 'keystore-as-installer',
    file: prepare,
    search: '  if (isBelow(keystores, packages) || isBelow(packages, keystores))\n',
    replace: "  if (isBelow(keystores, packages) && keystores === '')\n",
    tests: ['ds/test/node.test.ts'],
  },
  {
    rule: 'keystore-as-installer',
    file: prepare,
    search: 'packages: createFilePackages(settings.packagesDir, ',
    replace: 'packages: createFilePackages(getKeystoresDir(settings), ',
    tests: keystores,
  },
  {
    rule: 'keystore-as-installer',
    file: prepare,
    search: 'keystores: createFilePackages(getKeystoresDir(settings), ',
    replace: 'keystores: createFilePackages(settings.packagesDir, ',
    tests: keystores,
  },
  {
    rule: 'pipelined-requests',
    file: 'ds/src/self-hosted/answer-in-turn.ts',
    search: '    if (!previous) {\n',
    replace: '    if (!previous || previous) {\n',
    tests: unread,
  },
  {
    rule: 'pipelined-requests',
    file: 'ds/src/self-hosted/answer-in-turn.ts',
    search: '    if (addWaiting(socket, 1) > maxWaiting) socket.destroy()\n',
    replace: '    addWaiting(socket, 1)\n',
    tests: unread,
  },
  {
    rule: 'versions-compared',
    file: 'ds/src/rules/latest-version.ts',
    search:
      'versions.reduce<V | undefined>(\n    (highest, one) => (highest && compareBuild(one.id, highest.id) <= 0 ? highest : one),\n    undefined,\n  )\n',
    replace: 'versions.toSorted((a, b) => compareBuild(b.id, a.id))[0]\n',
    tests: ['ds/src/rules/latest-version.test.ts'],
  },
  {
    rule: 'versions-compared',
    file: 'ds/src/rules/latest-version.ts',
    search: 'compareBuild(b.parsed, a.parsed)',
    replace: 'compareBuild(b.version.id, a.version.id)',
    tests: ['ds/src/rules/latest-version.test.ts'],
  },
  {
    rule: 'versions-compared',
    file: 'ds/src/routes/downloads.ts',
    search: '    const { releases } = await readCatalog()\n',
    replace: '    const releases = await db.select().from(versions)\n',
    tests: ['ds/test/read-versions.test.ts'],
  },
  {
    rule: 'versions-compared',
    file: 'ds/src/routes/versions.ts',
    search: 'findLatest((await readCatalog()).releases, os)',
    replace: 'findLatest(await services.db.select().from(versions), os)',
    tests: ['ds/test/read-versions.test.ts'],
  },
  {
    rule: 'versions-compared',
    file: 'ds/src/rules/verdict.ts',
    search: '    if (!found.has(os)) ',
    replace: '    if (found.size >= 0) ',
    tests: ['ds/src/rules/affected-devices.test.ts'],
  },
  {
    rule: 'large-list-alone',
    file: 'ds/src/http/stream-text.ts',
    search: '      await giveOthersATurn()\n',
    replace: '      if (text === undefined) await giveOthersATurn()\n',
    tests: ['ds/src/http/stream-text.test.ts'],
  },
  {
    rule: 'configurations-read',
    file: 'ds/src/routes/configurations.ts',
    search: '`octet_length(${configurations.config})`',
    replace: '`length(${configurations.config})`',
    tests: ['ds/test/read-configurations.test.ts'],
  },
  {
    rule: 'configurations-read',
    file: 'ds/src/routes/keystores.ts',
    search: "      .where(eq(configurations.type, 'SSL_KEYSTORE'))\n",
    replace: '',
    tests: ['ds/test/read-configurations.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'ds/src/routes/examine-keystore.ts',
    search: 'if (file.size <= maxBytes)',
    replace: 'if (file.size > 0)',
    tests: keystoreFiles,
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/server-identity.ts',
    search: '    requireServerKey(der)\n',
    replace: '',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/server-identity.ts',
    search: '    requireCertificateKey(der)\n',
    replace: '',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/key-form.ts',
    search: 'if (kind !== rsa && kind !== ec)',
    replace: 'if (kind.length === 0)',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/key-form.ts',
    search: 'version.content.length !== 1 || version.content[0] !== 0',
    replace: 'version.content.length === 0',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/key-form.ts',
    search: 'if (kind === ec) requireNamed(parameters)',
    replace: 'if (kind.length === 0) requireNamed(parameters)',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/key-form.ts',
    search: 'if (tag === tags.context0)',
    replace: 'if (tag === tags.sequence)',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'pkcs12/decrypt.ts',
    search: 'const rc2PieceBytes = 2048',
    replace: 'const rc2PieceBytes = 2 ** 30',
    tests: ['ds/src/packages/open-keystore.test.ts'],
  },
  {
    rule: 'keystore-hostile',
    file: 'ds/src/self-hosted/limit-keystores.ts',
    search: 'runInTurn(() => open(...request))',
    replace: 'open(...request)',
    tests: ['ds/src/self-hosted/limit-keystores.test.ts'],
  },
  {
    rule: 'manifest-hostile',
    file: 'client/src/protocol/package-manifest.ts',
    search: '.check(z.maxLength(maxFiles))',
    replace: '',
    tests: ['ds/test/hostile-manifests.test.ts'],
  },
  {
    rule: 'costly-search',
    file: 'ds/src/db/dialect.ts',
    search: '  return distinct.size === trigrams.length\n',
    replace: '  return distinct.size > 0\n',
    tests: ['ds/src/db/device-names.test.ts'],
  },
  {
    rule: 'costly-typed-value',
    file: 'ds/src/pages/first-use/typed-values.ts',
    search: '  const typed = text.trim()\n  let [start, end]',
    replace: `  const typed = text.trim().replace(/["'>]+$/g, '')\n  let [start, end]`,
    tests: ['ds/src/pages/first-use/typed-values.test.ts'],
  },
]

export const unguardedServiceFiles: Unguarded = {
  'costly-field':
    'what stops it is how each field is parsed: no single line is the guard, and a test measures every field of the contract',
}
