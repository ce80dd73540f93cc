/** How slow an upload may be. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { receiveUpload } from './receive-upload.ts'

const rate = { windowMs: 20, minBytes: 10, maxWindows: 5 }

/** A body that brings `size` bytes every few milliseconds, without end. */
const createBody = (size: number) => {
  let timer: ReturnType<typeof setInterval>
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new Uint8Array(size)), 5)
    },
    cancel: () => clearInterval(timer),
  })
}

test('receiveUpload passes on what comes', async () => {
  const onFailure = vi.fn()
  const received = receiveUpload(new Blob(['the bytes']).stream(), onFailure, rate)
  expect(await new Response(received).text()).toBe('the bytes')
  expect(onFailure).not.toHaveBeenCalled()
})

test.each([
  ['nothing', new ReadableStream<Uint8Array>()],
  ['a byte now and then', createBody(1)],
  ['enough in every window, but without end', createBody(100)],
])('receiveUpload ends a body that brings %s', async (_, body) => {
  proves('upload-endless')
  const onFailure = vi.fn()
  const received = receiveUpload(body, onFailure, rate)
  await expect(new Response(received).text()).rejects.toMatchObject({ name: 'request-too-slow' })
  expect(onFailure).toHaveBeenCalledOnce()
})

test('receiveUpload waits for a store that is slow, and still not for a sender', async () => {
  vi.useFakeTimers()
  try {
    const onFailure = vi.fn()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const slow = { windowMs: 1000, minBytes: 10, maxWindows: 100 }
    const reader = receiveUpload(readable, onFailure, slow).getReader()
    void writer.write(new Uint8Array(100))
    await reader.read()
    await vi.advanceTimersByTimeAsync(20_000)
    void writer.write(new Uint8Array(100))
    expect((await reader.read()).value?.length).toBe(100)
    const next = expect(reader.read()).rejects.toMatchObject({ name: 'request-too-slow' })
    await vi.advanceTimersByTimeAsync(3000)
    await next
    expect(onFailure).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

test('receiveUpload reports a connection that was closed before the end', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (to) => to.error(new Error('reset')) })
  const received = receiveUpload(body, () => undefined, rate)
  await expect(new Response(received).text()).rejects.toMatchObject({ name: 'body-malformed' })
})

test('receiveUpload keeps no part that was passed on', async () => {
  proves('form-head-large')
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const parts: WeakRef<Uint8Array>[] = []
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = new Uint8Array(1000)
        parts.push(new WeakRef(part))
        controller.enqueue(part)
      },
    },
    { highWaterMark: 0 },
  )
  const reader = receiveUpload(body, () => undefined).getReader()
  for (let count = 0; count < 100; count += 1) await reader.read()
  const countKept = () => {
    collectGarbage()
    return parts.filter((part) => part.deref() !== undefined).length
  }
  await expect.poll(countKept).toBeLessThan(10)
  await reader.cancel()
})
