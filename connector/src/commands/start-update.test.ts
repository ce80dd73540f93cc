/** How the button of a window starts the update. */
import { expect, test } from 'vitest'
import type { Programs } from '../system/desktop/programs.ts'
import { createUpdateStarter } from './start-update.ts'

async function start(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const launched: string[] = []
  const programs: Programs = {
    find: () => undefined,
    run: async () => ({ kind: 'not-started' }),
    launch: async (program, args) => {
      launched.push(program, ...args)
      return true
    },
  }
  const settings = { dsUrl: 'https://ds.example', caFile: '/etc/roots.pem' }
  const open = createUpdateStarter(settings, environment, programs)
  await open('https://ds.example/x.deb', AbortSignal.timeout(1000))
  return launched
}

const update = [
  ...['update', '--window', '--ds-url', 'https://ds.example'],
  ...['--ca-file', '/etc/roots.pem'],
]

test('createUpdateStarter starts this program with the service of this connector, and not the address', async () => {
  const launched = await start({ DISPLAY: ':0' })
  expect(launched[0]).toBe(process.execPath)
  expect(launched.slice(-update.length)).toEqual(update)
})

test('createUpdateStarter makes a unit of its own where systemd started the connector: its end would end the update', async () => {
  const launched = await start({ INVOCATION_ID: 'a', DISPLAY: ':0', PATH: '/usr/bin' })
  expect(launched.slice(0, 7)).toEqual([
    ...['systemd-run', '--user', '--quiet', '--collect', '--unit=cardwire-update'],
    ...['--setenv=DISPLAY=:0', '--'],
  ])
  expect(launched.slice(-update.length)).toEqual(update)
})
