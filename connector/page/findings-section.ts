/** What the doctor finds, in the words of the user: problems first, with what to do and a button where one helps. */

import type { FindingCode } from '../src/languages/finding-codes.ts'
import { announce, find, make, whileBusy } from './elements.ts'
import type { Words } from './languages.ts'
import type { PageServer } from './page-server.ts'
import type { FindingView } from './view.ts'

export interface FindingsSection {
  check(): Promise<void>
}

/** What the button makes right. */
const trustCodes: readonly FindingCode[] = ['trust-missing', 'trust-none']
const order = ['bad', 'note', 'good'] as const

export function createFindingsSection(words: Words, server: PageServer): FindingsSection {
  const [summary, list, details, button] = [
    find('findings-summary'),
    find('findings'),
    find('in-order'),
    find('check'),
  ]

  const check = async () => {
    summary.textContent = words.texts.checking
    const findings = await server.findFindings()
    const problems = findings.filter(({ level }) => level === 'bad').length
    const notes = findings.filter(({ level }) => level === 'note').length
    const open = mergeFindings(findings.filter(({ level }) => level !== 'good')).filter(
      isNotRepeated,
    )
    summary.textContent =
      problems > 0
        ? words.texts.someWrong
        : open.length > 0
          ? words.texts.notesOnly(open.length)
          : words.texts.nothingWrong
    const withTrust = open.find(([{ code }]) => trustCodes.includes(code))
    list.replaceChildren(
      ...open.map((group) =>
        createItem(words, group, group === withTrust ? createTrustButton() : undefined),
      ),
    )
    const good = mergeFindings(findings.filter(({ level }) => level === 'good'))
    details.hidden = good.length === 0
    details.querySelector('summary')?.replaceChildren(words.texts.inOrder(good.length))
    details.querySelector('ul')?.replaceChildren(...good.map((group) => createItem(words, group)))
    announce(words.texts.checked(problems, notes))
  }
  const createTrustButton = () => {
    const trust = make('button', {
      text: words.texts.trust,
      press: () => void whileBusy(trust, () => server.trust().then(check)),
    })
    return trust
  }
  button.addEventListener('click', () => void whileBusy(button, check))
  // Asked for by the page itself, also while the user has pressed the button.
  return { check: async () => void (await whileBusy(button, check).catch(() => undefined)) }
}

type Group = readonly [FindingView, ...FindingView[]]

/** Those of one kind together, the worst first. */
function mergeFindings(findings: readonly FindingView[]): readonly Group[] {
  const groups = Map.groupBy(findings, ({ code }) => code)
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []))
    .toSorted(([a], [b]) => order.indexOf(a.level) - order.indexOf(b.level))
}

/** That no browser trusts it says more than that one does not. */
const isNotRepeated = ([{ code }]: Group, _: number, groups: readonly Group[]) =>
  code !== 'trust-missing' || groups.every(([first]) => first.code !== 'trust-none')

function createItem(words: Words, group: Group, button?: HTMLButtonElement): HTMLLIElement {
  const [{ level, code }] = group
  const remedy = words.remedies[code]
  return make(
    'li',
    { data: { level, code } },
    make(
      'h3',
      {},
      make('span', { class: 'unseen', text: `${words.texts[level]} ` }),
      make('span', { text: words.findings[code] }),
    ),
    remedy === undefined ? undefined : make('p', { text: remedy }),
    button && make('p', { class: 'actions' }, button),
    level === 'good' ? undefined : createDetails(words, group),
  )
}

/** What somebody who helps by telephone asks for. */
const createDetails = (words: Words, group: Group) =>
  make(
    'details',
    {},
    make('summary', { text: words.texts.technical }),
    ...group.map(({ what, remedy }) =>
      make('p', { lang: 'en', text: remedy === undefined ? what : `${what} → ${remedy}` }),
    ),
  )
