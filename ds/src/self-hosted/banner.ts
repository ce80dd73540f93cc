/** The text in the terminal when the service has started. */
import type { Services } from '../services.ts'

export function formatBanner(
  { url, identity, settings }: Services,
  password: string | undefined,
): string {
  const lines = [
    'Cardwire distribution service',
    '',
    `  administration   ${url}/admin`,
    `  API document     ${url}/docs`,
    `  health           ${url}/health`,
    ...(identity.embedded
      ? [`  token endpoint   ${identity.embedded.issuer}/protocol/openid-connect/token`]
      : []),
    '',
  ]
  if (password !== undefined) {
    lines.push(
      `First administrator (shown once, write it down):`,
      '',
      `  user name        ${settings.adminUser}`,
      `  password         ${password}`,
      '',
    )
  }
  lines.push('Ctrl-C stops it.', '')
  return lines.join('\n')
}
