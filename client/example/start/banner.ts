/** What a person reads in the terminal when everything runs. */
import { join, relative } from 'node:path'
import { root } from './place.ts'
import type { Settings } from './settings.ts'

export interface Findings {
  /** Whether the readers are those of the machine. */
  readonly real: boolean
  /** Whether a browser believes the connector already. */
  readonly believed: boolean
  /** Whether there is a clipboard to find code words on. */
  readonly desktop: boolean
  /** The service's own banner, which has the administrator's password when one was made. */
  readonly service: string
}

export function banner(
  { origin, data }: Settings,
  { real, believed, desktop, service }: Findings,
): string {
  const logs = relative(root, join(data, 'logs'))
  return [
    'Cardwire, the whole of it on this machine',
    '',
    `  page             ${origin}`,
    `  readers          ${real ? 'those of this machine' : 'a virtual one, whose card you insert on the page'}`,
    `  logs             ${logs.startsWith('..') ? join(data, 'logs') : logs}`,
    '',
    ...(believed ? [] : trustNeeded),
    ...(desktop ? [] : desktopNeeded),
    service,
  ].join('\n')
}

const trustNeeded = [
  '  The browser has to believe the certificate that the connector made for https://localhost:',
  '  npm run trust, in a second terminal, once. Then start the browser again.',
  '',
]

const desktopNeeded = [
  '  Nobody can give consent: neither DISPLAY nor WAYLAND_DISPLAY is set, so the connector sees no',
  '  clipboard. Start it in a terminal of the desktop session in which the browser runs.',
  '',
]
