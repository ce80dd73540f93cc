/** The emulated PIV card, used by independent clients: OpenSC and yubico-piv-tool. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { PivCardOptions } from '../../src/sandbox/virtual-card/piv-card.ts'
import { type CardFiles, insertPivCard, makeKeys } from './emulated-card.ts'
import { keepInserted } from './keep-inserted.ts'

const run = promisify(execFile)
const pin = '123456'
const [port] = cardPorts
const [reader] = readerNames

let pcscd: Pcscd
let rsa: CardFiles
let elliptic: CardFiles
let folder: string
let message: string

beforeAll(async () => {
  pcscd = await startPcscd()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-clients-'))
  message = join(folder, 'message')
  await writeFile(message, 'a message that is signed')
  rsa = await makeKeys({ '9A': 'RSA-2048', '9C': 'RSA-2048', '9D': 'RSA-2048', '9E': 'RSA-2048' })
  elliptic = await makeKeys({ '9A': 'P-256', '9C': 'P-384', '9D': 'P-384', '9E': 'P-256' })
})
afterAll(() => pcscd?.close())

const insert = async (files: CardFiles, options: Partial<PivCardOptions> = {}) => {
  const card = await insertPivCard(port, { keys: files.keys, pin, protocol: 'T=1', ...options })
  await keepInserted(card)
  return card
}

/** Whether openssl accepts this signature for the certificate. */
const isValid = async (certificate: string, hash: string, signature: string) => {
  const key = join(folder, 'public.pem')
  const { stdout } = await run('openssl', ['x509', '-in', certificate, '-noout', '-pubkey'])
  await writeFile(key, stdout)
  const checked = run('openssl', ['dgst', hash, '-verify', key, '-signature', signature, message])
  return checked.then(
    () => true,
    () => false,
  )
}

const pkcs11 = (...args: string[]) =>
  run('pkcs11-tool', ['--login', '--pin', pin, ...args], { timeout: 60_000 })

describe.each(['T=1', 'T=0'] as const)('PIV card over %s', (protocol) => {
  test('pkcs15-tool lists its certificates and reads one byte for byte', async () => {
    await insert(rsa, { protocol })
    const { stdout } = await run('pkcs15-tool', ['--list-certificates'])
    expect(stdout.match(/^X\.509 Certificate/gm)).toHaveLength(4)
    const read = await run('pkcs15-tool', ['--read-certificate', '02'])
    expect(read.stdout.trim()).toBe((await readFile(rsa.certificateFile('9C'), 'utf8')).trim())
  })

  test('pkcs11-tool signs with RSA, and openssl accepts the signature', async () => {
    proves('emulated-piv-card')
    await insert(rsa, { protocol })
    const signature = join(folder, 'rsa.sig')
    const args = ['--sign', '--id', '01', '-m', 'SHA256-RSA-PKCS', '-i', message, '-o', signature]
    await pkcs11(...args)
    expect(await isValid(rsa.certificateFile('9A'), '-sha256', signature)).toBe(true)
    expect(await isValid(rsa.certificateFile('9C'), '-sha256', signature)).toBe(false)
  })

  test('pkcs11-tool signs with P-256, and openssl accepts the signature', async () => {
    await insert(elliptic, { protocol })
    const signature = join(folder, 'p256.sig')
    const args = ['--sign', '--id', '01', '-m', 'ECDSA-SHA256', '--signature-format', 'openssl']
    await pkcs11(...args, '-i', message, '-o', signature)
    expect(await isValid(elliptic.certificateFile('9A'), '-sha256', signature)).toBe(true)
  })
})

test('PIV card: its certificates are read when they are compressed', async () => {
  await insert(rsa, { compressed: true })
  const { stdout } = await run('pkcs15-tool', ['--read-certificate', '01'])
  expect(stdout.trim()).toBe((await readFile(rsa.certificateFile('9A'), 'utf8')).trim())
})

test.each([
  ['9a', 'RSA-2048'],
  ['9c', 'RSA-2048'],
  ['9a', 'P-256'],
  ['9c', 'P-384'],
] as const)(
  'PIV card: yubico-piv-tool accepts a signature of key %s with %s',
  async (slot, type) => {
    proves('emulated-piv-card')
    const files = type === 'RSA-2048' ? rsa : elliptic
    await insert(files)
    const certificate = files.certificateFile(slot === '9a' ? '9A' : '9C')
    const args = ['-r', reader, '-P', pin, '-a', 'verify-pin', '-a', 'test-signature', '-s', slot]
    const { stdout, stderr } = await run('yubico-piv-tool', [...args, '-i', certificate])
    expect(`${stdout}${stderr}`).toMatch(/Successful (RSA|ECDSA) verification/)
  },
)

test('PIV card: a wrong PIN costs one try, and the third blocks it', async () => {
  proves('emulated-piv-card')
  await insert(rsa)
  const login = (value: string) =>
    run('yubico-piv-tool', ['-r', reader, '-P', value, '-a', 'verify-pin']).catch((error) => error)
  expect((await login('654321')).stderr).toContain('2 tries left')
  expect((await login('654321')).stderr).toContain('1 tries left')
  expect((await login('654321')).stderr).toContain('blocked')
  expect((await login(pin)).stderr).toContain('blocked')
})

test('PIV card: its trace has the commands and no PIN', async () => {
  const card = await insert(rsa)
  const args = ['-r', reader, '-P', pin, '-a', 'verify-pin']
  await run('yubico-piv-tool', args)
  expect(card.trace).toContain('0020008008 (8 bytes)')
  expect(card.trace.join('\n')).not.toContain(Buffer.from(pin).toString('hex'))
})
