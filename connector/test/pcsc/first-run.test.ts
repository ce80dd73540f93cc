/** The first steps of a user on a new home: `cardwire run` with pcscd and vicc, then curl, `readers --watch` and `doctor`. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connector, createEmptyHome, startConnector } from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../../test/bed/pcscd.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { readLines } from '../../src/system/ipc/read-lines.ts'
import { type Session, startX11 } from '../desktop/session.ts'
import { startVicc } from './vicc.ts'

let pcscd: Pcscd
let vicc: Awaited<ReturnType<typeof startVicc>>
let desktop: Session
let home: string
let connector: Connector
let environment: ReturnType<typeof createEnvironment>

beforeAll(async () => {
  pcscd = await startPcscd()
  vicc = await startVicc(cardPorts[0])
  desktop = await startX11()
  home = await createEmptyHome()
  await writeFile(join(home, 'jwks.json'), '{"keys":[]}')
  const settings = {
    DISPLAY: desktop.environment['DISPLAY'] ?? '',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    CARDWIRE_API_PORTS: '26000-26999',
    CARDWIRE_CORS: 'https://shop.example',
    CARDWIRE_JWKS: join(home, 'jwks.json'),
  }
  environment = createEnvironment(home, settings)
  connector = await startConnector(settings, home)
  await waitFor(() => connector.output().includes('registry found'))
})
afterAll(async () => {
  await connector?.stop()
  await desktop?.stop()
  await vicc?.stop()
  await pcscd?.close()
  if (home) await rm(home, { recursive: true, force: true })
})

/** Everything that a program prints, and its exit status. */
async function run(...command: readonly string[]) {
  const child = Bun.spawn([...command], { env: environment, stdin: 'ignore', stderr: 'pipe' })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, err }
}

/** Lists the readers by the curl command of the README. */
async function listReaders() {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, commands = ''] = /\$ (state=[\s\S]*?\/v3\/readers)\n/.exec(readme) ?? []
  return JSON.parse((await run('sh', '-ec', commands.replaceAll('\n$ ', '\n'))).out).data
}

const addSpaces = (atr: string) => atr.replaceAll(/../g, '$& ').trim()

test('curl shows the reader with the ATR exactly as pcsc_scan prints it, and so does cardwire readers', async () => {
  proves('new-user-card')
  await expect
    .poll(listReaders)
    .toMatchObject([
      { name: readerNames[0], card: { atr: expect.any(String) } },
      { name: readerNames[1] },
    ])
  const [{ card }, other] = await listReaders()
  const expected = /^ *ATR: (.*)$/m.exec((await run('pcsc_scan', '-n', '-c')).out)?.[1]
  expect(expected?.trim()).toBe(addSpaces(card.atr))
  expect(other.card).toBeUndefined()
  expect((await run(connectorProgram, 'readers')).out).toContain(`  card ${expected?.trim()}\n`)
})

test('cardwire readers --watch shows the card of vicc leaving and coming', async () => {
  const [{ card }] = await listReaders()
  const watching = Bun.spawn([connectorProgram, 'readers', '--watch'], {
    env: environment,
    stderr: 'ignore',
  })
  const lines = readLines(watching.stdout)
  const line = async (holds: RegExp) => {
    for (let next = await lines.next(); !next.done; next = await lines.next())
      if (holds.test(next.value)) return next.value
    throw new Error(`It ended without a line that matches ${holds}`)
  }
  await line(/Waiting for changes/)
  await vicc.stop()
  expect(await line(/card/)).toMatch(new RegExp(`card removed  ${readerNames[0]}`))
  vicc = await startVicc(cardPorts[0])
  const coming = await line(/card/)
  expect(coming).toMatch(new RegExp(`card inserted  ${readerNames[0]}`))
  expect(coming).toContain(addSpaces(card.atr))
  watching.kill('SIGINT')
  expect(await watching.exited).toBe(0)
})

test('cardwire doctor is green; after pcscd is stopped that alone is wrong, with what to do; then it is green again', async () => {
  proves('new-user-card')
  expect((await run(connectorProgram, 'certs', 'install')).code).toBe(0)
  const green = await run(connectorProgram, 'doctor')
  expect(green.out).not.toMatch(/^[!✗]/m)
  expect(green.out).toContain('✓ the smart card service is responding')
  expect(green.out).toContain(`${readerNames[0]} (with a card)`)
  expect(green.code).toBe(0)

  await pcscd.stop()
  const broken = await run(connectorProgram, 'doctor')
  expect(broken.out).toMatch(
    /^✗ the smart card service cannot be reached.*\n {4}→ .*systemctl start pcscd/,
  )
  expect(broken.out.match(/^[!✗]/gm)).toEqual(['✗'])
  expect(broken.out).toMatch(/\n1 problem\n$/)
  expect(broken.code).toBe(1)

  await pcscd.start()
  await expect.poll(async () => (await run(connectorProgram, 'doctor')).code).toBe(0)
})
