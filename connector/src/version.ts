/** The version of the connector, as its package says. Deployed clients choose their protocol by it. */
import about from '../package.json' with { type: 'json' }

export const { version } = about
