/** Secrets: sent wherever the service accepts one, searched for in every log and response. Runs last. */
import { expect, test } from 'vitest'
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createLabel, createVersion, getApplicationToken } from '../harness/arrange.ts'
import { keystorePassword } from './configurations.suite.ts'

export function secretSuite(service: () => DistributionService): void {
  test('no key, password or token is in the log, and no stored secret is in a response', async () => {
    proves('secrets-in-log')
    const token = await service().login()
    const label = await createLabel(service(), token)
    const version = await createVersion(service(), token)
    const application = await getApplicationToken(service(), label.apiKey)
    const given = Array.from({ length: 4 }, () => crypto.randomUUID())
    const keyed = await createLabel(service(), token, { apiKey: given[0] })
    const { id, name, orgId } = keyed
    await service().request('PUT', '/v3/labels', {
      token,
      body: { id, name, orgId, apiKey: given[1] },
    })
    await service().request('POST', `/v3/labels/${id}/key`, { token, body: { apiKey: given[2] } })
    await createVersion(service(), token, { installationApiKey: given[3] })
    const { json } = await service().request(
      'POST',
      '/auth/realms/cardwire/protocol/openid-connect/token',
      {
        form: {
          client_id: 'cardwire',
          grant_type: 'password',
          username: administrator.name,
          password: administrator.password,
        },
      },
    )
    const planted = 'planted-secret-in-bad-input'
    const wrong = [
      { body: `{"type":"SSL_KEYSTORE","config":{"password":"${planted}"` },
      {
        body: {
          type: 'SSL_KEYSTORE',
          versionId: '0.0.1',
          config: { uri: 'https://a.example/k', password: planted, x: 1 },
        },
      },
      {
        body: {
          type: 'SSL_KEYSTORE',
          versionId: '7.7.7',
          config: { uri: 'https://a.example/k', password: planted },
        },
      },
      {
        body: {
          type: 'SSL_KEYSTORE',
          versionId: version.id,
          config: { uri: 'https://a.example/k', password: { planted } },
        },
      },
    ]
    for (const { body } of wrong)
      await service().request('PUT', '/v3/configurations', { token, body })
    await service().request('GET', `/v3/versions?token=${planted}`, {
      token: `x.${btoa(planted)}.y`,
    })
    await service().request('GET', '/v3/tokens/application', { headers: { apikey: planted } })
    const last = await service().request(
      'GET',
      `/v3/labels/${planted.replaceAll('-', '')}?apikey=${planted}`,
      { token },
    )

    // The last line is written: whatever came before it is, too.
    await expect.poll(() => service().output()).toContain(last.headers.get('x-request-id'))
    const log = service().output()
    const secrets = [
      token,
      json.refresh_token,
      json.access_token,
      application,
      label.apiKey,
      version.installationApiKey,
      ...given,
    ]
    for (const secret of [...secrets, administrator.password, keystorePassword, planted])
      expect(log).not.toContain(secret)

    const entries = await entriesOf(service(), token)
    for (const secret of [...secrets, administrator.password, keystorePassword, planted])
      expect(entries).not.toContain(secret)

    const answers = service().responseBodies.join('\n')
    for (const secret of [administrator.password, keystorePassword, planted])
      expect(answers).not.toContain(secret)
    // What is shown once stands in one answer: the one that made it.
    expect(answers.split(label.apiKey)).toHaveLength(2)
    expect(answers.split(version.installationApiKey)).toHaveLength(2)
  })
}

/** The whole audit, as text. */
async function entriesOf(service: DistributionService, token: string): Promise<string> {
  const { json, text } = await service.request('GET', '/v3/audit?size=100', { token })
  const pages = [text]
  for (let page = 2; pages.length * 100 < json.data.total; page += 1)
    pages.push((await service.request('GET', `/v3/audit?size=100&page=${page}`, { token })).text)
  return pages.join('\n')
}
