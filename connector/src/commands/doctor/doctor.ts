/** `cardwire doctor`: everything the connector needs, line by line, and what to do where it is wrong. */
import { within } from '../../system/within.ts'
import type { Machine } from '../machine.ts'
import { coloured, dim, green, print, red, yellow } from '../style.ts'
import { access } from './access.ts'
import { cards } from './cards.ts'
import { certificates } from './certificates.ts'
import { clipboard } from './clipboard.ts'
import { distribution } from './distribution.ts'
import { type Check, type Finding, remediesOnce, summaryOf } from './finding.ts'
import { ports } from './ports.ts'

/** How long each check may take, in milliseconds: it asks a few of them, one after the other. */
const checkMs = 20_000

const checks: Readonly<Record<string, Check>> = {
  cards,
  certificates,
  ports,
  clipboard,
  access,
  'distribution service': distribution,
}

/** Exit status 1 when anything is wrong; what is merely missing does not count. */
export async function doctor(machine: Machine): Promise<void> {
  const colours = coloured(process.stdout)
  const signs = { good: green('✓', colours), note: yellow('!', colours), bad: red('✗', colours) }
  const all: Finding[] = []
  for (const [name, check] of Object.entries(checks)) {
    const findings = (await within(check(machine).catch(failed), checkMs)) ?? unanswered(name)
    for (const { level, what, todo } of remediesOnce(findings)) {
      print(`${signs[level]} ${what}`)
      if (todo !== undefined) print(`    ${dim('→', colours)} ${todo}`)
    }
    all.push(...findings)
  }
  print(`\n${summaryOf(all)}`)
  const isWrong = all.some(({ level }) => level === 'bad')
  // What did not answer in time may hold the process for good.
  process.stdout.write('', () => process.exit(isWrong ? 1 : 0))
}

/** What cannot even be looked at is wrong, and the rest is looked at all the same. */
const failed = (error: unknown): readonly Finding[] => [
  { level: 'bad', what: error instanceof Error ? error.message : String(error) },
]

const unanswered = (name: string): readonly Finding[] => [
  {
    level: 'bad',
    what: `${name}: no answer in ${checkMs / 1000} s`,
    todo: 'run it once more; if it stays, end the process "cardwire run" and start it again',
  },
]
