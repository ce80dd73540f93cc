/** The storage faults that are recognized, and that what a client sends is never taken for one. */
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findStorageFault } from './storage-fault.ts'

const unreachable = 'the database cannot be reached'

const failedQuery = (message: string, params: unknown[] = []) =>
  new DrizzleQueryError('insert into devices', params, new Error(message))

test.each<readonly [string, unknown, string | undefined]>([
  ['a full disk', failedQuery('database or disk is full'), 'the disk is full'],
  ['a full disk without a query', new Error('ENOSPC: no space left'), 'the disk is full'],
  [
    'a file beyond the limit of descriptors',
    new Error("EMFILE: too many open files, open '/srv/connector.deb'"),
    'too many files and connections are open (ulimit -n)',
  ],
  ['a read-only disk', new Error('EROFS: read-only file system'), 'the file system is read-only'],
  ['a broken disk', failedQuery('disk I/O error'), 'the disk reports an error, or is full'],
  ['damage', failedQuery('database disk image is malformed'), 'the database is damaged'],
  ['another file', new Error('file is not a database'), 'the database is damaged'],
  ['a locked database', failedQuery('database is locked'), 'the database is busy'],
  ['a locked table', failedQuery('database table is locked: devices'), 'the database is busy'],
  ...(
    [
      ['Exceeded maximum DB size', 'the database is full'],
      [
        "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
        'the database is full',
      ],
      ['D1 DB is overloaded. Requests queued for too long.', 'the database is busy'],
      ['D1 DB is overloaded. Too many requests queued.', 'the database is busy'],
      ['D1 DB reset because its code was updated.', unreachable],
      ['Internal error while starting up D1 DB storage caused object to be reset.', unreachable],
      ['Internal error in D1 DB storage caused object to be reset.', unreachable],
      ['Network connection lost.', unreachable],
      ['internal error; reference = 0123456789abcdef', unreachable],
      ['Cannot resolve D1 DB due to transient issue on remote node.', unreachable],
      ['D1 DB storage operation exceeded timeout which caused object to be reset.', unreachable],
      ["D1 DB's isolate exceeded its memory limit and was reset.", unreachable],
      ['D1 DB exceeded its CPU time limit and was reset.', unreachable],
      ['no such table: users: SQLITE_ERROR', undefined],
      ['UNIQUE constraint failed: devices.id: SQLITE_CONSTRAINT', undefined],
    ] as const
  ).map(([text, fault]) => [`D1's "${text}"`, failedQuery(`D1_ERROR: ${text}`), fault] as const),
  ['another lost connection', new Error('Network connection lost.'), undefined],
  ['a violated constraint', failedQuery('UNIQUE constraint failed: devices.id'), undefined],
  ['a value that reads like one', failedQuery('no such table', ['disk I/O error']), undefined],
  ['what is no error', 'disk I/O error', undefined],
])('findStorageFault with %s', (_, error, fault) => {
  proves('database-busy')
  expect(findStorageFault(error)).toBe(fault)
})
