/** What part of a file a request gets, by the rules of RFC 9110. */
import { describe, expect, test } from 'vitest'
import { type Part, type RangeRequest, selectPart } from './range.ts'

const file = { size: 1000, etag: '"abc"' }
const plain: RangeRequest = { range: undefined, ifRange: undefined, ifNoneMatch: undefined }

const whole: Part = { status: 200 }
const unsatisfiable: Part = { status: 416 }
const from = (start: number, end: number): Part => ({ status: 206, start, end })

describe('selectPart of a file of 1000 bytes', () => {
  test.each([
    { range: 'bytes=0-0', part: from(0, 0) },
    { range: 'bytes=0-499', part: from(0, 499) },
    { range: 'bytes=500-', part: from(500, 999) },
    { range: 'bytes=0-', part: from(0, 999) },
    { range: 'bytes=999-', part: from(999, 999) },
    { range: 'bytes=900-5000', part: from(900, 999) },
    { range: `bytes=900-${'9'.repeat(400)}`, part: from(900, 999) },
    { range: 'bytes=-1', part: from(999, 999) },
    { range: 'bytes=-1000', part: from(0, 999) },
    { range: 'bytes=-5000', part: from(0, 999) },
    { range: 'BYTES= 1-2 ', part: from(1, 2) },
    { range: 'bytes=1000-', part: unsatisfiable },
    { range: 'bytes=1000-1001', part: unsatisfiable },
    { range: `bytes=${'9'.repeat(400)}-`, part: unsatisfiable },
    { range: 'bytes=-0', part: unsatisfiable },
    { range: 'bytes=5-2', part: whole },
    { range: 'bytes=2000-1500', part: whole },
    { range: 'bytes=0-1,5-6', part: whole },
    { range: 'bytes=-', part: whole },
    { range: 'bytes=', part: whole },
    { range: 'bytes=a-b', part: whole },
    { range: 'bytes=0x1-2', part: whole },
    { range: 'bytes=1.5-2', part: whole },
    { range: 'items=0-1', part: whole },
    { range: '0-1', part: whole },
    { range: '', part: whole },
  ])('for the range $range', ({ range, part }) => {
    expect(selectPart(file, { ...plain, range })).toEqual(part)
  })

  test.each([
    { what: 'is whole without any header', request: {}, part: whole },
    {
      what: 'is a part when If-Range holds its tag',
      request: { range: 'bytes=1-2', ifRange: '"abc"' },
      part: from(1, 2),
    },
    {
      what: 'is whole when If-Range holds another tag',
      request: { range: 'bytes=1-2', ifRange: '"old"' },
      part: whole,
    },
    {
      what: 'is whole when If-Range holds a weak tag',
      request: { range: 'bytes=1-2', ifRange: 'W/"abc"' },
      part: whole,
    },
    {
      what: 'is whole when If-Range holds a date',
      request: { range: 'bytes=1-2', ifRange: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      part: whole,
    },
    {
      what: 'is whole for a range that lies outside of another file',
      request: { range: 'bytes=5000-', ifRange: '"old"' },
      part: whole,
    },
    {
      what: 'is not sent again to whom has it',
      request: { ifNoneMatch: '"abc"' },
      part: { status: 304 },
    },
    {
      what: 'is not sent again to whom has it under a weak tag',
      request: { ifNoneMatch: 'W/"abc"' },
      part: { status: 304 },
    },
    {
      what: 'is not sent again to whom has it among others',
      request: { ifNoneMatch: '"old", W/"older" ,"abc"' },
      part: { status: 304 },
    },
    {
      what: 'is not sent again to whom has any',
      request: { ifNoneMatch: ' * ' },
      part: { status: 304 },
    },
    {
      what: 'is not sent in parts to whom has the whole',
      request: { ifNoneMatch: '"abc"', range: 'bytes=1-2' },
      part: { status: 304 },
    },
    {
      what: 'is sent to whom has another',
      request: { ifNoneMatch: '"old", "abc-2"' },
      part: whole,
    },
    {
      what: 'is sent to whom names no tag',
      request: { ifNoneMatch: 'abc' },
      part: whole,
    },
  ])('$what', ({ request, part }) => {
    expect(selectPart(file, { ...plain, ...request })).toEqual(part)
  })
})

test.each([
  { range: undefined, part: whole },
  { range: 'bytes=0-', part: unsatisfiable },
  { range: 'bytes=-1', part: unsatisfiable },
])('selectPart of an empty file for the range $range', ({ range, part }) => {
  expect(selectPart({ size: 0, etag: '"empty"' }, { ...plain, range })).toEqual(part)
})
