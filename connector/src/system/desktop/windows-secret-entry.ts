/** Asks for a secret on Windows by credui.dll, in the helper's process (learn.microsoft.com, CredUIPromptForCredentialsW). */
import { getAddress, openCredui, toUtf16 } from './native.ts'

/** CREDUI_INFOW of wincred.h for 64 bits: offsets in bytes. */
const layout = { size: 40, message: 16, caption: 24 } as const

/** Longest texts and names in UTF-16 units, the final zero included (wincred.h). */
const limits = { message: 1024, caption: 128, user: 514, password: 257 } as const

/** CREDUI_FLAGS_*: nothing is stored, no check box offers it, and the name beside the field stays. */
const flags = 0x2 | 0x80 | 0x4_0000 | 0x10_0000
const cancelled = 1223

type CredentialPrompt = (
  ...values: Parameters<ReturnType<typeof openCredui>['CredUIPromptForCredentialsW']>
) => number

/** The secret in UTF-8, which the caller overwrites, or how it ended. */
export function showCredentialWindow(
  {
    title,
    text,
    field,
  }: {
    readonly title: string
    readonly text: string
    readonly field: string
  },
  credui: { readonly CredUIPromptForCredentialsW: CredentialPrompt } = openCredui(),
): Buffer | 'closed' | 'failed' {
  const [message, caption] = [truncate(text, limits.message), truncate(title, limits.caption)]
  const info = Buffer.alloc(layout.size)
  info.writeUInt32LE(layout.size, 0)
  info.writeBigUInt64LE(BigInt(getAddress(message)), layout.message)
  info.writeBigUInt64LE(BigInt(getAddress(caption)), layout.caption)
  const target = toUtf16('Cardwire')
  const user = Buffer.alloc(limits.user * 2)
  user.write(field.slice(0, limits.user - 1), 'utf16le')
  // A buffer from the start: the engine moves the bytes of a short array when its buffer is asked for, and the old ones stay.
  const password = Buffer.from(new ArrayBuffer(limits.password * 2))
  const save = Buffer.alloc(4)
  const status = credui.CredUIPromptForCredentialsW(
    getAddress(info),
    getAddress(target),
    0n,
    0,
    getAddress(user),
    limits.user,
    getAddress(password),
    limits.password,
    getAddress(save),
    flags,
  )
  const secret = toUtf8(password)
  password.fill(0)
  if (status === 0) return secret
  secret.fill(0)
  return status === cancelled ? 'closed' : 'failed'
}

const truncate = (text: string, length: number) => toUtf16(text.slice(0, length - 1))

/** The units before the first zero, without a string in between: one that nobody could overwrite. */
function toUtf8(units: Buffer): Buffer {
  const characters = new Uint16Array(units.buffer, units.byteOffset, units.length / 2)
  const end = characters.indexOf(0)
  const bytes = Buffer.alloc(end === -1 ? 0 : end)
  // PINs are ASCII; whatever is not becomes a byte that no card accepts.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.min(characters[at] ?? 0, 0xff)
  return bytes
}
