/** The ports as a browser has them; Node, Deno and Bun lack some, and do without. */
import { loopbackHost } from './configuration.ts'
import type { Permission, Ports, Storage } from './ports.ts'

/** The globals that the library looks for, none of them certain. */
interface Surroundings {
  readonly isSecureContext?: boolean
  readonly self?: unknown
  readonly top?: unknown
  readonly location?: { readonly hostname: string }
  readonly document?: {
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

const around = globalThis as Surroundings

/** Its names: the newer one first, because the alias can say "denied" where it is not. */
const permissionNames = ['loopback-network', 'local-network-access']

/** Chromium alone says what a frame is barred from. */
function barred(): boolean | undefined {
  const policy = around.document?.featurePolicy
  const known = policy?.features().filter((name) => permissionNames.includes(name)) ?? []
  if (known.length > 0) return !known.some((name) => policy?.allowsFeature(name))
  const framed = around.top !== undefined && around.top !== around.self
  return framed ? undefined : false
}

async function permission(): Promise<Permission | undefined> {
  for (const name of permissionNames) {
    try {
      return await around.navigator?.permissions?.query({ name })
    } catch {
      // This browser does not know the name.
    }
  }
  return undefined
}

/** Private windows and blocked site data make storage throw: then a consent lasts as long as the page. */
const memory = new Map<string, string>()
const storage: Storage = {
  read(key) {
    try {
      return around.localStorage?.getItem(key) ?? memory.get(key)
    } catch {
      return memory.get(key)
    }
  },
  write(key, value) {
    memory.delete(key)
    try {
      if (value === undefined) around.localStorage?.removeItem(key)
      else if (around.localStorage) around.localStorage.setItem(key, value)
      else memory.set(key, value)
    } catch {
      if (value !== undefined) memory.set(key, value)
    }
  },
}

/** Gathered when asked for, so that importing the library does nothing. */
export const browserPorts = (): Ports => ({
  fetch: (url, init) => fetch(url, init),
  storage,
  page: {
    secure: around.isSecureContext ?? true,
    loopback: loopbackHost(around.location?.hostname ?? ''),
    barred: barred(),
  },
  permission,
  clock: Date.now,
  random: (bytes) => crypto.getRandomValues(bytes),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
  subtle: globalThis.crypto?.subtle,
  locks: around.navigator?.locks,
  channel: globalThis.BroadcastChannel && ((name) => new BroadcastChannel(name)),
})
