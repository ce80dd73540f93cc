/** Guards against drivers, cards and payment cards that hang, crash or answer wrongly. */
import type { Guard, Unguarded } from '../guard.ts'

const faultTests = ['connector/test/sandbox/faults.test.ts'] as const
const pcscTests = ['connector/test/pcsc/pcsc.test.ts'] as const
const session = 'connector/src/sandbox/card-modules/card-session.ts'
const hostileTests = ['connector/test/cards/hostile-cards.test.ts'] as const
const unreadableTests = ['connector/test/cards/unreadable-cards.test.ts'] as const
const operation = 'connector/src/sandbox/card-modules/run-operation.ts'
const transactionTests = ['connector/test/cards/card-transaction.test.ts'] as const
const payment = 'connector/src/sandbox/card-modules/emv-data.ts'
const paymentTests = ['connector/test/cards/emv-operations.test.ts'] as const
const paymentStarts = 'connector/src/sandbox/readers/payment-starts.ts'
const paymentStartTests = ['connector/src/sandbox/readers/payment-starts.test.ts'] as const
const openpgpTests = ['connector/test/cards/openpgp-operations.test.ts'] as const

export const hostileCardGuards: readonly Guard[] = [
  {
    rule: 'driver-hangs',
    file: 'connector/src/sandbox/readers/sandbox-process.ts',
    search: "    if (message.type === 'stuck') kill('stuck')\n",
    replace: '',
    tests: faultTests,
  },
  {
    rule: 'driver-crashes',
    file: 'connector/src/sandbox/readers/restart-sandbox.ts',
    search: '  failures === 0 ? 0 : Math',
    replace: '  failures === 0 ? restartMs.max : Math',
    tests: faultTests,
  },
  {
    rule: 'driver-crashes',
    file: 'connector/src/sandbox/readers/reader-reports.ts',
    search: 'clock.after(graceMs, ',
    replace: 'clock.after(0, ',
    tests: pcscTests,
  },
  {
    rule: 'sandbox-messages-invalid',
    file: 'connector/src/sandbox/readers/sandbox-process.ts',
    search: "        if (!message) kill('invalid-message')\n        if (end || !message) break\n",
    replace: '        if (!message) continue\n',
    tests: pcscTests,
  },
  {
    rule: 'sandbox-orphaned',
    file: 'connector/src/sandbox/sandbox.ts',
    search: '    process.exit(0)\n',
    replace: '',
    tests: pcscTests,
  },
  {
    rule: 'reader-data-wrong',
    file: 'connector/src/sandbox/pcsc/states.ts',
    search: ' && !hasFlag(flags, stateFlags.mute) && length > 0\n',
    replace: ' && !hasFlag(flags, stateFlags.mute)\n',
    tests: ['connector/src/sandbox/pcsc/states.test.ts'],
  },
  {
    rule: 'reader-data-wrong',
    file: 'connector/src/sandbox/worker.ts',
    search: '      if (!(error instanceof PcscError)) throw error\n',
    replace: '      if (error) throw error\n',
    tests: ['connector/test/sandbox/pinpads.test.ts'],
  },
  {
    rule: 'card-data-hostile',
    file: session,
    search: '    const isEndless = part === maxParts || bytes > maxResponseBytes\n',
    replace: '    const isEndless = part < 0\n',
    tests: hostileTests,
  },
  {
    rule: 'card-data-hostile',
    file: session,
    search: '  if (isOver()) throw',
    replace: '  if (isOver === undefined) throw',
    tests: hostileTests,
  },
  {
    rule: 'card-data-hostile',
    file: session,
    search: '  if (answer.length > maxResponseBytes + 2) throw',
    replace: '  if (answer.length < 0) throw',
    tests: hostileTests,
  },
  {
    rule: 'card-data-hostile',
    file: 'connector/src/sandbox/card-modules/ber-tlv.ts',
    search:
      "    if (end > data.length) throw new TlvError('an element is longer than the data')\n    el",
    replace: '    el',
    tests: hostileTests,
  },
  {
    rule: 'card-data-hostile',
    file: 'connector/src/sandbox/card-modules/piv.ts',
    search: 'gunzipSync(data, { maxOutputLength: maxCertificateBytes })',
    replace: 'gunzipSync(data)',
    tests: hostileTests,
  },
  {
    rule: 'card-unreadable',
    file: 'connector/src/sandbox/card-modules/card-status.ts',
    search: '  if (absent.includes(status)) return false\n  throw createUnread()\n',
    replace: '  return false\n',
    tests: unreadableTests,
  },
  {
    rule: 'card-unreadable',
    file: 'connector/src/sandbox/card-modules/read-parts.ts',
    search: '      if (count === 0 && failures.length > 0) throw failures[0]\n',
    replace: '',
    tests: unreadableTests,
  },
  {
    rule: 'card-unreadable',
    file: payment,
    search: '      if (!data)\n        throw',
    replace: '      if (!data) continue\n      if (records < 0)\n        throw',
    tests: paymentTests,
  },
  {
    rule: 'card-unreadable',
    file: 'connector/src/sandbox/windows-keys/certificate-store.ts',
    search: '  if (storeMissing.includes(status)) return\n',
    replace: '  if (status >= 0) return\n',
    tests: ['connector/src/sandbox/windows-keys/certificate-store.test.ts'],
  },
  {
    rule: 'pad-unread',
    file: 'connector/src/sandbox/card-transaction.ts',
    search: 'translateErrors(() => readFeatures(pcsc, connection))',
    replace: 'ignorePcscErrors(() => readFeatures(pcsc, connection)) ?? []',
    tests: transactionTests,
  },
  {
    rule: 'card-swapped',
    file: operation,
    search: '  if (found && toBase64(found) === expected) return found\n',
    replace: '  if (found) return found\n',
    tests: transactionTests,
  },
  {
    rule: 'pin-in-card-process',
    file: operation,
    search: '    block.fill(0)\n',
    replace: '',
    tests: transactionTests,
  },
  {
    rule: 'pin-in-card-process',
    file: session,
    search: '      apdu.fill(0)\n',
    replace: '',
    tests: transactionTests,
  },
  {
    rule: 'long-request-pin',
    file: 'connector/src/sandbox/serve-requests.ts',
    search: '    if (jsonBytes > maxFrameBytes.request || pinBytes > maxFrameBytes.pin) return\n',
    replace: '',
    tests: ['connector/test/cards/card-process.test.ts'],
  },
  {
    rule: 'holder-forged',
    file: 'connector/src/sandbox/card-modules/beid-identity.ts',
    search: "\n    signature: toBase64(read(session, 'identitySignature')),",
    replace: "\n    signature: toBase64(read(session, 'addressSignature')),",
    tests: ['connector/test/cards/beid-identity.test.ts'],
  },
  {
    rule: 'openpgp-card-hostile',
    file: 'connector/src/sandbox/card-modules/openpgp-pin.ts',
    search: '  check: requirePlainPin,\n',
    replace: '',
    tests: openpgpTests,
  },
  {
    rule: 'openpgp-card-hostile',
    file: operation,
    search: '  if (found && toBase64(found) === expected) return found\n',
    replace: '  if (found) return found\n',
    tests: openpgpTests,
  },
  {
    rule: 'openpgp-card-hostile',
    file: operation,
    search: '  if (signs !== false && type && ',
    replace: '  if (type && ',
    tests: openpgpTests,
  },
  {
    rule: 'payment-card-hostile',
    file: payment,
    search: '      if (records > maxRecords.all) throw',
    replace: '      if (records < 0) throw',
    tests: paymentTests,
  },
  {
    rule: 'payment-card-hostile',
    file: payment,
    search: 'const maxRecords = { directory: 16, ',
    replace: 'const maxRecords = { directory: 255, ',
    tests: paymentTests,
  },
  {
    rule: 'payment-card-worn',
    file: payment,
    search: '  if (!isListed) throw createUnknownError()\n',
    replace: '  if (!isListed) createUnknownError()\n',
    tests: paymentTests,
  },
  {
    rule: 'payment-card-worn',
    file: paymentStarts,
    search: '      if (known) throw new AlreadyRead(known)\n',
    replace: '      if (known === null) throw new AlreadyRead(known)\n',
    tests: paymentStartTests,
  },
  {
    rule: 'payment-card-worn',
    file: paymentStarts,
    search: '  if (count > maxPaymentStarts) throw',
    replace: '  if (count < 0) throw',
    tests: paymentStartTests,
  },
  {
    rule: 'payment-card-worn',
    file: 'connector/src/commands/open-sandbox.ts',
    search: 'limitPaymentStarts(rememberBlockedPins(cards, readers), readers)',
    replace: '{ ...limitPaymentStarts(cards, readers), ...rememberBlockedPins(cards, readers) }',
    tests: ['connector/test/binary/cards/payment.test.ts'],
  },
  {
    rule: 'payment-pin-blocked',
    file: 'connector/src/sandbox/card-modules/emv.ts',
    search: '  check: requirePlainPin,\n',
    replace: '',
    tests: paymentTests,
  },
  {
    rule: 'payment-pin-blocked',
    file: operation,
    search: '  if (tries === 0) throw createBlockedError()\n',
    replace: '',
    tests: paymentTests,
  },
  {
    rule: 'virtual-card-trusted',
    file: 'connector/src/api/cards/prepare-virtual-card.ts',
    search: 'JSON.stringify(keys), { mode: 0o600 }',
    replace: 'JSON.stringify(keys), { mode: 0o644 }',
    tests: ['connector/test/cards/virtual-card.test.ts'],
  },
  {
    rule: 'pin-reused',
    file: 'connector/src/sandbox/card-transaction.ts',
    search: "        held.leave = 'reset'\n",
    replace: '',
    tests: transactionTests,
  },
  {
    rule: 'payment-number-read',
    file: 'connector/src/api/payment-routes.ts',
    search:
      "    return mayReadNumber(context) ? found : found.filter(({ key }) => key !== 'icc')\n",
    replace: '    return found\n',
    tests: ['connector/src/api/payment-routes.test.ts'],
  },
  {
    rule: 'payment-number-read',
    file: payment,
    search: "    pan: wholePan ? pan : pan.replace(/.(?=.{4})/g, '*'),\n",
    replace: '    pan: pan,\n',
    tests: paymentTests,
  },
  {
    rule: 'library-output',
    file: 'connector/src/sandbox/readers/card-process.ts',
    search: '        if (start < 0) continue\n',
    replace: '',
    tests: ['connector/test/cards/card-process.test.ts'],
  },
]

export const unguardedHostileCards: Unguarded = {}
