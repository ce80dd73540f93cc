/** The thread that opens one keystore: the file decides how long that takes, and a thread can be ended. */
import * as z from 'zod/mini'
import { errorText } from '../../system/error-text.ts'
import { KeystoreRefused } from './keystore-refused.ts'
import { type OpenedKeystore, OpenRequest } from './keystore-worker-messages.ts'
import { openPkcs12 } from './pkcs12.ts'
import { toServerMaterial } from './server-material.ts'

declare const self: Worker

const open = (request: unknown): OpenedKeystore => {
  try {
    const { file, password, needsMac, now } = z.parse(OpenRequest, request)
    const contents = openPkcs12(file, password, { needsMac })
    return { kind: 'opened', material: toServerMaterial(contents, now) }
  } catch (error) {
    if (error instanceof KeystoreRefused) return { kind: 'refused', reason: error.reason }
    return { kind: 'failed', reason: errorText(error) }
  }
}

self.onmessage = ({ data }) => self.postMessage(open(data))
