/** `demo`: makes a database with a simulated fleet. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { fleetBounds } from '../rules/fleet-limits.ts'
import { makeDemo } from './demo/demo.ts'
import { createNumberOption } from './number-option.ts'

interface Options {
  readonly devices: number
  readonly database: string
}

export function addDemoCommand(program: Command, print: (line: string) => void): void {
  program
    .command('demo')
    .description('create a database with a simulated fleet, to try the admin console')
    .addOption(
      createNumberOption('--devices <count>', 'devices in the fleet', fleetBounds.devices).default(
        200_000,
      ),
    )
    .option(
      '--database <file>',
      'the SQLite file; replaces an existing demo in it',
      'data/demo.sqlite',
    )
    .action(async ({ devices, database }: Options) => {
      process.umask(0o077)
      const file = resolve(database)
      const password = await makeDemo(file, devices)
      print(`Created a fleet of ${devices} devices in "${file}".`)
      print(`Start the service with DS_DATABASE=${file}, and sign in as "admin".`)
      process.stderr.write(`Password (shown once): ${password}\n`)
    })
}
