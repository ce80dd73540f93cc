/** Writes into the audit what the service notices by itself, for the webhooks that want to know. Each notice happens once. */
import { SigningKeyUse, type WebhookEventType } from '@cardwire/protocol'
import { and, eq, gte, max, ne, not, type SQL, sql } from 'drizzle-orm'
import { createAudit, exists, localSource } from '../db/audit.ts'
import { total } from '../db/device-counts.ts'
import { isEvidence } from '../db/evidence.ts'
import { isKeystore, selectExpiry } from '../db/keystore-expiry.ts'
import { audit, configurations, deviceCounts, refusals, webhooks } from '../db/schema.ts'
import { type Notice, noticeOperation, toNoticeField, toNoticeId } from '../rules/webhook-events.ts'
import {
  noticeFaults,
  noticeKeystore,
  noticeRejection,
  noticeSigningKey,
  pastMs,
  warningMs,
} from '../rules/webhook-notices.ts'
import type { Services } from '../services.ts'

export type NoticeServices = Pick<Services, 'db' | 'reader' | 'clock' | 'settings' | 'keyring'>

type Notices = readonly (Notice | undefined)[]

const intervalMs = 300_000
const dayMs = 86_400_000
/** Devices that were seen since then count, in days. */
const activeDays = 7
/** The most of one kind that are noticed at once. */
const maxNotices = 200

const readers: Partial<Record<WebhookEventType, (services: NoticeServices) => Promise<Notices>>> = {
  'keystore.expiring': readKeystores,
  'signing-key.expiring': readSigningKeys,
  'device-faults.raised': readFaults,
  'registrations.rejected': readRejections,
}

/** Returns what writes them, every five minutes of this process. */
export function createNoticeWriter(services: NoticeServices): () => Promise<void> {
  const { db, clock } = services
  let writtenAt: number | undefined
  return async () => {
    const now = clock()
    if (writtenAt !== undefined && Math.abs(now - writtenAt) < intervalMs) return
    writtenAt = now
    const rows = await db
      .select({ events: webhooks.events })
      .from(webhooks)
      .where(ne(webhooks.state, 'disabled'))
    for (const type of new Set(rows.flatMap(({ events }) => events)))
      for (const notice of (await readers[type]?.(services)) ?? [])
        if (notice) await write(services, notice)
  }
}

async function write(services: NoticeServices, notice: Notice): Promise<void> {
  const { db } = services
  const id = toNoticeId(notice)
  const mine = and(eq(audit.kind, 'notice'), eq(audit.id, id))
  if ((await db.$count(audit, mine)) > 0) return
  const source = createAudit(services, noticeOperation, localSource)
  // Another node may have written it meanwhile.
  await db.batch([
    source.createEntry('notice', id, [toNoticeField(notice)]).toStatement(not(exists(audit, mine))),
  ])
}

async function readKeystores({ reader, clock }: NoticeServices): Promise<Notices> {
  const now = clock()
  const expiry = selectExpiry(reader)
  const toText = (time: number) => new Date(time).toISOString()
  const isNear: SQL = sql`${expiry} between ${toText(now - pastMs)} and ${toText(now + warningMs)}`
  const rows = await reader
    .select({ id: configurations.id, version: configurations.versionId, expiry })
    .from(configurations)
    .where(and(isKeystore, isNear))
    .orderBy(expiry)
    .limit(maxNotices)
  return rows.map(({ expiry, ...row }) =>
    noticeKeystore({ ...row, expiresAt: Date.parse(expiry ?? '') }, now),
  )
}

async function readSigningKeys({ keyring, clock }: NoticeServices): Promise<Notices> {
  const notices: (Notice | undefined)[] = []
  for (const use of SigningKeyUse.options) {
    const signing = (await keyring.list(use)).find(({ state }) => state === 'signing')
    if (signing)
      notices.push(noticeSigningKey({ id: signing.id, use, createdAt: signing.createdAt }, clock()))
  }
  return notices
}

async function readFaults({ reader, clock, settings }: NoticeServices): Promise<Notices> {
  const now = clock()
  const { version, faulty, lastSeenDay } = deviceCounts
  const rows = await reader
    .select({ version, faulty, count: total })
    .from(deviceCounts)
    .where(and(isEvidence(deviceCounts), gte(lastSeenDay, Math.floor(now / dayMs) - activeDays)))
    .groupBy(version, faulty)
  const sum = (id: string, isFaulty?: boolean) =>
    rows
      .filter((row) => row.version === id && (isFaulty === undefined || row.faulty === isFaulty))
      .reduce((all, { count }) => all + count, 0)
  const raised = rows
    .filter(({ faulty }) => faulty)
    .map(({ version }) => ({ version, devices: sum(version), faulty: sum(version, true) }))
  return raised
    .flatMap((one) => noticeFaults(one, settings.webhookFaultRate, now) ?? [])
    .slice(0, maxNotices)
}

async function readRejections({ reader, clock }: NoticeServices): Promise<Notices> {
  const now = clock()
  const lastAt = max(refusals.lastAt)
  const rows = await reader
    .select({ reason: refusals.reason, lastAt })
    .from(refusals)
    .where(gte(refusals.lastAt, Math.floor(now / dayMs) * dayMs))
    .groupBy(refusals.reason)
  return rows.map(({ reason, lastAt }) => noticeRejection({ reason, lastAt: lastAt ?? now }, now))
}
