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
 * The arguments for a script of these lines: texts are passed as arguments and are never part of the script. The first
 * argument cannot be taken for an option; the others follow it.
 */
const createScriptArguments = (lines: readonly string[], args: readonly string[]) => [
  ...['on run argv', ...lines, 'end run'].flatMap((line) => ['-e', line]),
  ...['cardwire', ...args],
]

export const createMacosNotifier = (programs: Programs): Notifier => ({
  async show({ title, text }) {
    const script = ['display notification (item 3 of argv) with title (item 2 of argv)']
    const outcome = await programs.run(osascript, createScriptArguments(script, [title, text]), {
      signal: AbortSignal.timeout(limits.notificationMs),
    })
    return outcome.kind === 'ended' && outcome.status === 0
  },
})

/** The window belongs to osascript, and closes when it ends. */
export const createMacosPrompt =
  (programs: Programs): ShowPrompt =>
  async ({ title, text, button }, signal) => {
    const buttons = button ? '{"Close", item 4 of argv} default button 2' : '{"Close"}'
    const script = [
      // Otherwise it would open behind every other window.
      'tell me to activate',
      `set answer to display dialog (item 3 of argv) with title (item 2 of argv) buttons ${buttons}`,
      'if button returned of answer is "Close" then return "closed"',
      'return "pressed"',
    ]
    const args = [title, text, ...(button ? [button.label] : [])]
    const outcome = await programs.run(osascript, createScriptArguments(script, args), {
      signal,
      maxBytes: 100,
    })
    if (outcome.kind === 'late') return 'closed'
    if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unavailable'
    return outcome.output.toString().trim() === 'pressed' ? 'pressed' : 'closed'
  }

export const createMacosOpener =
  (programs: Programs): OpenUrl =>
  (url, signal) =>
    programs.launch(openProgram, [url], signal)
