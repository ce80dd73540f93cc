/** The desktop of macOS, by its own programs: pbpaste, osascript, open. */
import { clipboardText, silentHolder } from './clipboard-text.ts'
import { type Clipboard, limits, type Notifier } from './desktop.ts'
import type { Ask, Open } from './dialog.ts'
import type { Programs } from './programs.ts'

// They lie where nobody but the system can write.
const pbpaste = '/usr/bin/pbpaste'
const osascript = '/usr/bin/osascript'
const openProgram = '/usr/bin/open'

/** Outside a terminal pbpaste would write MacRoman: launchd sets no locale. */
const utf8 = { LC_ALL: 'en_US.UTF-8' }

const damaged = `Cannot read the clipboard: ${pbpaste} failed; see whether macOS lets the connector read it (System Settings, Privacy & Security)`

export const macosClipboard = (programs: Programs): Clipboard => ({
  async read() {
    const outcome = await programs.run(pbpaste, ['-Prefer', 'txt'], {
      signal: AbortSignal.timeout(limits.clipboardMs),
      longest: limits.clipboardBytes,
      variables: utf8,
    })
    if (outcome.kind === 'too-long') return { kind: 'empty' }
    if (outcome.kind === 'late') return { kind: 'unavailable', reason: silentHolder }
    if (outcome.kind === 'not-started' || outcome.status !== 0) {
      return { kind: 'unavailable', reason: damaged }
    }
    return clipboardText(outcome.output)
  },
  // pbpaste is part of macOS and asks nothing without reading.
  available: async () => undefined,
})

/**
 * A script of lines, and its arguments: nothing of ours is ever part of the script. The first argument is a word that
 * cannot be taken for an option; the others follow it.
 */
const scriptArguments = (lines: readonly string[], args: readonly string[]) => [
  ...['on run argv', ...lines, 'end run'].flatMap((line) => ['-e', line]),
  ...['cardwire', ...args],
]

export const macosNotifier = (programs: Programs): Notifier => ({
  async show({ title, text }) {
    const script = ['display notification (item 3 of argv) with title (item 2 of argv)']
    const outcome = await programs.run(osascript, scriptArguments(script, [title, text]), {
      signal: AbortSignal.timeout(limits.notificationMs),
    })
    return outcome.kind === 'ended' && outcome.status === 0
  },
})

/** The window belongs to osascript, and goes with it. */
export const macosAsk =
  (programs: Programs): Ask =>
  async ({ title, text, button }, signal) => {
    const buttons = button ? '{"Close", item 4 of argv} default button 2' : '{"Close"}'
    const script = [
      // Behind every other window nobody would see it.
      'tell me to activate',
      `set answer to display dialog (item 3 of argv) with title (item 2 of argv) buttons ${buttons}`,
      'if button returned of answer is "Close" then return "closed"',
      'return "pressed"',
    ]
    const args = [title, text, ...(button ? [button.label] : [])]
    const outcome = await programs.run(osascript, scriptArguments(script, args), {
      signal,
      longest: 100,
    })
    if (outcome.kind === 'late') return 'closed'
    if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unavailable'
    return outcome.output.toString().trim() === 'pressed' ? 'pressed' : 'closed'
  }

export const macosOpen =
  (programs: Programs): Open =>
  (url, signal) =>
    programs.launch(openProgram, [url], signal)
