/** The clipboard of Windows by user32.dll, in the helper's process. */
import { limits } from './desktop.ts'
import { copyGlobal, openUser32, type User32 } from './native.ts'
import type { Report } from './windows-orders.ts'

/** winuser.h: CF_UNICODETEXT, to which Windows converts every other text. */
const unicodeText = 13

/** Between two tries while another program has it open, in milliseconds: programs keep it for an instant. */
const againMs = 20
/** Ends before the one who asks ends us, so that the reason is said. */
const triesMs = limits.clipboardMs / 2

/** Its text; whoever should give it and does not answer stops this process. */
export const readClipboard = (user32: User32 = openUser32()): Promise<Report> =>
  withClipboard(user32, () => {
    if (!user32.IsClipboardFormatAvailable(unicodeText)) return { kind: 'empty' }
    const handle = user32.GetClipboardData(unicodeText)
    // A character is at least one byte of UTF-8 where it is two of UTF-16; one more shows that there is more.
    const longest = (limits.clipboardBytes + 1) * 2
    const bytes = handle === 0n ? undefined : copyGlobal(user32, handle, longest)
    if (bytes === undefined) return { kind: 'failed' }
    const [text = ''] = bytes.toString('utf16le').split('\0', 1)
    const fits = text !== '' && Buffer.byteLength(text) <= limits.clipboardBytes
    return fits ? { kind: 'text', text } : { kind: 'empty' }
  })

/** `done` when it could be opened; its content stays where it is. */
export const lookAtClipboard = (user32: Door = openUser32()): Promise<Report> =>
  withClipboard(user32, () => ({ kind: 'done' }))

interface Door {
  OpenClipboard(owner: bigint): boolean
  CloseClipboard(): boolean
}

async function withClipboard(user32: Door, act: () => Report): Promise<Report> {
  const end = performance.now() + triesMs
  while (!user32.OpenClipboard(0n)) {
    if (performance.now() > end) return { kind: 'held' }
    await Bun.sleep(againMs)
  }
  try {
    return act()
  } finally {
    user32.CloseClipboard()
  }
}
