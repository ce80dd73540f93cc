/** Commands of a page to a card: selected first, closed whatever happens, refused without the grant. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createTestConnector, type TestCard } from '../src/testing/index.ts'
import { failureOf } from './harness/failure.ts'

const aid = 'A000000308'
const ok = Uint8Array.of(0x90, 0x00)

async function open(respond?: TestCard['respond']) {
  const card: TestCard = { atr: '3B00', modules: ['piv'], ...(respond && { respond }) }
  const connector = createTestConnector({ readers: [{ id: 'a', card }] })
  const client = await connector.initialize()
  const names = () => connector.requests.map(({ operation }) => operation)
  return { card: client.card(await client.reader('a')), names }
}

test('transaction selects the application, sends commands and resolves with what the work resolves with', async () => {
  const commands: string[] = []
  const { card, names } = await open((command) => {
    commands.push(Buffer.from(command).toString('hex'))
    return command[1] === 0xca ? Uint8Array.of(1, 2, 3, 0x90, 0x00) : ok
  })
  const answer = await card.transaction(aid, async ({ transmit }) =>
    transmit(Uint8Array.of(0, 0xca, 0, 0x4f, 0)),
  )
  expect(answer).toEqual(Uint8Array.of(1, 2, 3, 0x90, 0x00))
  expect(commands).toEqual(['00a4040005a000000308', '00ca004f00'])
  expect(names()).toEqual(expect.arrayContaining(['holdRawSession', 'closeRawSession']))
})

test('transaction closes the session when the work throws, and rejects with its error', async () => {
  proves('raw-transaction')
  const { card, names } = await open(() => ok)
  const failed = card.transaction(aid, () => Promise.reject(new Error('of the page')))
  await expect(failed).rejects.toThrow('of the page')
  expect(names()).toContain('closeRawSession')
  // The card is free again.
  expect(await card.transaction(aid, async () => 'done')).toBe('done')
})

test('transaction with an application that the card does not have is card-unsupported', async () => {
  const { card, names } = await open(() => Uint8Array.of(0x6a, 0x82))
  const failure = await failureOf(card.transaction(aid, async () => 'never'))
  expect(failure.problem).toBe('card-unsupported')
  expect(names()).not.toContain('holdRawSession')
})

test('transaction without the grant is grant-missing, and nothing is selected', async () => {
  const { card, names } = await open()
  const failure = await failureOf(card.transaction(aid, async () => 'never'))
  expect(failure.problem).toBe('grant-missing')
  expect(names()).not.toContain('transmitRaw')
})
