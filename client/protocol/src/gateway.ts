/** What reverse proxies ask the distribution service: whether the API key of a client is valid, and whose it is. */
import { operation } from './operation.ts'

/** By which a gateway names the owner of a key to what is behind it. The first two are Kong's names. */
export const consumerHeaders = {
  consumer: 'x-consumer-custom-id',
  credential: 'x-credential-identifier',
  kind: 'x-consumer-kind',
} as const

const common = {
  method: 'GET',
  tag: 'Gateway',
  access: 'gateway',
  reply: { kind: 'response', media: 'text/plain', description: 'The key is valid; no body' },
  failures: 'empty',
  problems: ['api-key-unsuitable'],
} as const

/** The kind is in the path: some proxies add the query of their client, who must not choose it. */
export const checkApplicationKey = operation({
  ...common,
  name: 'checkApplicationKey',
  path: '/v3/gateway/check',
  summary: "Check an application's API key for a reverse proxy (forward authentication)",
  description:
    'For proxies in `DS_TRUST_PROXY`, which pass on the header `apikey` and the address of their client. No response has a body. With 200, the headers `X-Consumer-Custom-ID`, `X-Consumer-Kind` and `X-Credential-Identifier` name the owner of the key and the key itself. Other methods, and paths under this one, do the same.',
})

export const checkRegistrationKey = operation({
  ...common,
  name: 'checkRegistrationKey',
  path: '/v3/gateway/check-registration',
  summary: "Check a version's installation key for a reverse proxy (forward authentication)",
  description: 'Like `checkApplicationKey`, for installation keys.',
})
