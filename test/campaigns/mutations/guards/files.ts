/** Guards of the folders and files that pages use, and of printing. */
import type { Guard, Unguarded } from '../guard.ts'

const transfer = 'connector/src/api/file-transfer-routes.ts'
const turnTests = ['connector/test/files/transfer-turns.test.ts'] as const
const folder = 'connector/src/files/contained-folder.ts'
const wholeTests = ['connector/test/files/whole-files.test.ts'] as const
const shares = 'connector/src/files/share-host.ts'
const shareTests = ['connector/src/files/share-host.test.ts'] as const

export const fileGuards: readonly Guard[] = [
  {
    rule: 'folder-unread',
    file: 'connector/src/files/contained-folder.ts',
    search: "  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(getErrorCode(error) ?? '')\n",
    replace: '  getErrorCode(error) !== undefined\n',
    tests: ['connector/test/files/judged-folders.test.ts'],
  },
  {
    rule: 'foreign-files',
    file: transfer,
    search: '      // It may have ended while the file came.\n      requireAccess(caller)\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'foreign-files',
    file: transfer,
    search: '      requireAccess(caller)\n      count(',
    replace: '      count(',
    tests: turnTests,
  },
  {
    rule: 'file-link-swapped',
    file: folder,
    search: "platform === 'linux' ? createUseHeldFolder(judge) : createUsePathFolder(judge)",
    replace: 'createUsePathFolder(platform ? judge : judge)',
    tests: wholeTests,
  },
  {
    rule: 'file-link-swapped',
    file: folder,
    search: ' | constants.O_DIRECTORY | constants.O_NOFOLLOW\n',
    replace: ' | constants.O_DIRECTORY\n',
    tests: wholeTests,
  },
  {
    rule: 'folder-over-network',
    file: shares,
    search: '  return found.length > 0 && !found.some((one) => local.check(one, familyOf(one)))\n',
    replace: '  return found.length > 0 || local.check(own, familyOf(own))\n',
    tests: shareTests,
  },
  {
    rule: 'folder-over-network',
    file: shares,
    search: "  if ([own, own.split('.')[0]].includes(host.toLowerCase())) return false\n",
    replace: '',
    tests: shareTests,
  },
  {
    rule: 'folder-over-network',
    file: 'connector/src/files/judge-folder.ts',
    search: '(await isOther(host)) ? ',
    replace: '(await isOther(host)) || host ? ',
    tests: shareTests,
  },
  {
    rule: 'download-interrupted',
    file: 'connector/src/files/whole-files.ts',
    search: '    await unlink(path).catch(() => undefined)\n',
    replace: '',
    tests: wholeTests,
  },
  {
    rule: 'download-interrupted',
    file: 'connector/src/files/part-journal.ts',
    search: '    unlinkSync(path)\n',
    replace: '',
    tests: wholeTests,
  },
  {
    rule: 'foreign-files',
    file: 'connector/src/api/work-queue.ts',
    search: '      requirePage(context)\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'work-abandoned',
    file: 'connector/src/api/page-watch.ts',
    search: '    if (context.req.raw.signal.aborted) throw createPageGone()\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'files-flood',
    file: 'connector/src/files/file-entries.ts',
    search: '    await setImmediate()\n',
    replace: '',
    tests: ['connector/src/files/file-entries.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/files/file-entries.ts',
    search: '    if (names.length >= maxListedFiles) return names.slice(0, maxListedFiles)\n',
    replace: '',
    tests: ['connector/src/files/file-entries.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/work-queue.ts',
    search: '      if (free === 0) return\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/work-queue.ts',
    search: '      if ((taken.get(origin) ?? 0) >= maxOfOrigin) continue\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/receive-form.ts',
    search: '    for (;;) {\n      const',
    replace:
      '    for (const all: unknown[] = []; ; all.push(bytes.subarray(size - 1, size))) {\n      const',
    tests: ['connector/src/api/receive-form.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/form-parts.ts',
    search:
      '      if (parts > maxParts) throw createMalformed(`it has more than ${maxParts} parts`)\n',
    replace: '',
    tests: ['connector/src/api/receive-form.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/form-parts.ts',
    search: '      if (bytes > maxFieldBytes) throw createTooLong(part.readName(received))\n',
    replace: '',
    tests: ['connector/src/api/receive-form.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/form-parts.ts',
    search: '      if (formBytes + bytes > maxFormBytes) {',
    replace: '      if (formBytes < 0) {',
    tests: ['connector/src/api/receive-form.test.ts'],
  },
  {
    rule: 'files-flood',
    file: 'connector/src/api/receive-form.ts',
    search: ')\\1$/i.exec(type)',
    replace: ')\\1/i.exec(type)',
    tests: ['connector/src/api/receive-form.test.ts'],
  },
  {
    rule: 'file-notifications-flood',
    file: 'connector/src/api/transfer-notifications.ts',
    search: '    if (notified.has(key)) return\n',
    replace: '',
    tests: turnTests,
  },
  {
    rule: 'print-arguments',
    file: 'connector/src/api/print-routes.ts',
    search: '    if (known.includes(name)) return\n',
    replace: '    if (known.length > 0) return\n',
    tests: ['connector/src/api/print-routes.test.ts'],
  },
  {
    rule: 'print-arguments',
    file: 'connector/src/files/printing/printers.ts',
    search: '  const line = toPrintableLine(text)\n',
    replace: '  const line = text\n',
    tests: ['connector/src/files/printing/cups-printers.test.ts'],
  },
]

export const unguardedFiles: Unguarded = {}
