/** Guards of certificates and trust stores. */
import type { Guard, Unguarded } from '../guard.ts'

const trustable = 'connector/src/pki/trustable-root.ts'
const trustableTests = ['connector/src/pki/trustable-root.test.ts'] as const

export const certificateGuards: readonly Guard[] = [
  {
    rule: 'data-file-damaged',
    file: 'connector/src/system/missing-file.ts',
    search: '  if (!isMissing(error)) throw error\n',
    replace: '  if (error === undefined) throw error\n',
    tests: ['connector/src/system/missing-file.test.ts'],
  },
  {
    rule: 'anchors-overwritten',
    file: 'connector/src/pki/trust-stores/linux-anchors.ts',
    search: '      await withFolderLock(here.folder, async () => {\n        await writeFile(',
    replace:
      '      await Promise.resolve(here.folder).then(async () => {\n        await writeFile(',
    tests: ['connector/test/certs/anchors.test.ts'],
  },
  {
    rule: 'lock-outlived',
    file: 'connector/src/pki/folder-lock.ts',
    search: '    return isOld && performance.now() - before.since > untouchedMs\n',
    replace: '    return isOld || performance.now() - before.since > 1000 * untouchedMs\n',
    tests: ['connector/src/pki/folder-lock.test.ts'],
  },
  {
    rule: 'lock-outlived',
    file: 'connector/src/pki/folder-lock.ts',
    search: '  const touching = setInterval(touch, times.touchMs)\n',
    replace: '  const touching = setInterval(touch, 1000 * times.touchMs)\n',
    tests: ['connector/src/pki/folder-lock.test.ts'],
  },
  {
    rule: 'registry-root-kept',
    file: 'connector/src/registry/service/install.ts',
    search: '[...named, ...(await uninstallOwnRoots(all, { hosts }))]',
    replace: 'named',
    tests: ['connector/src/registry/service/install.test.ts'],
  },
  {
    rule: 'registry-root-kept',
    file: 'connector/src/registry/service/install.ts',
    search: '  await uninstallOwnRoots(all, { hosts }, root)\n',
    replace: '',
    tests: ['connector/src/registry/service/install.test.ts'],
  },
  {
    rule: 'command-endless',
    file: 'connector/src/system/run-command.ts',
    search: 'process.kill(-child.pid,',
    replace: 'process.kill(child.pid,',
    tests: ['connector/src/system/run-command.test.ts'],
  },
  {
    rule: 'elevated-user-settings',
    file: 'connector/src/commands/command-context.ts',
    search: "win32.join(programs, 'Cardwire').toLowerCase()",
    replace: "win32.join(process.env['ProgramFiles'] ?? programs, 'Cardwire').toLowerCase()",
    tests: ['connector/src/commands/command-context.test.ts'],
  },
  {
    rule: 'elevated-user-settings',
    file: 'connector/src/certificates/own-root.ts',
    search: 'services.machineHosts?.() ?? known',
    replace: 'known',
    tests: ['connector/test/certs/earlier-roots.test.ts'],
  },
  {
    rule: 'trust-unread',
    file: 'connector/src/pki/trust-stores/windows.ts',
    search:
      "    if (trusted === undefined && !storeMissing.includes(crypt32().GetLastError())) fail('read')\n",
    replace: '',
    tests: ['connector/src/pki/trust-stores/windows.test.ts'],
  },
  {
    rule: 'trust-unread',
    file: 'connector/src/pki/trust-stores/macos-keychain.ts',
    search: '    if (status !== 0 && status !== notFound)\n',
    replace: '    if (status === 0 && status === notFound)\n',
    tests: ['connector/src/pki/trust-stores/macos-keychain.test.ts'],
  },
  {
    rule: 'trust-unread',
    file: 'connector/src/certificates/published-root.ts',
    search: '.catch(ignoreMissing)',
    replace: '.catch((error) => (error === 0 ? ignoreMissing(error) : undefined))',
    tests: ['connector/test/certs/service-root.test.ts'],
  },
  {
    rule: 'data-file-damaged',
    file: 'connector/src/certificates/requested-names.ts',
    search: "await readListUnlessDamaged(services, 'hosts')\n",
    replace: "await readListUnlessDamaged(services, 'hosts').catch(() => [])\n",
    tests: ['connector/test/certs/unread-hosts.test.ts'],
  },
  {
    rule: 'trust-unread',
    file: 'connector/src/certificates/read-list.ts',
    search: '    if (!(error instanceof DamagedList)) throw error\n',
    replace: '    if (!(error instanceof Error)) throw error\n',
    tests: ['connector/test/certs/service-root.test.ts'],
  },
  {
    rule: 'trust-unread',
    file: 'connector/src/pki/trust-stores/install-root.ts',
    search: 'boolean => trusted || unread\n',
    replace: 'boolean => trusted || (unread && !unread)\n',
    tests: ['connector/src/commands/certs.test.ts'],
  },
  {
    rule: 'hostile-root',
    file: trustable,
    search:
      "  '551d25': { critical: undefined, findFault: equals(faults.purposes, '300a06082b06010505070301') },\n",
    replace: "  '551d25': { critical: undefined, findFault: () => undefined },\n",
    tests: trustableTests,
  },
  {
    rule: 'hostile-root',
    file: trustable,
    search: "findFault: equals(faults.basic, '30060101ff020100') }",
    replace: 'findFault: () => undefined }',
    tests: trustableTests,
  },
  {
    rule: 'hostile-root',
    file: trustable,
    search: '    if (rule === undefined) return faults.unknown\n',
    replace: '    if (rule === undefined) continue\n',
    tests: trustableTests,
  },
  {
    rule: 'hostile-root',
    file: trustable,
    search:
      '    if (rule.critical !== undefined && rule.critical !== isCritical) return faults.critical\n',
    replace: '    if (isCritical === undefined) return faults.critical\n',
    tests: trustableTests,
  },
  {
    rule: 'owner-as-der',
    file: 'connector/src/pki/x509.ts',
    search: '[toNameText(unit)]',
    replace: '[unit]',
    tests: ['connector/src/pki/x509.test.ts'],
  },
  {
    rule: 'windows-root-planted',
    file: 'connector/src/system/windows-user-files.ts',
    search: '    if (!isLink(handle)) return handle\n',
    replace: '    if (!isLink(handle) || !isProfile) return handle\n',
    tests: ['connector/src/system/windows-user-files.test.ts'],
  },
  {
    rule: 'windows-root-planted',
    file: 'connector/src/system/windows-user-files.ts',
    search: 'isProfile ? readVolume(handle) : undefined',
    replace: 'readVolume(handle)',
    tests: ['connector/src/system/windows-user-files.test.ts'],
  },
  {
    rule: 'windows-root-planted',
    file: 'connector/src/system/windows-user-files.ts',
    search: '[0-9a-f-]{36}\\}\\\\)$/i',
    replace: '[0-9a-f-]{36}\\}\\\\)/i',
    tests: ['connector/src/system/windows-user-files.test.ts'],
  },
  {
    rule: 'windows-root-planted',
    file: 'connector/src/registry/service/user-roots.ts',
    search: '    const judged = TrustableRoot.judge(root.pem, hosts)\n',
    replace: '    const judged = TrustableRoot && hosts\n',
    tests: ['connector/src/registry/service/user-roots.test.ts'],
  },
  {
    rule: 'root-removed-by-file',
    file: 'connector/src/registry/service/user-roots.ts',
    search: '    const judged = TrustableRoot.judge(root.pem, hosts)\n',
    replace: '    const judged = TrustableRoot && hosts\n',
    tests: ['connector/src/registry/service/user-roots.test.ts'],
  },
  {
    rule: 'hostile-root',
    file: 'connector/src/pki/root-constraints.ts',
    search: '    if (!known.has(key)) return faults.names\n',
    replace: '',
    tests: ['connector/src/pki/root-constraints.test.ts'],
  },
  {
    rule: 'hostile-root',
    file: 'connector/src/pki/root-constraints.ts',
    search: '  if (lists.some(({ tag }) => tag === tags.excluded)) return faults.excluded\n',
    replace: '',
    tests: ['connector/src/pki/root-constraints.test.ts'],
  },
]

export const unguardedCertificates: Unguarded = {}
