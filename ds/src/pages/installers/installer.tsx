/** The file of one installer, and its removal. */
import { deleteInstaller, getInstaller } from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { FactList } from '../frame/facts.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { formatBytes } from '../frame/format-bytes.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Copyable, HistoryLink } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { installersHome, toInstallerAddress } from './installers.tsx'

export function addInstaller(pages: PageApp): void {
  pages.get('/installers/:name', async (context) => {
    const { data } = await context.var.api.call(getInstaller, { params: readParams(context) })
    const { name, uri, size, sha256, usedBy } = data
    const texts = readTexts().installers
    return showPage(context, {
      title: name,
      trail: [installersHome],
      children: (
        <>
          <FactList
            facts={{
              // A small one is exact as it is.
              [texts.size]:
                size < 1000 ? formatBytes(size) : texts.exactSize(formatBytes(size), size),
              'SHA-256': <Copyable id="sha256" text={sha256} label={texts.copyHash} />,
              [texts.url]: <Copyable id="uri" text={uri} label={texts.copyUrl} />,
              ...(usedBy !== undefined && {
                [texts.usedBy]: <VersionLink id={usedBy} />,
              }),
            }}
          />
          <p>{texts.urlUse}</p>
          <HistoryLink kind="installer" id={name} />
          {usedBy !== undefined && mayCall(context, deleteInstaller) && (
            <p class="soft">{texts.remove.inUse}</p>
          )}
          {usedBy === undefined && mayCall(context, deleteInstaller) && (
            <>
              <h2>{texts.remove.title}</h2>
              <p>
                <a class="button second" href={`${toInstallerAddress(name)}/remove`}>
                  {texts.remove.button}
                </a>
              </p>
            </>
          )}
        </>
      ),
    })
  })

  confirmAct(pages, '/installers/:name/remove', {
    find: async (context) =>
      (await context.var.api.call(getInstaller, { params: readParams(context) })).data,
    name: ({ name }) => name,
    describe: (_, { name, usedBy, revisionsOf = [], reach: found = 0 }, refused) => {
      const { usedBy: user, remove: texts } = readTexts().installers
      const { otherInstallers } = readTexts().versions.affected
      const reach = refused?.problem?.reach ?? found
      return {
        title: texts.confirmTitle(name),
        trail: [installersHome, { to: toInstallerAddress(name), text: name }],
        operation: deleteInstaller,
        button: texts.button,
        wayBack: { sentence: texts.wayBack },
        children: (
          <>
            {reach > 0 && (
              <p class="warning">
                <strong>{otherInstallers(reach)}</strong>
              </p>
            )}
            <p>{usedBy === undefined ? texts.about : texts.inUse}</p>
            {usedBy === undefined && revisionsOf.length > 0 && (
              <div class="warning">
                <p>{texts.revisions}</p>
                <ul>
                  {revisionsOf.map((id) => (
                    <li>
                      <a href={`versions/${encodeURIComponent(id)}/history`}>{id}</a>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {usedBy !== undefined && <FactList facts={{ [user]: <VersionLink id={usedBy} /> }} />}
          </>
        ),
        isRefused: usedBy !== undefined,
        fields: <HiddenFields values={[['maxReach', String(reach)]]} />,
      }
    },
    async perform(context, { name }, form) {
      const params = { name }
      const query = { maxReach: form.text('maxReach') || '0' }
      await context.var.api.call(deleteInstaller, { params, query })
      return showDone(context, installersHome.to, deleteInstaller)
    },
  })
}

const VersionLink = ({ id }: { readonly id: string }) => (
  <a href={`versions/${encodeURIComponent(id)}`}>{id}</a>
)

const readParams = (context: PageContext) => ({ name: context.req.param('name') ?? '' })
