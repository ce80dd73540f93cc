/** How the connector is started: as its package does, where there is one. */
import { expect, test } from 'vitest'
import { type LaunchOptions, launchConnector } from './start-connector.ts'

const command = ['/usr/bin/cardwire', 'run']

interface Machine {
  readonly hasOwnSettings?: boolean
  /** What systemctl says of the unit. */
  readonly unit?: string
}

/** `works`: the programs that end well, and the files that there are. */
async function launch(
  platform: string,
  works: readonly string[],
  { hasOwnSettings = false, unit = '' }: Machine = {},
) {
  const started: string[] = []
  const options: LaunchOptions = {
    platform,
    program: platform === 'win32' ? 'C:/Cardwire/cardwire.exe' : '/usr/bin/cardwire',
    uid: 1000,
    run: async (program, args) => {
      if (args.includes('is-enabled')) return { status: 1, output: unit }
      started.push([program, ...args].join(' '))
      return { status: works.includes(program) ? 0 : 1, output: '' }
    },
    exists: (path) => works.some((name) => path.endsWith(name)),
    launch: (line) => started.push(line.join(' ')),
    command,
    hasOwnSettings,
  }
  await launchConnector(options)
  return started
}

const run = command.join(' ')
const systemd = 'systemctl --user start cardwire.service'

test.each([
  ['linux', ['systemctl'], [systemd]],
  ['linux', [], [systemd, run]],
  ['darwin', ['launchctl'], ['launchctl kickstart gui/1000/cardwire.connector']],
  ['darwin', [], ['launchctl kickstart gui/1000/cardwire.connector', run]],
  ['win32', ['cardwire-service.exe'], ['C:/Cardwire/cardwire-service.exe agent']],
  ['win32', [], [run]],
])('on %s where %j works: %j', async (platform, works, started) => {
  expect(await launch(platform, works)).toEqual(started)
})

test.each(['linux', 'darwin', 'win32'])(
  'on %s with settings of its own it is a program of its own, which gets them',
  async (platform) => {
    const all = ['systemctl', 'launchctl', 'cardwire-service.exe']
    expect(await launch(platform, all, { hasOwnSettings: true })).toEqual([run])
  },
)

test.each(['masked\n', 'masked-runtime\n'])(
  'where the unit is %j nothing else is started in its place',
  async (unit) => {
    expect(await launch('linux', [], { unit })).toEqual([systemd])
  },
)
