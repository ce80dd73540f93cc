/** The folder of one test run, where its commands leave reports and times. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../test/bed/repository.ts'
import { processorTimesFile, type RunReport, runsFile } from './test-reporter.ts'

/** Where a run saves the times of its files. */
const timesPath = join(root, 'node_modules/.cache/test-times.txt')

export interface RunFolder {
  readonly path: string
  /** What the commands find in their environment. */
  readonly settings: Readonly<Record<string, string>>
  /** The reports of the commands that have ended. */
  readReports(): readonly RunReport[]
  /** Saves how long each file took, and how long processors worked for it, the slowest first. */
  saveTimes(): void
  remove(): void
}

export function openRunFolder(): RunFolder {
  const path = mkdtempSync(join(tmpdir(), 'cardwire-test-'))
  const runs = join(path, 'runs')
  const processorTimes = join(path, 'processor-times')
  for (const file of [runs, processorTimes]) writeFileSync(file, '')
  const readLines = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const readReports = () => readLines(runs).map((line): RunReport => JSON.parse(line))
  return {
    path,
    settings: {
      [runsFile]: runs,
      [processorTimesFile]: processorTimes,
      TEST_SHARED_FOLDER: path,
    },
    readReports,
    saveTimes() {
      const processorSeconds = new Map(
        readLines(processorTimes).map((line): [string, string] => {
          const [seconds = ''] = line.split(' ', 1)
          return [line.slice(seconds.length + 1).replace(root, ''), seconds]
        }),
      )
      const lines = readReports()
        .flatMap(({ files }) => files)
        .sort((one, other) => other.ms - one.ms)
        .map(({ module, ms }) => {
          const processor = processorSeconds.get(module) ?? '-'
          return `${(ms / 1000).toFixed(1).padStart(9)} ${processor.padStart(9)} ${module}\n`
        })
      mkdirSync(join(timesPath, '..'), { recursive: true })
      writeFileSync(timesPath, ['  seconds processor file\n', ...lines].join(''))
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
