/** `cardwire doctor`: checks everything the connector needs, and says what to do where it is wrong. */

import { errorText } from '../../system/error-text.ts'
import { withTimeout } from '../../system/timeout.ts'
import type { CommandContext } from '../command-context.ts'
import { printDocument, wantsJson } from '../json-output.ts'
import { dim, green, hasColours, print, red, yellow } from '../terminal.ts'
import { checkAccess } from './access.ts'
import { checkCards } from './cards.ts'
import { checkCertificates } from './certificates.ts'
import { checkClipboard } from './clipboard.ts'
import { checkDataFolder } from './data-folder.ts'
import { checkDistribution } from './distribution.ts'
import {
  type Check,
  countLevel,
  type Finding,
  formatSummary,
  removeRepeatedRemedies,
} from './finding.ts'
import { checkMachine } from './machine.ts'
import { checkPorts } from './ports.ts'

/** How long each check may take, in milliseconds: it may send several requests, one after the other. */
const checkMs = 20_000

/** By the name that a check has in its finding when it takes too long. */
const checks: Readonly<Record<string, Check>> = {
  'card readers': checkCards,
  certificates: checkCertificates,
  ports: checkPorts,
  clipboard: checkClipboard,
  'access of sites': checkAccess,
  'data folder': checkDataFolder,
  'distribution service': checkDistribution,
  'registry of this computer': checkMachine,
}

/** Exit status 1 when anything is wrong; notes do not count. */
export async function runDoctor(machine: CommandContext): Promise<void> {
  const colours = hasColours(process.stdout)
  const signs = { good: green('✓', colours), note: yellow('!', colours), bad: red('✗', colours) }
  const all: Finding[] = []
  const json = wantsJson()
  for (const name of Object.keys(checks)) {
    const findings = await runCheck(name, machine)
    for (const { level, what, remedy } of json ? [] : removeRepeatedRemedies(findings)) {
      print(`${signs[level]} ${what}`)
      if (remedy !== undefined) print(`    ${dim('→', colours)} ${remedy}`)
    }
    all.push(...findings)
  }
  const wrong = countLevel(all, 'bad')
  if (json) printDocument('doctor', { findings: all, wrong, notes: countLevel(all, 'note') })
  else {
    print('')
    print(formatSummary(all))
  }
  // A check that did not end in time may keep the process running.
  process.stdout.write('', () => process.exit(wrong > 0 ? 1 : 0))
}

/** What all checks find, in the order of the doctor; they run at the same time. */
export async function findFindings(machine: CommandContext): Promise<readonly Finding[]> {
  const found = await Promise.all(Object.keys(checks).map((name) => runCheck(name, machine)))
  return found.flat()
}

const runCheck = async (name: string, machine: CommandContext): Promise<readonly Finding[]> =>
  (await withTimeout((checks[name] ?? checkNothing)(machine).catch(toFailure), checkMs)) ??
  toTimeoutFinding(name)

const checkNothing: Check = async () => []

/** A check that fails is a finding; the others run all the same. */
const toFailure = (error: unknown): readonly Finding[] => [
  { level: 'bad', code: 'check-failed', what: errorText(error) },
]

const toTimeoutFinding = (name: string): readonly Finding[] => [
  {
    level: 'bad',
    code: 'check-late',
    what: `this check took longer than ${checkMs / 1000} s: ${name}`,
    remedy:
      'run cardwire doctor again; if the problem remains, end the process "cardwire run" and start it again',
  },
]
