/** What would be asked of the programs of macOS: the decisions and every argument; the programs are not run here. */
import { expect, test } from 'vitest'
import { limits } from './desktop.ts'
import { createDialog, createOpenLink } from './dialog.ts'
import {
  createMacosClipboard,
  createMacosNotifier,
  createMacosOpener,
  createMacosPrompt,
} from './macos.ts'
import type { Outcome, Programs, RunOptions } from './programs.ts'

/** Notes what it is asked, and answers the same each time. */
function noting(outcome: Outcome, launched = true) {
  const asked: (readonly string[])[] = []
  const orders: RunOptions[] = []
  const programs: Programs = {
    find: () => undefined,
    run: async (program, args, order) => {
      asked.push([program, ...args])
      orders.push(order)
      return outcome
    },
    launch: async (program, args) => {
      asked.push([program, ...args])
      return launched
    },
  }
  return { programs, asked, orders }
}

const ended = (status: number, output: string | Uint8Array = ''): Outcome => ({
  kind: 'ended',
  status,
  output: Buffer.from(output),
  errors: '',
})

const unreadable = {
  kind: 'unavailable',
  reason: expect.stringMatching(/^Cannot read the clipboard: \/usr\/bin\/pbpaste failed; see /),
}

test.each([
  ['text', ended(0, 'Zoë 智能卡\r\n'), { kind: 'text', text: 'Zoë 智能卡\r\n' }],
  ['nothing', ended(0), { kind: 'empty' }],
  ['what is no UTF-8', ended(0, Uint8Array.of(0x61, 0xff)), { kind: 'empty' }],
  ['too much', { kind: 'too-long' }, { kind: 'empty' }],
  ['a failure', ended(1), unreadable],
  ['no program', { kind: 'not-started' }, unreadable],
  [
    'silence',
    { kind: 'late' },
    { kind: 'unavailable', reason: expect.stringMatching(/does not answer; copy the text again$/) },
  ],
] as const)('pbpaste and %s', async (_, outcome, answer) => {
  const { programs, asked, orders } = noting(outcome)
  expect(await createMacosClipboard(programs).read()).toEqual(answer)
  expect(asked).toEqual([['/usr/bin/pbpaste', '-Prefer', 'txt']])
  const variables = { LC_ALL: 'en_US.UTF-8' }
  expect(orders).toMatchObject([{ maxBytes: limits.clipboardBytes, variables }])
})

test('The clipboard of macOS is looked at without a program', async () => {
  const { programs, asked } = noting(ended(1))
  expect(await createMacosClipboard(programs).findObstacle()).toBeUndefined()
  expect(asked).toEqual([])
})

const [title, text] = ['T" & quit', '-e \\ "text"']

test.each([
  [ended(0), true],
  [ended(1), false],
  [{ kind: 'late' }, false],
] as const)('A notification by osascript that ends with %j is %s', async (outcome, shown) => {
  const { programs, asked } = noting(outcome)
  expect(await createMacosNotifier(programs).show({ title, text })).toBe(shown)
  const lines = [
    'on run argv',
    'display notification (item 3 of argv) with title (item 2 of argv)',
    'end run',
  ]
  expect(asked).toEqual([
    ['/usr/bin/osascript', ...lines.flatMap((line) => ['-e', line]), 'cardwire', title, text],
  ])
})

const url = 'https://downloads.example/cardwire.pkg'
const link = { label: 'Download "it"', url }
const script = (buttons: string) =>
  [
    'on run argv',
    'tell me to activate',
    `set answer to display dialog (item 3 of argv) with title (item 2 of argv) buttons ${buttons}`,
    'if button returned of answer is "Close" then return "closed"',
    'return "pressed"',
    'end run',
  ].flatMap((line) => ['-e', line])
const asking = [
  '/usr/bin/osascript',
  ...script('{"Close", item 4 of argv} default button 2'),
  ...['cardwire', title, text, link.label],
]
const opening = ['/usr/bin/open', url]

test.each([
  ['pressed', ended(0, 'pressed\n'), true, 'link', [asking, opening]],
  [
    'pressed, and nothing to open it',
    ended(0, 'pressed\n'),
    false,
    'unavailable',
    [asking, opening],
  ],
  ['closed', ended(0, 'closed\n'), true, 'closed', [asking]],
  ['over in time', { kind: 'late' }, true, 'closed', [asking]],
  ['refused', ended(1), true, 'unavailable', [asking]],
] as const)('A dialog by osascript that is %s', async (_, outcome, opens, answer, all) => {
  const { programs, asked } = noting(outcome, opens)
  const dialog = createDialog(createMacosPrompt(programs), createMacosOpener(programs))
  expect(await dialog.show({ title, text, link }, 10_000)).toBe(answer)
  expect(asked).toEqual(all)
})

test('A dialog by osascript without a link has one button, which opens nothing', async () => {
  const { programs, asked } = noting(ended(0, 'closed\n'))
  const dialog = createDialog(createMacosPrompt(programs), createMacosOpener(programs))
  expect(await dialog.show({ title, text }, 10_000)).toBe('closed')
  expect(asked).toEqual([['/usr/bin/osascript', ...script('{"Close"}'), 'cardwire', title, text]])
})

test.each([
  [url, true, [opening]],
  ['file:///Applications/Calculator.app', false, []],
  ['-a Calculator', false, []],
] as const)('open is given addresses of the web alone: %s', async (address, opened, all) => {
  const { programs, asked } = noting(ended(0))
  expect(await createOpenLink(createMacosOpener(programs))(address)).toBe(opened)
  expect(asked).toEqual(all)
})
