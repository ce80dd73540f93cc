/** Commands of pages to cards through the compiled connector, as legacy clients send them: who may, which, and when it ends. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { readerNames } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import { holdConnection } from './hold-connection.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const granted = 'https://bank.pages.example'
const other = 'https://other.pages.example'
const second = 'https://second.pages.example'
const aid = 'A00000030800001000'
const select = `00A4040009${aid}`
const discover = '00CB3FFF035C017E00'

let display: Display
let user: UserAtReader
let page: GrantedPage
let stranger: GrantedPage

beforeAll(async () => {
  display = await startDisplay()
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-grants-'))
  const path = join(folder, 'cards.json')
  const allow = ['raw']
  const grants = [
    { origin: granted, allow, aids: [aid] },
    { origin: second, allow, aids: ['A0000000031010'] },
  ]
  await writeFile(path, JSON.stringify({ grants }), { mode: 0o600 })
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_CARDS: path,
  })
  page = await openPage(user.bed, display, granted)
  stranger = await openPage(user.bed, display, other)
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})

const call = (path: string, body: object = {}, by = page) => by.raw(path, body)
const open = async (timeout?: number): Promise<string> => {
  const { status, json } = await call('open-session', timeout === undefined ? {} : { timeout })
  expect([status, json.description]).toEqual([200, undefined])
  return json.data
}
const close = (sessionId: string) => call('close-session', { sessionId })

describe('a page with the grant', () => {
  test('opens a session, selects, sends commands in each form, and closes it; the card is reset before and after', async () => {
    proves('raw-commands')
    const card = await user.bed.insert()
    const sessionId = await open()
    expect((await call('command', { sessionId, command: select })).json.data).toEqual({
      ...{ sw: '9000', tx: select, rx: expect.stringMatching(/^61/) },
    })
    const apdu = { cla: '00', ins: '0xCB', p1: 0x3f, p2: 'FF', data: '5C035FC105', le: 0 }
    expect((await call('apdu', { sessionId, apdu })).json.data).toMatchObject({
      tx: '00CB3FFF055C035FC10500',
      sw: expect.stringMatching(/^(61..|9000)$/),
    })
    const commands = [discover, '00C0000000']
    const answers = (await call('commands', { sessionId, commands })).json.data
    expect(answers.map(({ tx }: { tx: string }) => tx)).toEqual(commands)
    expect((await call('apdus', { sessionId, apdus: [apdu] })).json.data).toHaveLength(1)
    expect((await close(sessionId)).json.data).toBe(sessionId)
    const at = card.trace.indexOf(select)
    expect(card.trace[at - 1]).toBe('reset')
    expect(card.trace.at(-1)).toBe('reset')
    expect(card.trace.slice(at)).not.toContain(expect.stringMatching(/^0020/))
  })

  test('is told whether there is a card, its ATR, and that no feature of the reader is for pages', async () => {
    proves('raw-commands')
    expect((await call('card-present')).json.data).toBe(false)
    const { atr } = await user.bed.insert()
    expect((await call('card-present')).json.data).toBe(true)
    expect((await call('atr')).json.data).toBe(atr)
    expect((await call('ccid-features')).json.data).toBe('')
    const direct = await call('ccid', { feature: 'VERIFY_PIN_DIRECT', command: '00' })
    expect(direct).toMatchObject({ status: 422, json: { code: '702003' } })
  })

  test('sends several commands without a session of its own', async () => {
    proves('raw-commands')
    const card = await user.bed.insert()
    const { json } = await call('commands', { commands: [select, discover] })
    expect(json.data).toHaveLength(2)
    expect(card.trace.at(-1)).toBe('reset')
    // The one before has ended: nothing is selected.
    expect(await call('command', { command: discover })).toMatchObject({ status: 403 })
  })

  test.each([
    ['0020008008313233343536FFFF', '102001'],
    ['002400800831323334353637FF', '102001'],
    ['002C008008313233343536FFFF', '102001'],
    ['0026008008313233343536FFFF', '102001'],
    ['00A40100023F00', '102001'],
    ['0021000002830 0'.replaceAll(' ', ''), '102001'],
    ['0070000001', '102001'],
    ['01CB3FFF035C017E00', '102001'],
    ['00A4040007A0000000031010', '104007'],
    ['00A4040000', '104007'],
  ])('does not send %s, also not between others', async (command, code) => {
    proves('raw-commands-misused')
    const card = await user.bed.insert()
    const sessionId = await open()
    const before = card.trace.length
    const answer = await call('commands', { sessionId, commands: [select, command] })
    expect(answer).toMatchObject({ status: 403, json: { code } })
    expect(card.trace.slice(before)).toEqual([])
    await close(sessionId)
  })

  test('has the session alone: others wait or are told so, and the next one gets the card', async () => {
    proves('raw-session-taken')
    await user.bed.insert()
    const sessionId = await open()
    expect(await call('open-session')).toMatchObject({ status: 503, json: { code: '702005' } })
    await close(sessionId)
    const next = await open()
    expect(next).not.toBe(sessionId)
    await close(next)
    const late = await call('command', { sessionId, command: select })
    expect(late).toMatchObject({ status: 409, json: { code: '102002' } })
  })

  test('a PIN that another program has verified is forgotten before its first command', async () => {
    proves('raw-state-left')
    const card = await user.bed.insert()
    await holdConnection(readerNames[0])
    await run('opensc-tool', ['--send-apdu', select, '--send-apdu', '0020008008313233343536FFFF'])
    const before = card.trace.length
    expect(card.trace.slice(0, before)).toContain('0020008008 (8 bytes)')
    const sessionId = await open()
    expect(card.trace.slice(before)).toEqual(['reset'])
    await close(sessionId)
  })
})

describe('a session ends', () => {
  test('after its time without a command, and the card is reset', async () => {
    proves('raw-session-ends', 'raw-session-idle', 'raw-session-taken')
    const card = await user.bed.insert()
    const sessionId = await open(1)
    await call('command', { sessionId, command: select })
    await waitFor(() => card.trace.at(-1) === 'reset')
    expect((await call('command', { sessionId, command: select })).status).toBe(409)
  })

  test('with its page, which waits for it', async () => {
    proves('raw-session-ends', 'raw-session-idle', 'raw-state-left')
    const card = await user.bed.insert()
    const sessionId = await open(180)
    await call('command', { sessionId, command: select })
    let commands = 0
    await waitFor(async () => {
      const leave = page.leave('hold-session', { sessionId })
      // On a busy machine it takes some commands until the connector has the request of the page that waits.
      commands += 1
      const statuses: number[] = []
      while (statuses.length < commands)
        statuses.push((await call('command', { sessionId, command: discover })).status)
      leave()
      return statuses.includes(409)
    })
    await waitFor(() => card.trace.at(-1) === 'reset')
  })

  test('with its card', async () => {
    proves('raw-session-ends', 'raw-session-idle')
    await waitFor(async () => {
      const card = await user.bed.insert()
      const sessionId = await open()
      const held = call('hold-session', { sessionId })
      await card.remove()
      const { status, json } = await held
      // On a busy machine the card may be gone before the page waits: then there is no session, and it is tried again.
      if (status === 409) return false
      expect(json.data).toBe('card')
      return true
    })
  })

  test('with the consent of its page', async () => {
    proves('raw-session-ends', 'raw-session-idle')
    const card = await user.bed.insert()
    const short = await openPage(user.bed, display, second)
    const opened = await short.raw('open-session', {})
    expect(opened.status).toBe(200)
    expect(runCommand(user.bed.connector.home, ['consents', 'revoke', second]).status).toBe(0)
    await waitFor(() => card.trace.at(-1) === 'reset')
  })

  test('with the consent of its page, also when that is given again within a second', async () => {
    proves('consent-given-again')
    await user.bed.insert()
    const before = await openPage(user.bed, display, second)
    const { json } = await before.raw('open-session', {})
    expect(runCommand(user.bed.connector.home, ['consents', 'revoke', second]).status).toBe(0)
    const after = await openPage(user.bed, display, second)
    const answer = await after.raw('command', { sessionId: json.data, command: select })
    expect([answer.status, answer.json.code]).toEqual([409, '102002'])
  })
})

test('a session is one of its origin and reader alone', async () => {
  proves('raw-session-taken')
  await user.bed.insert()
  const sessionId = await open()
  const foreign = await openPage(user.bed, display, second)
  const body = { sessionId, command: select }
  expect(await foreign.raw('command', body)).toMatchObject({ status: 409 })
  expect(await foreign.raw('close-session', body)).toMatchObject({ status: 409 })
  expect((await call('command', body)).status).toBe(200)
  await close(sessionId)
})

test('a page without the grant is told what the administrator enters, and nothing reaches the card', async () => {
  proves('raw-commands-misused')
  const card = await user.bed.insert()
  const before = card.trace.length
  for (const path of ['open-session', 'command', 'atr', 'card-present', 'ccid-features']) {
    const answer = await call(path, { command: select }, stranger)
    expect([path, answer.status, answer.json.code]).toEqual([path, 403, '104007'])
    expect(answer.json.description).toContain(`"origin":"${other}","allow":["raw"],"aids"`)
  }
  expect(card.trace.slice(before)).toEqual([])
})

test('programs have no origin and no grant, and each session is counted', async () => {
  proves('raw-commands')
  await user.bed.insert()
  const reader = (await user.bed.find())?.id
  const path = `/v3/modules/remoteloading/apps/hsm/readers/${reader}/open-session`
  const answer = await user.bed.connector.request(path, { method: 'POST' })
  expect(answer).toMatchObject({ status: 403, json: { code: '104003' } })
  const uses = async () => {
    const { json } = await user.bed.connector.request('/ds/transactions')
    const list = json.data as { module: string; useCase: string; counter: number }[]
    return list.find(({ useCase }) => useCase === 'card-commands')?.counter ?? 0
  }
  const before = await uses()
  await close(await open())
  expect(await uses()).toBe(before + 1)
})
