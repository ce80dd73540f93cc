/** A whole use of a connector by a page and by a program, and what it holds that no request may change. */
import { strict as assert } from 'node:assert'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { homePaths } from '../../bed/connector.ts'
import type { Fault } from './check-answer.ts'
import type { ConnectorOfUser } from './connector-of-user.ts'
import { origins } from './connector-samples.ts'

export async function readKept({ ask, token, registryPort }: ConnectorOfUser) {
  const headers = { origin: origins.consented, authorization: `Bearer ${token()}` }
  const readers = (await ask('/v3/readers', headers)).json
  const modules = (await ask('/v3/modules', headers)).json
  const key = (await ask('/device-key', headers)).json
  const [agent] = (await ask('/v3/agents', headers, undefined, registryPort)).json.data
  return {
    readers: readers.data,
    modules: modules.data,
    key: key.data,
    agent: agent.agentId,
    consent: agent.consentId,
  }
}

export async function runConnectorJourney(parts: ConnectorOfUser): Promise<void> {
  const { ask, token, registryPort, consent, connector } = parts
  const page = { origin: origins.consented }
  const found = await ask('/info', page, undefined, registryPort)
  assert.equal(found.json.data.t1CInfoAPI.service.deviceType, 'PROXY')
  for (const port of [registryPort, connector.port]) {
    const validated = await ask('/v3/validate', page, { consents: [consent] }, port)
    assert.equal(validated.json.data.consentState, 'APPROVED', validated.text)
    const { agent } = JSON.parse(Buffer.from(validated.json.data.consent, 'base64').toString())
    assert.equal(agent.apiPort, String(connector.port))
  }
  const headers = { ...page, authorization: `Bearer ${token()}` }
  const info = await ask('/info', headers)
  assert.equal(info.json.data.t1CInfoAPI.service.deviceType, 'API')
  const readers = await ask('/v3/readers?cardInserted=true', headers)
  assert.equal(readers.json.data[0].card.atr, '3B00', readers.text)
  assert.ok(readers.json.signature, 'the answer is not signed')
  const detected = await ask(`/v3/readers/${readers.json.data[0].id}/detect-card`, headers)
  assert.equal(detected.json.data.card.atr, '3B00')

  const other = { origin: origins.allowed, authorization: `Bearer ${token()}` }
  assert.equal((await ask('/v3/readers', other)).json.code, '814501')
  const { status, json } = await connector.request('/v3/certmgr/status')
  assert.deepEqual([status, json.data.leaf.state], [200, 'good'])
}

/** The files of the state that are databases. */
export function checkState(home: string): readonly Fault[] {
  const path = join(homePaths(home).runtime, 'state.db')
  if (!existsSync(path)) return [{ invariant: 'integrity', reason: `there is no ${path}` }]
  const database = new DatabaseSync(path)
  const [row] = database.prepare('pragma integrity_check').all()
  database.close()
  const result = String(row?.['integrity_check'])
  return result === 'ok'
    ? []
    : [{ invariant: 'integrity', reason: `the state is damaged: ${result}` }]
}
