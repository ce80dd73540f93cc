/** The ports of a browser, on globals that refuse, lie or are not there. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createBrowserPorts } from './browser.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, 'localStorage')
})

const setStorage = (get: () => unknown) =>
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get })

describe('storage', () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError')
  }

  test.each([
    ['that cannot be touched', refuse],
    ['that is full', () => ({ getItem: () => null, setItem: refuse, removeItem: refuse })],
    ['that is not there', () => undefined],
  ])('%s lasts as long as the page', (name, get) => {
    setStorage(get)
    const { storage } = createBrowserPorts()
    storage.write(name, 'consent')
    expect(createBrowserPorts().storage.read(name)).toBe('consent')
    storage.write(name, undefined)
    expect(storage.read(name)).toBeUndefined()
  })

  test('that works is used, and entries of other tabs are read', () => {
    const kept = new Map<string, string>()
    setStorage(() => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    }))
    const { storage } = createBrowserPorts()
    storage.write('key', 'mine')
    kept.set('key', 'of another tab')
    expect(storage.read('key')).toBe('of another tab')
    kept.delete('key')
    expect(storage.read('key')).toBeUndefined()
  })
})

describe('permission', () => {
  const browser = (query: (name: string) => unknown) =>
    vi.stubGlobal('navigator', {
      permissions: { query: async ({ name }: { name: string }) => query(name) },
    })
  const unknown = (): never => {
    throw new TypeError('unknown name')
  }

  test('is queried by its name, and by the older one only where that is unknown', async () => {
    browser((name) => ({ state: name === 'loopback-network' ? 'granted' : 'denied' }))
    expect((await createBrowserPorts().queryPermission())?.state).toBe('granted')
    browser((name) => (name === 'loopback-network' ? unknown() : { state: 'prompt' }))
    expect((await createBrowserPorts().queryPermission())?.state).toBe('prompt')
  })

  test('of a browser without either name, or without permissions, is undefined', async () => {
    browser(unknown)
    expect(await createBrowserPorts().queryPermission()).toBeUndefined()
    vi.stubGlobal('navigator', {})
    expect(await createBrowserPorts().queryPermission()).toBeUndefined()
  })
})

test.each([
  ['does not pass it on', ['loopback-network', 'camera'], [], true],
  ['passes it on', ['loopback-network'], ['loopback-network'], false],
  ['cannot say, being older', ['camera'], [], false],
])('a frame whose surroundings %s', (_, known, allowed, barred) => {
  const allowsFeature = (name: string) => allowed.some((one) => one === name)
  vi.stubGlobal('document', { featurePolicy: { features: () => known, allowsFeature } })
  expect(createBrowserPorts().page.blockedByPolicy).toBe(barred)
})

test('blockedByPolicy is undefined for a frame whose browser does not show it', () => {
  vi.stubGlobal('self', globalThis)
  vi.stubGlobal('top', {})
  expect(createBrowserPorts().page.blockedByPolicy).toBeUndefined()
  vi.stubGlobal('top', globalThis)
  expect(createBrowserPorts().page.blockedByPolicy).toBe(false)
})

test('loopback is true for a page whose host is this machine', () => {
  for (const [hostname, loopback] of [
    ['localhost', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['localhost.example', false],
    ['shop.example', false],
  ] as const) {
    vi.stubGlobal('location', { hostname })
    expect([hostname, createBrowserPorts().page.loopback]).toEqual([hostname, loopback])
  }
})
