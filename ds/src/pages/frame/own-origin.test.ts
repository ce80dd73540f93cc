/** Which requests come from a page of the service, and which addresses are safe to log in at. */
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { isFromOwnPage, isOpenedSafely } from './own-origin.ts'

type Headers = Readonly<Record<string, string>>

async function ask(headers: Headers, url: string, address = 'http://127.0.0.1:8080/') {
  const app = new Hono().get('/', (context) =>
    context.json([isFromOwnPage(context, url), isOpenedSafely(context)]),
  )
  const response = await app.request(address, { headers })
  const [isOwn, isSafe] = (await response.json()) as readonly boolean[]
  return { isOwn, isSafe }
}

const [https, http] = ['https://ds.example', 'http://ds.example']

test.each<[string, Headers, string, boolean]>([
  ['its own page', { 'sec-fetch-site': 'same-origin' }, https, true],
  ['another page', { 'sec-fetch-site': 'cross-site', origin: https }, https, false],
  ['plain http of the same name', { 'sec-fetch-site': 'cross-site', origin: http }, https, false],
  ['another port', { 'sec-fetch-site': 'same-site', origin: https }, https, false],
  ['nothing that is opened', { 'sec-fetch-site': 'none' }, https, false],
  ['the public address', { origin: https, host: 'internal:8080' }, https, true],
  [
    'another name over https',
    { origin: 'https://other.example', host: 'other.example' },
    https,
    true,
  ],
  ['this machine', { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, https, true],
  [
    'this machine by name',
    { origin: 'http://localhost:8080', host: 'localhost:8080' },
    https,
    true,
  ],
  ['plain http of the public name', { origin: http, host: 'ds.example' }, https, false],
  ['plain http of another name', { origin: 'http://lan', host: 'lan' }, https, false],
  ['the public address, which is plain http', { origin: http, host: 'ds.example' }, http, true],
  [
    'another port of this machine',
    { origin: 'http://127.0.0.1:1', host: '127.0.0.1:8080' },
    https,
    false,
  ],
  ['no origin', { host: 'ds.example' }, https, false],
  ['an origin that is not named', { origin: 'null', host: 'ds.example' }, https, false],
  [
    'a name that only begins so',
    { origin: 'https://ds.example.evil.example', host: 'ds.example' },
    https,
    false,
  ],
])('a request of %s', async (_, headers, url, expected) => {
  proves('cross-site-request')
  expect((await ask(headers, url)).isOwn).toBe(expected)
})

test.each<[string, Headers, string, boolean]>([
  ['this machine', {}, 'http://127.0.0.1:8080/', true],
  ['this machine by name', { host: 'localhost:8080' }, 'http://10.0.0.1:8080/', true],
  ['https', {}, 'https://ds.example/', true],
  [
    'https before a proxy',
    { host: 'ds.example', 'x-forwarded-proto': 'https' },
    'http://127.0.0.1/',
    true,
  ],
  [
    'a browser that marks https',
    { host: 'ds.example', 'sec-fetch-site': 'none' },
    'http://127.0.0.1/',
    true,
  ],
  ['plain http', { host: 'ds.example' }, 'http://127.0.0.1:8080/', false],
  [
    'plain http before a proxy',
    { host: 'ds.example', 'x-forwarded-proto': 'http' },
    'http://127.0.0.1/',
    false,
  ],
  ['a name that only begins so', { host: 'localhost.evil.example' }, 'http://127.0.0.1/', false],
  ['no name', { host: '/' }, 'http://127.0.0.1/', false],
])('an address of %s to log in at', async (_, headers, address, expected) => {
  proves('sign-in-intercepted')
  expect((await ask(headers, https, address)).isSafe).toBe(expected)
})
