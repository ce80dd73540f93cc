/** What lists of revoked certificates say, and which of them count: openssl's, and hostile ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Holder, makeHolder } from '../harness/authority.ts'
import { type ListOptions, makeList } from '../harness/revocation-authority.ts'
import {
  authorityExtensions,
  type CheckOptions,
  day,
  type Handler,
  makeChecker,
  type RevocationServer,
  revoked,
  startRevocationServer,
  summarize,
} from '../harness/revocation-server.ts'

let bed: RevocationServer
/** With a list, with a list and a responder, with nothing. */
let user: Holder
let both: Holder
let silent: Holder
let neighbour: Holder
/** A CA below the root, with a user. */
let citizens: Holder
let citizen: Holder

beforeAll(async () => {
  bed = await startRevocationServer()
  const { ocspAt, listAt, makeUser, root } = bed
  ;[user, both, silent, neighbour, citizens] = await Promise.all([
    makeUser([listAt('/list')]),
    makeUser([ocspAt('/ocsp'), listAt('/list')]),
    makeUser([]),
    makeUser([listAt('/list')]),
    makeHolder({
      subject: '/CN=Citizens',
      issuer: root,
      extensions: [...authorityExtensions, listAt('/authorities')],
    }),
  ])
  citizen = await makeUser([listAt('/list')], { issuer: citizens })
})

afterAll(() => bed.close())

const list =
  (options: () => Partial<ListOptions> = () => ({})): Handler =>
  () =>
    makeList({ issuer: bed.root, entries: [revoked(neighbour)], ...options() })

const ocsp =
  (...args: Parameters<RevocationServer['ocsp']>): Handler =>
  (body, response) =>
    bed.ocsp(...args)(body, response)

const gone: Handler = async () => Promise.reject(new Error('gone'))

const scope = (...lines: readonly string[]) => [
  `issuingDistributionPoint=critical,@scope\n[scope]\n${lines.join('\n')}`,
]

test.each<[string, string, Handler, CheckOptions?]>([
  ['without the certificate', 'good crl', list()],
  [
    'with the certificate',
    'revoked crl',
    list(() => ({ entries: [revoked(neighbour), revoked(user)] })),
  ],
  ['without any entry', 'good crl', list(() => ({ entries: [] }))],
  [
    'that is on hold',
    'revoked crl',
    list(() => ({ entries: [{ holder: user, revoked: '260102030405Z,certificateHold' }] })),
  ],
  [
    'that expired',
    'unknown certificate: CRL HOST: it has expired',
    list(),
    { at: Date.now() + day, clock: () => Date.now() + day },
  ],
  [
    'of the future',
    'unknown certificate: CRL HOST: it is of the future',
    list(),
    { at: Date.now() - day, clock: () => Date.now() - day },
  ],
  [
    'of another CA with the same name',
    'unknown certificate: CRL HOST: its issuer did not sign it',
    list(() => ({ issuer: bed.other })),
  ],
  [
    'of a CA with another name',
    'unknown certificate: CRL HOST: it is of another issuer',
    list(() => ({ issuer: citizens })),
  ],
  [
    'signed with SHA-1',
    'unknown certificate: CRL HOST: its issuer did not sign it',
    list(() => ({ args: ['-crlhours', '1', '-md', 'sha1'] })),
  ],
  [
    'with an unknown critical extension',
    'unknown certificate: CRL HOST: it has an unknown critical extension',
    list(() => ({ extensions: ['1.2.3.4=critical,ASN1:NULL'] })),
  ],
  [
    'with an unknown extension that is not critical',
    'good crl',
    list(() => ({ extensions: ['1.2.3.4=ASN1:NULL'] })),
  ],
  [
    'that has only changes',
    'unknown certificate: CRL HOST: it has only changes',
    list(() => ({ extensions: ['2.5.29.27=critical,ASN1:INTEGER:1'] })),
  ],
  [
    'that is indirect',
    'unknown certificate: CRL HOST: it is indirect or partial',
    list(() => ({ extensions: scope('indirectCRL=TRUE') })),
  ],
  [
    'for some reasons',
    'unknown certificate: CRL HOST: it is indirect or partial',
    list(() => ({ extensions: scope('onlysomereasons=keyCompromise') })),
  ],
  [
    'of attribute certificates',
    'unknown certificate: CRL HOST: it is indirect or partial',
    list(() => ({ extensions: scope('onlyAA=TRUE') })),
  ],
  ['of users', 'good crl', list(() => ({ extensions: scope('onlyuser=TRUE') }))],
  [
    'of CAs',
    'unknown certificate: CRL HOST: it is for other kinds of certificates',
    list(() => ({ extensions: scope('onlyCA=TRUE') })),
  ],
  [
    'of this distribution point',
    'good crl',
    list(() => ({ extensions: scope(`fullname=URI:${bed.base}/list`) })),
  ],
  [
    'of another distribution point',
    'unknown certificate: CRL HOST: it is of another distribution point',
    list(() => ({ extensions: scope(`fullname=URI:${bed.base}/part2`) })),
  ],
  [
    'with a scope that cannot be read',
    'unknown certificate: CRL HOST: it is indirect or partial',
    list(() => ({ extensions: ['2.5.29.28=critical,ASN1:NULL'] })),
  ],
  [
    'with a changed byte',
    'unknown certificate: CRL HOST: its issuer did not sign it',
    async () => {
      const bytes = await makeList({ issuer: bed.root, entries: [revoked(user)] })
      // The year of the revocation.
      const at = bytes.indexOf('260102030405Z')
      bytes[at] = 0x33
      return bytes
    },
  ],
  [
    'from which the entries were cut',
    'unknown certificate: CRL HOST: its issuer did not sign it',
    async () => withoutEntries(await makeList({ issuer: bed.root, entries: [revoked(user)] })),
  ],
  [
    'that is cut off',
    'unknown certificate: CRL HOST: it cannot be read',
    async () => (await makeList({ issuer: bed.root, entries: [] })).subarray(0, -1),
  ],
  [
    'with a byte behind it',
    'unknown certificate: CRL HOST: it cannot be read',
    async () => Buffer.concat([await makeList({ issuer: bed.root, entries: [] }), Buffer.of(0)]),
  ],
  [
    'of garbage',
    'unknown certificate: CRL HOST: it cannot be read',
    async () => Buffer.alloc(100, 0x30),
  ],
  [
    'that is larger than the limit',
    'unknown certificate: CRL HOST: it is larger than 100 bytes',
    list(),
    { maxCrlBytes: 100 },
  ],
])('a list %s: %s', async (_, expected, handler, options) => {
  proves('revocation-forged')
  expect(summarize(await bed.check([user, bed.root], { '/list': handler }, options))).toBe(expected)
})

/** The same list without its entries, with the lengths that it then has. */
function withoutEntries(der: Buffer): Buffer {
  const contentOf = (at: number) => {
    const first = der.readUInt8(at + 1)
    const count = first < 0x80 ? 0 : first - 0x80
    const start = at + 2 + count
    return { start, end: start + (count === 0 ? first : der.readUIntBE(at + 2, count)) }
  }
  const write = (content: Buffer) => {
    const header = Buffer.from([0x30, 0x82, 0, 0])
    header.writeUInt16BE(content.length, 2)
    return Buffer.concat([header, content])
  }
  const signed = contentOf(contentOf(0).start)
  const time = Buffer.of(0x17, 0x0d)
  // Behind both times of the list, which have 15 bytes each.
  const entries = der.indexOf(time) + 30
  const kept = [
    der.subarray(signed.start, entries),
    der.subarray(contentOf(entries).end, signed.end),
  ]
  return write(Buffer.concat([write(Buffer.concat(kept)), der.subarray(signed.end)]))
}

test('a revoked certificate comes with the time, the reason and the times of the list', async () => {
  proves('revocation-unchecked')
  const { thisUpdate, nextUpdate, ...rest } = await bed.check([user, bed.root], {
    '/list': list(() => ({ entries: [revoked(user)] })),
  })
  expect(rest).toEqual({
    status: 'revoked',
    source: 'crl',
    revokedAt: new Date('2026-01-02T03:04:05Z'),
    reason: 'keyCompromise',
  })
  expect(Number(nextUpdate) - Number(thisUpdate)).toBe(3_600_000)
})

test('a list of an issuer that may not sign lists does not count', async () => {
  proves('revocation-forged')
  const issuer = await makeHolder({ subject: '/CN=Strict' })
  const strict = await bed.makeUser([bed.listAt('/list')], { issuer })
  const result = await bed.check([strict, issuer], { '/list': list(() => ({ issuer })) })
  expect(summarize(result)).toBe('unknown certificate: CRL HOST: its issuer may not sign lists')
})

test.each<[string, string, () => readonly Holder[], Readonly<Record<string, Handler>>]>([
  [
    'the responder is asked before the list',
    'revoked ocsp',
    () => [both, bed.root],
    { '/ocsp': ocsp(() => [revoked(both)]), '/list': list() },
  ],
  [
    'the list is asked after a responder that has no answer',
    'revoked crl',
    () => [both, bed.root],
    { '/list': list(() => ({ entries: [revoked(both)] })) },
  ],
  [
    'no source has an answer',
    'unknown certificate: OCSP HOST: its status is 404; CRL HOST: its status is 404',
    () => [both, bed.root],
    {},
  ],
  [
    'a certificate names no source',
    'unknown certificate: it names neither a responder nor a list',
    () => [silent, bed.root],
    {},
  ],
  ['the path is a root', 'good ', () => [bed.root], {}],
  ['the path is empty', 'unknown the path cannot be read', () => [], {}],
  [
    'a CA in the path is valid, too',
    'good crl',
    () => [citizen, citizens, bed.root],
    { '/list': list(() => ({ issuer: citizens, entries: [] })), '/authorities': list() },
  ],
  [
    'a CA in the path was revoked',
    'revoked crl',
    () => [citizen, citizens, bed.root],
    {
      '/list': list(() => ({ issuer: citizens, entries: [] })),
      '/authorities': list(() => ({ entries: [revoked(citizens)] })),
    },
  ],
  [
    'the status of a CA in the path is unknown',
    'unknown CA 1: CRL HOST: its status is 404',
    () => [citizen, citizens, bed.root],
    { '/list': list(() => ({ issuer: citizens, entries: [] })) },
  ],
  [
    'the user was revoked, and the status of the CA is unknown',
    'revoked crl',
    () => [citizen, citizens, bed.root],
    { '/list': list(() => ({ issuer: citizens, entries: [revoked(citizen)] })) },
  ],
])('%s: %s', async (_, expected, path, routes) => {
  proves('revocation-unchecked')
  expect(summarize(await bed.check(path(), routes))).toBe(expected)
})

describe('answers of another time', () => {
  test.each<[string, string, readonly string[], number]>([
    ['of the time of use', 'good crl', [], Date.UTC(2025, 0, 1)],
    [
      'after the certificate expired',
      'unknown certificate: enclosed: the certificate had expired before it was issued',
      [],
      Date.UTC(2025, 0, 1),
    ],
    [
      'after the certificate expired, of a CA that keeps entries',
      'good crl',
      ['expiredCertsOnCRL'],
      Date.UTC(2025, 0, 1),
    ],
  ])('a list %s: %s', async (what, expected, kept, at) => {
    proves('revocation-forged')
    const holder =
      what === 'of the time of use'
        ? silent
        : await bed.makeUser([], { notAfter: '20250601000000Z' })
    const extensions =
      kept.length > 0 ? ['2.5.29.60=ASN1:GENERALIZEDTIME:20200101000000Z'] : undefined
    const der = await makeList({ issuer: bed.root, entries: [], ...(extensions && { extensions }) })
    const result = await bed.check([holder, bed.root], {}, { at, stapled: [der] })
    expect(summarize(result).replace(/; .*/, '')).toBe(expected)
  })
})

describe('the cache', () => {
  let served: Handler
  const serve = (handler: Handler) => {
    served = handler
  }
  const checkAt = (checker: ReturnType<typeof makeChecker>, now: number, holder = user) =>
    checker.check([holder.der, bed.root.der], new Date(now)).then(summarize)

  function start(options: { readonly maxCacheBytes?: number } = {}) {
    const started = Date.now()
    let now = started
    const checker = makeChecker({ clock: () => now, ...options })
    bed.serve({ '/list': (body, response) => served(body, response) })
    return {
      check: (afterMs: number, holder?: Holder) => {
        now = started + afterMs
        return checkAt(checker, now, holder)
      },
    }
  }
  const daily = (entries: () => ListOptions['entries'] = () => []) =>
    list(() => ({ entries: entries(), args: ['-crldays', '1', '-md', 'sha256'] }))

  test('a list is loaded once for all certificates of an hour, and then again', async () => {
    proves('revocation-costly')
    const { check } = start()
    serve(daily())
    expect(await check(0)).toBe('good crl')
    serve(daily(() => [revoked(user)]))
    expect(await check(3_599_000)).toBe('good crl')
    expect(await check(0, neighbour)).toBe('good crl')
    expect(bed.requests).toEqual(['/list'])
    expect(await check(3_601_000)).toBe('revoked crl')
    expect(bed.requests).toEqual(['/list', '/list'])
  })

  test('simultaneous checks load a list once', async () => {
    proves('revocation-costly')
    const { check } = start()
    serve(daily())
    expect(await Promise.all([check(0), check(0, neighbour)])).toEqual(['good crl', 'good crl'])
    expect(bed.requests).toEqual(['/list'])
  })

  test('a list that cannot be loaded again is used until its next update', async () => {
    proves('revocation-unchecked')
    const { check } = start()
    serve(daily())
    expect(await check(0)).toBe('good crl')
    serve(gone)
    expect(await check(day - 60_000)).toBe('good crl')
    expect(await check(day + 600_000)).toBe('unknown certificate: CRL HOST: its status is 500')
  })

  test('a list that is larger than the cache is loaded for each check', async () => {
    proves('revocation-costly')
    const { check } = start({ maxCacheBytes: 100 })
    serve(daily())
    await check(0)
    expect(await check(0)).toBe('good crl')
    expect(bed.requests).toEqual(['/list', '/list'])
  })

  test.each<[string, number, number, readonly string[]]>([
    ['is full drops the list that was used first', 1, 0, ['/list', '/other', '/list']],
    ['has room keeps both lists', 2, 0, ['/list', '/other']],
    ['is too small for a list keeps the others', 1, 2, ['/list', '/other']],
  ])('a cache that %s', async (_, lists, entries, expected) => {
    proves('revocation-costly')
    const elsewhere = await bed.makeUser([bed.listAt('/other')])
    const others = [neighbour, both]
    const small = await makeList({ issuer: bed.root, entries: [] })
    const other = await makeList({
      issuer: bed.root,
      entries: others.slice(0, entries).map(revoked),
    })
    bed.serve({ '/list': async () => small, '/other': async () => other })
    const checker = makeChecker({ maxCacheBytes: lists * (small.length + 10) })
    for (const { der } of [user, elsewhere, user])
      expect(summarize(await checker.check([der, bed.root.der], new Date()))).toBe('good crl')
    expect(bed.requests).toEqual(expected)
  })

  test('a list that is older than the cached one is not used', async () => {
    proves('revocation-forged')
    const { check } = start()
    serve(daily(() => [revoked(user)]))
    expect(await check(0)).toBe('revoked crl')
    const at = (ms: number) => new Date(ms).toISOString().replace(/[-:T]|\..*/g, '')
    const times = [
      ...['-crl_lastupdate', `${at(Date.now() - 60_000)}Z`],
      ...['-crl_nextupdate', `${at(Date.now() + day)}Z`],
    ]
    serve(list(() => ({ entries: [], args: [...times, '-md', 'sha256'] })))
    expect(await check(3_601_000)).toBe('revoked crl')
    expect(bed.requests).toEqual(['/list', '/list'])
  })

  test('a list that failed is not cached', async () => {
    const { check } = start()
    serve(list(() => ({ issuer: bed.other })))
    expect(await check(0)).toBe('unknown certificate: CRL HOST: its issuer did not sign it')
    serve(daily())
    expect(await check(0)).toBe('good crl')
  })

  test('the list of one CA is not used for another that names the same URL', async () => {
    proves('revocation-forged')
    const foreigner = await bed.makeUser([bed.listAt('/list')], { issuer: bed.other })
    const checker = makeChecker()
    bed.serve({ '/list': daily() })
    const check = (one: Holder, issuer: Holder) =>
      checker.check([one.der, issuer.der], new Date()).then(summarize)
    expect(await check(user, bed.root)).toBe('good crl')
    expect(await check(foreigner, bed.other)).toBe(
      'unknown certificate: CRL HOST: its issuer did not sign it',
    )
  })
})

test('a check never rejects, whatever it is given', async () => {
  const { check } = makeChecker()
  const nothing = undefined as never
  expect(summarize(await check(nothing, new Date()))).toBe('unknown the path cannot be read')
  expect(summarize(await check([user.der, bed.root.der], nothing))).toBe(
    'unknown the time is invalid',
  )
})

describe('lists of the back end', () => {
  const lists = (...own: readonly (string | Uint8Array)[]) => ({ lists: async () => own })
  const toPem = (der: Buffer, label = 'X509 CRL') =>
    `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`
  const make = (...users: readonly Holder[]) =>
    makeList({ issuer: bed.root, entries: users.map(revoked) })
  const check = async (holder: Holder, options: CheckOptions) =>
    summarize(await makeChecker(options).check([holder.der, bed.root.der], new Date()))

  test('count for a certificate that names no place to ask, in DER and in PEM', async () => {
    proves('revocation-unchecked')
    const [clean, full] = await Promise.all([make(), make(silent)])
    expect(await check(silent, lists(clean))).toBe('good crl')
    expect(await check(silent, lists(full))).toBe('revoked crl')
    expect(await check(silent, lists(toPem(full)))).toBe('revoked crl')
    expect(await check(silent, lists(toPem(full, 'CRL')))).toBe('revoked crl')
    const foreign = await makeList({ issuer: bed.other, entries: [] })
    expect(await check(silent, lists(toPem(foreign) + toPem(full)))).toBe('revoked crl')
  })

  test('do not count when another CA signed them, when they are too long, or cannot be had', async () => {
    proves('revocation-forged')
    const foreign = await makeList({ issuer: bed.other, entries: [] })
    const unknown = 'unknown certificate: '
    expect(await check(silent, lists(foreign))).toBe(
      `${unknown}own list: its issuer did not sign it`,
    )
    const nothing = `${unknown}own lists: one is not a list in PEM or DER, or too long`
    const clean = await make()
    expect(await check(silent, { ...lists(clean), maxCrlBytes: 100 })).toBe(nothing)
    expect(await check(silent, lists('no list'))).toBe(nothing)
    expect(
      await check(silent, lists('-----BEGIN X509 CRL-----\n%\n-----END X509 CRL-----')),
    ).toMatch(/own lists: they cannot be read: /)
    const failing = { lists: () => Promise.reject(new Error('no file')) }
    expect(await check(silent, failing)).toBe(`${unknown}own lists: they cannot be read: no file`)
  })

  test('count after a responder, which knows later', async () => {
    proves('revocation-unchecked')
    bed.serve({ '/ocsp': ocsp(() => [revoked(both)]) })
    expect(await check(both, lists(await make()))).toBe('revoked ocsp')
    bed.serve({ '/ocsp': gone })
    expect(await check(both, lists(await make()))).toBe('good crl')
  })
})
