/** The helper process for the keys of Windows: handles one request. */
import { text } from 'node:stream/consumers'
import { canAuthenticate } from '../../pki/key-usage.ts'
import { createWindow, openUser32 } from '../../system/desktop/native.ts'
import { readStore, useCertificate } from './certificate-store.ts'
import { KeyRequest, type KeyResponse } from './key-messages.ts'
import type { KeyFailure } from './key-store.ts'
import { copyCertificate, openWindowsKeys, type WindowsKeys } from './native.ts'
import { signDigest, withPrivateKey } from './sign-digest.ts'

/** Runs the hidden command `keys`: a request on standard input, a response on standard output. */
export async function runKeyHelper(): Promise<void> {
  const request = KeyRequest.parse(JSON.parse(await text(process.stdin)))
  process.stdout.write(JSON.stringify(handle(openWindowsKeys(), request)))
}

function handle(keys: WindowsKeys, request: KeyRequest): KeyResponse {
  if (request.act === 'list') {
    return { kind: 'certificates', certificates: [...readStore(keys, request.store)] }
  }
  spendFirstShow()
  const result = useCertificate(keys, request.fingerprint, (certificate) => {
    const der = copyCertificate(certificate)
    if (request.act === 'sign' && !request.mayAuthenticate && canAuthenticate(der))
      return { isRefused: true } as const
    return withPrivateKey(keys, certificate, (key) =>
      request.act === 'open'
        ? ({ isOpen: true } as const)
        : signDigest(keys, key, { ...request, digest: Buffer.from(request.digest, 'base64') }),
    )
  })
  if (result === undefined) return { kind: 'failed', reason: 'missing' }
  if ('isRefused' in result) return { kind: 'failed', reason: 'unsupported' }
  if ('status' in result) return { kind: 'failed', reason: toFailure(result.status) }
  if ('isOpen' in result) return { kind: 'opened' }
  return { kind: 'signed', signature: result.signature.toString('base64') }
}

/** Windows hides the first window of a program that was started hidden; it may ask for a PIN in one. */
function spendFirstShow(): void {
  const user32 = openUser32()
  const window = createWindow(user32)
  user32.ShowWindow(window, showDefault)
  user32.DestroyWindow(window)
}
const showDefault = 10

// ERROR_CANCELLED and its HRESULT, NTE_USER_CANCELLED, SCARD_W_CANCELLED_BY_USER (winerror.h).
const cancelled = [1223, 0x8007_04c7, 0x8009_0036, 0x8010_006e]
// NTE_NO_KEY, NTE_BAD_KEYSET, NTE_KEYSET_NOT_DEF, CRYPT_E_NO_KEY_PROPERTY, SCARD_E_NO_SMARTCARD, SCARD_W_REMOVED_CARD.
const missing = [0x8009_000d, 0x8009_0016, 0x8009_0019, 0x8009_200b, 0x8010_000c, 0x8010_0069]

function toFailure(status: number): KeyFailure {
  if (cancelled.includes(status)) return 'cancelled'
  return missing.includes(status) ? 'missing' : 'unsupported'
}
