/** The ports of a browser, on globals that refuse, lie or are not there. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserPorts } from './browser.ts'

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
    const { storage } = browserPorts()
    storage.write(name, 'consent')
    expect(browserPorts().storage.read(name)).toBe('consent')
    storage.write(name, undefined)
    expect(storage.read(name)).toBeUndefined()
  })

  test('that works is used, and what others wrote is seen', () => {
    const kept = new Map<string, string>()
    setStorage(() => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    }))
    const { storage } = browserPorts()
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

  test('is asked for by its name, and by the older one only where that is unknown', async () => {
    browser((name) => ({ state: name === 'loopback-network' ? 'granted' : 'denied' }))
    expect((await browserPorts().permission())?.state).toBe('granted')
    browser((name) => (name === 'loopback-network' ? unknown() : { state: 'prompt' }))
    expect((await browserPorts().permission())?.state).toBe('prompt')
  })

  test('of a browser that knows neither name, or no permissions, is nobody to ask', async () => {
    browser(unknown)
    expect(await browserPorts().permission()).toBeUndefined()
    vi.stubGlobal('navigator', {})
    expect(await browserPorts().permission()).toBeUndefined()
  })
})

test.each([
  ['does not pass it on', ['loopback-network', 'camera'], [], true],
  ['passes it on', ['loopback-network'], ['loopback-network'], false],
  ['cannot say, being older', ['camera'], [], false],
])('a frame whose surroundings %s', (_, known, allowed, barred) => {
  const allowsFeature = (name: string) => allowed.some((one) => one === name)
  vi.stubGlobal('document', { featurePolicy: { features: () => known, allowsFeature } })
  expect(browserPorts().page.barred).toBe(barred)
})

test('a frame whose browser does not say is not called free', () => {
  vi.stubGlobal('self', globalThis)
  vi.stubGlobal('top', {})
  expect(browserPorts().page.barred).toBeUndefined()
  vi.stubGlobal('top', globalThis)
  expect(browserPorts().page.barred).toBe(false)
})

test('a page on this machine is one, by its host', () => {
  for (const [hostname, loopback] of [
    ['localhost', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['localhost.example', false],
    ['shop.example', false],
  ] as const) {
    vi.stubGlobal('location', { hostname })
    expect([hostname, browserPorts().page.loopback]).toEqual([hostname, loopback])
  }
})
