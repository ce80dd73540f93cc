/** What icacls says of a folder, and what we make of it; the command itself is not run here. */
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { Run } from '../trust/run.ts'
import { protectOnWindows } from './protection.ts'

const inherited = 'C:\\certs BUILTIN\\Users:(I)(OI)(CI)(RX)\n          PC\\ada:(I)(OI)(CI)(F)'
const own = 'C:\\certs PC\\ada:(OI)(CI)(F)\n          NT AUTHORITY\\SYSTEM:(OI)(CI)(F)'

/** Lists `before`, and `after` once rights were granted. */
function icacls(before: string, after: string, status = 0) {
  const asked: string[] = []
  const run: Run = async (program, args) => {
    asked.push([program, ...args.slice(1)].join(' '))
    const granted = asked.some((line) => line.includes('/grant:r'))
    return { status, output: granted ? after : before }
  }
  return { run, asked }
}

const grant =
  'icacls.exe /inheritance:r /grant:r ada:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F'

test.each([
  ['inherited access is closed', inherited, own, 0, true, true, 3],
  ['access of its own stays as it is', own, own, 0, true, true, 1],
  ['without repair nothing is granted', inherited, own, 0, false, false, 1],
  ['a grant that changes nothing is no protection', inherited, inherited, 0, true, false, 3],
  ['a listing that says nothing is no proof', '', '', 0, true, false, 3],
  ['a command that fails is no proof', own, own, 5, true, false, 3],
] as const)('%s', async (_, before, after, status, repair, isPrivate, calls) => {
  const { run, asked } = icacls(before, after, status)
  const [found] = await protectOnWindows(tmpdir(), 'ada', run, { repair })
  expect(found?.private).toBe(isPrivate)
  expect(found?.reason === undefined).toBe(isPrivate)
  expect(asked).toHaveLength(calls)
  if (calls === 3) expect(asked[1]).toBe(grant)
})

test('a folder that is not there needs nothing', async () => {
  const { run, asked } = icacls('', '')
  expect(await protectOnWindows('/nonexistent', 'ada', run, { repair: true })).toEqual([])
  expect(asked).toEqual([])
})
