/** What the doctor says of the two addresses of a port. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { explainAddresses } from './port-addresses.ts'

const answering = async () => true
const silent = async () => false

async function listen(host: string, port = 0): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test.runIf(process.platform === 'linux')(
  'a port that two programs have is explained with both, also when the connector answers on both addresses',
  async () => {
    proves('address-taken-over')
    const port = await listen('127.0.0.1')
    const program = `require('node:net').createServer().listen(${port}, '::1', () => console.log('listening'))`
    const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void other.kill('SIGKILL'))
    await once(other.stdout, 'data')
    const explained = await explainAddresses(port, answering)
    expect(explained?.what).toMatch(
      new RegExp(
        `^two programs use port ${port}: .*, process ${process.pid}, user .* on 127\\.0\\.0\\.1, and .*, process ${other.pid}, user .* on ::1$`,
      ),
    )
    expect(explained?.todo).toBe('end the one that is not Cardwire')
  },
)

test('a port that one program has on both addresses needs no explanation', async () => {
  const port = await listen('127.0.0.1')
  await listen('::1', port)
  expect(await explainAddresses(port, answering)).toBeUndefined()
})

test('an address on which the connector does not answer is named', async () => {
  proves('address-taken-over')
  const port = await listen('127.0.0.1')
  expect(await explainAddresses(port, silent)).toEqual({
    what: `Cardwire is not responding on ::1, port ${port}`,
    todo: 'end the program that uses it, and start Cardwire again',
  })
})
