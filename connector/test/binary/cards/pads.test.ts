/** PINs at the reader's own pad for OpenPGP and payment cards: the compiled connector, a real card service, a reader with a pad. */
import { execFile, spawn } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { traceCard } from '../../cards/emulated-card.ts'
import { cardPin, createEmvCard } from '../../cards/emv-card.ts'
import { createOpenpgpCard } from '../../cards/openpgp-card.ts'
import { makeOpenpgpFiles, type OpenpgpFiles } from '../../cards/openpgp-files.ts'
import { openPadReader, type PadReader } from '../../pad-reader/pad-reader.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const digits = '12345678'
const letters = 'letters & 1'
const message = Buffer.from('a message that is signed')
const data = createHash('sha256').update(message).digest('base64')
const isVerify = (entry: string) => entry.startsWith('0020') && entry.endsWith('bytes)')

let pad: PadReader
let files: OpenpgpFiles
beforeAll(async () => {
  pad = await openPadReader()
  files = await makeOpenpgpFiles('P-256')
})
afterAll(() => pad?.stop())

/** Inserts a card until the end of the test. */
async function insert(card: Parameters<typeof traceCard>[0]): Promise<readonly string[]> {
  const traced = traceCard(card)
  const inserted = await pad.insert(traced)
  onTestFinished(async () => {
    await inserted.remove()
    await waitFor(async () => !(await hasCard()))
  })
  await waitFor(hasCard)
  return traced.trace
}
const hasCard = () =>
  run('opensc-tool', ['--atr']).then(
    () => true,
    () => false,
  )
const insertOpenpgp = (pin: string) => insert(createOpenpgpCard({ ...files, pin, protocol: 'T=1' }))

const isValid = (signature: string | Uint8Array): boolean => {
  const { signature: privateKey } = files.keys
  if (!privateKey) throw new Error('Expected a key')
  const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', message, key, Buffer.from(String(signature), 'base64'))
}

/** A user with a connector of these settings, for the tests of the block. */
function startUser(pads: 'on' | 'off') {
  let user: UserAtReader
  beforeAll(async () => {
    user = await startUserAtReader({ CARDWIRE_READER_PADS: pads }, pad)
  })
  afterAll(() => user?.stop())
  beforeEach(async () => {
    await user.pinentry.type(pads === 'on' ? 'wait' : letters)
    await user.pinentry.read()
  })
  return {
    readPinentry: () => user.pinentry.read(),
    isListed: async (module: string) =>
      (await user.bed.find())?.card?.modules.includes(module) === true,
    post: async (path: string, body: object = {}) => {
      const reader = (await user.bed.find())?.id
      const at = `/v3/modules/${path.replace('{r}', String(reader))}`
      const headers = { 'content-type': 'application/json' }
      return user.bed.connector.request(at, {
        ...{ method: 'POST', body: JSON.stringify(body), headers },
      })
    },
  }
}

describe('a reader with a pad, pads on', () => {
  const { isListed, post, readPinentry } = startUser('on')

  test('the digits that are typed there are the PIN of an OpenPGP card, as many as they are, and sign', async () => {
    proves('openpgp-pad')
    const trace = await insertOpenpgp(digits)
    await waitFor(() => isListed('openpgp'))
    pad.enter('wait')
    const answer = post('openpgp/apps/token/readers/{r}/sign', { algorithm: 'sha256', data })
    // A user who types before the notice opens never sees it.
    await expect.poll(readPinentry).toContain('CONFIRM --one-button')
    pad.enter({ digits })
    const { status, json } = await answer
    expect([status, json.description]).toEqual([200, undefined])
    expect(isValid(json.data.data)).toBe(true)
    expect(pad.verifications.at(-1)).toMatch(/^1E1E8200000F06/)
    expect(trace.filter(isVerify)).toEqual(['0020008108 (8 bytes)'])
  })

  test('and that of a payment card', async () => {
    proves('payment-pin')
    const trace = await insert(createEmvCard({ protocol: 'T=1', directory: 'contactless' }))
    await waitFor(() => isListed('emv'))
    pad.enter({ digits: cardPin })
    expect((await post('emv/apps/payment/readers/{r}/verify-pin')).json.data).toEqual({
      verified: true,
    })
    expect(trace.filter(isVerify)).toEqual(['0020008008 (8 bytes)'])
    pad.enter({ digits: '9999' })
    expect(await post('crelan/apps/payment/readers/{r}/verify-pin')).toMatchObject({
      ...{ status: 422, json: { code: '108003', triesLeft: 2 } },
    })
  })
})

describe('a reader with a pad, pads off', () => {
  const { isListed, post, readPinentry } = startUser('off')

  test('a PIN with letters is typed in the window, and nobody waits at the pad', async () => {
    proves('openpgp-pad')
    const before = pad.verifications.length
    await insertOpenpgp(letters)
    await waitFor(() => isListed('openpgp'))
    const { json } = await post('openpgp/apps/token/readers/{r}/sign', {
      ...{ algorithm: 'sha256', data },
    })
    expect(isValid(json.data.data)).toBe(true)
    expect(await readPinentry()).toContain('GETPIN')
    expect(pad.verifications.length).toBe(before)
  })
})

test('the pad is one that scdaemon uses with such a card, in the same words', async () => {
  proves('openpgp-pad')
  const pcscd = await pad.start()
  onTestFinished(() => pcscd.close())
  const home = await mkdtemp(join(tmpdir(), 'cardwire-gnupg-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o700)
  await writeFile(join(home, 'scdaemon.conf'), 'disable-ccid\nenable-pinpad-varlen\n')
  const trace = await insertOpenpgp(digits)
  pad.enter({ digits })
  const before = pad.verifications.length
  expect(isValid((await signWithScdaemon(home)).toString('base64'))).toBe(true)
  expect(pad.verifications.length).toBe(before + 1)
  // The times, and what is shown, are its own.
  expect(pad.verifications.at(-1)?.slice(4, 10)).toBe('820000')
  expect(pad.verifications.at(-1)?.slice(-18)).toBe('050000000020008100')
  expect(trace.filter(isVerify)).toEqual(['0020008108 (8 bytes)'])
})

/** By the Assuan protocol; what it asks is only whether the user may be told of the pad. */
async function signWithScdaemon(home: string): Promise<Buffer> {
  const scdaemon = spawn('/usr/lib/gnupg/scdaemon', ['--server', '--homedir', home])
  onTestFinished(() => void scdaemon.kill())
  scdaemon.stdout.setEncoding('latin1')
  const send = (line: string) => scdaemon.stdin.write(`${line}\n`)
  const commands = [
    'SERIALNO openpgp',
    `SETDATA ${createHash('sha256').update(message).digest('hex').toUpperCase()}`,
    'PKSIGN --hash=sha256 OPENPGP.1',
  ]
  for await (const line of createInterface({ input: scdaemon.stdout })) {
    if (line.startsWith('D ')) {
      const bytes = line
        .slice(2)
        .replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      return Buffer.from(bytes, 'latin1')
    }
    if (line.startsWith('ERR')) throw new Error(line)
    if (line.startsWith('INQUIRE')) send('END')
    const next = line.startsWith('OK') ? commands.shift() : undefined
    if (next !== undefined) send(next)
  }
  throw new Error('Expected a signature')
}
