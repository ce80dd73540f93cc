/** What DS_DATABASE may name, and that no refusal repeats a password. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { formatDatabaseAddress, parseDatabaseAddress } from './database-address.ts'

const parse = (text: string) => {
  const parsed = parseDatabaseAddress(text)
  if (parsed.kind === 'file') throw new Error(`${text} is a file`)
  return parsed.address
}

describe('parseDatabaseAddress', () => {
  test.each([
    'data/cardwire.sqlite',
    '/var/lib/postgres/x',
    'postgres',
    './postgres:',
    'C:\\ds.sqlite',
  ])('takes %s for a file', (file) => {
    expect(parseDatabaseAddress(file)).toEqual({ kind: 'file', file })
  })

  test('reads every part of an address', () => {
    expect(
      parse('postgresql://ds:p%40ss%2F@db.example:6432/cardwire?sslrootcert=/etc/ca.pem'),
    ).toEqual({
      host: 'db.example',
      port: 6432,
      database: 'cardwire',
      user: 'ds',
      password: 'p@ss/',
      tls: 'verify-full',
      rootCertificateFile: '/etc/ca.pem',
    })
  })

  test.each([
    ['postgres://ds@db.example/cardwire', 'verify-full'],
    ['postgres://ds@db.example/cardwire?sslmode=require', 'verify-full'],
    ['postgres://ds@db.example/cardwire?sslmode=disable', 'disable'],
    ['postgres://ds@localhost/cardwire', 'disable'],
    ['postgres://ds@127.0.0.1/cardwire?sslmode=verify-full', 'verify-full'],
    ['postgres://ds@[::1]/cardwire', 'disable'],
    ['postgres://localhost.example/cardwire?user=ds', 'verify-full'],
    ['postgres:///cardwire?host=/run/postgresql&user=ds', 'disable'],
    ['postgres://ds@localhost/cardwire?sslrootcert=/etc/ca.pem', 'verify-full'],
  ])('%s: TLS %s', (text, tls) => {
    proves('postgres-intercepted')
    expect(parse(text).tls).toBe(tls)
  })
})

describe('parseDatabaseAddress refuses', () => {
  test.each([
    ['postgres://ds:secret@db.example', 'expected the name of a database as the path'],
    ['postgres://db.example/cardwire', 'expected a user'],
    [
      'postgres://ds:secret@db.example:port/cardwire',
      'expected postgres://user:password@host/database',
    ],
    ['postgres:cardwire', 'expected a host'],
    [
      'postgres://ds:secret@db.example/cardwire?sslmode=prefer',
      'unknown sslmode; known are disable, require and verify-full',
    ],
    [
      'postgres://ds:secret@db.example/cardwire?ssl=true',
      'unknown parameter; known are host, port, user, password, dbname, sslmode, sslrootcert',
    ],
    [
      'postgres://ds:1?secret@db.example/cardwire',
      'unknown parameter; known are host, port, user, password, dbname, sslmode, sslrootcert',
    ],
    ['postgres://ds:%zz@db.example/cardwire', 'expected percent-encoded characters'],
    ['pgsql://ds:secret@db.example/cardwire', 'expected a path, or an address with postgres://'],
    [
      ' postgres://ds:secret@db.example/cardwire',
      'expected a path, or an address with postgres://',
    ],
    [
      '"postgres://ds:secret@db.example/cardwire"',
      'expected a path, or an address with postgres://',
    ],
  ])('%s', (text, reason) => {
    proves('database-password-logged')
    expect(() => parse(text)).toThrow(new Error(reason))
  })
})

test.each([
  ['postgres://ds:secret@db.example/cardwire', 'postgres://db.example:5432/cardwire'],
  ['postgres://ds:secret@[2001:db8::1]/cardwire', 'postgres://[2001:db8::1]:5432/cardwire'],
  [
    'postgres:///cardwire?host=/run/postgresql&user=ds&password=secret',
    'postgres:///cardwire?host=/run/postgresql&port=5432',
  ],
  ['data/cardwire.sqlite', 'data/cardwire.sqlite'],
])('formatDatabaseAddress shows neither user nor password of %s', (text, shown) => {
  proves('database-password-logged')
  expect(formatDatabaseAddress(parseDatabaseAddress(text))).toBe(shown)
})
