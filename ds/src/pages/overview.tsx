/** @jsxImportSource hono/jsx */
/** What there is and what needs somebody: the first screen. */
import { summarizeDevices } from '@cardwire/client/protocol'
import { showPage } from './frame/layout.tsx'
import type { PageApp } from './frame/page-env.ts'
import { Empty, formatCount, Time } from './frame/parts.tsx'

export function addOverview(pages: PageApp): void {
  pages.get('/', async (context) => {
    const { data } = await context.var.api.call(summarizeDevices, { query: {} })
    const figures = [
      { name: 'devices', count: data.devices },
      { name: 'blocked', count: data.blocked },
      { name: 'wait for approval', count: data.waiting },
      { name: 'silent', count: data.silent },
      { name: 'with a fault', count: data.faulty },
    ]
    return showPage(context, {
      title: 'Overview',
      children: (
        <>
          {data.devices === 0 && (
            <Empty>
              <p>No connector has registered yet.</p>
            </Empty>
          )}
          <ul class="figures">
            {figures.map(({ name, count }) => (
              <li>
                <strong>{formatCount(count)}</strong> {name}
              </li>
            ))}
          </ul>
          <p class="soft">
            Counted at <Time at={data.at} />.
          </p>
        </>
      ),
    })
  })
}
