/** Asking for a folder: who is asked, in which order, and what a refusal costs. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { FolderChoice } from '../../system/desktop/folder-choice.ts'
import type { Decision, Question } from '../../system/desktop/question.ts'
import { createDialogQueue } from './dialog-queue.ts'
import { createFolderService } from './folder-service.ts'

const origin = 'https://shop.example'
const chosen = { kind: 'chosen', path: '/home/ada/link' } as const

/** A user who chooses and decides as it says here, in turn. */
function createUser(choices: readonly FolderChoice[], decisions: readonly Decision[]) {
  const [left, answers] = [[...choices], [...decisions]]
  const titles: string[] = []
  const questions: Question[] = []
  let now = 0
  const ask = createFolderService({
    chooseFolder: async ({ title }) => {
      titles.push(title)
      return left.shift() ?? { kind: 'cancelled' }
    },
    askQuestion: async (question) => {
      questions.push(question)
      return answers.shift() ?? 'refused'
    },
    queueDialog: createDialogQueue(),
    language: 'en',
    clock: () => now,
    findStart: async () => '/home/ada',
    judgeFolder: async (path) => (path.endsWith('.ssh') ? undefined : path.replace('link', 'real')),
  })
  const request = (of = origin, signal = new AbortController().signal) =>
    ask({ origin: of, start: [], timeoutMs: 120_000, signal })
  return { request, titles, questions, pass: (ms: number) => (now += ms) }
}

test('a user who chooses a folder and confirms it gives it, without links', async () => {
  proves('file-type-chosen')
  const { request, titles, questions } = createUser([chosen], ['accepted'])
  expect(await request()).toEqual({ path: '/home/ada/real' })
  expect(titles).toEqual([`${origin}: choose a folder`])
  expect(questions[0]?.text).toContain(
    `${origin} will be able to read and write files in this folder:`,
  )
  expect(questions[0]?.text).toContain('/home/ada/real')
})

test('of a long origin the window shows the end, and the question all of it', async () => {
  proves('folder-window-tricks')
  const long = `https://bank.example.${'a'.repeat(80)}.evil.example`
  const { request, titles, questions } = createUser([chosen], ['accepted'])
  await request(long)
  expect(titles[0]).toMatch(/^….{0,59}\.evil\.example: choose/)
  expect(questions[0]?.text).toContain(long)
})

test.each<[string, readonly FolderChoice[], readonly Decision[], string]>([
  ['chooses none', [{ kind: 'cancelled' }], [], 'file-type-refused'],
  ['does not confirm', [chosen], ['refused'], 'file-type-refused'],
  ['does not answer', [{ kind: 'late' }], [], 'file-type-refused'],
  ['has no window', [{ kind: 'unavailable' }], [], 'dialog-unavailable'],
])('a user who %s gives nothing', async (_, choices, decisions, problem) => {
  proves('folder-window-tricks')
  const { request } = createUser(choices, decisions)
  expect(await request()).toMatchObject({ problem })
})

test('a folder that no page may have is not given, and another one can be chosen', async () => {
  proves('folder-too-broad')
  const unsuitable = { kind: 'chosen', path: '/home/ada/.ssh' } as const
  const { request, questions } = createUser([unsuitable, chosen], ['accepted', 'accepted'])
  expect(await request()).toEqual({ path: '/home/ada/real' })
  expect(questions.map(({ accept }) => accept)).toEqual(['Choose another folder', 'Allow'])
})

test('after a no nobody is asked for the same origin for a while, but for another one', async () => {
  proves('folder-window-tricks')
  const { request, titles, pass } = createUser([], [])
  await request()
  expect(await request()).toMatchObject({ problem: 'file-type-refused', retryAfterS: 30 })
  expect(titles).toHaveLength(1)
  await request('https://other.example')
  expect(titles).toHaveLength(2)
  pass(30_000)
  await request()
  expect(titles).toHaveLength(3)
})

test('one window at a time for an origin', async () => {
  const { request } = createUser([chosen], ['accepted'])
  const [first, second] = await Promise.all([request(), request()])
  expect([first, second]).toEqual([
    { path: '/home/ada/real' },
    expect.objectContaining({ problem: 'pin-busy' }),
  ])
})
