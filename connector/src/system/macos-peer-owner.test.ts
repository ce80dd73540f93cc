/** Connections of this account on macOS, by what lsof prints. */
import { expect, test } from 'vitest'
import { createMacosPeerOwner } from './macos-peer-owner.ts'

const peer = { address: '127.0.0.1', port: 52_000 }

// The form of lsof(8): a process, a descriptor, a name.
test.each([
  ['its own process', 'p4711\nf23\nn127.0.0.1:52000->127.0.0.1:50000\n', 'ours'],
  ['the server alone', 'p4712\nf9\nn127.0.0.1:50000->127.0.0.1:52000\n', 'unknown'],
  ['another server', 'p4711\nf23\nn127.0.0.1:52000->127.0.0.1:50001\n', 'unknown'],
  ['nothing', '', 'unknown'],
])('lsof shows %s', async (_, output, kind) => {
  const commands: string[][] = []
  const findOwner = createMacosPeerOwner(async (program, args) => {
    commands.push([program, ...args])
    return { status: output === '' ? 1 : 0, output }
  }, 501)
  expect(await findOwner(peer, 50_000)).toEqual({ kind })
  expect(commands).toEqual([
    ['/usr/sbin/lsof', '-nP', '-a', '-u', '501', '-iTCP@127.0.0.1:52000', '-Fn'],
  ])
})
