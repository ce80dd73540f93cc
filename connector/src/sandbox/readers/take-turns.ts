/** Work that is done one after the other, in its order; what is urgent goes before everything that waits. */

export type TakeTurn = <T>(work: () => T | Promise<T>, isUrgent?: boolean) => Promise<T>

export function createTurns(): TakeTurn {
  const waiting: (() => Promise<void>)[] = []
  let isBusy = false

  const doAll = async (): Promise<void> => {
    isBusy = true
    for (let work = waiting.shift(); work; work = waiting.shift()) await work()
    isBusy = false
  }

  return (work, isUrgent = false) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
    const run = async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
    }
    if (isUrgent) waiting.unshift(run)
    else waiting.push(run)
    if (!isBusy) void doAll()
    return promise
  }
}
