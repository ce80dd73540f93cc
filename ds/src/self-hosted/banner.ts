/** The text in the terminal when the service has started. */
import process from 'node:process'
import type { Services } from '../services.ts'
import type { FirstAdministrator } from './prepare.ts'

/** In the repository, npm starts the service, and the command is one of its scripts. */
const administratorsCommand =
  process.env['npm_lifecycle_event'] === undefined ? 'cardwire-ds-admin' : 'npm run admin --'

export function formatBanner(
  { url, identity, settings }: Services,
  firstAdministrator: FirstAdministrator,
): string {
  const lines = [
    'Cardwire distribution service',
    '',
    `  admin console    ${url}/admin`,
    `  API document     ${url}/docs`,
    `  health           ${url}/health`,
    ...(identity.embedded
      ? [`  token endpoint   ${identity.embedded.issuer}/protocol/openid-connect/token`]
      : []),
    '',
  ]
  if (firstAdministrator === 'missing') {
    lines.push(
      'There is no administrator yet. Add one with this command:',
      '',
      `  ${administratorsCommand} add ${settings.adminUser} --keep-password`,
      '',
    )
  } else if (firstAdministrator) {
    lines.push(
      `First administrator (shown once; save it now):`,
      '',
      `  user name        ${settings.adminUser}`,
      `  password         ${firstAdministrator.password}`,
      '',
    )
  }
  lines.push('Ctrl-C stops it.', '')
  return lines.join('\n')
}
