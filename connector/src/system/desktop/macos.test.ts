/** What would be asked of the programs of macOS: the decisions and every argument; the programs are not run here. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { limits } from './desktop.ts'
import { createDialog, createOpenLink } from './dialog.ts'
import {
  createMacosClipboard,
  createMacosNotice,
  createMacosNotifier,
  createMacosOpener,
  createMacosPrompt,
  createMacosQuestion,
  createMacosSecretEntry,
} from './macos.ts'
import type { Outcome, Programs, RunOptions } from './programs.ts'

/** Notes what it is asked, and answers the same each time. */
function noting(outcome: Outcome, launched = true) {
  const commands: (readonly string[])[] = []
  const orders: RunOptions[] = []
  const programs: Programs = {
    find: () => undefined,
    run: async (program, args, order) => {
      commands.push([program, ...args])
      orders.push(order)
      return outcome
    },
    launch: async (program, args) => {
      commands.push([program, ...args])
      return launched
    },
  }
  return { programs, commands, orders }
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
    {
      kind: 'unavailable',
      reason: expect.stringMatching(/is not responding; copy the text again$/),
    },
  ],
] as const)('pbpaste and %s', async (_, outcome, answer) => {
  const { programs, commands, orders } = noting(outcome)
  expect(await createMacosClipboard(programs).read()).toEqual(answer)
  expect(commands).toEqual([['/usr/bin/pbpaste', '-Prefer', 'txt']])
  const variables = { LC_ALL: 'en_US.UTF-8' }
  expect(orders).toMatchObject([{ maxBytes: limits.clipboardBytes, variables }])
})

test('The clipboard of macOS is looked at without a program', async () => {
  const { programs, commands } = noting(ended(1))
  expect(await createMacosClipboard(programs).findObstacle()).toBeUndefined()
  expect(commands).toEqual([])
})

const [title, text] = ['T" & quit', '-e \\ "text" Zoë 智能卡\n`$(id)`']

/** What osascript is asked to do, without the words of a notification or dialog: those are its input. */
const osascript = ['/usr/bin/osascript', '-l', 'JavaScript', '-e', expect.any(String)]

/** Runs a script as osascript would, with its input, where the user presses a button; what it called, and its result. */
function runScript(
  args: readonly string[] | undefined,
  input: string | Uint8Array = '',
  button = 'Fermer',
) {
  const script = args?.at(-1) ?? ''
  const called: unknown[][] = []
  const app = {
    activate: () => called.push(['activate']),
    displayNotification: (...options: unknown[]) => void called.push(['notify', ...options]),
    displayDialog: (...options: unknown[]) => {
      called.push(['ask', ...options])
      if (button === 'cancelled')
        throw Object.assign(new Error('User canceled.'), { errorNumber: -128 })
      return { buttonReturned: button, textReturned: '1234' }
    },
  }
  const foundation = {
    NSUTF8StringEncoding: 4,
    NSFileHandle: { fileHandleWithStandardInput: { readDataToEndOfFile: Buffer.from(input) } },
    NSString: {
      alloc: {
        initWithDataEncoding: (data: Buffer, encoding: number) =>
          encoding === 4 ? data.toString() : '',
      },
    },
  }
  const bridge = { import: () => undefined, unwrap: (value: unknown) => value }
  const run = new Function('ObjC', '$', 'Application', `${script}\nreturn run()`)
  return { result: run(bridge, foundation, { currentApplication: () => app }), called }
}

test.each([
  [ended(0), true],
  [ended(1), false],
  [{ kind: 'late' }, false],
] as const)('A notification by osascript that ends with %j is %s', async (outcome, shown) => {
  const { programs, commands, orders } = noting(outcome)
  expect(await createMacosNotifier(programs).show({ title, text })).toBe(shown)
  expect(commands).toEqual([osascript])
  const { called } = runScript(commands[0], orders[0]?.input)
  expect(called).toEqual([['notify', text, { withTitle: title }]])
})

const url = 'https://downloads.example/cardwire.pkg'
const link = { label: 'Download "it"', url }
const close = 'Fermer'
const opening = ['/usr/bin/open', url]

test.each([
  ['pressed', ended(0, 'pressed\n'), true, 'link', [osascript, opening]],
  [
    'pressed, and nothing to open it',
    ended(0, 'pressed\n'),
    false,
    'unavailable',
    [osascript, opening],
  ],
  ['closed', ended(0, 'closed\n'), true, 'closed', [osascript]],
  ['over in time', { kind: 'late' }, true, 'closed', [osascript]],
  ['refused', ended(1), true, 'unavailable', [osascript]],
] as const)('A dialog by osascript that is %s', async (_, outcome, opens, answer, all) => {
  const { programs, commands } = noting(outcome, opens)
  const dialog = createDialog(createMacosPrompt(programs), createMacosOpener(programs))
  expect(await dialog.show({ title, text, close, link }, 10_000)).toBe(answer)
  expect(commands).toEqual(all)
})

test.each([
  ['with a link', { title, text, close, link }, [close, link.label], link.label, 'pressed'],
  [
    'with a link that is closed',
    { title, text, close, link },
    [close, link.label],
    close,
    'closed',
  ],
  ['without a link', { title, text, close }, [close], close, 'closed'],
] as const)(
  'A dialog by osascript %s has its buttons, in front of all windows',
  async (_, message, buttons, button, result) => {
    const { programs, commands, orders } = noting(ended(0, 'closed\n'))
    const dialog = createDialog(createMacosPrompt(programs), createMacosOpener(programs))
    expect(await dialog.show(message, 10_000)).toBe('closed')
    expect(commands).toEqual([osascript])
    expect(runScript(commands[0], orders[0]?.input, button)).toEqual({
      result,
      called: [
        ['activate'],
        ['ask', text, { withTitle: title, buttons, defaultButton: buttons.length }],
      ],
    })
  },
)

const question = { title, text, prompt: 'PIN:', submit: 'Sign', cancel: 'Cancel' }

test.each([
  ['entered', ended(0, '+1234\n'), '1234'],
  ['entered as nothing', ended(0, '+\n'), ''],
  ['cancelled', ended(0, '-\n'), 'cancelled'],
  ['over in time', { kind: 'late' }, 'late'],
  ['refused', ended(1), 'unavailable'],
  ['silent', ended(0), 'cancelled'],
] as const)('A secret by osascript that is %s', async (_, outcome, expected) => {
  const { programs, commands } = noting(outcome)
  const answer = await createMacosSecretEntry(programs)(question, AbortSignal.timeout(10_000))
  expect(answer.kind === 'entered' ? Buffer.from(answer.secret).toString() : answer.kind).toBe(
    expected,
  )
  expect(commands).toEqual([osascript])
})

test.each([
  ['Sign', '+1234'],
  ['cancelled', '-'],
])('A secret by osascript is asked for in a hidden field: %s', async (button, result) => {
  const { programs, commands, orders } = noting(ended(0, '-\n'))
  await createMacosSecretEntry(programs)(
    { ...question, error: 'Too short' },
    AbortSignal.timeout(10_000),
  )
  expect(runScript(commands[0], orders[0]?.input, button)).toEqual({
    result,
    called: [
      ['activate'],
      [
        'ask',
        `Too short\n\n${text}\n\nPIN:`,
        {
          withTitle: title,
          buttons: ['Cancel', 'Sign'],
          defaultButton: 2,
          cancelButton: 1,
          defaultAnswer: '',
          hiddenAnswer: true,
        },
      ],
    ],
  })
})

test.each([
  ['cancelled', ended(0), 'cancelled'],
  ['over in time', { kind: 'late' }, 'late'],
  ['not shown', ended(1), 'unavailable'],
] as const)('A notice by osascript that is %s', async (_, outcome, end) => {
  const { programs, commands, orders } = noting(outcome)
  const notice = { title, text, cancel: 'Stop' }
  expect(await createMacosNotice(programs)(notice, AbortSignal.timeout(10_000))).toBe(end)
  expect(commands).toEqual([osascript])
  const options = { withTitle: title, buttons: ['Stop'], defaultButton: 1 }
  expect(runScript(commands[0], orders[0]?.input, 'Stop').called).toEqual([
    ['activate'],
    ['ask', text, options],
  ])
})

const identity = { title, text, accept: 'Share', refuse: 'Keep' }

test.each([
  ['agreed to', ended(0, 'accepted\n'), 'accepted'],
  ['refused', ended(0, 'refused\n'), 'refused'],
  ['over in time', { kind: 'late' }, 'late'],
  ['not shown', ended(1), 'unavailable'],
  ['silent', ended(0), 'refused'],
] as const)('A question by osascript that is %s', async (_, outcome, decision) => {
  proves('identity-dialog')
  const { programs, commands } = noting(outcome)
  expect(await createMacosQuestion(programs)(identity, AbortSignal.timeout(10_000))).toBe(decision)
  expect(commands).toEqual([osascript])
})

test.each([
  ['Share', 'accepted'],
  ['Keep', 'refused'],
])(
  'A question by osascript has the button that refuses as its default: %s',
  async (button, result) => {
    const { programs, commands, orders } = noting(ended(0, 'refused\n'))
    await createMacosQuestion(programs)(identity, AbortSignal.timeout(10_000))
    const options = { withTitle: title, buttons: ['Keep', 'Share'], defaultButton: 1 }
    expect(runScript(commands[0], orders[0]?.input, button)).toEqual({
      result,
      called: [['activate'], ['ask', text, options]],
    })
  },
)

test('No text of a notification or dialog is in the arguments of osascript', async () => {
  proves('notification-arguments')
  const { programs, commands } = noting(ended(0, 'closed\n'))
  const [words, label] = ['https://shop.example', 'Download 4.1.0']
  await createMacosNotifier(programs).show({ title: words, text: words })
  const dialog = createDialog(createMacosPrompt(programs), createMacosOpener(programs))
  await dialog.show({ title: words, text: words, close, link: { label, url } }, 10_000)
  expect(commands).toEqual([osascript, osascript])
  expect(JSON.stringify(commands)).not.toMatch(/shop\.example|4\.1\.0/)
})

test.each([
  [url, true, [opening]],
  ['file:///Applications/Calculator.app', false, []],
  ['-a Calculator', false, []],
] as const)('open is given addresses of the web alone: %s', async (address, opened, all) => {
  const { programs, commands } = noting(ended(0))
  expect(await createOpenLink(createMacosOpener(programs))(address)).toBe(opened)
  expect(commands).toEqual(all)
})
