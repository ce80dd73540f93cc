/** Why a rollout was halted. */
import type { Rollout } from '@cardwire/protocol'
import { formatRatio } from '../charts/balance.tsx'
import { createHref, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

export const HaltNote = ({ rollout: { halt, version } }: { readonly rollout: Rollout }) => {
  const texts = readTexts().rollouts
  return (
    <div class="warning">
      <p>
        <strong>{texts.inWords.halted()}</strong>
      </p>
      {halt && (
        <p>
          {halt.ratio === undefined
            ? texts.halt.byAdministrator(halt.who.name || halt.who.subject, <Time at={halt.at} />)
            : texts.halt.byService(<Time at={halt.at} />)}
          {halt.failures !== undefined && halt.tested !== undefined && (
            <>
              {' '}
              {texts.evidence.test.failed(
                formatRatio(halt.failures),
                readTexts().numbers.format(halt.tested),
              )}
            </>
          )}
          {halt.ratio !== undefined && <> {texts.halt.ratio(formatRatio(halt.ratio))}</>}
        </p>
      )}
      <p>
        {texts.halt.next((words) => (
          <a href={createHref('devices', { version, fault: 'any' })}>{words}</a>
        ))}
      </p>
    </div>
  )
}
