/** The clipboard of X11 and Wayland, by the program that is there: wl-paste, xclip or xsel. */
import { noReplyReason, toClipboardText } from './clipboard-text.ts'
import { type Clipboard, limits } from './desktop.ts'
import type { Outcome, Programs } from './programs.ts'

/** The arguments of each program; all print their errors in English, in every locale. */
const tools = {
  'wl-paste': {
    read: ['--no-newline', '--type', 'text'],
    probe: ['--list-types'],
    nothing: /^(No selection|No suitable type of content copied|Nothing is copied)/m,
  },
  xclip: {
    read: ['-selection', 'clipboard', '-o'],
    probe: ['-selection', 'clipboard', '-o', '-t', 'TARGETS'],
    nothing: /target \S+ not available/,
  },
  xsel: {
    read: ['--clipboard', '--output'],
    // It cannot list types: it reads, and its output is discarded.
    probe: ['--clipboard', '--output'],
    nothing: undefined,
  },
} as const

type Tool = keyof typeof tools
type Environment = Readonly<Record<string, string | undefined>>

/** The program is searched each time: it may be installed while the connector runs. */
export function createLinuxClipboard(environment: Environment, programs: Programs): Clipboard {
  const createSignal = () => AbortSignal.timeout(limits.clipboardMs)
  return {
    async read() {
      const choice = chooseTool(environment, programs.find)
      if ('reason' in choice) return { kind: 'unavailable', reason: choice.reason }
      const { tool, program } = choice
      const maxBytes = limits.clipboardBytes
      const outcome = await programs.run(program, tools[tool].read, {
        signal: createSignal(),
        maxBytes,
      })
      if (outcome.kind === 'too-long') return { kind: 'empty' }
      const reason = findFailure(choice, outcome)
      if (reason !== undefined) return { kind: 'unavailable', reason }
      const read = outcome.kind === 'ended' && outcome.status === 0
      return read ? toClipboardText(outcome.output) : { kind: 'empty' }
    },
    async findObstacle() {
      const choice = chooseTool(environment, programs.find)
      if ('reason' in choice) return choice.reason
      const { probe } = tools[choice.tool]
      return findFailure(
        choice,
        await programs.run(choice.program, probe, { signal: createSignal() }),
      )
    },
  }
}

type Choice =
  | { readonly tool: Tool; readonly program: string; readonly display: string }
  | { readonly reason: string }

/** The program for the session in the environment, or why there is none. */
function chooseTool(
  { WAYLAND_DISPLAY: wayland, DISPLAY: x11 }: Environment,
  find: Programs['find'],
): Choice {
  if (!wayland && !x11) {
    return {
      reason:
        'Cannot read the clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set; start the connector in the desktop session of the user whose browser asks',
    }
  }
  const candidates = [
    ['wl-paste', wayland],
    ['xclip', x11],
    ['xsel', x11],
  ] as const
  for (const [tool, display] of candidates) {
    const program = display ? find(tool) : undefined
    if (display && program !== undefined) return { tool, program, display }
  }
  const needed = wayland ? 'wl-paste; install the package wl-clipboard' : 'xclip; install it'
  return { reason: `Cannot read the clipboard: this session needs the program ${needed}` }
}

/** Why the program failed; undefined when it read the clipboard, also an empty one. */
function findFailure(
  { tool, display }: { readonly tool: Tool; readonly display: string },
  outcome: Outcome,
): string | undefined {
  if (outcome.kind === 'late') return noReplyReason
  if (outcome.kind === 'not-started') {
    return `Cannot read the clipboard: ${tool} cannot be started; install it again`
  }
  if (outcome.kind === 'too-long' || outcome.status === 0) return undefined
  if (tools[tool].nothing?.test(outcome.errors)) return undefined
  return `Cannot read the clipboard: ${tool} failed at the display ${display}; start the connector in the desktop session of the user whose browser asks`
}
