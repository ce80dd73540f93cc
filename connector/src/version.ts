/** The version of the connector, from its package.json. Legacy clients choose their protocol by it. */
import about from '../package.json' with { type: 'json' }

/** Defined where a package is built with another version than that of the sources. */
declare const CARDWIRE_BUILD_VERSION: string | undefined

export const version =
  typeof CARDWIRE_BUILD_VERSION === 'string' ? CARDWIRE_BUILD_VERSION : about.version
