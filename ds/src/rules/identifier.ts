/** The id of an organization or label, derived from its name once. */

/** The name in lower case without anything but a-z and 0-9; empty when nothing is left. */
export const identifierOf = (name: string): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
