/** What a page says about one thing: names with their values. */
import type { Child } from 'hono/jsx'
import { Time } from './parts.tsx'
import { readTexts } from './texts.ts'

/** By name. One that is `undefined` or `false` is left out. */
export type FactsByName = Readonly<Record<string, Child>>

export const FactList = ({ facts }: { readonly facts: FactsByName }) => (
  <dl>
    {Object.entries(facts).map(
      ([name, value]) =>
        value !== undefined &&
        value !== false && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
  </dl>
)

/** When something was added, and last changed. */
export const toTimes = ({
  createdAt,
  updatedAt,
}: {
  readonly createdAt: string
  readonly updatedAt: string
}): FactsByName => {
  const { added, changed } = readTexts().frame
  return { [added]: <Time at={createdAt} />, [changed]: <Time at={updatedAt} /> }
}
