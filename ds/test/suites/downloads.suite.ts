/** Downloads: the right installer, whole or in parts, and nothing else of the machine. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createVersion, getData } from '../harness/arrange.ts'

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const linux = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** Compared as a whole: `toEqual` looks at three million numbers one by one, for seconds. */
const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

export function downloadSuite(service: () => DistributionService, file: Uint8Array): void {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    service().request(method, `/v3/downloads/${path}`, { headers })

  /** A version of its own for each test that looks at bytes. */
  const aPackage = async (uri = 'file:///packages/connector.bin', extra: Json = {}) => {
    const { id } = await createVersion(service(), await service().login(), {
      uris: [{ os: 'UNIX', uri, ...extra }],
    })
    return `installers/unix/versions/${id}`
  }
  const bytes = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(`/v3/downloads/${path}`, service().url), { headers })
    return { response, body: new Uint8Array(await response.arrayBuffer()) }
  }

  test('installers/{os}/versions/{version} sends the file with length, type, name and tag', async () => {
    proves('installer-by-version')
    const { response, body } = await bytes(
      await aPackage('file:///packages/connector.bin', { sha256: 'ab'.repeat(32) }),
    )
    expect(response.status).toBe(200)
    expect(sameBytes(body, file)).toBe(true)
    expect(response.headers.get('content-length')).toBe(String(file.length))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="connector.bin"; filename*=UTF-8''connector.bin`,
    )
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('repr-digest')).toBe(
      `sha-256=:${Buffer.from('ab'.repeat(32), 'hex').toString('base64')}:`,
    )
  })

  test('a file name outside ASCII is sent in UTF-8 beside a plain one', async () => {
    const path = await aPackage(`file:///packages/${encodeURIComponent('Žluťoučký "kůň".bin')}`)
    const { response } = await bytes(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_lu_ou_k_ _k___.bin"; filename*=UTF-8''%C5%BDlu%C5%A5ou%C4%8Dk%C3%BD%20%22k%C5%AF%C5%88%22.bin`,
    )
  })

  test.each([
    ['bytes=0-0', 206, 0, 1],
    ['bytes=100-199', 206, 100, 200],
    ['bytes=-10', 206, -10, undefined],
    ['bytes=1000-', 206, 1000, undefined],
    ['bytes=0-99999999', 206, 0, undefined],
    ['bytes=0-1,5-6', 200, 0, undefined],
    ['bytes=9-1', 200, 0, undefined],
    ['lines=1-2', 200, 0, undefined],
    ['bytes=-', 200, 0, undefined],
  ])('Range %s gets status %i and the right bytes', async (range, status, start, end) => {
    const { response, body } = await bytes(await aPackage(), { range })
    expect(response.status).toBe(status)
    expect(sameBytes(body, file.slice(start, end))).toBe(true)
    if (status === 206) {
      const from = start < 0 ? file.length + start : start
      expect(response.headers.get('content-range')).toBe(
        `bytes ${from}-${from + body.length - 1}/${file.length}`,
      )
    }
  })

  test.each(['bytes=99999999-', 'bytes=-0'])(
    'Range %s outside the file gets status 416',
    async (range) => {
      const answer = await get(await aPackage(), { range })
      expect(answer.status).toBe(416)
      expect(answer.headers.get('content-range')).toBe(`bytes */${file.length}`)
      expect(answer.json.code).toBe('range-unsatisfiable')
    },
  )

  test('If-None-Match, If-Range and HEAD follow RFC 9110', async () => {
    const path = await aPackage()
    const etag = (await get(path, {}, 'HEAD')).headers.get('etag') ?? ''
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(path, { 'if-none-match': `"other", W/${etag}` })).status).toBe(304)
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(path, { 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206)
    expect((await get(path, { 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200)
    const head = await get(path, {}, 'HEAD')
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(file.length),
    ])
  })

  test('an online installer is a redirect', async () => {
    proves('installer-location', 'internal-fetch')
    const answer = await get(await aPackage('https://downloads.example/connector.deb?x=1'))
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('https://downloads.example/connector.deb?x=1')
  })

  test.each([
    ['https://h.example/a%20b/日本.msi', 'https://h.example/a%20b/%E6%97%A5%E6%9C%AC.msi'],
    ['https://h.example/é.pkg', 'https://h.example/%C3%A9.pkg'],
  ])('online address %s is percent-encoded in the redirect', async (uri, location) => {
    expect((await get(await aPackage(uri))).headers.get('location')).toBe(location)
  })

  test('an empty file is sent with length 0', async () => {
    const { response, body } = await bytes(await aPackage('file:///packages/empty.bin'))
    expect([response.status, response.headers.get('content-length'), body.length]).toEqual([
      200,
      '0',
      0,
    ])
  })

  test('unknown systems, versions and installers are refused by name', async () => {
    expect((await get('installers/amiga')).status).toBe(422)
    expect((await get('installers/unix/versions/8.8.8')).json.code).toBe('version-unknown')
    const path = await aPackage()
    const other = await get(path.replace('unix', 'win32'))
    expect(other.json.code).toBe('installer-unknown')
  })

  describeLatest()

  function describeLatest() {
    const uris = [
      { os: 'WIN32', uri: 'https://d.example/win32' },
      { os: 'WIN64', uri: 'https://d.example/win64' },
      { os: 'MACOS', uri: 'https://d.example/macos' },
      { os: 'MACOSARM', uri: 'https://d.example/macosarm' },
      { os: 'UNIX', uri: 'https://d.example/unix' },
    ]

    test.each([
      ['Windows', { 'user-agent': windows }, 'win64'],
      ['32-bit Windows', { 'user-agent': windows.replace('; Win64; x64', '') }, 'win32'],
      ['a Mac', { 'user-agent': mac }, 'macos'],
      [
        'a Mac with Apple silicon that says so',
        { 'user-agent': mac, 'sec-ch-ua-platform': '"macOS"', 'sec-ch-ua-arch': '"arm"' },
        'macosarm',
      ],
      ['Linux', { 'user-agent': linux }, 'unix'],
      [
        '32-bit Windows that says so',
        { 'user-agent': windows, 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-bitness': '"32"' },
        'win32',
      ],
    ])('downloads/installer chooses for %s', async (_, headers, os) => {
      proves('installer-by-user-agent')
      const token = await service().login()
      await createVersion(service(), token, { id: '80.0.0', uris })
      const answer = await get('installer', headers as Record<string, string>)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(`https://d.example/${os}`)
      expect(answer.headers.get('accept-ch')).toContain('Sec-CH-UA-Bitness')
      expect(answer.headers.get('critical-ch')).toContain('Sec-CH-UA-Arch')
      expect(answer.headers.get('vary')).toMatch(/User-Agent/)
    })

    test('downloads/installers/{os} sends the latest allowed version for the system', async () => {
      proves('installer-by-system')
      const token = await service().login()
      await createVersion(service(), token, { id: '80.0.0', uris })
      await createVersion(service(), token, {
        id: '80.0.1',
        uris: [{ os: 'WIN64', uri: 'https://d.example/newer' }],
      })
      await createVersion(service(), token, { id: '80.0.2', allowed: false, uris })
      const location = async (os: string) => (await get(`installers/${os}`)).headers.get('location')
      expect(await location('win64')).toBe('https://d.example/newer')
      expect(await location('WIN64')).toBe('https://d.example/newer')
      expect(await location('unix')).toBe('https://d.example/unix')
    })

    test('a phone gets the page of choices', async () => {
      await createVersion(service(), await service().login(), { id: '80.0.0', uris })
      const answer = await get('installer', { 'user-agent': phone })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
      for (const os of ['win32', 'win64', 'macos', 'macosarm', 'unix']) {
        expect(answer.text).toContain(
          `href="${service().url}/v3/downloads/installers/${os}/versions/`,
        )
      }
    })

    test('a program without a detected system gets a problem with the choices', async () => {
      await createVersion(service(), await service().login(), { id: '80.0.0', uris })
      const answer = await get('installer', { 'user-agent': 'curl/8.5.0' })
      expect(answer.status).toBe(400)
      expect(answer.json.code).toBe('os-undetermined')
      expect(answer.json.choices).toHaveLength(5)
      expect((await fetch(answer.json.choices[0], { redirect: 'manual' })).status).toBe(302)
    })
  }

  test('downloads are counted by version, system and day: the first part once, HEAD and later parts never', async () => {
    const path = await aPackage()
    const versionId = path.split('/').at(-1)
    await bytes(path)
    await bytes(path, { range: 'bytes=0-10' })
    await bytes(path, { range: 'bytes=11-20' })
    const head = await get(path, {}, 'HEAD')
    await get(path, { 'if-none-match': head.headers.get('etag') ?? '' })
    const token = await service().login()
    const list = getData(
      await service().request('GET', `/v3/downloads?versionId=${versionId}`, { token }),
    )
    const day = new Date().toISOString().slice(0, 10)
    expect(list.items).toEqual([{ versionId, os: 'UNIX', day, count: 2 }])
    const filtered = async (query: string) =>
      getData(
        await service().request('GET', `/v3/downloads?versionId=${versionId}&${query}`, { token }),
      ).total
    expect([
      await filtered('os=WIN64'),
      await filtered('to=2020-01-01'),
      await filtered('from=2020-01-01'),
    ]).toEqual([0, 0, 1])
    const summarize = async (query: string) =>
      getData(await service().request('GET', `/v3/downloads/summary?${query}`, { token }))
    expect(await summarize(`versionId=${versionId}`)).toEqual({
      total: 2,
      days: [{ day, count: 2 }],
    })
    expect(await summarize(`versionId=${versionId}&os=WIN64`)).toEqual({ total: 0, days: [] })
  })
}
