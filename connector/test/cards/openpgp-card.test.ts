/** The emulated OpenPGP card, used by independent clients: GnuPG, its scdaemon alone, and OpenSC. */
import { execFile, spawn } from 'node:child_process'
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { cardPorts, type Pcscd, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import { keepInserted } from './keep-inserted.ts'
import {
  insertOpenpgpCard,
  makeOpenpgpFiles,
  type OpenpgpFiles,
  type OpenpgpKeyType,
} from './openpgp-files.ts'

const exec = promisify(execFile)
const pin = 'letters & 1'
const [port] = cardPorts
const types = ['RSA-2048', 'P-256', 'Ed25519'] as const satisfies OpenpgpKeyType[]

let pcscd: Pcscd
let home: string
let message: string
let files: Readonly<Record<(typeof types)[number], OpenpgpFiles>>

beforeAll(async () => {
  pcscd = await startPcscd()
  home = await mkdtemp(join(tmpdir(), 'cardwire-gnupg-'))
  await chmod(home, 0o700)
  // The card service, and not readers of USB.
  await writeFile(join(home, 'scdaemon.conf'), 'disable-ccid\n')
  message = join(home, 'message')
  await writeFile(message, 'a message that is signed')
  const made = await Promise.all(types.map(async (type) => [type, await makeOpenpgpFiles(type)]))
  files = Object.fromEntries(made)
})
const run = (program: string, ...args: readonly string[]) =>
  exec(program, args, { timeout: 60_000, env: { ...process.env, GNUPGHOME: home } })
// It holds the card for itself.
afterEach(() => run('gpgconf', '--kill', 'all'))
afterAll(async () => {
  await pcscd?.close()
})

const insert = async (type: (typeof types)[number]) => {
  const { keys, certificates } = files[type]
  const card = await insertOpenpgpCard(port, { keys, certificates, pin, protocol: 'T=1' })
  await keepInserted(card)
  return card
}

test.each([
  ['RSA-2048', 'rsa2048 rsa2048 rsa2048'],
  ['P-256', 'nistp256 nistp256 nistp256'],
  ['Ed25519', 'ed25519 ed25519 ed25519'],
] as const)('OpenPGP card: gpg --card-status describes one with keys of %s', async (type, keys) => {
  proves('emulated-openpgp-card')
  await insert(type)
  const { stdout } = await run('gpg', '--card-status')
  expect(stdout).toMatch(/^Version \.+: 3\.4$/m)
  expect(stdout).toMatch(/^Name of cardholder: ADA KING LOVELACE$/m)
  expect(stdout).toContain(`Key attributes ...: ${keys}`)
  expect(stdout).toMatch(/^PIN retry counter : 3 0 3$/m)
})

test.each(types)('OpenPGP card: scdaemon signs with a key of %s', async (type) => {
  proves('emulated-openpgp-card')
  await insert(type)
  const digest = createHash('sha256')
    .update(await readFile(message))
    .digest()
  const signature = await signWithScdaemon(digest)
  const key = createPublicKey(await readFile(files[type].publicKeyFile('signature')))
  const isValid =
    type === 'Ed25519'
      ? verify(null, digest, key, signature)
      : verify('sha256', await readFile(message), { key, dsaEncoding: 'ieee-p1363' }, signature)
  expect(isValid).toBe(true)
})

/** How often scdaemon looks for the card at most; each time takes some milliseconds. */
const maxMissed = 1000

/** The Assuan protocol; a PIN ends with a zero (scdaemon, app-openpgp.c). */
async function signWithScdaemon(digest: Uint8Array): Promise<Uint8Array> {
  const scdaemon = spawn('/usr/lib/gnupg/scdaemon', [
    '--server',
    '--homedir',
    home,
    '--disable-ccid',
  ])
  onTestFinished(() => void scdaemon.kill())
  scdaemon.stdout.setEncoding('latin1')
  const lines = createInterface({ input: scdaemon.stdout })
  const send = (line: string) => scdaemon.stdin.write(`${line}\n`)
  const findCard = 'SERIALNO openpgp'
  let missed = 0
  const commands = [
    findCard,
    `SETDATA ${Buffer.from(digest).toString('hex').toUpperCase()}`,
    'PKSIGN --hash=sha256 OPENPGP.1',
  ]
  for await (const line of lines) {
    if (line.startsWith('D ')) return decodeAssuan(line.slice(2))
    // The scdaemon of the test before may still have the card.
    if (line.endsWith('No such device <SCD>') && missed < maxMissed) {
      missed += 1
      send(findCard)
      continue
    }
    if (line.startsWith('ERR')) throw new Error(line)
    if (line.startsWith('INQUIRE NEEDPIN')) {
      send(`D ${encodeURIComponent(pin)}%00`)
      send('END')
    }
    const next = line.startsWith('OK') ? commands.shift() : undefined
    if (next !== undefined) send(next)
  }
  throw new Error('Expected a signature')
}

const decodeAssuan = (text: string): Uint8Array =>
  Buffer.from(
    text.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

test('OpenPGP card: OpenSC reads the holder, and its certificates byte for byte', async () => {
  proves('emulated-openpgp-card')
  await insert('RSA-2048')
  const { stdout } = await run('openpgp-tool', '--user-info')
  expect(stdout).toMatch(/LOVELACE/)
  const dump = await run('pkcs15-tool', '--dump')
  expect(dump.stdout.match(/^Private RSA Key/gm)).toHaveLength(3)
  const read = await run('pkcs15-tool', '--read-certificate', '01')
  const { certificates } = files['RSA-2048']
  const expected = new X509Certificate(certificates.signature ?? '').toString()
  expect(read.stdout.trim()).toBe(expected.trim())
})

test('OpenPGP card: pkcs11-tool signs with RSA, and openssl accepts the signature', async () => {
  proves('emulated-openpgp-card')
  await insert('RSA-2048')
  const signature = join(home, 'signature')
  const login = ['--login', '--pin', pin, '--slot-index', '1', '--sign', '-m', 'SHA256-RSA-PKCS']
  await run('pkcs11-tool', ...login, '-i', message, '-o', signature)
  const key = files['RSA-2048'].publicKeyFile('signature')
  const check = ['dgst', '-sha256', '-verify', key, '-signature', signature, message]
  expect((await run('openssl', ...check)).stdout).toContain('Verified OK')
})
