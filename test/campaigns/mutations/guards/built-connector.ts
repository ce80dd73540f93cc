/** Guards that only tests of the built connector prove. Each is removed from a build of its own. */
import type { Guard, Unguarded } from '../guard.ts'

const compile = 'connector/build/compile.ts'
const folderTests = ['connector/test/binary/current-folder.test.ts'] as const

export const builtConnectorGuards: readonly Guard[] = [
  {
    rule: 'runtime-files-planted',
    file: compile,
    search: "    '--no-compile-autoload-bunfig',\n",
    replace: '',
    tests: folderTests,
  },
  {
    rule: 'runtime-files-planted',
    file: compile,
    search: "    '--no-compile-autoload-dotenv',\n",
    replace: '',
    tests: folderTests,
  },
  {
    rule: 'own-program-calls',
    file: 'connector/src/api/authorize.ts',
    search:
      '  if (token === undefined) throw refuseToken(parts, tokenMissing)\n  if (!parts.tokens.required)',
    replace:
      "  if (token === undefined) return { kind: 'program', ...noExpiry }\n  if (!parts.tokens.required)",
    tests: ['connector/test/binary/api.test.ts'],
  },
  {
    rule: 'pin-blocked-unnoticed',
    file: 'connector/src/sandbox/readers/blocked-pins.ts',
    search: '        if (isBlocked && pin.certificate !== undefined) blocked.set(reader, pin)\n',
    replace: '',
    tests: ['connector/test/binary/cards/beid.test.ts'],
  },
  {
    rule: 'pin-found',
    file: 'connector/src/system/ipc/card-messages.ts',
    search: 'pin.length > 0 ? text.padEnd(minJsonBytes) : text',
    replace: 'text',
    tests: ['connector/test/binary/cards/pin-memory.test.ts'],
  },
  {
    rule: 'library-misbehaves',
    file: 'connector/src/sandbox/pkcs11/pkcs11.ts',
    search: '  if (value <= BigInt(max)) return Number(value)\n',
    replace: '  if (value >= 0n) return Number(value)\n',
    tests: ['connector/test/binary/cards/faulty-libraries.test.ts'],
  },
  {
    rule: 'library-pin-memory',
    file: 'connector/src/sandbox/readers/operation-queue.ts',
    search: '    if (library && bytes.length > 0 && !request.kept) slot.end()',
    replace: '    if (library && bytes.length < 0) slot.end()',
    tests: ['connector/test/binary/tokens.test.ts'],
  },
  {
    rule: 'cards-asked-without-consent',
    file: 'connector/src/sandbox/readers/card-probe.ts',
    search: 'card && findByAtr(card.atr).length === 0 && ',
    replace: 'card && ',
    tests: ['connector/test/binary/cards/certificates.test.ts'],
  },
  {
    rule: 'raw-state-left',
    file: 'connector/src/sandbox/raw-transaction.ts',
    search: 'translateErrors(() => pcsc.reset(connection))',
    replace: 'connection',
    tests: ['connector/test/binary/cards/remote-loading.test.ts'],
  },
  {
    rule: 'raw-session-taken',
    file: 'connector/src/api/raw-session.ts',
    search: 'timers.after(idleMs, onIdle)',
    replace: 'timers.after(idleMs * 1000, onIdle)',
    tests: ['connector/test/binary/cards/remote-loading.test.ts'],
  },
  {
    rule: 'raw-grant-withdrawn',
    file: 'connector/src/api/raw-session-rules.ts',
    search: "          if (!isGranted()) end('grant')\n",
    replace: '          isGranted()\n',
    tests: ['connector/test/binary/cards/managed-grants.test.ts'],
  },
]

export const unguardedBuilt: Unguarded = {}
