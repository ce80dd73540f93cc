/** The deadlines of the specification against real servers, with timers that the test controls. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createTransport } from '../../src/distribution/client/transport.ts'

const closing: (() => void)[] = []

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** Asks with the deadlines that nobody changed. */
function ask(port: number) {
  const response = createTransport({})({ method: 'GET', url: `https://127.0.0.1:${port}/` })
  let isOver = false
  const over = () => {
    isOver = true
  }
  response.then(over, over)
  return {
    response,
    /** Whether it is over so many milliseconds later. */
    async after(ms: number): Promise<boolean> {
      vi.advanceTimersByTime(ms)
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
      return isOver
    },
  }
}

test('a full listen queue is given up after 10 s', async () => {
  proves('sync-timeouts')
  const { response, after } = ask(await fullQueue())
  expect(await after(0)).toBe(false)
  expect(await after(9_999)).toBe(false)
  expect(await after(1)).toBe(true)
  await expect(response).rejects.toThrow('no connection in 10 s')
})

test('a server that accepts and sends nothing is given up after 15 s', async () => {
  proves('sync-timeouts')
  const greeted = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.once('data', () => greeted.resolve()).on('error', () => undefined))
  })
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { response, after } = ask((server.address() as AddressInfo).port)
  await greeted.promise
  expect(await after(0)).toBe(false)
  expect(await after(14_999)).toBe(false)
  expect(await after(1)).toBe(true)
  await expect(response).rejects.toThrow('no response in 15 s')
})

/** The port of a listener that never accepts, and whose queue is full: the kernel drops what comes behind. */
async function fullQueue(): Promise<number> {
  const program =
    'import socket,sys\ns=socket.socket()\ns.bind(("127.0.0.1",0))\ns.listen(0)\nprint(s.getsockname()[1],flush=True)\nsys.stdin.read()'
  const holder = Bun.spawn(['python3', '-c', program], { stdin: 'pipe', stdout: 'pipe' })
  closing.push(() => holder.kill())
  const { value } = await holder.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  const sockets = Array.from({ length: 4 }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  )
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  await new Promise((resolve) => sockets[0]?.once('connect', resolve))
  return port
}
