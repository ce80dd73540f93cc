/** Runs measurements in turns, because the machine is never quiet, and returns their medians. */

type Measure = () => Promise<number>

/** Runs every measurement once to warm up, then all of them in turn, `times` over. */
export async function measureMedians<Name extends string>(
  measures: Readonly<Record<Name, Measure>>,
  times: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[]
  const results = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (const name of names) await measures[name]()
  for (let round = 0; round < times; round += 1) {
    for (const name of names) results.get(name)?.push(await measures[name]())
  }
  return Object.fromEntries(names.map((name) => [name, median(results.get(name) ?? [])])) as Record<
    Name,
    number
  >
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
