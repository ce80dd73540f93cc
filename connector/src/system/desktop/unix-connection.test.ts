/** What a program of the desktop sends is bounded, however it sends it. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { connectToOwnSocket } from './unix-connection.ts'

const isLinux = process.platform === 'linux'

/** A program that sends a text to whom connects, and keeps the connection open. Returns its socket. */
async function listen(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-unix-'))
  const path = join(folder, 'socket')
  const server = createServer((socket) => socket.on('error', () => undefined).write(text))
  await once(server.listen(path), 'listening')
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  return path
}

const bounds = { signal: AbortSignal.timeout(10_000), maxBytes: 10 }

test.runIf(isLinux)('as many bytes as the bound are read', async () => {
  const connection = await connectToOwnSocket(await listen('12345678\r\n'), bounds)
  expect(await connection.readLine()).toBe('12345678')
  connection.close()
})

test.runIf(isLinux).each(['12345678901', '12345678\r\n1', 'x'.repeat(100_000)])(
  'a program that sends more is not read to its end (%#)',
  async (text) => {
    const connection = await connectToOwnSocket(await listen(text), bounds)
    await expect(connection.read(text.length)).rejects.toThrow('more than 10 bytes came')
    connection.close()
  },
)
