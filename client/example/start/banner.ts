/** What a person reads in the terminal when everything runs. */
import { join, relative } from 'node:path'
import { root } from './place.ts'
import type { Settings } from './settings.ts'

/** `service`: the service's own banner, which has the administrator's password when one was made. */
export function banner(
  { origin, data }: Settings,
  { real, service }: { readonly real: boolean; readonly service: string },
): string {
  const logs = relative(root, join(data, 'logs'))
  return [
    'Cardwire, the whole of it on this machine',
    '',
    `  page             ${origin}`,
    `  readers          ${real ? 'those of this machine' : 'a virtual one, whose card you insert on the page'}`,
    `  logs             ${logs.startsWith('..') ? join(data, 'logs') : logs}`,
    '',
    '  The browser has to believe the certificate that the connector made for https://localhost:',
    '  npm run trust, in a second terminal, once. Then start the browser again.',
    '',
    service,
  ].join('\n')
}
