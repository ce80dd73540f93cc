/** How the devices of a rollout fare: in words, as a table beside the comparison group, and the test that halts it. */
import type { RolloutEvidence } from '@cardwire/protocol'
import { Balance, formatRatio } from '../charts/balance.tsx'
import { DocumentLinks } from '../documents/document-links.tsx'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

const measures = ['devices', 'installed', 'successes', 'faults', 'wentBack', 'silent'] as const

export const Evidence = ({
  evidence: { reached, control, test },
}: {
  readonly evidence: RolloutEvidence
}) => {
  const { table, test: texts, title } = readTexts().rollouts.evidence
  const { ratio, halt, accept, failures, tested } = test
  const [low, high] = [formatRatio(accept), formatRatio(halt)]
  return (
    <>
      <h2>{title}</h2>
      <p>
        <strong>{texts.verdicts[findVerdict(test)]}</strong>{' '}
        {texts.failed(formatRatio(failures), formatCount(tested))}
      </p>
      {reached.devices > 0 && control.devices === 0 && <p class="note">{texts.noControl}</p>}
      <Balance
        id="test"
        title={texts.title}
        description={texts.description(formatRatio(ratio), low, high)}
        value={ratio}
        low={{ value: accept, label: texts.good }}
        high={{ value: halt, label: texts.bad }}
      />
      <p>{texts.about(formatRatio(ratio), low, high)}</p>
      <Table
        caption={table.caption}
        head={[table.measure, table.reached, table.control]}
        numbers={[1, 2]}
        rows={measures.map((measure) => [
          table.measures[measure],
          formatCount(reached[measure]),
          measure === 'installed' ? table.notOffered : formatCount(control[measure]),
        ])}
      />
      <p class="soft">{table.about}</p>
      <DocumentLinks to={['watchRollout', 'haltRollout']} />
    </>
  )
}

const findVerdict = ({ ratio, halt, accept, tested }: RolloutEvidence['test']) => {
  if (ratio >= halt) return 'halt'
  if (ratio <= accept) return 'accept'
  return tested === 0 ? 'none' : 'open'
}
