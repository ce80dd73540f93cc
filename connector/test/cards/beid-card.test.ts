/** The emulated Belgian identity card, used by an independent client, OpenSC; its signed files, checked by openssl. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardPorts, type Pcscd, startPcscd } from '../../../test/bed/pcscd.ts'
import { proves } from '../../../test/bed/proves.ts'
import { parseAddress, parseIdentity } from '../../src/sandbox/card-modules/beid-identity.ts'
import { type BeidApplet, beidAtr } from './beid-card.ts'
import { type BeidFiles, insertBeidCard, makeBeidFiles } from './beid-files.ts'
import { keepInserted } from './keep-inserted.ts'

const exec = promisify(execFile)
const pin = '1234'
const none = new Uint8Array()
const [port] = cardPorts

let pcscd: Pcscd
let cards: Readonly<Record<BeidApplet, BeidFiles>>
let folder: string
let message: string
let configuration: string

beforeAll(async () => {
  pcscd = await startPcscd()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-beid-clients-'))
  message = join(folder, 'message')
  await writeFile(message, 'a message that is signed')
  // Belgian cards speak T=0, and OpenSC knows the ATRs of these alone.
  configuration = join(folder, 'opensc.conf')
  const atrs = (['1.7', '1.8'] as const).map((applet) => beidAtr(applet, 'T=1'))
  const drivers = atrs.map(
    (atr) => `card_atr ${atr.match(/../g)?.join(':')} { driver = "belpic"; }`,
  )
  await writeFile(configuration, `app default { ${drivers.join(' ')} }`)
  cards = { '1.7': await makeBeidFiles('1.7'), '1.8': await makeBeidFiles('1.8') }
})
afterAll(() => pcscd?.close())

const run = (program: string, ...args: readonly string[]) =>
  exec(program, args, { timeout: 60_000, env: { ...process.env, OPENSC_CONF: configuration } })

const insert = async (applet: BeidApplet, protocol: 'T=0' | 'T=1' = 'T=0') => {
  const card = await insertBeidCard(port, cards[applet], { pin, protocol })
  await keepInserted(card)
  return card
}

/** It exits with 1 after success too. */
const readIdentity = async (): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run('eidenv').catch((error) => error)
  const lines = String(stdout).matchAll(/^BELPIC_(\w+): (.*)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
}

/** Whether openssl accepts the signature in a file by the key of a certificate. */
const isValid = async (certificate: string, hash: string, signature: string, data: string) => {
  const key = join(folder, 'public.pem')
  await writeFile(
    key,
    (await run('openssl', 'x509', '-in', certificate, '-noout', '-pubkey')).stdout,
  )
  return run('openssl', 'dgst', hash, '-verify', key, '-signature', signature, data).then(
    () => true,
    () => false,
  )
}

describe.each([
  ['1.7', 'T=0'],
  ['1.7', 'T=1'],
  ['1.8', 'T=0'],
  ['1.8', 'T=1'],
] as const)('Belgian card of applet %s over %s', (applet, protocol) => {
  test('eidenv prints the person and the address that we read', async () => {
    proves('emulated-belgian-card')
    await insert(applet, protocol)
    const printed = await readIdentity()
    // What we read of the same files, in the order of its lines.
    const { files } = cards[applet]
    const { rawData, pictureHash, version, ...person } = parseIdentity(files['4031'] ?? none)
    const { zipcode, municipality } = parseAddress(files['4033'] ?? none)
    const ours = { ...person, streetAndNumber: '', zipcode, municipality }
    // Its last F is an E, and its street is empty, whatever the card.
    const theirs = Object.values({
      ...printed,
      CHIPNUMBER: printed['CHIPNUMBER']?.replace('DEE', 'DEF'),
    })
    expect(theirs).toEqual(Object.values(ours))
  })

  test('pkcs15-tool describes two keys with a PIN, and reads certificates byte for byte', async () => {
    proves('emulated-belgian-card')
    await insert(applet, protocol)
    const { stdout } = await run('pkcs15-tool', '--dump')
    expect(stdout).toMatch(/min_len:4, max_len:12, stored_len:8/)
    const kind = applet === '1.7' ? 'RSA' : 'EC'
    expect(stdout.match(new RegExp(`^Private ${kind} Key`, 'gm'))).toHaveLength(2)
    const some = [
      ['03', 'signature'],
      ['06', 'root'],
    ] as const
    for (const [id, name] of some) {
      const read = await run('pkcs15-tool', '--read-certificate', id)
      const expected = await readFile(cards[applet].certificateFile(name), 'utf8')
      expect(read.stdout.trim()).toBe(expected.trim())
    }
  })
})

test.each([
  ['SHA1', 'T=0'],
  ['SHA256', 'T=0'],
  ['SHA384', 'T=0'],
  ['SHA512', 'T=0'],
  ['SHA256', 'T=1'],
] as const)(
  'Belgian card of applet 1.7: pkcs11-tool signs with %s over %s, and openssl accepts the signature',
  async (hash, protocol) => {
    proves('emulated-belgian-card')
    await insert('1.7', protocol)
    const signature = join(folder, `${hash}.sig`)
    const args = ['--login', '--pin', pin, '--sign', '--id', '02', '-m', `${hash}-RSA-PKCS`]
    await run('pkcs11-tool', ...args, '-i', message, '-o', signature)
    const check = (name: 'authentication' | 'signature') =>
      isValid(cards['1.7'].certificateFile(name), `-${hash.toLowerCase()}`, signature, message)
    expect([await check('authentication'), await check('signature')]).toEqual([true, false])
  },
)

test.each([
  ['1.7', '-sha256'],
  ['1.8', '-sha384'],
] as const)('the identity file of applet %s is signed by the register', async (applet, hash) => {
  const { files, certificateFile } = cards[applet]
  const [data, signature] = [join(folder, 'identity'), join(folder, 'identity.sig')]
  await writeFile(data, files['4031'] ?? '')
  await writeFile(signature, files['4032'] ?? '')
  expect(await isValid(certificateFile('register'), hash, signature, data)).toBe(true)
})

test('Belgian card: a wrong PIN costs one try, and the third blocks it', async () => {
  proves('emulated-belgian-card')
  const card = await insert('1.7')
  const verify = (value: string) =>
    run('pkcs15-tool', '--verify-pin', '--auth-id', '01', '--pin', value).then(
      () => 'verified',
      ({ stderr }) => String(stderr),
    )
  expect(await verify(pin)).toBe('verified')
  expect(await verify('4321')).toContain('incorrect')
  expect(await verify(pin)).toBe('verified')
  for (const count of [1, 2, 3]) expect(await verify('4321'), `${count}`).not.toBe('verified')
  expect(await verify(pin)).toContain('blocked')
  expect(card.trace).toContain('0020000108 (8 bytes)')
})
