/** An option that is a whole number within bounds. */
import { InvalidArgumentError, Option } from 'commander'

export const createNumberOption = (flags: string, description: string, max: number) =>
  new Option(flags, description).argParser((text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (number >= 1 && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`)
  })
