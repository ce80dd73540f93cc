/** Follows redirects of file servers: none of them chooses what this connector requests of its own machine. */
import { isLoopbackHostInBrowsers } from '@cardwire/client/protocol'

/** Where a redirect leads; undefined: from another machine to this one. `location` is the header of the response at `from`. */
export function resolveRedirect(location: string, from: URL): URL | undefined {
  const to = new URL(location, from)
  return isOwnMachine(to.hostname) && !isOwnMachine(from.hostname) ? undefined : to
}

/** Unspecified addresses, and IPv4 addresses within IPv6, reach a loopback interface too. */
const isOwnMachine = (hostname: string) =>
  isLoopbackHostInBrowsers(hostname) ||
  /^(0\.0\.0\.0|\[::\]|\[::ffff:(7f[\da-f]{2}:[\da-f]+|0:0)\])$/.test(hostname)
