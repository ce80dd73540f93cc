/** The desktop of macOS, by its own programs: pbpaste, osascript, open. */
import { noReplyReason, toClipboardText } from './clipboard-text.ts'
import { type Clipboard, limits, type Notifier } from './desktop.ts'
import type { OpenUrl, ShowPrompt } from './dialog.ts'
import { type ChooseFolder, maxPathOutput, toFolderChoice } from './folder-choice.ts'
import type { ShowNotice } from './notice.ts'
import type { Programs } from './programs.ts'
import type { AskQuestion } from './question.ts'
import { type AskSecret, maxSecretOutput, takeLine } from './secret-entry.ts'

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
    'const { title, text, label, cancel, close, start } = JSON.parse(json)',
    'const app = Application.currentApplication()',
    'app.includeStandardAdditions = true',
  ],
  notify: ['app.displayNotification(text, { withTitle: title })'],
  ask: [
    // Otherwise it would open behind every other window.
    'app.activate()',
    'const buttons = label === undefined ? [close] : [close, label]',
    'const options = { withTitle: title, buttons, defaultButton: buttons.length }',
    'const { buttonReturned } = app.displayDialog(text, options)',
    "return buttonReturned === label ? 'pressed' : 'closed'",
  ],
  showNotice: [
    'app.activate()',
    'app.displayDialog(text, { withTitle: title, buttons: [cancel], defaultButton: 1 })',
  ],
  askQuestion: [
    'app.activate()',
    // Whoever types on while the window opens must not agree by that: the button that refuses is the default.
    'const options = { withTitle: title, buttons: [cancel, label], defaultButton: 1 }',
    "return app.displayDialog(text, options).buttonReturned === label ? 'accepted' : 'refused'",
  ],
  chooseFolder: [
    'app.activate()',
    'try {',
    'return String(app.chooseFolder({ withPrompt: title, defaultLocation: Path(start) }))',
    '} catch (error) {',
    'if (error.errorNumber !== -128) throw error',
    "return ''",
    '}',
  ],
  askSecret: [
    'app.activate()',
    'const buttons = [cancel, label]',
    "const options = { withTitle: title, buttons, defaultButton: 2, cancelButton: 1, defaultAnswer: '', hiddenAnswer: true }",
    // The first character tells a secret from a cancelled window, which is an error here (userCanceledErr, -128).
    'try {',
    "return '+' + app.displayDialog(text, options).textReturned",
    '} catch (error) {',
    'if (error.errorNumber !== -128) throw error',
    "return '-'",
    '}',
  ],
} as const

const createScriptArguments = (script: readonly string[]) => [
  ...['-l', 'JavaScript', '-e'],
  ['function run() {', ...scripts.begin, ...script, '}'].join('\n'),
]

interface ScriptTexts {
  readonly title: string
  readonly text?: string
  /** Of the button besides the one that closes. */
  readonly label?: string
  readonly cancel?: string
  readonly close?: string
  /** The path of a folder. */
  readonly start?: string
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
  async ({ title, text, close, button }, signal) => {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.ask), {
      signal,
      maxBytes: 100,
      input: encodeTexts({ title, text, close, ...(button && { label: button.label }) }),
    })
    if (outcome.kind === 'late') return 'closed'
    if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unavailable'
    return outcome.output.toString().trim() === 'pressed' ? 'pressed' : 'closed'
  }

export const createMacosNotice =
  (programs: Programs): ShowNotice =>
  async (notice, signal) => {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.showNotice), {
      signal,
      input: encodeTexts(notice),
    })
    if (outcome.kind === 'late') return 'late'
    return outcome.kind === 'ended' && outcome.status === 0 ? 'cancelled' : 'unavailable'
  }

export const createMacosQuestion =
  (programs: Programs): AskQuestion =>
  async ({ title, text, accept, refuse }, signal) => {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.askQuestion), {
      signal,
      maxBytes: 100,
      input: encodeTexts({ title, text, label: accept, cancel: refuse }),
    })
    if (outcome.kind === 'late') return 'late'
    if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unavailable'
    return outcome.output.toString().trim() === 'accepted' ? 'accepted' : 'refused'
  }

export const createMacosFolderChoice =
  (programs: Programs): ChooseFolder =>
  async ({ title, start }, signal) => {
    const outcome = await programs.run(osascript, createScriptArguments(scripts.chooseFolder), {
      ...{ signal, maxBytes: maxPathOutput },
      input: encodeTexts({ title, start }),
    })
    if (outcome.kind === 'late') return { kind: 'late' }
    if (outcome.kind !== 'ended' || outcome.status !== 0) return { kind: 'unavailable' }
    return toFolderChoice(outcome.output)
  }

export const createMacosSecretEntry =
  (programs: Programs): AskSecret =>
  async ({ title, text, prompt, submit, cancel, error }, signal) => {
    const parts = [...(error ? [error] : []), text, prompt]
    const outcome = await programs.run(osascript, createScriptArguments(scripts.askSecret), {
      signal,
      maxBytes: maxSecretOutput,
      input: encodeTexts({ title, text: parts.join('\n\n'), label: submit, cancel }),
    })
    if (outcome.kind !== 'ended') {
      return { kind: outcome.kind === 'late' ? 'late' : 'unavailable' }
    }
    const { status, output } = outcome
    if (status === 0 && output[0] === '+'.charCodeAt(0)) {
      return { kind: 'entered', secret: takeLine(output.subarray(1)) }
    }
    output.fill(0)
    return { kind: status === 0 ? 'cancelled' : 'unavailable' }
  }

export const createMacosOpener =
  (programs: Programs): OpenUrl =>
  (url, signal) =>
    programs.launch(openProgram, [url], signal)
