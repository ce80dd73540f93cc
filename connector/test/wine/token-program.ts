/** A program for Windows: uses a library of PKCS #11 as a token process does, and prints what came of it as JSON. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { loadLibrary } from '../../src/sandbox/tokens/load-library.ts'
import { createTokenWorker } from '../../src/sandbox/tokens/token-worker.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'

const path = process.env['LIBRARY'] ?? ''
const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')

const run = createTokenWorker(loadLibrary)
const library = { path, sha256, isNamedByRoot: true, isOwn: true }
const request = { reader: 'Faulty', timeoutMs: 1000, library }

const attempt = <T>(act: () => T): T | string => {
  try {
    return act()
  } catch (error) {
    return String(error)
  }
}
const perform = (operation: CardOperation, pin = '') =>
  attempt(() => run({ ...request, operation }, new Uint8Array(Buffer.from(pin))))

function main(): void {
  const prepared = perform({ kind: 'prepare', module: 'pkcs11', key: 'C1' })
  const known = typeof prepared !== 'string' && 'certificate' in prepared && prepared.certificate
  const signing: Extract<CardOperation, { kind: 'sign' }> = {
    ...{ kind: 'sign', module: 'pkcs11', key: 'C1', certificate: known || '' },
    ...{ hash: 'sha256', digests: [Buffer.alloc(32).toString('base64')] },
  }
  const found = {
    token: perform({ kind: 'describe-token' }),
    info: perform({ kind: 'token-info' }),
    prepared,
    signed: perform(signing, '1234'),
    pss: perform({ ...signing, padding: 'pss' }, '1234'),
    refused: attempt(() => String(loadLibrary({ ...library, sha256: 'ab'.repeat(32) }))),
    ofService: attempt(() => String(loadLibrary({ ...library, isNamedByRoot: false }))),
  }
  process.stdout.write(JSON.stringify(found))
}

main()
