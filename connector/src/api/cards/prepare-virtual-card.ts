/** Makes the keys of the virtual card at its first start. */
import { existsSync } from 'node:fs'
import writeFileAtomic from 'write-file-atomic'
import {
  getCardPaths,
  loadCardKeys,
  type StoredKeys,
} from '../../sandbox/virtual-card/stored-card.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'

/** Resolves when the card has keys that lie beside the file that stands for it, or they cannot be kept there. */
export async function prepareVirtualCard(
  file: string,
  log: Pick<Log, 'info' | 'warn'>,
  now = Date.now(),
): Promise<void> {
  const paths = getCardPaths(file)
  if (loadCardKeys(file) && existsSync(paths.revocations)) return
  try {
    // Few starts make certificates.
    const { makeCardCertificates } = await import('../../pki/card-certificates.ts')
    const { authority, revocations, authentication, signature } = await makeCardCertificates(now)
    const keys: StoredKeys = { '9A': authentication, '9C': signature }
    await writeFileAtomic(paths.authority, authority, { mode: 0o600 })
    await writeFileAtomic(paths.revocations, revocations, { mode: 0o600 })
    await writeFileAtomic(paths.keys, JSON.stringify(keys), { mode: 0o600 })
    log.info('made the keys of the virtual card', { file: paths.keys })
  } catch (error) {
    log.warn('virtual card without keys', { reason: errorText(error) })
  }
}
