/** The helper on Windows: does one act of the desktop, and says what came of it. */
import { text } from 'node:stream/consumers'
import { addressOf, createWindow, openShell32, openUser32, type User32, wide } from './native.ts'
import { lookAtClipboard, readClipboard } from './windows-clipboard.ts'
import { notify } from './windows-notification.ts'
import { Order, type Report } from './windows-orders.ts'

/** Runs the hidden command `desktop`: an order on standard input, a report on standard output. */
export async function runDesktop(): Promise<void> {
  const order = Order.parse(JSON.parse(await text(process.stdin)))
  switch (order.act) {
    case 'read':
      return say(await readClipboard())
    case 'look':
      return say(await lookAtClipboard())
    case 'notify':
      return notify(order, say)
    case 'ask':
      return say(ask(order))
    case 'open':
      return say(open(order.url))
  }
}

/** One line; resolves when it is written, because the process may end then. */
const say = (report: Report) =>
  new Promise<void>((resolve) => {
    process.stdout.write(`${JSON.stringify(report)}\n`, () => resolve())
  })

// Values of winuser.h.
const okCancel = 0x1
const iconInformation = 0x40
const setForeground = 0x1_0000
const topmost = 0x4_0000
const pressedOk = 1
const showNormal = 1
const showDefault = 10

/** A message box; its buttons have the names that Windows gives them, so the text says what OK does. */
function ask({ title, text: message, button }: Extract<Order, { act: 'ask' }>): Report {
  const said = button ? `${message}\n\nOK: ${button.label}\n${button.url}` : message
  const [body, caption] = [wide(said), wide(title)]
  const flags = (button ? okCancel : 0) | iconInformation | setForeground | topmost
  const user32 = openUser32()
  spendFirstShow(user32)
  const answer = user32.MessageBoxW(0n, addressOf(body), addressOf(caption), flags)
  if (answer === 0) return { kind: 'failed' }
  return { kind: button && answer === pressedOk ? 'pressed' : 'closed' }
}

/**
 * We are started hidden, or a console would appear; Windows then hides the first window that is shown, whatever it is
 * (learn.microsoft.com, ShowWindow): another one than the message is to be that.
 */
function spendFirstShow(user32: User32): void {
  const window = createWindow(user32)
  user32.ShowWindow(window, showDefault)
  user32.DestroyWindow(window)
}

function open(url: string): Report {
  const [verb, address] = [wide('open'), wide(url)]
  const { ShellExecuteW } = openShell32()
  const answer = ShellExecuteW(0n, addressOf(verb), addressOf(address), 0n, 0n, showNormal)
  // shellapi.h: 32 and below are errors.
  return { kind: BigInt(answer) > 32n ? 'done' : 'failed' }
}
