/** `limits`: prints the settings that a fleet of a given size needs. */
import type { Command } from 'commander'
import { describeSettings } from '../environment.ts'
import { computeFleetLimits, type Fleet, fleetBounds } from '../rules/fleet-limits.ts'
import { createNumberOption } from './number-option.ts'

export function addLimitsCommand(program: Command, print: (line: string) => void): void {
  program
    .command('limits')
    .description('print the settings that a fleet needs, as lines for the settings file')
    .addOption(
      createNumberOption(
        '--devices <count>',
        'computers that get the connector',
        fleetBounds.devices,
      ).makeOptionMandatory(),
    )
    .addOption(
      createNumberOption(
        '--addresses <count>',
        'IP addresses from which they reach the service',
        fleetBounds.addresses,
      ).default(1),
    )
    .addOption(
      createNumberOption(
        '--hours <count>',
        'hours in which they get it, at most 24',
        fleetBounds.hours,
      ).default(8),
    )
    .action((fleet: Fleet) => print(formatLimits(fleet)))
}

function formatLimits(fleet: Fleet): string {
  const { devices, addresses, hours } = fleet
  const meanings = new Map(describeSettings().map(({ name, meaning }) => [name, meaning]))
  return [
    `# ${devices} devices behind ${addresses} addresses, installed within ${hours} hours.`,
    ...Object.entries(computeFleetLimits(fleet)).flatMap(([name, value]) => [
      `# ${meanings.get(name)}`,
      `${name}=${value}`,
    ]),
    '# On Workers, TOKEN_LIMIT and REGISTRATION_LIMIT in wrangler.toml replace the settings of these names.',
  ].join('\n')
}
