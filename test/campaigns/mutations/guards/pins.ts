/** Guards of PINs and their windows. */
import type { Guard, Unguarded } from '../guard.ts'

const pinService = 'connector/src/user/dialogs/pin-service.ts'
const pinTests = ['connector/src/user/dialogs/pin-service.test.ts'] as const
const padService = 'connector/src/user/dialogs/pad-service.ts'
const padTests = ['connector/src/user/dialogs/pad-service.test.ts'] as const
const operation = 'connector/src/api/pin-operation.ts'
const operationTests = ['connector/src/api/pin-operation.test.ts'] as const
const pauses = 'connector/src/user/dialogs/paused-dialogs.ts'
const attempts = 'connector/src/api/pin-attempts.ts'
const attemptTests = ['connector/src/api/pin-attempts.test.ts'] as const
const early = 'connector/src/system/desktop/early-answers.ts'
const queue = 'connector/src/user/dialogs/dialog-queue.ts'
const assuan = 'connector/src/system/desktop/assuan.ts'
const wrap = 'connector/src/system/desktop/wrap-text.ts'
const foreignTests = ['connector/src/user/dialogs/foreign-texts.test.ts'] as const

export const pinGuards: readonly Guard[] = [
  {
    rule: 'pin-window-repeated',
    file: 'connector/src/user/dialogs/refusal-pauses.ts',
    search: '    pauses.set(key, { until: clock() + ms, ms })\n',
    replace: '',
    tests: pinTests,
  },
  {
    rule: 'pin-window-repeated',
    file: pauses,
    search: '    if (signal.aborted) pauses.recordWithdrawal(key)\n',
    replace: '    if (signal.aborted) return\n',
    tests: pinTests,
  },
  {
    rule: 'pin-window-repeated',
    file: pinService,
    search: '    const retryAfterS = dialogs.findPauseS(key)\n',
    replace: '    const retryAfterS = undefined\n',
    tests: pinTests,
  },
  {
    rule: 'pin-window-repeated',
    file: padService,
    search: '    const retryAfterS = dialogs.findPauseS(key)\n',
    replace: '    const retryAfterS = undefined\n',
    tests: padTests,
  },
  {
    rule: 'pin-window-repeated',
    file: operation,
    search: '      pinPauses.recordRefusal(origin)\n',
    replace: '',
    tests: operationTests,
  },
  {
    rule: 'pin-typed-ahead',
    file: early,
    search: "  if (answer.kind !== 'entered' || !isEarly(openedAt, clock())) return answer\n",
    replace: '  if (openedAt >= 0) return answer\n',
    tests: ['connector/src/system/desktop/early-answers.test.ts'],
  },
  {
    rule: 'pin-typed-ahead',
    file: pinService,
    search: "      confirmation = { reason: 'early', triesLeft } satisfies AttemptConfirmation\n",
    replace: '',
    tests: pinTests,
  },
  {
    rule: 'pin-attempt-confirmed',
    file: pinService,
    search: "      if (decision !== 'accepted') return refuse(decision, request)\n",
    replace: '',
    tests: pinTests,
  },
  {
    rule: 'pin-attempt-confirmed',
    file: padService,
    search: "    if (decision !== 'accepted') throw toProblem(refusals[decision])\n",
    replace: '',
    tests: padTests,
  },
  {
    rule: 'pin-attempt-confirmed',
    file: attempts,
    search: "          if (isLast && agreed?.reason !== 'last') throw createUnconfirmedProblem()\n",
    replace: '',
    tests: attemptTests,
  },
  {
    rule: 'pin-attempt-confirmed',
    file: attempts,
    search:
      '            if (isRefusedPin(error)) wrongPins.record(state, error.extras.triesLeft)\n',
    replace: '',
    tests: attemptTests,
  },
  {
    rule: 'pin-in-connector',
    file: 'connector/src/api/run-with-sent-pin.ts',
    search: '    bytes.fill(0)\n',
    replace: '',
    tests: operationTests,
  },
  {
    rule: 'pin-in-connector',
    file: pinService,
    search: '    answer.secret.fill(0)\n',
    replace: '',
    tests: pinTests,
  },
  {
    rule: 'pin-in-connector',
    file: 'connector/src/sandbox/readers/card-process.ts',
    search: '        frame.fill(0)\n',
    replace: '',
    tests: ['connector/test/cards/card-process.test.ts'],
  },
  {
    rule: 'dialogs-confused',
    file: queue,
    search: 'Promise.race([before, whenAborted(signal)])',
    replace: 'Promise.resolve()',
    tests: pinTests,
  },
  {
    rule: 'dialogs-confused',
    file: queue,
    search: "    if (waiting.has(origin)) return 'busy'\n",
    replace: '',
    tests: pinTests,
  },
  {
    rule: 'dialogs-confused',
    file: queue,
    search: 'AbortSignal.any([withdrawal, AbortSignal.timeout(ms)])',
    replace: 'AbortSignal.timeout(ms)',
    tests: pinTests,
  },
  {
    rule: 'dialogs-confused',
    file: queue,
    search: 'Math.min(Math.max(timeoutMs, dialogTimeout.minMs), dialogTimeout.maxMs)',
    replace: 'timeoutMs',
    tests: pinTests,
  },
  {
    rule: 'window-beyond-screen',
    file: 'connector/src/system/desktop/plain-text.ts',
    search: 'wrapText(toPrintableText(text))',
    replace: 'toPrintableText(text)',
    tests: foreignTests,
  },
  {
    rule: 'window-beyond-screen',
    file: 'connector/src/user/dialogs/shorten-middle.ts',
    search: 'Buffer.byteLength(whole) <= maxBytes',
    replace: 'characters.length <= maxBytes',
    tests: foreignTests,
  },
  {
    rule: 'window-beyond-screen',
    file: wrap,
    search: '      part = continuation + tail\n',
    replace: '      part = tail\n',
    tests: ['connector/src/system/desktop/wrap-text.test.ts'],
  },
  {
    rule: 'foreign-line',
    file: 'connector/src/user/dialogs/pin-texts.ts',
    search: 'toPrintableLines(describeWith(request, texts, manner))',
    replace: "describeWith(request, texts, manner).join('\\n')",
    tests: foreignTests,
  },
  {
    rule: 'foreign-line',
    file: 'connector/src/commands/terminal.ts',
    search: '  toPrintableLine(line).replaceAll(',
    replace: '  line.replaceAll(',
    tests: ['connector/src/commands/terminal.test.ts'],
  },
  {
    rule: 'question-in-process-list',
    file: assuan,
    search: "  if (replies.length !== questionReplies) return 'unavailable'\n",
    replace: '',
    tests: ['connector/src/system/desktop/assuan.test.ts'],
  },
  {
    rule: 'pin-in-process-list',
    file: 'connector/src/system/desktop/linux-secret-entry.ts',
    search: 'programs.run(program, [], {',
    replace: 'programs.run(program, [question.text], {',
    tests: ['connector/test/desktop/secret-entry.test.ts'],
  },
  {
    rule: 'message-bus-posed',
    file: 'connector/src/system/desktop/unix-connection.ts',
    search: '    if (user !== 0 && user !== process.getuid?.()) throw',
    replace: '    if (user < 0) throw',
    tests: ['connector/test/desktop/notifier.test.ts'],
  },
  {
    rule: 'message-bus-posed',
    file: 'connector/src/system/desktop/unix-connection.ts',
    search: '      if (bytes > maxBytes) return fail(',
    replace: '      if (bytes < 0) return fail(',
    tests: ['connector/test/desktop/notifier.test.ts'],
  },
  {
    rule: 'message-bus-posed',
    file: 'connector/src/system/desktop/dbus-message.ts',
    search: '  if (restBytes > maxBytes) throw',
    replace: '  if (restBytes < 0) throw',
    tests: ['connector/src/system/desktop/dbus-message.test.ts'],
  },
  {
    rule: 'notification-arguments',
    file: 'connector/src/system/desktop/macos.ts',
    search: 'createScriptArguments(scripts.notify)',
    replace: '[...createScriptArguments(scripts.notify), text]',
    tests: ['connector/src/system/desktop/macos.test.ts'],
  },
]

export const unguardedPins: Unguarded = {}
