/** The ports in a browser. Node, Deno and Bun lack some of its globals, and the library works without them. */

import { isLoopbackHostInBrowsers } from '@cardwire/protocol/loopback'
import type { Permission, Ports, Storage } from './ports.ts'

/** The globals that the library uses where they exist. */
interface BrowserGlobals {
  readonly isSecureContext?: boolean
  readonly self?: unknown
  readonly top?: unknown
  readonly location?: { readonly hostname: string }
  readonly document?: {
    addEventListener?(type: string, listener: (event: SecurityPolicyViolationEvent) => void): void
    readonly featurePolicy?: { features(): string[]; allowsFeature(name: string): boolean }
  }
  readonly localStorage?: {
    getItem(key: string): string | null
    setItem(key: string, value: string): void
    removeItem(key: string): void
  }
  readonly navigator?: {
    readonly permissions?: { query(descriptor: { name: string }): Promise<Permission> }
    readonly locks?: LockManager
  }
}

const globals = globalThis as BrowserGlobals

/** The names of the permission: the newer one first, because the older one can be "denied" when the permission is not. */
const permissionNames = ['loopback-network', 'local-network-access']

/** Only Chromium shows whether a permissions policy blocks a frame. undefined: a frame of another browser. */
function isBlockedByPolicy(): boolean | undefined {
  const policy = globals.document?.featurePolicy
  const knownNames = policy?.features().filter((name) => permissionNames.includes(name)) ?? []
  if (knownNames.length > 0) return !knownNames.some((name) => policy?.allowsFeature(name))
  const isFrame = globals.top !== undefined && globals.top !== globals.self
  return isFrame ? undefined : false
}

async function queryPermission(): Promise<Permission | undefined> {
  for (const name of permissionNames) {
    try {
      return await globals.navigator?.permissions?.query({ name })
    } catch {
      // This browser does not know the name.
    }
  }
  return undefined
}

/** The origins that the page's Content-Security-Policy blocked; it never changes while the page is open. */
let cspBlockedOrigins: Set<string> | undefined

function watchCsp(): void {
  if (cspBlockedOrigins) return
  const origins = new Set<string>()
  cspBlockedOrigins = origins
  // w3.org/TR/CSP3, §5.3: a policy that only reports blocks nothing.
  globals.document?.addEventListener?.('securitypolicyviolation', ({ disposition, blockedURI }) => {
    if (disposition === 'enforce' && URL.canParse(blockedURI)) {
      origins.add(new URL(blockedURI).origin)
    }
  })
}

/** The event has a task of its own, which may follow the failure of the request. */
async function isBlockedByCsp(address: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  return cspBlockedOrigins?.has(new URL(address).origin) ?? false
}

/** Storage throws in private windows and where site data is blocked: then a consent lasts as long as the page. */
const memoryStorage = new Map<string, string>()
const storage: Storage = {
  read(key) {
    try {
      return globals.localStorage?.getItem(key) ?? memoryStorage.get(key)
    } catch {
      return memoryStorage.get(key)
    }
  },
  write(key, value) {
    memoryStorage.delete(key)
    try {
      if (value === undefined) globals.localStorage?.removeItem(key)
      else if (globals.localStorage) globals.localStorage.setItem(key, value)
      else memoryStorage.set(key, value)
    } catch {
      if (value !== undefined) memoryStorage.set(key, value)
    }
  },
}

/** A function, so that importing the library does nothing. */
export function createBrowserPorts(): Ports {
  watchCsp()
  return {
    fetch: (url, init) => fetch(url, init),
    storage,
    page: {
      secure: globals.isSecureContext ?? true,
      loopback: isLoopbackHostInBrowsers(globals.location?.hostname ?? ''),
      blockedByPolicy: isBlockedByPolicy(),
    },
    queryPermission,
    isBlockedByCsp,
    clock: Date.now,
    random: (bytes) => crypto.getRandomValues(bytes),
    schedule: (ms, act) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
    subtle: globalThis.crypto?.subtle,
    locks: globals.navigator?.locks,
    openChannel: globalThis.BroadcastChannel && ((name) => new BroadcastChannel(name)),
  }
}
