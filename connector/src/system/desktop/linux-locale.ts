/** The locale of programs that show windows: without one of UTF-8, zenity refuses texts that are not ASCII, and others show question marks. */
import type { Programs } from './programs.ts'

/** Milliseconds that the question for the character set may take. */
const timeoutMs = 2000
/** Longer than the name of any character set. */
const maxBytes = 100

/**
 * The same programs, in the user's locale when it is installed and of UTF-8, else in C.UTF-8, which is part of glibc since 2.35, and of
 * Debian before.
 */
export function withUtf8Locale(programs: Programs): Programs {
  let variables: Promise<Readonly<Record<string, string>>> | undefined
  const findVariables = async () => {
    const locale = programs.find('locale')
    if (locale === undefined) return {}
    const signal = AbortSignal.timeout(timeoutMs)
    // It prints the set that the C library uses: that of ASCII where the locale is not installed.
    const outcome = await programs.run(locale, ['charmap'], { signal, maxBytes })
    if (outcome.kind !== 'ended' || outcome.status !== 0) return {}
    return outcome.output.toString().trim() === 'UTF-8' ? {} : { LC_ALL: 'C.UTF-8' }
  }
  return {
    ...programs,
    async run(program, args, order) {
      variables ??= findVariables()
      return programs.run(program, args, {
        ...order,
        variables: { ...(await variables), ...order.variables },
      })
    },
  }
}
