/** Filters by organization or application: users choose or type a name, and addresses keep its id. */
import { Field, Select } from './fields.tsx'
import { readTexts } from './texts.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** What a filter finds: names to choose from, or of too many only the one that was typed. */
export interface NamedChoice {
  /** undefined where nothing was chosen; a name that nothing has stays as it is, and finds nothing. */
  readonly id: string | undefined
  /** All of them, where there are at most as many as one page of a list has. */
  readonly options: readonly Named[] | undefined
  /** As a field shows what was chosen. */
  readonly shown: string
}

const maxOptions = 100

/** `list`: those whose name has a text, at most a hundred; `typed`: a name or an id. */
export async function findNamed(
  list: (
    name: string | undefined,
  ) => Promise<{ readonly items: readonly Named[]; readonly total: number }>,
  typed = '',
): Promise<NamedChoice> {
  const { items, total } = await list(undefined)
  const isWhole = total <= maxOptions
  if (typed === '') return { id: undefined, options: isWhole ? items : undefined, shown: '' }
  const candidates = isWhole ? items : (await list(typed)).items
  const found =
    candidates.find(({ id }) => id === typed) ??
    findOnly(candidates, ({ name }) => isSame(name, typed))
  return {
    id: found?.id ?? typed,
    options: isWhole ? (found ? items : [...items, { id: typed, name: typed }]) : undefined,
    shown: found?.name ?? typed,
  }
}

/** The one that fits; of several none. */
export function findOnly<T>(items: readonly T[], fits: (item: T) => boolean): T | undefined {
  const [first, ...others] = items.filter(fits)
  return others.length === 0 ? first : undefined
}

export const isSame = (name: string, typed: string): boolean =>
  name.toLowerCase() === typed.toLowerCase()

/** `more`: choices besides the names. */
export const NamedFilter = ({
  name,
  label,
  choice: { id, options, shown },
  more = [],
}: {
  readonly name: string
  readonly label: string
  readonly choice: NamedChoice
  readonly more?: readonly { readonly value: string; readonly text: string }[]
}) =>
  options ? (
    <Select
      name={name}
      label={label}
      value={id ?? ''}
      options={[
        { value: '', text: readTexts().frame.all },
        ...toOptions(options.filter((one) => !more.some(({ value }) => value === one.id))),
        ...more,
      ]}
    />
  ) : (
    <Field
      name={name}
      label={label}
      hint={readTexts().frame.nameOrId}
      type="search"
      value={shown}
      maxlength={200}
    />
  )

/** Of several with the same name, the id tells which. */
export const toOptions = (
  named: readonly Named[],
): readonly { readonly value: string; readonly text: string }[] =>
  named.map(({ id, name }) => ({
    value: id,
    text: findOnly(named, (one) => one.name === name) ? name : `${name} (${id})`,
  }))
