/** Bugs that are put in on purpose, between the programs and what they stand on: each invariant has to see some. */
import type { Database } from 'bun:sqlite'
import type { SeededRandom } from '../bed/random.ts'
import type { HttpResponse, HttpTransport, PrivateFiles } from './connector-code.ts'
import type { Between } from './machine.ts'
import {
  advancingWhatIsStored,
  keepingKeys,
  keepingRolloutsOfPause,
  seeingOwnChanges,
} from './node-bugs.ts'
import type { Invariant } from './report.ts'
import { changingStages, forgettingMandatory, runningOn } from './rollout-bugs.ts'
import type { Driver, Row, Statement } from './service-code.ts'
import { forgeSignature } from './web-crypto.ts'

export interface BugFacts {
  /** Part of a sentence: what is wrong. */
  readonly what: string
  /** Those that may be the first to see it. */
  readonly detectedBy: readonly Invariant[]
  /** How many nodes have to share the database. */
  readonly nodes?: number
}

export const bugs = {
  'batches-unknown': {
    what: 'a service that forgets which batches it has counted',
    detectedBy: ['counted-once'],
  },
  'counters-lost': {
    what: 'a service that acknowledges batches and does not count some',
    detectedBy: ['acknowledged-kept'],
  },
  'use-lost': {
    what: 'a connector that says a use is counted before it is stored',
    detectedBy: ['counted-once'],
  },
  'commit-forgotten': {
    what: 'a database that answers an administrator and forgets what it stored',
    detectedBy: ['acknowledged-kept', 'blocked-refused'],
  },
  'state-forgotten': {
    what: 'a disk of a connector that says it has a policy, and keeps an older one',
    detectedBy: ['policy-in-order'],
  },
  'catalog-stale': {
    what: 'a service that does not see that a policy or a version has changed',
    detectedBy: ['policy-in-order', 'rollout-in-stage', 'rollout-unseen'],
  },
  'reply-forged': {
    what: 'a network that gives a device the reply of another one, signed anew',
    detectedBy: ['reply-own'],
  },
  'block-ignored': {
    what: 'a service that does not look whether a device is blocked',
    detectedBy: ['blocked-refused'],
  },
  'key-still-used': {
    what: 'a service that signs with a key although it was withdrawn',
    detectedBy: ['withdrawn-key-silent'],
  },
  'verdict-ignored': {
    what: 'a connector that does not end although its version must not run',
    detectedBy: ['forbidden-ends'],
  },
  'statement-broken': {
    what: 'a service that fails for a reason that nobody made',
    detectedBy: ['no-defect'],
  },
  'timer-lost': {
    what: 'a connector that loses a timer, and never asks again',
    detectedBy: ['back-again'],
  },
  'succession-lost': {
    what: 'a service that makes keys for which no other vouches',
    detectedBy: ['never-locked-out'],
  },
  'share-ignored': {
    what: 'a service that offers a version to all devices in the first stage',
    detectedBy: ['rollout-in-stage'],
  },
  'devices-lost': {
    what: 'a service that loses devices of a rollout when it is paused, or its next stage begins',
    detectedBy: ['rollout-kept'],
  },
  'pause-ignored': {
    what: 'a service that takes a paused rollout further',
    detectedBy: ['rollout-stands'],
  },
  'halt-ignored': {
    what: 'a service that still offers the version of a halted rollout',
    detectedBy: ['rollout-halted', 'rollout-stands'],
  },
  'mandatory-forgotten': {
    what: 'a service that requires no version while another one is rolled out',
    detectedBy: ['rollout-unseen', 'rollout-kept'],
  },
  'advanced-twice': {
    what: 'nodes that both begin the next stage, one after the other',
    detectedBy: ['rollout-held'],
    nodes: 2,
  },
  'pause-elsewhere': {
    what: 'a node that serves its old rollouts for ever after another node has paused one',
    detectedBy: ['rollout-halted', 'rollout-kept', 'rollout-in-stage', 'rollout-unseen'],
    nodes: 2,
  },
  'changes-elsewhere': {
    what: 'a node that does not see what other nodes have changed',
    detectedBy: [
      'policy-in-order',
      'rollout-in-stage',
      'rollout-halted',
      'rollout-kept',
      'rollout-unseen',
    ],
    nodes: 2,
  },
  'keys-elsewhere': {
    what: 'a node that signs with a key for ever although another node has withdrawn it',
    detectedBy: ['withdrawn-key-silent'],
    nodes: 2,
  },
} as const satisfies Readonly<Record<string, BugFacts>>
export type Bug = keyof typeof bugs

export interface Tampering extends Between {
  driver(driver: Driver): Driver
}

const same = <T>(value: T): T => value
const untouched: Tampering = {
  ...{ driver: same, transport: same, files: same, database: same, end: same, after: same },
}

export function createTampering(bug: Bug | undefined, random: SeededRandom): Tampering {
  switch (bug) {
    case undefined:
      return untouched
    case 'batches-unknown':
      return onStatements('insert into "counters"', (sql) =>
        sql.replace(/and batch\.value ->> 'id' not in \(.*?\)/, 'and ? is not null'),
      )
    case 'counters-lost':
      return onStatements('insert into "counters"', (sql) =>
        random.chance(0.2) ? sql.replace('where exists', 'where false and exists') : sql,
      )
    case 'use-lost':
      return { ...untouched, database: (database) => forgettingUses(database, random) }
    case 'commit-forgotten':
      return { ...untouched, driver: forgettingBlocks }
    case 'state-forgotten':
      return { ...untouched, files: (files) => keepingOldState(files, random) }
    case 'catalog-stale':
      return onStatements('select max("sequence") from "audit"', (sql) =>
        sql.startsWith('select')
          ? sql.replace('select max("sequence") from "audit"', 'select 1')
          : sql,
      )
    case 'reply-forged':
      return { ...untouched, transport: forging(random) }
    case 'block-ignored':
      return onStatements('"devices"', (sql) =>
        sql
          .replace('"version", "blocked",', '"version", 0,')
          .replace('and not "devices"."blocked"', ''),
      )
    case 'key-still-used':
      return { ...untouched, driver: readingOldKeys }
    case 'verdict-ignored':
      return { ...untouched, end: () => () => undefined }
    case 'statement-broken':
      return onStatements('update "devices"', (sql) => (random.chance(0.02) ? `${sql} and` : sql))
    case 'timer-lost':
      return {
        ...untouched,
        after: (after) => (ms, act) => after(ms, random.chance(0.02) ? () => undefined : act),
      }
    case 'share-ignored':
      return { ...untouched, driver: changingStages((stage) => ({ ...stage, share: 100 })) }
    case 'devices-lost':
      return {
        ...untouched,
        driver: changingStages((stage, { current, state }) =>
          current > 0 || state === 'paused' ? { ...stage, share: stage.share / 4 } : stage,
        ),
      }
    case 'pause-ignored':
      return { ...untouched, driver: runningOn('paused') }
    case 'halt-ignored':
      return { ...untouched, driver: runningOn('halted') }
    case 'mandatory-forgotten':
      return { ...untouched, driver: forgettingMandatory }
    case 'advanced-twice':
      return { ...untouched, driver: advancingWhatIsStored }
    case 'pause-elsewhere':
      return { ...untouched, driver: keepingRolloutsOfPause }
    case 'changes-elsewhere':
      return { ...untouched, driver: seeingOwnChanges }
    case 'keys-elsewhere':
      return { ...untouched, driver: keepingKeys }
    case 'succession-lost':
      return onStatements('insert into "successions"', (sql) =>
        sql.replace('where exists', 'where false and exists'),
      )
  }
}

/** Changes the statements with these words in them. */
function onStatements(words: string, change: (sql: string) => string): Tampering {
  const changed = ({ sql, params }: Statement): Statement => ({
    sql: sql.includes(words) ? change(sql) : sql,
    params,
  })
  return {
    ...untouched,
    driver: (driver) => ({
      run: (statement) => driver.run(changed(statement)),
      batch: (statements) => driver.batch(statements.map(changed)),
    }),
  }
}

/** A device that was blocked is not, as soon as the administrator knows that it is. */
const forgettingBlocks = (driver: Driver): Driver => ({
  ...driver,
  async batch(statements) {
    const results = await driver.batch(statements)
    if (statements.some(({ sql }) => sql.startsWith('update "devices" set "blocked"'))) {
      await driver.run({ sql: 'update "devices" set "blocked" = 0', params: [] })
    }
    return results
  },
})

/** For a while after a key was withdrawn the keys are read as they were before. */
function readingOldKeys(driver: Driver): Driver {
  const before = new Map<string, readonly Row[]>()
  let oldReads = 0
  return {
    async run(statement) {
      const rows = await driver.run(statement)
      if (!/^select .* from "signing_keys" where "signing_keys"."use"/.test(statement.sql))
        return rows
      const use = String(statement.params[0])
      const old = before.get(use)
      if (oldReads > 0 && old) {
        oldReads -= 1
        return old
      }
      before.set(use, rows)
      return rows
    },
    batch(statements) {
      if (statements.some(({ sql }) => sql.startsWith('delete from "signing_keys"'))) oldReads = 200
      return driver.batch(statements)
    },
  }
}

/** Some transactions that count a use do not come to an end. */
function forgettingUses(database: Database, random: SeededRandom): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name)
      return (act: (...given: unknown[]) => unknown) => {
        const whole = target.transaction(act)
        const immediate = (...given: unknown[]) =>
          given.length === 1 && random.chance(0.1) ? undefined : whole.immediate(...given)
        return { immediate }
      }
    },
  })
}

function keepingOldState(files: PrivateFiles, random: SeededRandom): PrivateFiles {
  return {
    ...files,
    async write(path, text) {
      const isKept = !path.endsWith('service.json') || random.chance(0.5)
      if (isKept) await files.write(path, text)
    },
  }
}

/** Gives some devices what another one was told, with their own name on it and a signature that holds. */
function forging(random: SeededRandom): (transport: HttpTransport) => HttpTransport {
  let newest: HttpResponse | undefined
  return (transport) => async (request) => {
    const answer = await transport(request)
    if (!request.url.endsWith('/sync') || answer.status !== 200) return answer
    const other = newest
    newest = answer
    if (other === undefined || random.chance(0.7)) return answer
    const { sub, jti } = readPart(request.headers?.['authorization'] ?? '', 1)
    const { data } = JSON.parse(new TextDecoder().decode(other.body))
    const { kid } = readPart(data, 0)
    const reply = { ...readPart(data, 1), aud: sub, re: jti }
    const key = reply.replyKeys?.find((one: { kid: string }) => one.kid === kid)
    if (key === undefined) return answer
    const payload = Buffer.from(JSON.stringify(reply)).toString('base64url')
    const jws = `${data.split('.')[0]}.${payload}`
    const forged = `${jws}.${forgeSignature(key, new TextEncoder().encode(jws)).toString('base64url')}`
    const body = JSON.stringify({ success: true, data: forged })
    return { ...answer, body: new TextEncoder().encode(body) }
  }
}

const readPart = (jws: string, part: number) =>
  JSON.parse(Buffer.from(jws.split('.')[part] ?? '', 'base64url').toString())
