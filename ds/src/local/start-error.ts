/** Failures at start that the person who starts it can mend: told in a sentence, without a stack. */

export class StartError extends Error {}

/** Does `work`; when it fails, says what was tried, with which setting, and why it did not work. */
export async function trying<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Cannot ${what}: ${error instanceof Error ? error.message : error}`)
  }
}
