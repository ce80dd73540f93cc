/** The desktop of macOS, by its own programs: pbpaste, osascript, open. */
import { noReplyReason, toClipboardText } from './clipboard-text.ts'
import { type Clipboard, limits, type Notifier } from './desktop.ts'
import type { OpenUrl, ShowPrompt } from './dialog.ts'
import type { Programs } from './programs.ts'

// Full paths, where only the system can write.
const pbpaste = '/usr/bin/pbpaste'
const osascript = '/usr/bin/osascript'
const openProgram = '/usr/bin/open'

/** Outside a terminal pbpaste would write MacRoman: launchd sets no locale. */
const utf8 = { LC_ALL: 'en_US.UTF-8' }

const failedReason = `Cannot read the clipboard: ${pbpaste} failed; see whether macOS lets the connector read it (System Settings, Privacy & Security)`

export const createMacosClipboard = (programs: Programs): Clipboard => ({
  async read() {
    const outcome = await programs.run(pbpaste, ['-Prefer', 'txt'], {
      signal: AbortSignal.timeout(limits.clipboardMs),
      maxBytes: limits.clipboardBytes,
      variables: utf8,
    })
    if (outcome.kind === 'too-long') return { kind: 'empty' }
    if (outcome.kind === 'late') return { kind: 'unavailable', reason: noReplyReason }
    if (outcome.kind === 'not-started' || outcome.status !== 0) {
      return { kind: 'unavailable', reason: failedReason }
    }
    return toClipboardText(outcome.output)
  },
  // pbpaste is part of macOS, and can only read.
  findObstacle: async () => undefined,
})

/**
 * Scripts for osascript, in JavaScript. Their texts come by standard input, as JSON: other accounts can read arguments, and
 * what is data is never part of a script.
 */
const scripts = {
  /** The texts, and the program that shows them, which is osascript itself. */
  begin: [
    "ObjC.import('Foundation')",
    'const input = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile',
    'const json = ObjC.unwrap($.NSString.alloc.initWithDataEncoding(input, $.NSUTF8StringEncoding))',
    'const { title, text, label } = JSON.parse(json)',
    'const app = Application.currentApplication()',
    'app.includeStandardAdditions = true',
  ],
  notify: ['app.displayNotification(text, { withTitle: title })'],
  ask: [
    // Otherwise it would open behind every other window.
    'app.activate()',
    "const buttons = label === undefined ? ['Close'] : ['Close', label]",
    'const options = { withTitle: title, buttons, defaultButton: buttons.length }',
    'const { buttonReturned } = app.displayDialog(text, options)',
    "return buttonReturned === 'Close' ? 'closed' : 'pressed'",
  ],
} as const

const createScriptArguments = (script: readonly string[]) => [
  ...['-l', 'JavaScript', '-e'],
  ['function run() {', ...scripts.begin, ...script, '}'].join('\n'),
]

interface ScriptTexts {
  readonly title: string
  readonly text: string
  /** Of the button besides the one that closes. */
  readonly label?: string
}

const encodeTexts = (texts: ScriptTexts) => JSON.stringify(texts)

export const createMacosNotifier = (programs: Programs): Notifier => ({
  async show({ title, text }) {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.notify), {
      signal: AbortSignal.timeout(limits.notificationMs),
      input: encodeTexts({ title, text }),
    })
    return outcome.kind === 'ended' && outcome.status === 0
  },
})

/** The window belongs to osascript, and closes when it ends. */
export const createMacosPrompt =
  (programs: Programs): ShowPrompt =>
  async ({ title, text, button }, signal) => {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.ask), {
      signal,
      maxBytes: 100,
      input: encodeTexts({ title, text, ...(button && { label: button.label }) }),
    })
    if (outcome.kind === 'late') return 'closed'
    if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unavailable'
    return outcome.output.toString().trim() === 'pressed' ? 'pressed' : 'closed'
  }

export const createMacosOpener =
  (programs: Programs): OpenUrl =>
  (url, signal) =>
    programs.launch(openProgram, [url], signal)
