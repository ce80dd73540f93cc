/** The file of one installer, and its removal. */
import { deleteInstaller, getInstaller } from '@cardwire/client/protocol'
import { mayCall } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { FactList } from '../frame/facts.tsx'
import { formatBytes } from '../frame/format-bytes.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { Copyable, formatCount, HistoryLink } from '../frame/parts.tsx'
import { installersHome, toInstallerAddress } from './installers.tsx'

export function addInstaller(pages: PageApp): void {
  pages.get('/installers/:name', async (context) => {
    const { data } = await context.var.api.call(getInstaller, { params: readParams(context) })
    const { name, uri, size, sha256 } = data
    return showPage(context, {
      title: name,
      trail: [installersHome],
      children: (
        <>
          <FactList
            facts={{
              Size: `${formatBytes(size)} (${formatCount(size)} bytes)`,
              'SHA-256': <Copyable id="sha256" text={sha256} name="the SHA-256" />,
              Address: <Copyable id="uri" text={uri} name="the address" />,
            }}
          />
          <p>A version is published with this address: users then download the file from here.</p>
          <HistoryLink kind="installer" id={name} />
          {mayCall(context, deleteInstaller) && (
            <>
              <h2>Remove</h2>
              <p>
                <a class="button second" href={`${toInstallerAddress(name)}/remove`}>
                  Remove the file
                </a>
              </p>
            </>
          )}
        </>
      ),
    })
  })

  confirmAct(pages, '/installers/:name/remove', {
    find: async (context) => readParams(context),
    name: ({ name }) => name,
    describe: (_, { name }) => ({
      title: `Remove ${name}`,
      trail: [installersHome, { to: toInstallerAddress(name), text: name }],
      operation: deleteInstaller,
      button: 'Remove the file',
      children: (
        <p>
          Nobody can download the file from then on. While a version names it, the service does not
          remove it.
        </p>
      ),
    }),
    async perform(context, params) {
      await context.var.api.call(deleteInstaller, { params })
      return showNext(context, installersHome.to)
    },
  })
}

const readParams = (context: PageContext) => ({ name: context.req.param('name') ?? '' })
