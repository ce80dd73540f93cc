/** The version of the service, as its package says. */
import about from '../package.json' with { type: 'json' }

export const { version } = about
