/** Synchronizations with the service and with a bare route in turn. */
import { getMedian } from '../../test/bed/bench-table.ts'
import { type LoadResult, measureLatencies } from './devices-load.ts'
import type { Requests, SimulatedDevices } from './devices-requests.ts'
import { readProcessorUs } from './processor.ts'

export const rounds = 5
export const seconds = 2

export interface MeasuredProgram {
  readonly url: string
  readonly pid: number
}

interface Comparison {
  /** Whether each synchronization reports something new. */
  readonly isChanging?: boolean
  readonly wrk: string
  readonly folder: string
  readonly devices: SimulatedDevices
  /** The nodes of the service. */
  readonly ours: readonly MeasuredProgram[]
  readonly theirs: MeasuredProgram
  /** What the processors spent on the database's own processes so far, in microseconds. */
  readonly readServerUs?: () => number
}

interface Round extends LoadResult {
  /** Of a request, in microseconds. */
  readonly processorUs: number
  /** Of the database's own processes, for a request; 0 where it has none. */
  readonly serverUs: number
}

/** Both in turn: what else the machine does changes slower than they do. Of everything the one in the middle. */
export async function measureBoth(
  { wrk, folder, devices, ours, theirs, isChanging = false, readServerUs = () => 0 }: Comparison,
  warmUps: number,
) {
  const measure = async (
    programs: readonly MeasuredProgram[],
    requests: Requests,
  ): Promise<Round> => {
    const read = () => programs.reduce((sum, { pid }) => sum + readProcessorUs(pid), 0)
    const [before, serverBefore] = [read(), readServerUs()]
    const urls = programs.map(({ url }) => url)
    const load = await measureLatencies(wrk, folder, urls, requests, seconds)
    const count = load.perSecond * seconds
    return {
      ...load,
      processorUs: (read() - before) / count,
      serverUs: (readServerUs() - serverBefore) / count,
    }
  }
  const pairs: { readonly ours: Round; readonly theirs: Round }[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const pair = {
      ours: await measure(ours, await devices.requests(seconds, isChanging)),
      theirs: await measure([theirs], await devices.requestsOfOne(seconds)),
    }
    if (round >= warmUps) pairs.push(pair)
  }
  return {
    ours: toMedians(pairs.map((pair) => pair.ours)),
    theirs: toMedians(pairs.map((pair) => pair.theirs)),
    share: getMedian(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)),
  }
}

/** Each figure by itself. */
const toMedians = (rounds: readonly Round[]): Round => ({
  perSecond: getMedian(rounds.map(({ perSecond }) => perSecond)),
  p50: getMedian(rounds.map(({ p50 }) => p50)),
  p99: getMedian(rounds.map(({ p99 }) => p99)),
  processorUs: getMedian(rounds.map(({ processorUs }) => processorUs)),
  serverUs: getMedian(rounds.map(({ serverUs }) => serverUs)),
})
