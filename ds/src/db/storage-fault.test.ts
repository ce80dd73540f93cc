/** The storage faults that are recognized, and that what a client sends is never taken for one. */
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { findStorageFault } from './storage-fault.ts'

const failedQuery = (message: string, params: unknown[] = []) =>
  new DrizzleQueryError('insert into devices', params, new Error(message))

test.each([
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
  ['a violated constraint', failedQuery('UNIQUE constraint failed: devices.id'), undefined],
  ['a value that reads like one', failedQuery('no such table', ['disk I/O error']), undefined],
  ['what is no error', 'disk I/O error', undefined],
])('findStorageFault with %s', (_, error, fault) => {
  expect(findStorageFault(error)).toBe(fault)
})
