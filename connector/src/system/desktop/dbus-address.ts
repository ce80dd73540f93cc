/** Addresses of the user's message bus, from the environment (dbus.freedesktop.org/doc/dbus-specification.html, Server Addresses). */
import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The Unix sockets of the session bus, in the order in which they are tried; an abstract one begins with a zero. A bus over
 * TCP is left out: other accounts can reach it, and so is one that a program would have to start.
 */
export function findSessionBus(environment: Environment): readonly string[] {
  const { DBUS_SESSION_BUS_ADDRESS: addresses, XDG_RUNTIME_DIR: folder = '' } = environment
  const runtimeBus = isAbsolute(folder) ? [join(folder, 'bus')] : []
  if (!addresses) return runtimeBus
  return addresses.split(';').flatMap((address) => {
    const [, text] = /^unix:(.*)$/s.exec(address) ?? []
    const keys = text === undefined ? undefined : parseKeys(text)
    if (keys?.['runtime'] === 'yes') return runtimeBus
    if (keys?.['path'] !== undefined) return isAbsolute(keys['path']) ? [keys['path']] : []
    return keys?.['abstract'] ? [`\0${keys['abstract']}`] : []
  })
}

/** Undefined when the text is malformed. */
function parseKeys(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').map((pair) => /^([^=]+)=(.*)$/s.exec(pair))
  try {
    return Object.fromEntries(
      pairs.map((pair) => [pair?.[1], decodeURIComponent(pair?.[2] ?? '%')]),
    )
  } catch {
    return undefined
  }
}
