/** The way of a new service to its first connector, in five steps: each asks for what it needs and says what it is for. */
import {
  listInstallers,
  listRefusals,
  type Operation,
  Platform,
  putConfiguration,
  putLabel,
  putOrganization,
  putVersion,
} from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { ApiProblem } from '../frame/api.ts'
import { mayCall, requireRole } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { explainRefusal } from '../refusals/refusal-words.ts'
import { type PackageFile, suggestInstallers, suggestVersion } from './packages-at-hand.ts'
import { showApiKey, showInstallationKey } from './shown-once.tsx'
import { type Filled, StepForm } from './step-forms.tsx'
import { type Progress, readProgress, type StepName, steps } from './steps.ts'
import { readTypedInstaller, readTypedOrigins, readTypedVersion } from './typed-values.ts'

export function addFirstUse(pages: PageApp, { url }: Services): void {
  pages.get('/first-use', (context) => showSteps(context, url))

  pages.post('/first-use/organization', requireRole(putOrganization), async (context) => {
    const name = (await readForm(context)).text('name')
    return attempt(context, url, 'organization', { name }, async ({ call }) => {
      await call(putOrganization, { body: { name } })
      return showNext(context, 'first-use')
    })
  })

  pages.post('/first-use/label', requireRole(putLabel), async (context) => {
    const name = (await readForm(context)).text('name')
    return attempt(context, url, 'label', { name }, async (api) => {
      const { organization } = await readProgress(api)
      const body = { name, orgId: organization?.id ?? '' }
      const { data } = await api.call(putLabel, { query: {}, body })
      return showApiKey(context, data)
    })
  })

  pages.post('/first-use/version', requireRole(putVersion), async (context) => {
    const form = await readForm(context)
    const id = readTypedVersion(form.text('id'))
    const typed = Platform.options.map((os) => [os, form.text(os)] as const)
    const filled = { id, ...Object.fromEntries(typed) }
    return attempt(context, url, 'version', filled, async (api) => {
      const files = await listFiles(api)
      const uris = typed.flatMap(([os, text]) =>
        text === '' ? [] : [{ os, uri: readTypedInstaller(text, files) }],
      )
      if (uris.length === 0) throw createInstallerMissing()
      const body = { id, recommended: true, mandatory: false, allowed: true, uris }
      const { data } = await api.call(putVersion, { query: {}, body })
      return showInstallationKey(context, data)
    })
  })

  pages.post('/first-use/allowlist', requireRole(putConfiguration), async (context) => {
    const origins = (await readForm(context)).text('origins')
    return attempt(context, url, 'allowlist', { origins }, async (api) => {
      const { version = '' } = await readProgress(api)
      const cors = readTypedOrigins(origins)
      const body = { type: 'CONTEXT_CONFIG', versionId: version, config: { cors } } as const
      // More than the first connector: the page of the version shows how many first.
      await api.call(putConfiguration, { query: { maxReach: '1' }, body })
      return showNext(context, 'first-use')
    })
  })

  // For the script of the page, which shows this line anew every few seconds.
  pages.get('/first-use/state', async (context) =>
    context.text(await describeRegistrations(context)),
  )
}

const createInstallerMissing = () =>
  new ApiProblem(422, { description: readTexts().firstUse.version.installerMissing }, null)

/**
 * Does what a form asks for; when the service refuses it, the form is shown again with what was typed. A form of a step that
 * is done, sent again by a reload, does nothing.
 */
async function attempt(
  context: PageContext,
  url: string,
  step: StepName,
  filled: Filled,
  act: (api: PageContext['var']['api']) => Promise<Response>,
): Promise<Response> {
  const { current } = await readProgress(context.var.api)
  if (current !== step) return showNext(context, 'first-use')
  try {
    return await act(context.var.api)
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status === 401 || error.status === 403) throw error
    return showSteps(context, url, { filled, problem: error })
  }
}

async function showSteps(
  context: PageContext,
  url: string,
  refused?: { readonly filled: Filled; readonly problem: ApiProblem },
): Promise<Response> {
  const { api } = context.var
  const progress = await readProgress(api)
  const registrations = await describeRegistrations(context)
  const files = progress.current === 'version' ? await listFiles(api) : []
  const suggested = suggestVersion(files)
  const filled = refused?.filled ?? { id: suggested ?? '', ...suggestInstallers(files, suggested) }
  const texts = readTexts().firstUse
  return showPage(context, {
    title: texts.title,
    status: refused ? 400 : 200,
    children: (
      <>
        <Introduction progress={progress} />
        <ol class="steps">
          {steps.map((name) => (
            <li aria-current={name === progress.current ? 'step' : undefined}>
              <h2>
                {texts.steps[name]}{' '}
                {progress.done.has(name) && <span class="tag good">{texts.done}</span>}
              </h2>
              {name === progress.current && !mayDo(context, name) && (
                <p>{readTexts().frame.noPermission}</p>
              )}
              {name === progress.current && mayDo(context, name) && (
                <StepForm
                  step={name}
                  progress={progress}
                  filled={filled}
                  problem={refused?.problem}
                  files={files}
                  url={url}
                />
              )}
              {name === 'device' && name === progress.current && (
                <Registrations state={registrations} />
              )}
            </li>
          ))}
        </ol>
      </>
    ),
  })
}

/** What the form of a step calls; the last step has none. */
const changes = {
  organization: putOrganization,
  label: putLabel,
  version: putVersion,
  allowlist: putConfiguration,
  device: undefined,
} as const satisfies Readonly<Record<StepName, Operation | undefined>>

function mayDo(context: PageContext, step: StepName): boolean {
  const change = changes[step]
  return change === undefined || mayCall(context, change)
}

const Introduction = ({ progress }: { readonly progress: Progress }) =>
  progress.current === undefined ? (
    <div class="done" role="status">
      <p>
        {readTexts().firstUse.complete(
          (words) => (
            <a href="devices">{words}</a>
          ),
          (words) => (
            <a href="./">{words}</a>
          ),
        )}
      </p>
    </div>
  ) : (
    <p>{readTexts().firstUse.about}</p>
  )

const Registrations = ({ state }: { readonly state: string }) => (
  <>
    <p class="note" role="status" data-live="first-use/state">
      {state}
    </p>
    <p>
      {readTexts().firstUse.device.refresh(
        (words) => (
          <a href="first-use">{words}</a>
        ),
        (words) => (
          <a href="refusals">{words}</a>
        ),
      )}
    </p>
  </>
)

/** Whether a connector has registered, or was refused: the newest of each. */
async function describeRegistrations({ var: { api } }: PageContext): Promise<string> {
  const { done } = await readProgress(api)
  const { firstUse, numbers } = readTexts()
  const texts = firstUse.device
  if (done.has('device')) return texts.registered
  const { data } = await api.call(listRefusals, { query: { size: '1' } })
  const [refusal] = data.items
  return refusal
    ? texts.refused(refusal.address, numbers.time(refusal.lastAt), explainRefusal(refusal).what)
    : texts.none
}

async function listFiles({ call }: PageContext['var']['api']): Promise<readonly PackageFile[]> {
  const { data } = await call(listInstallers, { query: { size: '100' } })
  return data.items
}
