/** Shows notifications on Windows by shell32.dll, in the helper's process: an icon in the notification area with a text. */
import { createWindow, getAddress, messageOnly, openShell32, openUser32 } from './native.ts'
import type { HelperResponse } from './windows-helper-messages.ts'

/** NOTIFYICONDATAW of shellapi.h for 64 bits: offsets in bytes, room for text in characters without the last zero. */
const layout = {
  size: 976,
  window: 8,
  id: 16,
  flags: 20,
  icon: 32,
  tip: { at: 40, room: 127 },
  text: { at: 304, room: 255 },
  title: { at: 820, room: 63 },
  textFlags: 948,
} as const

// Values of shellapi.h and winuser.h.
const add = 0
const remove = 2
const flags = { icon: 0x2, tip: 0x4, text: 0x10 } as const
const informationIcon = 1
const standardInformationIcon = 32_516n
const takeFromQueue = 1

/** How long it is visible, in milliseconds; Windows keeps a notification as long as its icon. */
const visibleMs = 10_000

/** Shows it and replies; then keeps it for a while. */
export async function showNotification(
  { title, text }: { readonly title: string; readonly text: string },
  reply: (response: HelperResponse) => Promise<void>,
): Promise<void> {
  const user32 = openUser32()
  const shell32 = openShell32()
  const window = createWindow(user32, messageOnly)
  const data = encodeIconData({
    window,
    icon: user32.LoadIconW(0n, standardInformationIcon),
    title,
    text,
  })
  const shown = window !== 0n && shell32.Shell_NotifyIconW(add, getAddress(data))
  await reply({ kind: shown ? 'done' : 'failed' })
  if (!shown) return
  const message = Buffer.alloc(48)
  const end = performance.now() + visibleMs
  while (performance.now() < end) {
    while (user32.PeekMessageW(getAddress(message), 0n, 0, 0, takeFromQueue)) {
      user32.DispatchMessageW(getAddress(message))
    }
    await Bun.sleep(100)
  }
  shell32.Shell_NotifyIconW(remove, getAddress(data))
  user32.DestroyWindow(window)
}

function encodeIconData(content: {
  readonly window: bigint
  readonly icon: bigint
  readonly title: string
  readonly text: string
}): Uint8Array {
  const data = Buffer.alloc(layout.size)
  data.writeUInt32LE(layout.size, 0)
  data.writeBigUInt64LE(content.window, layout.window)
  data.writeUInt32LE(1, layout.id)
  data.writeUInt32LE(flags.icon | flags.tip | flags.text, layout.flags)
  data.writeBigUInt64LE(content.icon, layout.icon)
  const fields = [
    [layout.tip, 'Cardwire'],
    [layout.title, content.title],
    [layout.text, content.text],
  ] as const
  for (const [{ at, room }, text] of fields) data.write(truncate(text, room), at, 'utf16le')
  data.writeUInt32LE(informationIcon, layout.textFlags)
  return data
}

/** As much of a text as there is room for, without half a character. */
const truncate = (text: string, room: number) => text.slice(0, room).replace(/[\ud800-\udbff]$/, '')
