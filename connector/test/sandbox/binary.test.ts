/** The compiled connector over the scripted card service: what users see when the service is at odds. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createHome } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'
import { codes } from '../../src/sandbox/pcsc/codes.ts'
import { readLines } from '../../src/system/ipc/read-lines.ts'
import { changeLimitMs, registerScriptedCardServices } from './scripted-sandbox.ts'

const start = registerScriptedCardServices()
const binary = fileURLToPath(new URL('../../dist/cardwire', import.meta.url))

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

type Environment = Awaited<ReturnType<typeof start>>['env']

/** Everything that a program prints, and its exit status. */
async function run(env: Environment, ...command: readonly string[]) {
  const child = Bun.spawn([...command], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out, err }
}

async function newHome(env: Environment): Promise<Environment & { readonly HOME: string }> {
  const home = await createHome()
  endings.push(() => rm(home, { recursive: true, force: true }))
  const { XDG_STATE_HOME: _, XDG_DATA_HOME: __, XDG_CONFIG_HOME: ___, ...others } = env
  return { ...others, HOME: home, CARDWIRE_API_PORTS: '24200-24999' }
}

/** `cardwire run`; the answer asks it for its readers. */
async function running(env: Environment & { readonly HOME: string }) {
  const connector = Bun.spawn([binary, 'run'], {
    env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  endings.push(() => {
    connector.kill()
    return connector.exited
  })
  const lines = readLines(connector.stderr)
  let port: string | undefined
  while (port === undefined) {
    const { value, done } = await lines.next()
    if (done) throw new Error('Cannot ask the connector: it ended')
    port = /listening on port (\d+)/.exec(value)?.[1]
  }
  // What else it says is read and dropped: a full pipe would stop it.
  void (async () => {
    for await (const _ of lines);
  })()
  const folder = join(env.HOME, '.local')
  const token = await readFile(join(folder, 'state/cardwire/runtime/management-token'), 'utf8')
  const ca = join(folder, 'share/cardwire/certificates/rootCA.pem')
  const headers = ['-H', 'X-CSRF-Token: t1c-js', '-H', `Authorization: Bearer ${token}`]
  const url = `https://localhost:${port}/v3/readers`
  return async () => {
    const curl = ['curl', '-sS', '--cacert', ca, '-w', '\n%{http_code}', ...headers, url]
    const { out } = await run(env, ...curl)
    const [body = '', status] = out.split('\n')
    return { status: Number(status), ...JSON.parse(body) }
  }
}

test('cardwire readers shows the readers, their key pads and cards, and the ATR as it is', async () => {
  const { service, env } = await start()
  service.plug(
    { name: 'Lecteur à puce', atr: '3B951381018073FF01000B' },
    { name: 'Clavier', features: [6] },
  )

  const { code, out } = await run(await newHome(env), binary, 'readers')

  expect(code).toBe(0)
  expect(out).toMatch(/^Lecteur à puce {2}[0-9a-f]{16}\n {2}card 3B 95 13 81 01 80 73 FF 01 00 0B/)
  expect(out).toMatch(/\nClavier \(keypad\) {2}[0-9a-f]{16}\n {2}no card\n$/)
})

test('cardwire readers waits for the key pad of a reader that is slow to say what it has', async () => {
  proves('slow-reader-awaited')
  const { service, env } = await start()
  service.plug({ name: 'Clavier', features: [6] })
  service.script('control', async (_, usual) => {
    // Slower than a reader may be that the API lists.
    await Bun.sleep(600)
    return usual()
  })
  expect((await run(await newHome(env), binary, 'readers')).out).toContain('Clavier (keypad)')
})

test('cardwire doctor reports a service without readers, and names the policy that denies this user access', async () => {
  proves('doctor-card-service')
  const { service, env } = await start()
  const home = await newHome(env)
  expect((await run(home, binary, 'doctor')).out).toMatch(
    /✓ the smart card service is responding\n! no reader is connected\n {4}→ connect one/,
  )
  service.script('establish', { code: codes.SCARD_W_SECURITY_VIOLATION.value })
  const { code, out } = await run(home, binary, 'doctor')
  expect(out).toMatch(/^✗ the smart card service cannot be reached.*\n {4}→ .*polkit rule/)
  expect(code).toBe(1)
})

test('a card service that hangs is a problem of the API, which lists as soon as it answers again', async () => {
  proves('hanging-reader-call')
  const { service, env } = await start()
  service.plug({ name: 'Reader', atr: '3B00' })
  const ask = await running(await newHome(env))
  await expect.poll(ask).toMatchObject({ status: 200 })
  const before = service.calls.length
  const undo = service.script('list-readers', 'never')
  service.plug({ name: 'Another' })
  const hanging = await service.waitForCall(
    ({ name }) => name === 'list-readers' && service.calls.length > before,
  )

  await expect.poll(ask).toMatchObject({
    status: 503,
    success: false,
  })
  await service.waitForEnd(hanging)
  undo()

  // A sandbox that was started in the meantime hangs too, and has its own deadline.
  await expect.poll(ask).toMatchObject({
    status: 200,
    data: [{ name: 'Reader', card: { atr: '3B00' } }, { name: 'Another' }],
  })
})

test('a card service that stops is a problem of the API, and its readers are listed when it is back', async () => {
  const { service, env } = await start()
  service.plug({ name: 'Reader', atr: '3B00' })
  const ask = await running(await newHome(env))
  await expect.poll(ask).toMatchObject({ status: 200 })

  await service.stop()
  await expect.poll(ask, { timeout: changeLimitMs }).toMatchObject({ status: 503 })
  await service.start()

  await expect.poll(ask, { timeout: changeLimitMs }).toMatchObject({
    status: 200,
    data: [{ name: 'Reader', card: { atr: '3B00' } }],
  })
})
