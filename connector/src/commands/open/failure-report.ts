/** Prints what fails behind the local page, which shows that alone what a person can act on. */
import { describeError } from '../../system/file-error.ts'

/** Each failure once: what is shown is read every two seconds. `print`: for a line. */
export function createFailureReport(print: (line: string) => void): (error: unknown) => void {
  const printed = new Set<string>()
  return (error) => {
    const line = `The page fails: ${describeError(error)}`
    if (printed.has(line)) return
    printed.add(line)
    print(line)
  }
}
