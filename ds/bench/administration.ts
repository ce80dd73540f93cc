/** The pages of the admin console with a million devices, and synchronizations at a steady rate meanwhile. */
import { administrator } from '../../test/bed/administrator.ts'
import type { Engine } from './engine.ts'
import { median } from './medians.ts'
import { measureRound, size, startFleet } from './reads.ts'
import type { Service } from './service.ts'
import type { Line } from './table.ts'

const rounds = 5
/** What a million devices send in a cycle of eight hours. */
const perSecond = 35
const maxMs = 300

/** What an administrator opens. `front-desk-` is what half of the names begin with; nothing has a fault, or version 1.0.0. */
const screens = [
  { what: 'overview', path: '' },
  { what: 'list of devices', path: '/devices' },
  { what: 'search for one name', path: '/devices?q=front-desk-123456' },
  { what: 'part of a name that half of them have', path: '/devices?q=front-desk-' },
  { what: 'filter that all of them match', path: '/devices?standing=active' },
  { what: 'filter that none matches', path: '/devices?version=1.0.0' },
  { what: 'filter by fault', path: '/devices?fault=any' },
  { what: 'part of a name that none has', path: '/devices?q=nowhere' },
  { what: 'part of a name that 111 have', path: '/devices?q=desk-1234' },
  { what: 'part of a name that all have', path: '/devices?q=example' },
  { what: 'one character', path: '/devices?q=7' },
  { what: 'all by name', path: '/devices?sort=name' },
  { what: 'all by version', path: '/devices?sort=version' },
] as const

export async function measureAdministration(
  folder: string,
  packages: string,
  engine: Engine,
): Promise<Line[]> {
  const nameDevice = (at: number) => `${at % 2 === 0 ? 'front-desk' : 'till'}-${at}.example`
  const { service, devices } = await startFleet(folder, packages, engine, nameDevice)
  const cookie = await logIn(service)
  const times = screens.map(() => [] as number[])
  const openNext = createScreenReader(service, cookie, times)
  const [alone, together]: number[][] = [[], []]
  await measureRound(service, devices, perSecond)
  for (let round = 0; round < rounds; round += 1) {
    alone?.push(await measureRound(service, devices, perSecond))
    let isOver = false
    const synchronizing = measureRound(service, devices, perSecond).then((p99) => {
      isOver = true
      return p99
    })
    while (!isOver) await openNext()
    together?.push(await synchronizing)
  }
  const [without, during] = [median(alone ?? []), median(together ?? [])]
  return [
    ...screens.map(({ what }, at) => ({
      what: `${what}, ${size.toLocaleString('en')} devices`,
      figure: `${median(times[at] ?? []).toFixed(0)} ms`,
      note: `${times[at]?.length} times, at most ${Math.max(...(times[at] ?? [])).toFixed(0)} ms`,
      target: `< ${maxMs} ms`,
    })),
    {
      what: `p99 of synchronisations, ${perSecond}/s, meanwhile`,
      figure: `${during.toFixed(1)} ms`,
      note: `alone ${without.toFixed(1)} ms, ratio ${(during / without).toFixed(2)}`,
    },
  ]
}

/** The cookie of a session. */
async function logIn({ url }: Service): Promise<string> {
  const { name: username, password } = administrator
  const response = await fetch(`${url}/admin/login`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ username, password }),
    redirect: 'manual',
  })
  const [cookie] = response.headers.getSetCookie()
  if (!cookie) throw new Error(`Cannot sign in: ${response.status} ${await response.text()}`)
  return cookie.split(';')[0] ?? ''
}

/** Opens one screen after the other, one with each call; `times` gets the milliseconds until each was there whole. */
function createScreenReader({ url }: Service, cookie: string, times: readonly number[][]) {
  let opened = 0
  return async () => {
    const at = opened % screens.length
    opened += 1
    const began = performance.now()
    const response = await fetch(`${url}/admin${screens[at]?.path}`, { headers: { cookie } })
    const text = await response.text()
    if (!response.ok || !text.includes('</html>'))
      throw new Error(`Cannot open /admin${screens[at]?.path}: ${response.status}`)
    times[at]?.push(performance.now() - began)
  }
}
