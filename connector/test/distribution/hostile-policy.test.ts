/** Replies with the right signature and the wrong content, as a service that was taken over sends them: what the commands do. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openIdentity } from '../../src/distribution/client/identity.ts'
import { version } from '../../src/version.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const device = '7484db94-1e47-4683-ae2c-eb3395fde116'
const installer = Buffer.from('!<arch>\nan installer')
const sha256 = createHash('sha256').update(installer).digest('hex')

let home: string
let service: Server
let address: string
/** What the service says in its next reply. */
let verdict: object
let answer: (jti: string) => Promise<string>

beforeAll(async () => {
  service = createServer(async ({ url, headers }, response) => {
    if (url !== '/v3/devices/sync') return response.end(installer)
    const { jti = '' } = decodeJwt((headers.authorization ?? '').replace('Bearer ', ''))
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ success: true, data: await answer(jti) }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => service.close())
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'cardwire-hostile-'))
  mkdirSync(join(home, 'temporary'))
  await register()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A registration whose trusted key is that of the service, which signs what it likes. */
async function register(): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const key = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' }
  answer = (re) => {
    const iat = Math.floor(Date.now() / 1000)
    const reply = {
      ...{ aud: device, re, iat, revision: 1, state: 's', acknowledged: [] },
      ...{ unchanged: false, verdict, cors: [], files: [], tokenKeys: [], replyKeys: [key] },
      cycle: 3600,
    }
    return new SignJWT(reply)
      .setProtectedHeader({ alg: 'ES256', typ: 'cw-reply+jws', kid: key.kid })
      .sign(privateKey)
  }
  const runtime = join(home, '.local/state/cardwire/runtime')
  mkdirSync(runtime, { recursive: true })
  const { thumbprint: identity } = await openIdentity(runtime, createLog([]))
  const registered = { dsUrl: address, audience: address, device, identity, replyKeys: [key] }
  const state = { ...registered, offsetMs: 0, cycle: 3600 }
  writeFileSync(join(runtime, 'service.json'), JSON.stringify(state))
}

async function run(...args: string[]): Promise<string> {
  const ran = await runProgram([process.execPath, main, ...args], {
    env: createEnvironment(home, {
      CARDWIRE_DS_URL: address,
      TMPDIR: join(home, 'temporary'),
      // Only what the connector needs: nothing installs a package.
      PATH: '/nonexistent',
    }),
  })
  return ran.out + ran.err
}

function recommend(offer: object): void {
  const complete = { url: `${address}/x.deb`, sha256, ...offer }
  verdict = { action: 'recommend', version, offer: complete }
}

test.each([
  ['climbs out of its folder', '9/../../.bashrc'],
  ['is a path', '/etc/passwd'],
  ['has an escape sequence', '9.0.0\u001b[2J\u001b]52;c;aGk=\u0007'],
  ['has a second line', '9.0.0\n✓ synced'],
])('update refuses a version that %s, and writes no file', async (_, offered) => {
  proves('service-controls-terminal')
  recommend({ version: offered })
  const text = await run('update', '--yes')
  expect(text).toMatch(/didn’t say which version to use.*"verdict.* is not valid/)
  expect(text).not.toContain('\u001b')
  expect(readdirSync(join(home, 'temporary'))).toEqual([])
})

test('update gives the installer a name of its own', async () => {
  proves('service-controls-terminal')
  recommend({ version: '9.0.0' })
  const text = await run('update', '--yes')
  expect(text).toContain('Version 9.0.0')
  const [folder = ''] = readdirSync(join(home, 'temporary'))
  expect(readdirSync(join(home, 'temporary', folder))).toEqual(['cardwire-installer.deb'])
})

test.each([['update'], ['sync'], ['doctor']])(
  '%s obeys no escape sequence in the address of an installer',
  async (command) => {
    proves('service-controls-terminal')
    recommend({ version: '9.0.0', url: `${address}/x.deb?\u001b]0;title\u0007` })
    expect(await run(command)).not.toContain('\u001b')
  },
)
