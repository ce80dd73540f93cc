/** A policy with the right signature and the wrong content, as a service that was taken over sends it: what the commands do. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEnvironment, runProgram } from '../../../.ci/test-bed/program.ts'
import { version } from '../../src/version.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const device = '7484db94-1e47-4683-ae2c-eb3395fde116'
const dsUrl = 'https://ds.example'
const installer = Buffer.from('!<arch>\nan installer')
const sha256 = createHash('sha256').update(installer).digest('hex')

let home: string
let downloads: Server
let url: string

beforeAll(async () => {
  downloads = createServer((_, response) => response.end(installer))
  await new Promise<void>((resolve) => downloads.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(downloads.address() as AddressInfo).port}/x.deb`
})
afterAll(() => downloads.close())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cardwire-hostile-'))
  mkdirSync(join(home, 'temporary'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Stores a reply with this verdict, signed as the service signs it. */
async function store(verdict: object): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const key = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' }
  const reply = {
    ...{ aud: device, re: 'r', iat: 1, revision: 1, state: 's', acknowledged: [] },
    ...{ unchanged: false, verdict, cors: [], files: [], tokenKeys: [], replyKeys: [key] },
    cycle: 3600,
  }
  const jws = await new SignJWT(reply)
    .setProtectedHeader({ alg: 'ES256', typ: 'cw-reply+jws', kid: key.kid })
    .sign(privateKey)
  const runtime = join(home, '.local/state/cardwire/runtime')
  mkdirSync(runtime, { recursive: true })
  const state = {
    ...{
      dsUrl,
      audience: dsUrl,
      device,
      identity: 'i',
      replyKeys: [key],
      offsetMs: 0,
      cycle: 3600,
    },
    last: { reply: jws, signer: key, device },
  }
  writeFileSync(join(runtime, 'service.json'), JSON.stringify(state))
}

async function run(...args: string[]): Promise<string> {
  const ran = await runProgram([process.execPath, main, ...args], {
    env: createEnvironment(home, {
      CARDWIRE_DS_URL: dsUrl,
      TMPDIR: join(home, 'temporary'),
      // Only what the connector needs: nothing installs a package.
      PATH: '/nonexistent',
    }),
  })
  return ran.out + ran.err
}

const recommend = (offer: object) =>
  store({ action: 'recommend', version, offer: { url, sha256, ...offer } })

test.each([
  ['climbs out of its folder', '9/../../.bashrc'],
  ['is a path', '/etc/passwd'],
  ['has an escape sequence', '9.0.0\u001b[2J\u001b]52;c;aGk=\u0007'],
  ['has a second line', '9.0.0\n✓ synchronized'],
])('update refuses a version that %s, and writes no file', async (_, offered) => {
  await recommend({ version: offered })
  const text = await run('update', '--yes')
  expect(text).toContain('has no policy for this version')
  expect(text).not.toContain('\u001b')
  expect(readdirSync(join(home, 'temporary'))).toEqual([])
})

test('update gives the installer a name of its own', async () => {
  await recommend({ version: '9.0.0' })
  const text = await run('update', '--yes')
  expect(text).toContain('Version 9.0.0')
  const [folder = ''] = readdirSync(join(home, 'temporary'))
  expect(readdirSync(join(home, 'temporary', folder))).toEqual(['cardwire-installer.deb'])
})

test.each([['update'], ['sync'], ['doctor']])(
  '%s obeys no escape sequence in the address of an installer',
  async (command) => {
    await recommend({ version: '9.0.0', url: `${url}?\u001b]0;title\u0007` })
    expect(await run(command)).not.toContain('\u001b')
  },
)
