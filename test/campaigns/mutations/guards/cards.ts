/** Guards of readers, cards, PINs, dialogs, grants and files. */
import type { Guard, Unguarded } from '../guard.ts'

const names = 'connector/src/files/file-names.ts'
const nameTests = ['connector/src/files/file-names.test.ts'] as const
const folders = 'connector/src/files/folder-rules.ts'
const folderTests = ['connector/src/files/folder-rules.test.ts'] as const
const kept = 'connector/src/sandbox/kept-pin.ts'
const keptTests = ['connector/src/sandbox/kept-pin.test.ts'] as const
const raw = 'connector/src/sandbox/card-modules/raw-command.ts'
const rawTests = ['connector/src/sandbox/card-modules/raw-command.test.ts'] as const
const grantTests = ['connector/src/user/consent/grants.test.ts'] as const

export const cardGuards: readonly Guard[] = [
  {
    rule: 'file-path-escape',
    file: names,
    search: "  if (plain.startsWith('.')) return 'names that begin with a dot are hidden'\n",
    replace: '',
    tests: nameTests,
  },
  {
    rule: 'file-path-escape',
    file: names,
    search:
      "  if (devices.test((plain.split('.')[0] ?? '').trimEnd())) return 'it names a device of Windows'\n",
    replace: '  if (devices.source.length === 0) return undefined\n',
    tests: nameTests,
  },
  {
    rule: 'file-executed',
    file: 'connector/src/files/document-types.ts',
    search: 'documentTypes.has(type.toLowerCase())',
    replace: 'documentTypes.size > 0',
    tests: ['connector/src/files/document-types.test.ts'],
  },
  {
    rule: 'file-executed',
    file: names,
    search: 'settingsNames.test(name)',
    replace: 'settingsNames.source === name',
    tests: ['connector/src/files/document-types.test.ts'],
  },
  {
    rule: 'folder-too-broad',
    file: folders,
    search: "  if ([root, ...homes].some((one) => isWithin(one, folder))) return 'whole'\n",
    replace: '',
    tests: folderTests,
  },
  {
    rule: 'folder-too-broad',
    file: folders,
    search:
      "  return way.split(path.sep).some((segment) => segment.startsWith('.')) ? 'hidden' : undefined",
    replace: '  return way.length < 0 ? fold(way, way) as never : undefined',
    tests: folderTests,
  },
  {
    rule: 'service-names-folder',
    file: folders,
    search: "  if (own.some((one) => overlap(one, folder))) return 'own'\n",
    replace: '',
    tests: folderTests,
  },
  {
    rule: 'service-names-folder',
    file: 'connector/src/files/contained-folder.ts',
    search: '  if ((await judge(place)) === undefined) return\n',
    replace: '  if ((await judge(place)) !== null) return\n',
    tests: ['connector/test/files/judged-folders.test.ts'],
  },
  {
    rule: 'file-mark',
    file: 'connector/src/files/whole-files.ts',
    search: '      if (!mark({ descriptor: handle.fd, path }, origin)) onUnmarked(folder.path)\n',
    replace: '      if (origin === mark.name) onUnmarked(folder.path)\n',
    tests: ['connector/test/files/marks.test.ts'],
  },
  {
    rule: 'folder-window-tricks',
    file: 'connector/src/user/dialogs/folder-service.ts',
    search: '    const retryAfterS = dialogs.findPauseS(request.origin)\n',
    replace: '    const retryAfterS = dialogs === undefined ? 1 : undefined\n',
    tests: ['connector/src/user/dialogs/folder-service.test.ts'],
  },
  {
    rule: 'page-takes-pin',
    file: 'connector/src/user/dialogs/pin-service.ts',
    search: '!signal.aborted && isPinAllowed(request.pin, answer.secret)',
    replace: '!signal.aborted && isPinAllowed !== undefined',
    tests: ['connector/src/user/dialogs/pin-service.test.ts'],
  },
  {
    rule: 'pad-pin-misused',
    file: 'connector/src/user/dialogs/pad-service.ts',
    search:
      "    if (answer === 'busy') throw toProblem(refusals.busy)\n    if (answer === 'late') throw toEnd(request)\n",
    replace: "    if (answer === 'busy' || answer === 'late') return undefined as never\n",
    tests: ['connector/src/user/dialogs/pad-service.test.ts'],
  },
  {
    rule: 'question-repeated',
    file: 'connector/src/user/dialogs/identity-service.ts',
    search: '    const retryAfterS = dialogs.findPauseS(key)\n',
    replace: '    const retryAfterS = dialogs === undefined ? 1 : undefined\n',
    tests: ['connector/src/user/dialogs/identity-service.test.ts'],
  },
  {
    rule: 'answer-reused',
    file: 'connector/src/user/consent/identity-permissions.ts',
    search: '.some(({ id }) => activeConsents.isActive(id))',
    replace: '.length > 0',
    tests: ['connector/test/consent/identity-permissions.test.ts'],
  },
  {
    rule: 'visitor-identified',
    file: 'connector/src/api/identity-guard.ts',
    search: "    if (answer !== 'accepted') throw toProblem(answer)\n",
    replace: '    if (answer === undefined) throw toProblem(answer)\n',
    tests: ['connector/src/api/identity-guard.test.ts'],
  },
  {
    rule: 'windows-key-silent',
    file: 'connector/src/user/dialogs/key-service.ts',
    search: '    const retryAfterS = dialogs.findPauseS(key)\n',
    replace: '    const retryAfterS = dialogs === undefined ? 1 : undefined\n',
    tests: ['connector/src/user/dialogs/key-service.test.ts'],
  },
  {
    rule: 'pin-decryption-oracle',
    file: 'connector/src/user/dialogs/unpad-pin.ts',
    search: '  if (faults !== 0) return undefined\n',
    replace: '',
    tests: ['connector/src/user/dialogs/page-pin.test.ts'],
  },
  {
    rule: 'page-blocks-card',
    file: 'connector/src/api/page-pins.ts',
    search: '    if (state !== undefined) {',
    replace: '    if (state !== undefined && known.size < 0) {',
    tests: ['connector/src/api/page-pins.test.ts'],
  },
  {
    rule: 'page-blocks-card',
    file: 'connector/src/api/page-pins.ts',
    search: "    if (!hasGrant(caller.origin, 'page-pin')) return undefined\n",
    replace: '',
    tests: ['connector/src/api/page-pins.test.ts'],
  },
  {
    rule: 'kept-pin-misused',
    file: kept,
    search: 'kept.use === describeUse(operation) && ',
    replace: '',
    tests: keptTests,
  },
  {
    rule: 'user-leaves',
    file: kept,
    search: 'ms >= 0 && ms <= keptPinLimits.idleMs',
    replace: 'ms === ms',
    tests: keptTests,
  },
  {
    rule: 'raw-commands-misused',
    file: raw,
    search: '  if (refused !== undefined) return refuse(refused)\n',
    replace: '',
    tests: rawTests,
  },
  {
    rule: 'raw-commands-misused',
    file: raw,
    search: '  return isSelected ? undefined : notSelected\n}\n\n/** The four',
    replace: '  return undefined\n}\n\n/** The four',
    tests: rawTests,
  },
  {
    rule: 'raw-commands-misused',
    file: raw,
    search: '(cla & 0x03) === 0 && ',
    replace: '',
    tests: rawTests,
  },
  {
    rule: 'printers-listed',
    file: 'connector/src/api/print-routes.ts',
    search: "    if (hasGrant(caller.origin, 'print')) return caller.origin\n",
    replace: '    if (hasGrant !== undefined) return caller.origin\n',
    tests: ['connector/test/binary/access.test.ts'],
  },
  {
    rule: 'grant-planted',
    file: 'connector/src/small-file.ts',
    search: "    if (writers === 'owner' && (facts.mode & 0o022) !== 0) {",
    replace: "    if (writers === 'owner' && facts.mode < 0) {",
    tests: grantTests,
  },
  {
    rule: 'library-swapped',
    file: 'connector/src/system/protected-path.ts',
    search: '    if (!owners.includes(owner) || isShared) return place\n',
    replace: '    if (isShared === undefined) return String(owner)\n',
    tests: ['connector/src/system/protected-path.test.ts'],
  },
  {
    rule: 'service-names-library',
    file: 'connector/src/system/protected-path.ts',
    search: "  return isInSystem || isBelow('Program Files') || isBelow('Program Files (x86)')",
    replace: "  return isInSystem || isBelow('')",
    tests: ['connector/src/system/protected-path.test.ts'],
  },
  {
    rule: 'old-library-used',
    file: 'connector/src/sandbox/readers/library-tokens.ts',
    search:
      '      for (const library of known) if (!isStill(library)) cards.endLibrary(library.path)\n',
    replace: '',
    tests: ['connector/src/sandbox/readers/token-readers.test.ts'],
  },
  {
    rule: 'token-key-misused',
    file: 'connector/src/sandbox/tokens/certificate-use.ts',
    search: '  if (isForAuthentication(stated) || isForNothingElse)\n',
    replace: '  if (isForNothingElse)\n',
    tests: ['connector/src/sandbox/tokens/certificate-use.test.ts'],
  },
  {
    rule: 'signature-authenticates',
    file: 'connector/src/sandbox/card-modules/require-allowed-use.ts',
    search: ' && !canAuthenticate(found)) return',
    replace: ') return',
    tests: ['connector/test/cards/key-purposes.test.ts'],
  },
  {
    rule: 'signature-authenticates',
    file: 'connector/src/pki/key-usage.ts',
    search: 'usageBits.digitalSignature | usageBits.keyAgreement',
    replace: 'usageBits.digitalSignature',
    tests: ['connector/test/cards/key-purposes.test.ts'],
  },
  {
    rule: 'signature-authenticates',
    file: 'connector/src/sandbox/tokens/token-worker.ts',
    search: '      if (hasUnread(found, key) && !mayAuthenticate)\n',
    replace: '      if (key.id === undefined)\n',
    tests: ['connector/test/cards/key-purposes.test.ts'],
  },
  {
    rule: 'signature-authenticates',
    file: 'connector/src/api/stored-certificates.ts',
    search: '    unread.some(({ der }) => containsKey(der, publicKey))\n',
    replace: '    unread.some(({ der }) => der === publicKey)\n',
    tests: ['connector/test/cards/key-purposes.test.ts'],
  },
  {
    rule: 'authentication-signed-for-page',
    file: 'connector/src/sandbox/card-modules/require-allowed-use.ts',
    search: "  if (purpose === 'non-repudiation' && ",
    replace: '  if (purpose && ',
    tests: ['connector/test/cards/key-purposes.test.ts'],
  },
  {
    rule: 'virtual-card-file-read',
    file: 'connector/src/sandbox/virtual-reader.ts',
    search: "    const card = parseAtr(found) ?? ''\n",
    replace: '    const card = parseAtr(found) ?? found\n',
    tests: ['connector/test/sandbox/virtual-reader.test.ts'],
  },
  {
    rule: 'virtual-card-file-endless',
    file: 'connector/src/sandbox/virtual-reader.ts',
    search: 'readSmallFile(path, maxCardFileBytes, ',
    replace: 'readSmallFile(path, maxCardFileBytes * 1e6, ',
    tests: ['connector/test/sandbox/virtual-reader.test.ts'],
  },
]

export const unguardedCards: Unguarded = {
  'page-pin-misused': 'it says that the risk remains',
  'printer-changed': 'it says that the risk remains',
  'windows-certificates-identify': 'it says that the risk remains',
  'contactless-secrets': 'what stops it is that no code uses them',
}
