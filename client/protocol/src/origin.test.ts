/** Which entries an allowlist takes, how it spells them, and which of them allow an origin. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { AllowedOrigin, entriesFor, isOriginAllowed, prepareAllowlist } from './origin.ts'

describe('AllowedOrigin takes', () => {
  test.each([
    ['an origin', 'https://shop.example', 'https://shop.example'],
    ['capitals, as lower case', 'HTTPS://Shop.EXAMPLE', 'https://shop.example'],
    ['a final slash, dropped', 'https://shop.example/', 'https://shop.example'],
    ['space around, dropped', '  https://shop.example ', 'https://shop.example'],
    ['the default port, dropped', 'https://shop.example:443', 'https://shop.example'],
    ['another port', 'https://shop.example:8443', 'https://shop.example:8443'],
    ['the port of http under https', 'https://shop.example:80', 'https://shop.example:80'],
    [
      'letters outside a-z, as browsers send them',
      'https://bücher.example',
      'https://xn--bcher-kva.example',
    ],
    ['an address', 'https://192.0.2.1', 'https://192.0.2.1'],
    ['a host of one name', 'https://intranet', 'https://intranet'],
    ['a wildcard', 'https://*.shop.example', 'https://*.shop.example'],
    ['a wildcard in capitals with a slash', 'HTTPS://*.Shop.example/', 'https://*.shop.example'],
    ['a wildcard with a final dot', 'https://*.shop.example.', 'https://*.shop.example.'],
    ['a wildcard in other letters', 'https://*.магазин.рф', 'https://*.xn--80aairftm.xn--p1ai'],
    ['a wildcard with a port', 'https://*.shop.example:8443', 'https://*.shop.example:8443'],
    ['http for localhost', 'http://localhost:3000', 'http://localhost:3000'],
    ['http for localhost on its default port', 'http://localhost:80', 'http://localhost'],
    ['http below localhost', 'http://app.localhost', 'http://app.localhost'],
    ['http for 127.0.0.1', 'http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http for the rest of 127/8', 'http://127.1.2.3', 'http://127.1.2.3'],
    ['http for ::1', 'http://[::1]:8080', 'http://[::1]:8080'],
    ['http for ::1 in full', 'http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
    ['an app scheme', 'capacitor://localhost', 'capacitor://localhost'],
    ['an app scheme with a plus', 'com.acme.till+app://shop', 'com.acme.till+app://shop'],
    ['a browser extension', 'chrome-extension://AbCdEf', 'chrome-extension://abcdef'],
  ])('%s', (_, entry, spelling) => {
    expect(AllowedOrigin.parse(entry)).toBe(spelling)
  })
})

describe('AllowedOrigin refuses', () => {
  test.each([
    ['everything', '*', 'expected an origin'],
    ['every host', 'https://*', 'expected an origin'],
    ['every host of a registry', 'https://*.com', 'two names'],
    ['every host of a registry, with a final dot', 'https://*.com.', 'two names'],
    ['every host of a registry, with a dot before', 'https://*..com', 'two names'],
    ['every host of a registry in other letters', 'https://*.рф', 'two names'],
    ['a wildcard for addresses', 'https://*.0.2.1', 'two names'],
    ['a wildcard in the middle', 'https://shop.*.example', 'expected an origin'],
    ['a wildcard in a name', 'https://shop*.example', 'expected an origin'],
    ['two wildcards', 'https://*.*.example', 'expected an origin'],
    ['a wildcard of http', 'http://*.localhost', 'http is only for loopback'],
    ['a wildcard of an app scheme', 'app://*.shop.example', '* is only for https'],
    ['http elsewhere', 'http://shop.example', 'http is only for loopback'],
    ['http for a host that begins like localhost', 'http://localhost.shop.example', 'loopback'],
    ['http for a host that begins like 127.0.0.1', 'http://127.0.0.1.shop.example', 'loopback'],
    ['http for a host that ends like localhost', 'http://notlocalhost', 'loopback'],
    ['a path', 'https://shop.example/till', 'expected an origin'],
    ['a path behind a backslash', 'https://shop.example\\till', 'expected an origin'],
    ['two slashes at the end', 'https://shop.example//', 'expected an origin'],
    ['a query', 'https://shop.example?a=b', 'expected an origin'],
    ['a fragment', 'https://shop.example#a', 'expected an origin'],
    ['a user', 'https://anna@shop.example', 'expected an origin'],
    ['a user and password', 'https://anna:pw@shop.example', 'expected an origin'],
    ['no scheme', 'shop.example', 'expected an origin'],
    ['no host', 'https://', 'expected an origin'],
    ['a port that is none', 'https://shop.example:99999', 'is not a host'],
    ['a comma behind an origin', 'https://shop.example,', 'expected one origin'],
    ['two origins', 'https://shop.example;bank.example', 'expected one origin'],
    ['an origin in quotes', '"https://shop.example"', 'expected an origin'],
    ['a quote behind an origin', 'https://shop.example"', 'expected one origin'],
    ['a comma in an app scheme', 'capacitor://localhost,', 'expected one origin'],
    ['a host that is none', 'https://[::1', 'is not a host'],
    ['two origins', 'https://a.example https://b.example', 'expected an origin'],
    ['two origins with a comma', 'https://a.example,https://b.example', 'expected an origin'],
    ['a line end inside', 'https://shop\n.example', 'expected an origin'],
    ['the opaque origin', 'null', 'expected an origin'],
    ['a misspelled scheme', 'htps://shop.example', 'the scheme "htps" is misspelled'],
    ['a doubled letter', 'httpss://shop.example', 'the scheme "httpss" is misspelled'],
    ['files', 'file://host', 'the scheme "file" names no origin'],
    ['data', 'data://host', 'the scheme "data" names no origin'],
    ['scripts', 'javascript://host', 'the scheme "javascript" names no origin'],
    ['web sockets', 'wss://shop.example', 'the scheme "wss" names no origin'],
    ['nothing', '', 'expected an origin'],
  ])('%s, naming the entry', (_, entry, reason) => {
    proves('other-account-origins')
    const result = AllowedOrigin.safeParse(entry)

    expect(result.error?.issues[0]?.message).toContain(reason)
    expect(result.error?.issues[0]?.message).toContain(`"${entry}"`)
  })

  test('an entry of more than 512 characters', () => {
    expect(AllowedOrigin.safeParse(`https://${'a'.repeat(505)}`).success).toBe(false)
  })

  test.each([
    ['an origin', `https://${'a'.repeat(250)}.com`],
    ['a wildcard', `https://*.${'a'.repeat(250)}.com`],
    ['an app scheme', `capacitor://${'a'.repeat(254)}`],
  ])('a host of more than 253 characters: %s', (_, entry) => {
    expect(AllowedOrigin.safeParse(entry).success).toBe(false)
  })

  test('an entry in the middle of a list, by its place', () => {
    const list = z.array(AllowedOrigin).safeParse(['https://a.example', '*'])

    expect(list.error?.issues.map(({ path }) => path)).toEqual([[1]])
  })
})

/** As many labels as a host name can have: 127 of one letter each, in 253 characters. */
const longestHost = `${'a.'.repeat(126)}a`

describe('entriesFor', () => {
  test('has 127 entries for the host with the most labels', () => {
    proves('costly-header')
    expect(entriesFor(`https://${longestHost}`)).toHaveLength(127)
    expect(entriesFor(`https://${longestHost}.:65535`)).toHaveLength(128)
  })

  test.each([
    ['of one more character', `https://a${longestHost}`],
    ['with 7,000 labels', `https://${'a.'.repeat(7000)}`],
    ['with 7,000 labels and a port', `https://${'a.'.repeat(7000)}a:8443`],
    ['of one label of 14,000 characters', `https://${'a'.repeat(14_000)}`],
    ['of an app scheme', `capacitor://${'a.'.repeat(200)}`],
    ['that are only colons and digits', `https://${':1'.repeat(7000)}`],
    ['without a scheme', 'a'.repeat(14_000)],
  ])('has none for hosts %s', (_, origin) => {
    proves('costly-header')
    expect(entriesFor(origin)).toEqual([])
  })

  test.each([
    {
      origin: 'https://a.b.shop.example',
      entries: [
        'https://a.b.shop.example',
        'https://*.b.shop.example',
        'https://*.shop.example',
        'https://*.example',
      ],
    },
    {
      origin: 'https://a.shop.example:8443',
      entries: [
        'https://a.shop.example:8443',
        'https://*.shop.example:8443',
        'https://*.example:8443',
      ],
    },
    { origin: 'https://intranet', entries: ['https://intranet'] },
    { origin: 'http://localhost:3000', entries: ['http://localhost:3000'] },
    { origin: 'http://app.localhost', entries: ['http://app.localhost'] },
    { origin: 'capacitor://localhost', entries: ['capacitor://localhost'] },
    { origin: 'null', entries: [] },
  ])('of $origin', ({ origin, entries }) => {
    expect(entriesFor(origin)).toEqual(entries)
  })

  test.each([
    { entry: 'https://*.shop.example', origin: 'https://till.shop.example', allows: true },
    { entry: 'https://*.shop.example', origin: 'https://a.till.shop.example', allows: true },
    { entry: 'https://*.shop.example', origin: 'https://shop.example', allows: false },
    { entry: 'https://*.shop.example', origin: 'https://evilshop.example', allows: false },
    { entry: 'https://*.shop.example', origin: 'https://shop.example.evil.org', allows: false },
    { entry: 'https://*.shop.example', origin: 'http://till.shop.example', allows: false },
    { entry: 'https://*.shop.example', origin: 'https://till.shop.example:8443', allows: false },
    { entry: 'https://SHOP.example:443/', origin: 'https://shop.example', allows: true },
    { entry: 'https://shop.example', origin: 'https://shop.example:8443', allows: false },
    { entry: 'https://shop.example', origin: 'https://till.shop.example', allows: false },
    { entry: 'https://shop.example', origin: 'https://shop.example.', allows: false },
    { entry: 'https://*.shop.example', origin: 'https://till.shop.example.', allows: false },
    { entry: 'http://localhost:3000', origin: 'http://localhost:3001', allows: false },
  ])('has $entry allow $origin: $allows', ({ entry, origin, allows }) => {
    expect(entriesFor(origin).includes(AllowedOrigin.parse(entry))).toBe(allows)
    const others = ['https://*.a.example', 'https://*.z.example', 'https://*.till.shop.example.com']
    const allowlist = [AllowedOrigin.parse(entry), ...others]
    expect(prepareAllowlist(allowlist)(origin)).toBe(allows)
  })
})

describe('isOriginAllowed', () => {
  test('reads each entry of the allowlist once, however many labels the host has', () => {
    proves('costly-header')
    let reads = 0
    const entries = Array.from({ length: 1000 }, (_, at) => `https://*.${at}.example`)
    const allowlist = new Proxy(entries, {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
        return Reflect.get(target, name, receiver)
      },
    })

    expect(isOriginAllowed(`https://${longestHost}`, allowlist)).toBe(false)
    expect(reads).toBeLessThanOrEqual(1000)
  })

  test('ignores the case of the origin', () => {
    expect(isOriginAllowed('HTTPS://A.Shop.Example', ['https://*.shop.example'])).toBe(true)
  })

  test('allows nothing by an empty allowlist, nor the opaque origin', () => {
    expect(isOriginAllowed('https://shop.example', [])).toBe(false)
    expect(isOriginAllowed('null', ['null'])).toBe(false)
  })
})

describe('prepareAllowlist', () => {
  test('allows what the entries allow, whichever is above another', () => {
    const allowlist = [
      ...['https://*.c.b.example', 'https://*.b.example', 'https://*.b-b.example'],
      ...['https://*.aa.example:8443', 'https://*.a.example', 'https://x.example'],
    ]
    const isAllowed = prepareAllowlist(allowlist)
    const names = ['a', 'b', 'c', 'aa', 'b-b', 'x', 'bb']
    const hosts = names.flatMap((one) => names.flatMap((two) => [`${one}.${two}`, two]))
    const origins = [...hosts, ...hosts.flatMap((host) => names.map((name) => `${name}.${host}`))]
      .flatMap((host) => [`${host}.example`, `${host}.example:8443`, `${host}.example.`])
      .flatMap((host) => [`https://${host}`, `HTTPS://${host}`, `http://${host}`])
    const allowed = origins.filter(isAllowed)
    expect(allowed).toEqual(origins.filter((origin) => isOriginAllowed(origin, allowlist)))
    expect(allowed.length).toBeGreaterThan(100)
    expect(allowed.length).toBeLessThan(origins.length / 2)
  })

  test('compares an origin with few of 2,000 wildcards', async () => {
    proves('lost-sites-compared')
    const wildcards = Array.from({ length: 2000 }, (_, at) => `https://*.y${at}.example`)
    const origins = wildcards.map((_, at) => `https://x${at}.example`)
    const isAllowed = prepareAllowlist(wildcards)
    let allowed = 0
    const ms = await measureProcessorMs(() => {
      for (let time = 0; time < 100; time += 1) allowed += origins.filter(isAllowed).length
    })
    expect(allowed).toBe(0)
    expect(ms).toBeLessThan(1500)
  })

  test('allows nothing by an empty allowlist, nor the opaque origin', () => {
    expect(prepareAllowlist([])('https://shop.example')).toBe(false)
    expect(prepareAllowlist(['null'])('null')).toBe(false)
  })
})
