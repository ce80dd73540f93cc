/** Validators for values from outside, by the names of zod. A bundle with the contract's schemas would be twice as large. */
import { parseFlatJson } from './parse-flat-json.ts'

/** Returns the value itself when it is valid, whatever else it carries; else throws a `ValidationError` that names the path. */
export type Validator<T> = (value: unknown, path?: string) => T

export class ValidationError extends Error {
  constructor(path: string) {
    super(`"${path}" is not as expected`)
  }
}

const createTypeValidator =
  <T>(type: string): Validator<T> =>
  (value, path = '') => {
    if (typeof value !== type) throw new ValidationError(path)
    return value as T
  }

export const string = createTypeValidator<string>('string')
export const boolean = createTypeValidator<boolean>('boolean')
export const unknown: Validator<unknown> = (value) => value

/** JSON has numbers that are too large: 1e999 is read as Infinity. */
export const number: Validator<number> = (value, path = '') => {
  if (!Number.isFinite(value)) throw new ValidationError(path)
  return value as number
}

/** A string of at most so many characters. */
export const text =
  (maxLength: number): Validator<string> =>
  (value, path = '') => {
    if (string(value, path).length > maxLength) throw new ValidationError(path)
    return value as string
  }

export const oneOf =
  <const T>(...allowed: readonly T[]): Validator<T> =>
  (value, path = '') => {
    const found = allowed.find((one) => one === value)
    if (found === undefined) throw new ValidationError(path)
    return found
  }

export const optional =
  <T>(validate: Validator<T>): Validator<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : validate(value, path)

export const nullable =
  <T>(validate: Validator<T>): Validator<T | null> =>
  (value, path) =>
    value === null ? null : validate(value, path)

export const union =
  <A, B>(first: Validator<A>, second: Validator<B>): Validator<A | B> =>
  (value, path) => {
    try {
      return first(value, path)
    } catch {
      return second(value, path)
    }
  }

/** A list of at most so many items: it is refused before one of them is looked at. */
export const array =
  <T>(validate: Validator<T>, maxLength: number): Validator<T[]> =>
  (value, path = '') => {
    if (!Array.isArray(value) || value.length > maxLength) throw new ValidationError(path)
    value.forEach((item, index) => {
      validate(item, `${path}[${index}]`)
    })
    return value
  }

/** One for each member, also for those that may be absent: none can be forgotten. */
type Members<T> = { readonly [Name in keyof T]-?: Validator<T[Name]> }

export const object =
  <T extends object>(members: Members<NoInfer<T>>): Validator<T> =>
  (value, path = '') => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ValidationError(path)
    for (const [name, validate] of Object.entries<Validator<unknown>>(members)) {
      validate((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name)
    }
    return value as T
  }

/** An object with members of any name, at most so many, each of them a string. */
export const record =
  (maxLength: number): Validator<Record<string, string>> =>
  (value, path = '') => {
    if (typeof value !== 'object' || value === null) throw new ValidationError(path)
    array(string, maxLength)(Object.values(value), path)
    return value as Record<string, string>
  }

/** The value when it is valid, else undefined. */
export function safeParse<T>(validate: Validator<T>, value: unknown): T | undefined {
  try {
    return validate(value)
  } catch {
    return undefined
  }
}

/** The value in the JSON text; undefined when it is no JSON, or not valid. */
export function safeParseJson<T>(validate: Validator<T>, json: string): T | undefined {
  try {
    return validate(parseFlatJson(json))
  } catch {
    return undefined
  }
}
