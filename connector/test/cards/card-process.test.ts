/** A card process, and frames that are none of ours. */
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { startCardProcess } from '../../src/sandbox/readers/card-process.ts'
import { encodeFrame } from '../../src/system/ipc/card-messages.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** What it answers to this input, which then stays open unless it is to end; resolves when the process has ended. */
async function runCardProcess(input: Uint8Array, end = false): Promise<string> {
  const child = Bun.spawn([process.execPath, main, 'card'], {
    stdin: 'pipe',
    stdout: 'pipe',
    env: { CARDWIRE_PCSC_LIBRARY: '/nonexistent/library.so' },
  })
  child.stdin.write(input)
  if (end) child.stdin.end()
  else await child.stdin.flush()
  const output = await new Response(child.stdout).text()
  await child.exited
  return output
}

const probe = { reader: 'a reader', timeoutMs: 1000, operation: { kind: 'probe' } } as const

test('a request without a card service is a problem, and the process goes on', async () => {
  const frame = encodeFrame(probe, new Uint8Array())
  const output = await runCardProcess(Buffer.concat([frame, frame]), true)
  expect(output.match(/"problem":"pcsc-unavailable"/g)).toHaveLength(2)
})

test('what a library writes is no answer: our lines have their mark, and the schema reads them', async () => {
  proves('library-output')
  const answers = {
    '{"type":"result","result":{"kind":"verify"}}': undefined,
    '\u001e{"type":"result","result":{"kind":"unknown"}}': undefined,
    'of a library\u001e{"type":"result","result":{"kind":"verify"}}': {
      type: 'result',
      result: { kind: 'verify' },
    },
  }
  for (const [line, reply] of Object.entries(answers)) {
    const answer = 'head -c 1 > /dev/null; printf "%s\\n" "$1"; cat > /dev/null'
    const child = startCardProcess(['sh', '-c', answer, 'sh', line], {})
    const found = child.request(probe, new Uint8Array(), () => undefined)
    child.end()
    expect(await found).toEqual(reply)
  }
})

test.each([
  ['request', { ...probe, reader: 'a'.repeat(70_000) }, 0],
  ['PIN', probe, 257],
])(
  'a frame whose %s is too long ends the process, and none of it is shown',
  async (_name, request, pinLength) => {
    proves('long-request-pin')
    const frame = encodeFrame(request, new Uint8Array(pinLength).fill(0x31))
    expect(await runCardProcess(frame)).toBe('')
  },
)

test('the frame with the PIN is overwritten when it is sent', async () => {
  proves('pin-in-connector')
  const child = startCardProcess(['cat'], {})
  const set = vi.spyOn(Uint8Array.prototype, 'set')
  onTestFinished(() => void set.mockRestore())
  const pin = Buffer.from('90817263')
  const reply = child.request(probe, pin, () => undefined)
  const at = set.mock.calls.findIndex(([bytes]) => bytes === pin)
  const frame = set.mock.contexts[at] as Uint8Array
  expect(Buffer.from(frame).includes(pin)).toBe(true)
  child.end()
  await reply
  expect(frame.every((byte) => byte === 0)).toBe(true)
})
