/** The pages with a key that the service shows once, and with the way on. */
import type { putLabel, putVersion } from '@cardwire/protocol'
import type { EnvelopeData } from '@cardwire/protocol/call'
import type { Child } from 'hono/jsx'
import { showPage } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { Copyable } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

export function showApiKey(
  context: PageContext,
  { name, apiKey = '' }: EnvelopeData<typeof putLabel>,
) {
  const texts = readTexts().firstUse.label
  return showPage(context, {
    title: texts.doneTitle(name),
    children: (
      <ShownOnce
        id="api-key"
        warning={texts.keyWarning((words) => <strong>{words}</strong>)}
        copyLabel={texts.copyKey}
        secret={apiKey}
        use={texts.keyUse(<code>apikey</code>)}
      />
    ),
  })
}

export function showInstallationKey(
  context: PageContext,
  { id, installationApiKey = '' }: EnvelopeData<typeof putVersion>,
) {
  const texts = readTexts().firstUse.version
  return showPage(context, {
    title: texts.doneTitle(id),
    children: (
      <ShownOnce
        id="installation-key"
        warning={texts.keyWarning((words) => <strong>{words}</strong>)}
        copyLabel={texts.copyKey}
        secret={installationApiKey}
        use={texts.keyUse(<code>CARDWIRE_INSTALLATION_KEY</code>)}
      />
    ),
  })
}

const ShownOnce = ({
  id,
  warning,
  copyLabel,
  secret,
  use,
}: {
  readonly id: string
  readonly warning: Child
  readonly copyLabel: string
  readonly secret: string
  /** What it is for. */
  readonly use: Child
}) => (
  <>
    <div class="warning">
      <p>{warning}</p>
      <p>
        <Copyable id={id} text={secret} label={copyLabel} />
      </p>
    </div>
    <p>{use}</p>
    <div class="actions">
      <a class="button" href="first-use" data-reload="">
        {readTexts().firstUse.next}
      </a>
    </div>
  </>
)
