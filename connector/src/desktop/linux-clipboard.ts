/** The clipboard of X11 and Wayland, by the program that is there: wl-paste, xclip or xsel. */
import { clipboardText, silentHolder } from './clipboard-text.ts'
import { type Clipboard, limits } from './desktop.ts'
import type { Outcome, Programs } from './programs.ts'

/** How each program is asked; all say their errors in English, whatever the person speaks. */
const tools = {
  'wl-paste': {
    read: ['--no-newline', '--type', 'text'],
    look: ['--list-types'],
    nothing: /^(No selection|No suitable type of content copied|Nothing is copied)/m,
  },
  xclip: {
    read: ['-selection', 'clipboard', '-o'],
    look: ['-selection', 'clipboard', '-o', '-t', 'TARGETS'],
    nothing: /target \S+ not available/,
  },
  xsel: {
    read: ['--clipboard', '--output'],
    // It has no question about types: it reads, and nobody gets what it reads.
    look: ['--clipboard', '--output'],
    nothing: undefined,
  },
} as const

type Tool = keyof typeof tools
type Environment = Readonly<Record<string, string | undefined>>

/** Looks for a program anew each time: it may be installed while we run. */
export function linuxClipboard(environment: Environment, programs: Programs): Clipboard {
  const signal = () => AbortSignal.timeout(limits.clipboardMs)
  return {
    async read() {
      const choice = chooseTool(environment, programs.find)
      if ('reason' in choice) return { kind: 'unavailable', reason: choice.reason }
      const { tool, program } = choice
      const longest = limits.clipboardBytes
      const outcome = await programs.run(program, tools[tool].read, { signal: signal(), longest })
      if (outcome.kind === 'too-long') return { kind: 'empty' }
      const reason = failureOf(choice, outcome)
      if (reason !== undefined) return { kind: 'unavailable', reason }
      const read = outcome.kind === 'ended' && outcome.status === 0
      return read ? clipboardText(outcome.output) : { kind: 'empty' }
    },
    async available() {
      const choice = chooseTool(environment, programs.find)
      if ('reason' in choice) return choice.reason
      const { look } = tools[choice.tool]
      return failureOf(choice, await programs.run(choice.program, look, { signal: signal() }))
    },
  }
}

type Choice =
  | { readonly tool: Tool; readonly program: string; readonly display: string }
  | { readonly reason: string }

/** The program for the session that the environment tells of, or why there is none. */
function chooseTool(
  { WAYLAND_DISPLAY: wayland, DISPLAY: x11 }: Environment,
  find: Programs['find'],
): Choice {
  if (!wayland && !x11) {
    return {
      reason:
        'Cannot read the clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set; start the connector in the desktop session of the person whose browser asks',
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

/** Why nothing was learnt about the clipboard; undefined when something was, that it is empty included. */
function failureOf(
  { tool, display }: { readonly tool: Tool; readonly display: string },
  outcome: Outcome,
): string | undefined {
  if (outcome.kind === 'late') return silentHolder
  if (outcome.kind === 'not-started') {
    return `Cannot read the clipboard: ${tool} cannot be started; install it again`
  }
  if (outcome.kind === 'too-long' || outcome.status === 0) return undefined
  if (tools[tool].nothing?.test(outcome.said)) return undefined
  return `Cannot read the clipboard: ${tool} failed at the display ${display}; start the connector in the desktop session of the person whose browser asks`
}
