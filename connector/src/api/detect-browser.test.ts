/** Detection of real browsers and programs. */
import { describe, expect, test } from 'vitest'
import { detectBrowser } from './detect-browser.ts'

type Headers = Readonly<Record<string, string>>

const detect = (headers: Headers) => detectBrowser((name) => headers[name])

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'

describe('detectBrowser, by the User-Agent alone,', () => {
  test.each([
    {
      browser: 'Chrome on Windows',
      userAgent: `${windows}) ${blink} Chrome/142.0.0.0 Safari/537.36`,
      expected: ['Chrome', '142.0.0.0', 'Blink', 'Windows', 'NT 10.0', false],
    },
    {
      browser: 'Chrome on macOS',
      userAgent: `${mac}_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36`,
      expected: ['Chrome', '142.0.0.0', 'Blink', 'macOS', '10.15.7', false],
    },
    {
      browser: 'Chrome on Linux',
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/142.0.0.0 Safari/537.36`,
      expected: ['Chrome', '142.0.0.0', 'Blink', 'Linux', '', false],
    },
    {
      browser: 'Chrome on Android',
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/142.0.0.0 Mobile Safari/537.36`,
      expected: ['Chrome', '142.0.0.0', 'Blink', 'Android', '10', true],
    },
    {
      browser: 'Chrome on an iPhone, which is WebKit',
      userAgent: `${iphone} ${webkit} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`,
      expected: ['Chrome', '142.0.7444.46', 'WebKit', 'iOS', '18.5', true],
    },
    {
      browser: 'Edge on Windows',
      userAgent: `${windows}) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
      expected: ['Microsoft Edge', '142.0.0.0', 'Blink', 'Windows', 'NT 10.0', false],
    },
    {
      browser: 'Edge on macOS',
      userAgent: `${mac}_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
      expected: ['Microsoft Edge', '142.0.0.0', 'Blink', 'macOS', '10.15.7', false],
    },
    {
      browser: 'Firefox on Windows',
      userAgent: `${windows}; rv:144.0) Gecko/20100101 Firefox/144.0`,
      expected: ['Firefox', '144.0', 'Gecko', 'Windows', 'NT 10.0', false],
    },
    {
      browser: 'Firefox on macOS',
      userAgent: `${mac}.15; rv:144.0) Gecko/20100101 Firefox/144.0`,
      expected: ['Firefox', '144.0', 'Gecko', 'macOS', '10.15', false],
    },
    {
      browser: 'Firefox on Linux',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
      expected: ['Firefox', '144.0', 'Gecko', 'Linux', '', false],
    },
    {
      browser: 'Firefox on Android',
      userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
      expected: ['Firefox', '144.0', 'Gecko', 'Android', '15', true],
    },
    {
      browser: 'Safari on macOS',
      userAgent: `${mac}_15_7) ${webkit} Version/18.5 Safari/605.1.15`,
      expected: ['Safari', '18.5', 'WebKit', 'macOS', '10.15.7', false],
    },
    {
      browser: 'Safari on an iPhone',
      userAgent: `${iphone} ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`,
      expected: ['Safari', '18.5', 'WebKit', 'iOS', '18.5', true],
    },
    {
      browser: 'curl',
      userAgent: 'curl/7.88.1',
      expected: ['curl', '7.88.1', '', '', '', false],
    },
    { browser: 'nobody', userAgent: '', expected: ['Unknown', '', '', '', '', false] },
    {
      browser: 'a megabyte',
      userAgent: 'Chrome/'.repeat(150_000),
      expected: ['Chrome', '', '', '', '', false],
    },
  ])('detects $browser', ({ userAgent, expected }) => {
    const { name, version, engine, os, mobile, hints } = detect({ 'user-agent': userAgent })

    expect([name, version, engine, os.name, os.version, mobile]).toEqual(expected)
    expect(hints).toEqual({})
  })

  test('detects an iPad that requests mobile pages as mobile', () => {
    const userAgent = `${mac}_15_7) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`

    expect(detect({ 'user-agent': userAgent })).toMatchObject({ os: { name: 'iOS' }, mobile: true })
  })
})

describe('detectBrowser, with client hints,', () => {
  const edge: Headers = {
    'user-agent': `${windows}) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'sec-ch-ua': '"Chromium";v="142", "Microsoft Edge";v="142", "Not_A Brand";v="99"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Windows"',
  }

  test('returns them unchanged', () => {
    const { 'user-agent': _, ...hints } = edge

    expect(detect({ ...edge, cookie: 'secret' }).hints).toEqual(hints)
  })

  test.each([
    ['"15.0.0"', '11'],
    ['"13.0.0"', '11'],
    ['"10.0.0"', '10'],
    ['"0.3.0"', 'NT 10.0'],
    ['""', 'NT 10.0'],
  ])('maps platform version %s of Windows to %s', (version, expected) => {
    const { os } = detect({ ...edge, 'sec-ch-ua-platform-version': version })

    expect(os).toEqual({ name: 'Windows', version: expected })
  })

  test('reads the version of macOS, which the User-Agent hides', () => {
    const { os } = detect({
      'user-agent': `${mac}_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36`,
      'sec-ch-ua-platform': '"macOS"',
      'sec-ch-ua-platform-version': '"15.5.0"',
    })

    expect(os).toEqual({ name: 'macOS', version: '15.5.0' })
  })

  test('detects a browser with the User-Agent of another', () => {
    const { name, version } = detect({
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/142.0.0.0 Safari/537.36`,
      'sec-ch-ua-full-version-list': '"Chromium";v="142.0.7444.60", "Brave";v="142.0.1.2"',
    })

    expect([name, version]).toEqual(['Brave', '142.0.1.2'])
  })

  test('follows the hint that it is a phone', () => {
    expect(detect({ ...edge, 'sec-ch-ua-mobile': '?1' }).mobile).toBe(true)
  })
})
