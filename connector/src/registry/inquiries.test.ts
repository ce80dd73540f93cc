/** Questions whose time is up: nobody is asked them any more, and nobody answers them. */
import { beforeEach, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../test/registry/manual-clock.ts'
import { registrationOf } from '../../test/registry/registrations.ts'
import { createDirectory, type Member } from './directory.ts'
import { answerMs, createInquiries, type Inquiries } from './inquiries.ts'
import { most } from './mailbox.ts'

const matter = { kind: 'holder', origin: 'https://shop.example' } as const
const never = new AbortController().signal

let clock: ManualClock
let inquiries: Inquiries
let member: Member
let logged: string[]

beforeEach(() => {
  clock = manualClock()
  logged = []
  const directory = createDirectory(clock)
  inquiries = createInquiries(directory, clock, { warn: (event) => void logged.push(event) })
  member = directory.of(directory.register(registrationOf(), '1000'), '1000')
})

const ask = (count = 1) => inquiries.ask(Array.from({ length: count }, () => [member, matter]))

test('question whose time is up before anybody polls is not delivered', async () => {
  const heard = ask()
  await clock.pass(answerMs)
  expect(await heard).toEqual([])
  void ask()
  const delivered = await member.mailbox.take(never)
  expect(delivered).toHaveLength(1)
  expect(inquiries.take(member, [{ kind: 'no', id: delivered[0]?.id ?? '' }])).toBe(1)
})

test('question is delivered with the time that is left, less than the page waits', async () => {
  void ask()
  await clock.pass(1000)
  const [late] = await member.mailbox.take(never)
  expect(late?.leftMs).toBeGreaterThan(answerMs - 1200)
  expect(late?.leftMs).toBeLessThan(answerMs - 1000)
  const waiting = member.mailbox.take(never)
  void ask()
  const [early] = await waiting
  expect(early?.leftMs).toBeLessThan(answerMs)
  expect(early?.leftMs).toBeGreaterThan(late?.leftMs ?? 0)
})

test('question for which there is no room is answered at once, and the others all the same', async () => {
  const over = 5
  const first = ask(most.waiting)
  expect(await ask(over)).toEqual([])
  expect(clock.now()).toBe(0)
  expect(logged).toContain('mailbox full')
  let delivered = 0
  while (delivered < most.waiting) {
    const questions = await member.mailbox.take(never)
    expect(questions).toHaveLength(most.atOnce)
    delivered += questions.length
    inquiries.take(
      member,
      questions.map(({ id }) => ({ kind: 'no', id })),
    )
  }
  expect(await first).toHaveLength(most.waiting)
})
