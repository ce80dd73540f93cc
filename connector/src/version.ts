/** The version of the connector, from its package.json. Deployed clients choose their protocol by it. */
import about from '../package.json' with { type: 'json' }

export const { version } = about
