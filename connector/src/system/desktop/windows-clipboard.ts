/** Reads the clipboard of Windows by user32.dll, in the helper's process. */
import { limits } from './desktop.ts'
import { copyGlobal, openUser32, type User32 } from './native.ts'
import type { HelperResponse } from './windows-helper-messages.ts'

/** winuser.h: CF_UNICODETEXT, to which Windows converts every other text. */
const unicodeText = 13

/** Between two tries while another program has it open, in milliseconds: programs keep it open for an instant. */
const retryMs = 20
/** How long to try, in milliseconds: shorter than the deadline of the connector, so that the reason is returned. */
const maxTryMs = limits.clipboardMs / 2

/** The text; blocks this process when the program that holds the clipboard does not respond. */
export const readClipboard = (user32: User32 = openUser32()): Promise<HelperResponse> =>
  withClipboard(user32, () => {
    if (!user32.IsClipboardFormatAvailable(unicodeText)) return { kind: 'empty' }
    const handle = user32.GetClipboardData(unicodeText)
    // A character has at least one byte in UTF-8 and two in UTF-16; one more shows that the text is longer.
    const maxBytes = (limits.clipboardBytes + 1) * 2
    const bytes = handle === 0n ? undefined : copyGlobal(user32, handle, maxBytes)
    if (bytes === undefined) return { kind: 'failed' }
    const [text = ''] = bytes.toString('utf16le').split('\0', 1)
    const fits = text !== '' && Buffer.byteLength(text) <= limits.clipboardBytes
    return fits ? { kind: 'text', text } : { kind: 'empty' }
  })

/** `done` when it could be opened; its content is not read. */
export const probeClipboard = (user32: ClipboardCalls = openUser32()): Promise<HelperResponse> =>
  withClipboard(user32, () => ({ kind: 'done' }))

interface ClipboardCalls {
  OpenClipboard(owner: bigint): boolean
  CloseClipboard(): boolean
}

async function withClipboard(
  user32: ClipboardCalls,
  act: () => HelperResponse,
): Promise<HelperResponse> {
  const end = performance.now() + maxTryMs
  while (!user32.OpenClipboard(0n)) {
    if (performance.now() > end) return { kind: 'held' }
    await Bun.sleep(retryMs)
  }
  try {
    return act()
  } finally {
    user32.CloseClipboard()
  }
}
