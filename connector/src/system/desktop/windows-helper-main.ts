/** The helper process on Windows: handles one request to the desktop and writes the response. */
import { text } from 'node:stream/consumers'
import { isEarly } from './early-answers.ts'
import {
  createWindow,
  getAddress,
  openShell32,
  openUser32,
  toUtf16,
  type User32,
} from './native.ts'
import { probeClipboard, readClipboard } from './windows-clipboard.ts'
import { showFolderWindow } from './windows-folder-choice.ts'
import { HelperRequest, type HelperResponse } from './windows-helper-messages.ts'
import { showNotification } from './windows-notification.ts'
import { showCredentialWindow } from './windows-secret-entry.ts'

/** Runs the hidden command `desktop`: a request on standard input, a response on standard output. */
export async function runDesktopHelper(): Promise<void> {
  const request = HelperRequest.parse(JSON.parse(await text(process.stdin)))
  switch (request.act) {
    case 'read':
      return reply(await readClipboard())
    case 'look':
      return reply(await probeClipboard())
    case 'notify':
      return showNotification(request, reply)
    case 'ask':
      return reply(showMessageBox(request))
    case 'inform':
      return reply(showNotice(request))
    case 'decide':
      return reply(showQuestion(request))
    case 'choose':
      spendFirstShow(openUser32())
      return reply({ kind: 'chosen', path: showFolderWindow(request.title) })
    case 'open':
      return reply(openUrl(request.url))
    case 'enter':
      return replyWithSecret(request)
  }
}

/** Writes one line; resolves when it is written, as the process may end then. */
const reply = (response: HelperResponse) =>
  new Promise<void>((resolve) => {
    process.stdout.write(`${JSON.stringify(response)}\n`, () => resolve())
  })

async function replyWithSecret(request: Extract<HelperRequest, { act: 'enter' }>): Promise<void> {
  spendFirstShow(openUser32())
  // Here: the start of this process is no part of the time in which the window can be read.
  const openedAt = performance.now()
  const answer = showCredentialWindow(request)
  if (typeof answer === 'string') return reply({ kind: answer })
  if (isEarly(openedAt, performance.now())) {
    answer.fill(0)
    return reply({ kind: 'early' })
  }
  await reply({ kind: 'entered', bytes: answer.length })
  await new Promise<void>((resolve) => process.stdout.write(answer, () => resolve()))
  answer.fill(0)
}

// Values of winuser.h.
const okCancel = 0x1
const yesNo = 0x4
const iconQuestion = 0x20
const iconInformation = 0x40
const secondIsDefault = 0x100
const setForeground = 0x1_0000
const topmost = 0x4_0000
const pressedOk = 1
const pressedYes = 6
const showNormal = 1
const showDefault = 10

/** A message box; Windows names its buttons, so the text says what OK does. */
function showMessageBox({
  title,
  text: message,
  button,
}: Extract<HelperRequest, { act: 'ask' }>): HelperResponse {
  const fullText = button ? `${message}\n\nOK: ${button.label}\n${button.url}` : message
  const answer = openMessageBox(title, fullText, (button ? okCancel : 0) | iconInformation)
  if (answer === 0) return { kind: 'failed' }
  return { kind: button && answer === pressedOk ? 'pressed' : 'closed' }
}

function showNotice({
  title,
  text: notice,
}: Extract<HelperRequest, { act: 'inform' }>): HelperResponse {
  const answer = openMessageBox(title, notice, okCancel | iconInformation)
  if (answer === 0) return { kind: 'failed' }
  return { kind: answer === pressedOk ? 'pressed' : 'closed' }
}

/** Whoever types on while the window opens must not agree by that: No is the default. */
function showQuestion({
  title,
  text: question,
}: Extract<HelperRequest, { act: 'decide' }>): HelperResponse {
  const answer = openMessageBox(title, question, yesNo | iconQuestion | secondIsDefault)
  if (answer === 0) return { kind: 'failed' }
  return { kind: answer === pressedYes ? 'pressed' : 'closed' }
}

/** Above all other windows; the identifier of the button that was pressed, 0 when it cannot be shown. */
function openMessageBox(title: string, message: string, flags: number): number {
  const [body, caption] = [toUtf16(message), toUtf16(title)]
  const user32 = openUser32()
  spendFirstShow(user32)
  const [text, name] = [getAddress(body), getAddress(caption)]
  return user32.MessageBoxW(0n, text, name, flags | setForeground | topmost)
}

/**
 * The helper is started hidden, or a console would appear; Windows then hides the first window that it shows
 * (learn.microsoft.com, ShowWindow): an empty one is shown before the message box.
 */
function spendFirstShow(user32: User32): void {
  const window = createWindow(user32)
  user32.ShowWindow(window, showDefault)
  user32.DestroyWindow(window)
}

function openUrl(url: string): HelperResponse {
  const [verb, address] = [toUtf16('open'), toUtf16(url)]
  const { ShellExecuteW } = openShell32()
  const answer = ShellExecuteW(0n, getAddress(verb), getAddress(address), 0n, 0n, showNormal)
  // shellapi.h: 32 and below are errors.
  return { kind: BigInt(answer) > 32n ? 'done' : 'failed' }
}
