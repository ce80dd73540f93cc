/**
 * What Kong's Admin API is asked, and what it answers: written from Kong's documentation and source, as a table that both the
 * adapter and the stand-in pass. Kong itself was not there.
 */
import type { CopyTarget } from '../../src/gateway/mirror.ts'

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly answer?: object
}

export interface Scenario {
  readonly title: string
  /** What Kong was asked before, not by the adapter. */
  readonly given: readonly Exchange[]
  act(target: CopyTarget): Promise<unknown>
  /** The requests of the adapter, in this order. */
  readonly exchanges: readonly Exchange[]
  /** What `act` resolves with, or a part of the reason why it rejects. */
  readonly result?: unknown
  readonly failure?: string
}

export const tag = 'tills'
export const token = 'token-of-the-admin-api'
/** When all of it happens. */
export const now = 1_767_225_600_000

const name = 'tills:application:till'
const path = '/consumers/tills%3Aapplication%3Atill'
const keyId = '6f1c5a52-3f0b-8c1d-9b7e-2d4c8a1e0f33'
const otherId = '7f1c5a52-3f0b-8c1d-9b7e-2d4c8a1e0f33'
const key = '8c3b6a0e-2f1d-4a5b-9c7e-0d1f2a3b4c5d'
const id = '00000000-0000-4000-8000-000000000001'
const created_at = 1_767_225_600

const stored = { id, username: name, custom_id: name, tags: [tag], created_at }
const putConsumer: Exchange = {
  ...{ method: 'PUT', path, status: 200, answer: stored },
  body: { username: name, custom_id: name, tags: [tag] },
}
const storedKey = { id: keyId, key, consumer: { id }, tags: [tag], created_at, ttl: null }
const putKey: Exchange = {
  ...{ method: 'PUT', path: `${path}/key-auth/${keyId}`, status: 200, answer: storedKey },
  body: { key, tags: [tag] },
}
const foreignKey: Exchange = {
  ...{ method: 'PUT', path: `${path}/key-auth/${otherId}`, status: 200 },
  body: { key: 'a key by hand' },
  answer: { ...storedKey, id: otherId, key: 'a key by hand', tags: null },
}
const foreignConsumer: Exchange = {
  ...{ method: 'PUT', path: '/consumers/bob', status: 200, body: { username: 'bob' } },
  answer: { id, username: 'bob', custom_id: null, tags: null, created_at },
}
const missing = { message: 'Not found' }
const page = (...data: readonly object[]) => ({ data, next: null })

export const scenarios: readonly Scenario[] = [
  {
    title: 'a consumer is created, with its name as its custom ID and the tag',
    given: [],
    act: (target) => target.putConsumer(name),
    exchanges: [putConsumer],
  },
  {
    title: 'a custom ID that another consumer has is a failure',
    given: [
      {
        ...{ method: 'PUT', path: '/consumers/bob', status: 200 },
        body: { username: 'bob', custom_id: name },
        answer: { id, username: 'bob', custom_id: name, tags: null, created_at },
      },
    ],
    act: (target) => target.putConsumer(name),
    exchanges: [
      {
        ...putConsumer,
        status: 409,
        answer: {
          code: 5,
          name: 'unique constraint violation',
          message: `UNIQUE violation detected on '{custom_id="${name}"}'`,
          fields: { custom_id: name },
        },
      },
    ],
    failure: `Kong answered 409 to PUT ${path}`,
  },
  {
    title: 'a key is created under its own ID',
    given: [putConsumer],
    act: (target) => target.putKey(name, { id: keyId, key, lifetimeS: undefined }),
    exchanges: [putKey],
  },
  {
    title: 'a key that ends has a ttl',
    given: [putConsumer],
    act: (target) => target.putKey(name, { id: keyId, key, lifetimeS: 3600 }),
    exchanges: [
      { ...putKey, body: { key, tags: [tag], ttl: 3600 }, answer: { ...storedKey, ttl: 3600 } },
    ],
  },
  {
    title: 'a key of a consumer that is missing is a failure',
    given: [],
    act: (target) => target.putKey(name, { id: keyId, key, lifetimeS: undefined }),
    exchanges: [{ ...putKey, status: 404, answer: missing }],
    failure: `Kong answered 404 to PUT ${path}/key-auth/${keyId}`,
  },
  {
    title: 'a key that another consumer has is a failure, whose message does not contain it',
    given: [
      putConsumer,
      { ...foreignKey, body: { key }, answer: { ...storedKey, id: otherId, tags: null } },
    ],
    act: (target) => target.putKey(name, { id: keyId, key, lifetimeS: undefined }),
    exchanges: [
      {
        ...putKey,
        status: 409,
        answer: {
          code: 5,
          name: 'unique constraint violation',
          message: `UNIQUE violation detected on '{key="${key}"}'`,
          fields: { key },
        },
      },
    ],
    failure: `Kong answered 409 to PUT ${path}/key-auth/${keyId}`,
  },
  {
    title: 'a consumer that is missing is found as none',
    given: [],
    act: (target) => target.find(name),
    exchanges: [{ method: 'GET', path, status: 404, answer: missing }],
    result: undefined,
  },
  {
    title: 'a consumer is found with the keys that have the tag',
    given: [putConsumer, putKey, foreignKey],
    act: (target) => target.find(name),
    exchanges: [
      { method: 'GET', path, status: 200, answer: stored },
      {
        ...{ method: 'GET', path: `${path}/key-auth?size=1000`, status: 200 },
        answer: page(storedKey, foreignKey.answer ?? {}),
      },
    ],
    result: { isComplete: true, keys: [{ id: keyId, key, expiresAt: undefined }] },
  },
  {
    title: 'a consumer of this name without the tag is a failure: it belongs to others',
    given: [
      {
        ...{ method: 'PUT', path, status: 200, body: { username: name } },
        answer: { ...stored, custom_id: null, tags: null },
      },
    ],
    act: (target) => target.find(name),
    exchanges: [
      { method: 'GET', path, status: 200, answer: { ...stored, custom_id: null, tags: null } },
    ],
    failure: `Kong has a consumer "${name}" without the tag "${tag}"`,
  },
  {
    title: 'everything with the tag is listed, and the end of a key is in it',
    given: [
      putConsumer,
      { ...putKey, body: { key, tags: [tag], ttl: 60 }, answer: { ...storedKey, ttl: 60 } },
    ],
    act: async (target) => [...(await target.list())],
    exchanges: [
      {
        ...{ method: 'GET', path: '/consumers?tags=tills&size=1000', status: 200 },
        answer: page(stored),
      },
      {
        ...{ method: 'GET', path: '/key-auths?tags=tills&size=1000', status: 200 },
        answer: page({ ...storedKey, ttl: 60 }),
      },
    ],
    result: [[name, { isComplete: true, keys: [{ id: keyId, key, expiresAt: now + 60_000 }] }]],
  },
  {
    title: 'consumers of others are not listed, also with the tag and another name',
    given: [
      foreignConsumer,
      {
        ...{ method: 'PUT', path: '/consumers/carol', status: 200 },
        body: { username: 'carol', tags: [tag] },
        answer: {
          ...{ id: '00000000-0000-4000-8000-000000000002', username: 'carol', custom_id: null },
          ...{ tags: [tag], created_at },
        },
      },
    ],
    act: async (target) => [...(await target.list())],
    exchanges: [
      {
        ...{ method: 'GET', path: '/consumers?tags=tills&size=1000', status: 200 },
        answer: page({
          ...{ id: '00000000-0000-4000-8000-000000000002', username: 'carol', custom_id: null },
          ...{ tags: [tag], created_at },
        }),
      },
      {
        ...{ method: 'GET', path: '/key-auths?tags=tills&size=1000', status: 200 },
        answer: page(),
      },
    ],
    result: [],
  },
  {
    title: 'a key is removed',
    given: [putConsumer, putKey],
    act: (target) => target.removeKey(name, keyId),
    exchanges: [{ method: 'DELETE', path: `${path}/key-auth/${keyId}`, status: 204 }],
  },
  {
    title: 'a key that is missing counts as removed',
    given: [putConsumer],
    act: (target) => target.removeKey(name, keyId),
    exchanges: [
      { method: 'DELETE', path: `${path}/key-auth/${keyId}`, status: 404, answer: missing },
    ],
  },
  {
    title: 'a consumer is removed with its keys',
    given: [putConsumer, putKey],
    act: async (target) => {
      await target.removeConsumer(name)
      return [...(await target.list())]
    },
    exchanges: [
      { method: 'DELETE', path, status: 204 },
      {
        ...{ method: 'GET', path: '/consumers?tags=tills&size=1000', status: 200 },
        answer: page(),
      },
      {
        ...{ method: 'GET', path: '/key-auths?tags=tills&size=1000', status: 200 },
        answer: page(),
      },
    ],
    result: [],
  },
]
