/** Requests for a PIN: their turns, their ends, and what the dialog says. */
import { expect, test, vi } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import type { AskSecret, SecretAnswer, SecretQuestion } from '../../system/desktop/secret-entry.ts'
import { createDialogQueue, dialogTimeout } from './dialog-queue.ts'
import type { PinRequest } from './pin-request.ts'
import { createPinService } from './pin-service.ts'

/** A desktop whose windows a test answers; a window goes with its signal. */
function openDesk() {
  const windows: {
    readonly question: SecretQuestion
    readonly answer: (answer: SecretAnswer) => void
  }[] = []
  const askSecret: AskSecret = (question, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'late' }))
      windows.push({ question, answer: resolve })
    })
  const requestPin = createPinService({
    askSecret,
    queueDialog: createDialogQueue(),
    language: 'en-GB',
  })
  const window = (at: number) =>
    vi.waitFor(() => {
      const found = windows[at]
      if (!found) throw new Error(`window ${at} is not open`)
      return found
    })
  return { windows, window, requestPin }
}

const entered = (text: string): SecretAnswer => ({ kind: 'entered', secret: Buffer.from(text) })

const request = (changes: Partial<PinRequest> = {}): PinRequest => ({
  origin: 'https://shop.example',
  act: 'sign',
  reader: 'Reader 1',
  card: 'PIV card',
  triesLeft: 3,
  pin: { min: 4, max: 8, alphabet: 'digits' },
  language: undefined,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  ...changes,
})

test('the PIN is the bytes that were entered', async () => {
  const { window, requestPin } = openDesk()
  const pin = requestPin(request())
  ;(await window(0)).answer(entered('1234'))
  expect(Buffer.from((await pin) as Uint8Array).toString()).toBe('1234')
})

test.each<[string, Partial<PinRequest>, string, string]>([
  [
    'a signature',
    {},
    'https://shop.example wants your signature.\n\nCard: PIV card\nReader: Reader 1\n3 tries left.',
    'Sign',
  ],
  [
    'the last try, in Dutch',
    { triesLeft: 1, language: 'nl-BE' },
    'https://shop.example vraagt uw handtekening.\n\nKaart: PIV card\nLezer: Reader 1\nDit is de laatste poging.',
    'Ondertekenen',
  ],
  [
    'a check, in French, where the card tells no tries',
    { act: 'check', triesLeft: undefined, language: 'fr' },
    'https://shop.example veut vérifier votre code PIN.\nLe code est seulement vérifié. Une signature le demandera de nouveau.\n\nCarte\u202f: PIV card\nLecteur\u202f: Reader 1',
    'Vérifier',
  ],
  [
    'several signatures for a program, in German',
    { origin: undefined, count: 5, language: 'DE_de' },
    'Ein Programm auf diesem Computer bittet um Ihre Unterschrift.\nMit Ihrer PIN werden 5 Unterschriften geleistet.\n\nKarte: PIV card\nKartenleser: Reader 1\nNoch 3 Versuche.',
    'Unterschreiben',
  ],
  [
    'an authentication, in a language that we lack',
    { act: 'authenticate', language: 'fi' },
    'https://shop.example wants to know who you are.\n\nCard: PIV card\nReader: Reader 1\n3 tries left.',
    'Log in',
  ],
])('the dialog says who asks for what: %s', async (_, changes, text, submit) => {
  proves('pin-dialog')
  const { window, requestPin } = openDesk()
  const pin = requestPin(request(changes))
  const { question, answer } = await window(0)
  expect(question).toMatchObject({ title: 'Cardwire', text, submit })
  answer({ kind: 'cancelled' })
  expect(await pin).toMatchObject({ problem: 'pin-cancelled' })
})

test.each([
  ['en', 'Your PIN makes up to 100 signatures without another question, until 60 seconds pass'],
  [
    'nl',
    'Met uw pincode worden zonder verdere vraag maximaal 100 handtekeningen gezet, tot er 60 seconden',
  ],
  [
    'fr',
    'Votre code PIN servira pour 100 signatures au plus sans autre question, tant qu’il ne passe pas 60',
  ],
  [
    'de',
    'Mit Ihrer PIN werden ohne weitere Frage bis zu 100 Unterschriften geleistet, bis 60 Sekunden',
  ],
])('the dialog says that a PIN is kept, in %s', async (language, text) => {
  proves('bulk-grant')
  const { window, requestPin } = openDesk()
  const kept = { signatures: 100, idleMs: 60_000 }
  const pin = requestPin(request({ language, kept }))
  const { question, answer } = await window(0)
  expect(question.text).toContain(text)
  answer({ kind: 'cancelled' })
  await pin
})

test('a PIN of another form is asked for again with what is wrong, three times at most, and never returned', async () => {
  proves('page-takes-pin')
  const { windows, window, requestPin } = openDesk()
  const pin = requestPin(request())
  const wrong = ['123', '12345678901', '12a4'].map((text) => Buffer.from(text))
  for (const [at, secret] of wrong.entries()) (await window(at)).answer({ kind: 'entered', secret })
  expect(await pin).toMatchObject({ problem: 'pin-invalid' })
  expect(windows.map(({ question }) => question.error)).toEqual([
    undefined,
    'The PIN of this card has 4 to 8 digits.',
    'The PIN of this card has 4 to 8 digits.',
  ])
  expect(wrong.every((secret) => secret.every((byte) => byte === 0))).toBe(true)
})

test('two pages have one dialog after the other', async () => {
  proves('pin-dialog', 'dialogs-confused')
  const { windows, window, requestPin } = openDesk()
  const first = requestPin(request())
  const second = requestPin(request({ origin: 'https://other.example' }))
  ;(await window(0)).answer(entered('1111'))
  await first
  const { question, answer } = await window(1)
  expect(question.text).toContain('https://other.example')
  answer(entered('2222'))
  expect(Buffer.from((await second) as Uint8Array).toString()).toBe('2222')
  expect(windows).toHaveLength(2)
})

test('a page has one request at a time, and another when that is over', async () => {
  proves('pin-dialog')
  const { window, requestPin } = openDesk()
  const first = requestPin(request())
  expect(await requestPin(request())).toMatchObject({ problem: 'pin-busy' })
  ;(await window(0)).answer({ kind: 'cancelled' })
  await first
  const again = requestPin(request())
  ;(await window(1)).answer(entered('1234'))
  expect(await again).toHaveLength(4)
})

test('a request that is withdrawn closes its dialog, and the next one has its turn', async () => {
  proves('dialogs-confused')
  const { window, requestPin } = openDesk()
  const gone = new AbortController()
  const first = requestPin(request({ signal: gone.signal }))
  const second = requestPin(request({ origin: 'https://other.example' }))
  await window(0)
  gone.abort()
  expect(await first).toMatchObject({ problem: 'pin-cancelled' })
  ;(await window(1)).answer(entered('2222'))
  expect(await second).toHaveLength(4)
})

test('a request that is withdrawn before its turn shows no dialog, and lets nobody pass before theirs', async () => {
  const { windows, window, requestPin } = openDesk()
  const gone = new AbortController()
  const first = requestPin(request())
  const second = requestPin(request({ origin: 'https://second.example', signal: gone.signal }))
  const third = requestPin(request({ origin: 'https://third.example' }))
  await window(0)
  gone.abort()
  expect(await second).toMatchObject({ problem: 'pin-cancelled' })
  expect(windows).toHaveLength(1)
  ;(await window(0)).answer(entered('1111'))
  await first
  expect((await window(1)).question.text).toContain('https://third.example')
  ;(await window(1)).answer({ kind: 'cancelled' })
  await third
})

test('a PIN that comes after the end is overwritten', async () => {
  const secret = Buffer.from('1234')
  const gone = new AbortController()
  const askSecret: AskSecret = async () => {
    gone.abort()
    return { kind: 'entered', secret }
  }
  const requestPin = createPinService({ askSecret, queueDialog: createDialogQueue(), language: '' })
  expect(await requestPin(request({ signal: gone.signal }))).toMatchObject({
    problem: 'pin-cancelled',
  })
  expect([...secret]).toEqual([0, 0, 0, 0])
})

test.each([
  ['nothing', 0, dialogTimeout.minMs],
  ['a minute', 60_000, 60_000],
  ['an hour', 3_600_000, dialogTimeout.maxMs],
])(
  'a page that asks for %s gets its timeout within the limits, waiting included',
  async (_, timeoutMs, expected) => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const over = new AbortController()
    timeout.mockReturnValueOnce(over.signal)
    const { window, requestPin } = openDesk()
    const pin = requestPin(request({ timeoutMs }))
    await window(0)
    expect(timeout).toHaveBeenCalledWith(expected)
    over.abort()
    expect(await pin).toMatchObject({ problem: 'pin-timeout' })
    timeout.mockRestore()
  },
)

test('without a desktop the refusal says what to install', async () => {
  const requestPin = createPinService({
    askSecret: async () => ({ kind: 'unavailable' }),
    queueDialog: createDialogQueue(),
    language: '',
  })
  expect(await requestPin(request())).toEqual({
    problem: 'dialog-unavailable',
    reason: expect.stringContaining('install a graphical pinentry'),
  })
})
