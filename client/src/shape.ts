/** Reads values that came from outside. A bundle with the contract's schemas would be twice as large, so these are ours. */

/** Gives the value itself when it has the shape, whatever else it carries; else throws a `Misfit` that says where. */
export type Shape<T> = (value: unknown, at?: string) => T

export class Misfit extends Error {
  constructor(at: string) {
    super(`"${at}" is not as expected`)
  }
}

const primitive =
  <T>(type: string): Shape<T> =>
  (value, at = '') => {
    if (typeof value !== type) throw new Misfit(at)
    return value as T
  }

export const text = primitive<string>('string')
export const flag = primitive<boolean>('boolean')
export const number = primitive<number>('number')
export const anything: Shape<unknown> = (value) => value

export const oneOf =
  <const T>(...values: readonly T[]): Shape<T> =>
  (value, at = '') => {
    const found = values.find((one) => one === value)
    if (found === undefined) throw new Misfit(at)
    return found
  }

export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : shape(value, at)

export const nullable =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, at) =>
    value === null ? null : shape(value, at)

export const either =
  <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  (value, at) => {
    try {
      return one(value, at)
    } catch {
      return other(value, at)
    }
  }

export const list =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value, at = '') => {
    if (!Array.isArray(value)) throw new Misfit(at)
    value.forEach((item, index) => {
      shape(item, `${at}[${index}]`)
    })
    return value
  }

type Members = Readonly<Record<string, Shape<unknown>>>

export const object =
  <M extends Members>(members: M): Shape<{ [Name in keyof M]: ReturnType<M[Name]> }> =>
  (value, at = '') => {
    if (typeof value !== 'object' || value === null) throw new Misfit(at)
    for (const [name, member] of Object.entries(members)) {
      member((value as Record<string, unknown>)[name], at ? `${at}.${name}` : name)
    }
    return value as { [Name in keyof M]: ReturnType<M[Name]> }
  }

/** Text whatever its name. */
export const record: Shape<Record<string, string>> = (value, at = '') => {
  for (const [name, member] of Object.entries(object({})(value, at))) text(member, `${at}.${name}`)
  return value as Record<string, string>
}

/** The value when it has the shape, else undefined. */
export function fitting<T>(shape: Shape<T>, value: unknown): T | undefined {
  try {
    return shape(value)
  } catch {
    return undefined
  }
}

/** Text as JSON of that shape; undefined when it is not. */
export function parsed<T>(shape: Shape<T>, json: string): T | undefined {
  try {
    return shape(JSON.parse(json))
  } catch {
    return undefined
  }
}
