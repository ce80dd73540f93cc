/** The newest news of the audit in memory: what devices that wait are woken by, and what others missed between two requests. */
import type { Database } from '../db/database.ts'
import { prepareNewsReading } from '../db/news.ts'
import { concerns, findAudience, type News, type NewsEntry } from '../rules/news.ts'

/** More entries at once are news for everyone, and older news is forgotten: a device that asks for it may have missed something. */
const maxNews = 5000

export interface NewsLog {
  /** The newest entry of the audit that was read. */
  position(): number
  /** What has come since the last time. */
  readNew(): Promise<readonly News[]>
  /** Reads what devices may have missed before the first of them waits here. `newest`: the newest entry. */
  open(newest: number): Promise<void>
  /** Whether there is news for a device behind `since`, up to the position; also when that is not known. */
  hasSince(device: { readonly id: string; readonly version: string }, since: number): boolean
}

export function createNewsLog(db: Database): NewsLog {
  const { readNewest, readSince } = prepareNewsReading(db, maxNews + 1)
  /** All news behind `from`, up to `to`. */
  let known: { from: number; to: number; news: News[] } | undefined
  let opening: Promise<void> | undefined

  /** Once: whatever devices ask for, nothing older is read. */
  async function readPast(newest: number): Promise<void> {
    const from = Math.max(0, newest - maxNews)
    const entries = (await readSince(from)).filter(({ sequence }) => sequence <= newest)
    known = { from, to: newest, news: toNews(entries) }
  }

  return {
    position: () => known?.to ?? 0,
    async readNew() {
      const newest = await readNewest()
      if (known === undefined || newest === known.to) return []
      const entries = newest < known.to ? [] : await readSince(known.to)
      // More than can be read; or less than there was: the database was restored from a backup.
      const isUnknown = entries.length === 0 || entries.length > maxNews
      if (isUnknown) {
        known = { from: newest, to: newest, news: [] }
        return [{ sequence: Number.POSITIVE_INFINITY, audience: { kind: 'all' } }]
      }
      const found = toNews(entries)
      const news = [...known.news, ...found]
      const dropped = news.splice(0, Math.max(0, news.length - maxNews))
      const from = dropped.at(-1)?.sequence ?? known.from
      known = { from, to: entries.at(-1)?.sequence ?? newest, news }
      return found
    },
    async open(newest) {
      if (known) return
      opening ??= readPast(newest).finally(() => {
        opening = undefined
      })
      await opening
    },
    hasSince: (device, since) =>
      known === undefined ||
      since < known.from ||
      known.news.some(({ sequence, audience }) => sequence > since && concerns(audience, device)),
  }
}

const toNews = (entries: readonly NewsEntry[]): News[] =>
  entries.flatMap((entry) => {
    const audience = findAudience(entry)
    return audience ? [{ sequence: entry.sequence, audience }] : []
  })
