/** The thread that opens one keystore: the file decides how long that takes, and a thread can be ended. */
import * as z from 'zod/mini'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import { openPkcs12 } from '../../../../pkcs12/open-pkcs12.ts'
import { errorText } from '../../system/error-text.ts'
import { type OpenedKeystore, OpenRequest } from './keystore-worker-messages.ts'
import { toServerMaterial } from './server-material.ts'

declare const self: Worker

const open = async (request: unknown): Promise<OpenedKeystore> => {
  try {
    const { file, password, needsMac, now } = z.parse(OpenRequest, request)
    const contents = await openPkcs12(file, password, { needsMac })
    return { kind: 'opened', material: toServerMaterial(contents, now) }
  } catch (error) {
    if (error instanceof KeystoreRefused) return { kind: 'refused', reason: error.reason }
    return { kind: 'failed', reason: errorText(error) }
  }
}

self.onmessage = async ({ data }) => self.postMessage(await open(data))
