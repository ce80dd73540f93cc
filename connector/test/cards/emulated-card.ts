/** A PIV card for a reader of vpcd: keys and certificates made by openssl, and a trace of its commands. */
import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { insertCard, type ResetCause, type VirtualCard } from '../../../test/bed/virtual-card.ts'
import {
  createPivCard,
  type EmulatedCard,
  type PivCardOptions,
  type PivSlot,
} from '../../src/sandbox/virtual-card/piv-card.ts'

const run = promisify(execFile)

export type CardKeyType = 'RSA-2048' | 'P-256' | 'P-384'

const keyOptions: Readonly<Record<CardKeyType, readonly string[]>> = {
  'RSA-2048': ['rsa:2048'],
  'P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
}

export interface CardFiles {
  readonly keys: PivCardOptions['keys']
  /** The certificate of a slot, PEM. */
  certificateFile(slot: PivSlot): string
}

/** Makes a key and a certificate for each slot; `usages`: what its certificate says of its use, as openssl writes it. */
export async function makeKeys(
  types: Partial<Record<PivSlot, CardKeyType>>,
  usages: Readonly<Partial<Record<string, string>>> = {},
): Promise<CardFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-piv-'))
  const file = (slot: string, kind: string) => join(folder, `${slot}.${kind}`)
  const make = async ([slot, type]: [string, CardKeyType]) => {
    const subject = ['-subj', `/CN=Test ${slot}/O=Example`, '-days', '30']
    // Of no authority, which openssl makes otherwise.
    const endEntity = ['-addext', 'basicConstraints=critical,CA:FALSE']
    const outputs = ['-keyout', file(slot, 'key'), '-out', file(slot, 'pem')]
    const all = [
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      ...keyOptions[type],
      ...subject,
      ...endEntity,
      ...listUses(slot, usages[slot]).flatMap((use) => ['-addext', use]),
      ...outputs,
    ]
    await run('openssl', all)
    await run('openssl', [
      'x509',
      '-in',
      file(slot, 'pem'),
      '-outform',
      'DER',
      '-out',
      file(slot, 'der'),
    ])
    const privateKey = createPrivateKey(await readFile(file(slot, 'key')))
    return [slot, { privateKey, certificate: await readFile(file(slot, 'der')) }]
  }
  const made = await Promise.all(Object.entries(types).map(make))
  return { keys: Object.fromEntries(made), certificateFile: (slot) => file(slot, 'pem') }
}

/** A key for signatures is one that authenticates nobody, unless a test says otherwise. */
const listUses = (slot: string, usage: string | undefined): readonly string[] => {
  if (usage) return [`keyUsage=critical,${usage}`]
  if (slot !== '9C') return []
  return ['keyUsage=critical,digitalSignature,nonRepudiation', 'extendedKeyUsage=emailProtection']
}

export interface TracedCard extends EmulatedCard {
  /** Each command as hex, those of a PIN without it; and `reset` when a program has reset it. */
  readonly trace: string[]
  reset(cause?: ResetCause): void
}

/** VERIFY, CHANGE REFERENCE DATA, RESET RETRY COUNTER (ISO/IEC 7816-4 §7.5). */
const pinInstructions = [0x20, 0x24, 0x2c]

export function traceCard(card: EmulatedCard): TracedCard {
  const trace: string[] = []
  return {
    atr: card.atr,
    trace,
    respond(apdu) {
      const hasPin = pinInstructions.includes(apdu[1] ?? 0) && apdu.length > 5
      const bytes = Buffer.from(apdu).toString('hex').toUpperCase()
      trace.push(hasPin ? `${bytes.slice(0, 10)} (${apdu.length - 5} bytes)` : bytes)
      return card.respond(apdu)
    },
    reset(cause = 'program') {
      if (cause === 'program') trace.push('reset')
      card.reset()
    },
  }
}

/** Puts a traced PIV card into the reader that listens on `port`. */
export async function insertPivCard(
  port: number,
  options: PivCardOptions,
): Promise<TracedCard & VirtualCard> {
  const card = traceCard(createPivCard(options))
  return { ...card, ...(await insertCard(port, card)) }
}
