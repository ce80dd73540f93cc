/** Validators for values from outside, by the names of zod. A bundle with the contract's schemas would be twice as large. */

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
export const number = createTypeValidator<number>('number')
export const unknown: Validator<unknown> = (value) => value

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

export const array =
  <T>(validate: Validator<T>): Validator<T[]> =>
  (value, path = '') => {
    if (!Array.isArray(value)) throw new ValidationError(path)
    value.forEach((item, index) => {
      validate(item, `${path}[${index}]`)
    })
    return value
  }

type Members = Readonly<Record<string, Validator<unknown>>>

export const object =
  <M extends Members>(members: M): Validator<{ [Name in keyof M]: ReturnType<M[Name]> }> =>
  (value, path = '') => {
    if (typeof value !== 'object' || value === null) throw new ValidationError(path)
    for (const [name, validate] of Object.entries(members)) {
      validate((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name)
    }
    return value as { [Name in keyof M]: ReturnType<M[Name]> }
  }

/** An object with members of any name, each of them a string. */
export const record: Validator<Record<string, string>> = (value, path = '') => {
  for (const [name, member] of Object.entries(object({})(value, path))) {
    string(member, `${path}.${name}`)
  }
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
    return validate(JSON.parse(json))
  } catch {
    return undefined
  }
}
