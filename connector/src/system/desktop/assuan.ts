/** What is said to a pinentry, and what it answers: the Assuan protocol (gnupg.org, libassuan and pinentry manuals). */
import { joinBytes } from './join-bytes.ts'
import type { Notice } from './notice.ts'
import type { Decision, Question } from './question.ts'
import type { SecretAnswer, SecretQuestion } from './secret-entry.ts'

/** Bytes of a line without its end (libassuan, ASSUAN_LINELENGTH). */
const maxLineBytes = 1000

/** Seconds after which a window closes by itself, if nobody is left to end it. */
const lastSeconds = 180

/** Error codes of libgpg-error, without the source in the upper bits. */
const errorCode = {
  mask: 0xffff,
  timeout: 62,
  cancelled: 99,
  notConfirmed: 114,
  fullyCancelled: 198,
} as const

/** The whole conversation: a pinentry reads the next line when the one before is done. */
export const encodeDialog = ({
  title,
  text,
  prompt,
  submit,
  cancel,
  error,
}: SecretQuestion): string =>
  toLines([
    ...describeWindow(title, text, submit, cancel),
    `SETPROMPT ${prompt}`,
    ...(error ? [`SETERROR ${error}`] : []),
    'GETPIN',
  ])

/** The same for a question with two answers. */
export const encodeQuestion = ({ title, text, accept, refuse }: Question): string =>
  toLines([...describeWindow(title, text, accept, refuse), 'CONFIRM'])

/** The same for a notice, whose one button cancels. */
export const encodeNotice = ({ title, text, cancel }: Notice): string =>
  toLines([...describeWindow(title, text, cancel, cancel), 'CONFIRM --one-button'])

const describeWindow = (title: string, text: string, ok: string, cancel: string) => [
  `SETTITLE ${title}`,
  `SETDESC ${text}`,
  // An underscore would mark the key of a button.
  `SETOK ${ok.replaceAll('_', '__')}`,
  `SETCANCEL ${cancel.replaceAll('_', '__')}`,
  `SETTIMEOUT ${lastSeconds}`,
]

const toLines = (commands: readonly string[]): string =>
  [...commands, 'BYE'].map((line) => `${toLine(line)}\n`).join('')

const escapes: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A' }

/** A line that is too long ends at a whole character. */
function toLine(text: string): string {
  let bytes = 0
  let line = ''
  for (const character of text) {
    const written = escapes[character] ?? character
    bytes += Buffer.byteLength(written)
    if (bytes > maxLineBytes) break
    line += written
  }
  return line
}

/** What the user did, by all that the pinentry wrote, which is overwritten. */
export function readDialog(output: Buffer): SecretAnswer {
  const lines = splitLines(output)
  // The last two are the replies to GETPIN and BYE, after the data of the former.
  const reply = lines.at(-2)
  const data = lines.filter((line) => line.subarray(0, 2).toString('latin1') === 'D ')
  const isOk = [reply, lines.at(-1)].every(
    (line) => line?.subarray(0, 2).toString('latin1') === 'OK',
  )
  const secret = isOk
    ? decodeData(Buffer.from(joinBytes(data.map((line) => line.subarray(2))).buffer))
    : undefined
  const code = readErrorCode(reply)
  output.fill(0)
  if (secret) return { kind: 'entered', secret }
  switch (code) {
    case errorCode.cancelled:
    case errorCode.fullyCancelled:
      return { kind: 'cancelled' }
    case errorCode.timeout:
      return { kind: 'late' }
    default:
      return { kind: 'unavailable' }
  }
}

/** Replies to a question or a notice: to the connection and to each of seven commands. */
const questionReplies = 8

/** What the user answered to a question; nothing is agreed to by a pinentry that ended before its reply. */
export function readDecision(output: Buffer): Decision {
  const replies = splitLines(output).filter((line) => /^(?:OK|ERR)\b/.test(line.toString('latin1')))
  if (replies.length !== questionReplies) return 'unavailable'
  const reply = replies.at(-2)
  if (reply?.subarray(0, 2).toString('latin1') === 'OK') return 'accepted'
  switch (readErrorCode(reply)) {
    case errorCode.cancelled:
    case errorCode.fullyCancelled:
    case errorCode.notConfirmed:
      return 'refused'
    case errorCode.timeout:
      return 'late'
    default:
      return 'unavailable'
  }
}

/** NaN masked is 0, which is no error: the reply is none that has a code. */
const readErrorCode = (reply: Buffer | undefined): number =>
  Number(/^ERR (\d+)/.exec(reply?.toString('latin1') ?? '')?.[1]) & errorCode.mask

/** Views of the same bytes, without line ends. */
function splitLines(output: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0, end = output.indexOf(0x0a); end !== -1; end = output.indexOf(0x0a, start)) {
    lines.push(output.subarray(start, end))
    start = end + 1
  }
  return lines
}

/** `%25` is `%`; the escaped bytes are overwritten. */
function decodeData(escaped: Buffer): Uint8Array {
  const bytes = new Uint8Array(new ArrayBuffer(escaped.length))
  let length = 0
  for (let at = 0; at < escaped.length; at += 1) {
    const isEscape = escaped[at] === 0x25 && at + 2 < escaped.length
    bytes[length] = isEscape
      ? Number.parseInt(escaped.toString('latin1', at + 1, at + 3), 16)
      : (escaped[at] ?? 0)
    length += 1
    if (isEscape) at += 2
  }
  const secret = joinBytes([bytes.subarray(0, length)])
  bytes.fill(0)
  escaped.fill(0)
  return secret
}
