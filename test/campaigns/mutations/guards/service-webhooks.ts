/** Guards of the distribution service against what webhooks could reach, tell and fill. */
import type { Guard } from '../guard.ts'

const connections = 'ds/src/self-hosted/post-webhook.test.ts'
const suite = 'ds/test/suites/webhooks.suite.ts'
const overTime = 'ds/test/webhooks.test.ts'

export const serviceWebhookGuards: readonly Guard[] = [
  {
    rule: 'notice-hidden',
    file: 'ds/src/webhooks/notices.ts',
    search: '  return raised\n',
    replace: '  return raised\n    .slice(0, maxNotices)\n',
    tests: [overTime],
  },
  {
    rule: 'notice-hidden',
    file: 'ds/src/webhooks/notices.ts',
    search: '    .orderBy(expiry)\n',
    replace: '',
    tests: [overTime],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/self-hosted/post-webhook.ts',
    search: '!addresses.every(({ address }) => isAllowed(address))',
    replace: 'false',
    tests: [connections],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/self-hosted/post-webhook.ts',
    search: '          lookup: createLookup(isAllowed),\n',
    replace: '',
    tests: [connections],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/self-hosted/post-webhook.ts',
    search: ' && (isSecure || isLoopback(address))',
    replace: '',
    tests: [connections],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/rules/webhook-address.ts',
    search: '  if (metadata.has(parsed.toString())) return false\n',
    replace: '',
    tests: ['ds/src/rules/webhook-address.test.ts', connections],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/rules/webhook-address.ts',
    search: 'ipaddr.process(address)\n  if',
    replace: 'ipaddr.parse(address)\n  if',
    tests: ['ds/src/rules/webhook-address.test.ts', connections],
  },
  {
    rule: 'webhook-address',
    file: 'ds/src/routes/store-webhook.ts',
    search: '  requireAllowed(services, input.url)\n',
    replace: '',
    tests: [suite],
  },
  {
    rule: 'webhook-secret',
    file: 'ds/src/webhooks/webhook-secrets.ts',
    search: 'vault.wrap(secret, sealed.webhookSecret.toRow(id))',
    replace: 'Promise.resolve(secret)',
    tests: [suite],
  },
  {
    rule: 'webhook-flood',
    file: 'ds/src/self-hosted/post-webhook.ts',
    search: '    if (bytes > maxResponseBytes) response.destroy()\n',
    replace: '',
    tests: [connections],
  },
  {
    rule: 'webhook-flood',
    file: 'ds/src/webhooks/run-webhooks.ts',
    search: '    .limit(entriesPerRead)\n',
    replace: '',
    tests: [overTime],
  },
]
