/** A list with pages: what it is about or that it is empty, what can be done, and its rows. */
import type { Child, PropsWithChildren } from 'hono/jsx'
import { Empty, PageLinks, Table } from './parts.tsx'

export const PagedList = ({
  to,
  texts: { about, empty, caption },
  data,
  head,
  numbers,
  rows,
  children,
}: PropsWithChildren<{
  /** Its address below `/admin/`. */
  readonly to: string
  readonly texts: { readonly about: Child; readonly empty: Child; readonly caption: string }
  readonly data: Omit<Parameters<typeof PageLinks>[0], 'to' | 'query'>
  readonly head: readonly Child[]
  readonly numbers: readonly number[]
  readonly rows: readonly (readonly Child[])[]
}>) => (
  <>
    {data.total === 0 ? (
      <Empty>
        <p>{empty}</p>
      </Empty>
    ) : (
      <p>{about}</p>
    )}
    {children}
    {data.total > 0 && <Table {...{ caption, head, numbers, rows }} />}
    <PageLinks to={to} query={{}} {...data} />
  </>
)
