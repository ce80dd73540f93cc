/** What takes the access from an account: a new password, the reset of its second factor, removing it. */
import {
  type Administrator,
  type Role,
  removeAdministrator,
  resetSecondFactor,
  setPassword,
} from '@cardwire/protocol'
import type { Texts } from '../../languages/en/catalog.ts'
import { ApiProblem } from '../frame/api.ts'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { findAdministrator } from './administrator.tsx'
import { administratorsHome, showPassword, toAdministratorAddress } from './administrators.tsx'

interface Act {
  /** The last one of its path. */
  readonly step: string
  readonly operation: { readonly access: Role }
  readonly texts: keyof Texts['administrators']['acts']
  perform(context: PageContext, name: string): Promise<Response>
}

const acts: readonly Act[] = [
  {
    step: 'password',
    operation: setPassword,
    texts: 'password',
    async perform(context, name) {
      const { data } = await context.var.api.call(setPassword, { params: { name }, body: {} })
      return showPassword(context, name, data.generatedPassword ?? '')
    },
  },
  {
    step: 'second-factor',
    operation: resetSecondFactor,
    texts: 'secondFactor',
    async perform(context, name) {
      await context.var.api.call(resetSecondFactor, { params: { name } })
      return showDone(context, toAdministratorAddress(name), resetSecondFactor)
    },
  },
  {
    step: 'remove',
    operation: removeAdministrator,
    texts: 'remove',
    async perform(context, name) {
      await context.var.api.call(removeAdministrator, { params: { name } })
      return showDone(context, administratorsHome.to, removeAdministrator)
    },
  },
]

/** An external provider changes its accounts itself. */
function findAccount(context: PageContext): Promise<Administrator> {
  if (!context.var.isExternal) return findAdministrator(context)
  throw new ApiProblem(404, { type: 'urn:cardwire:problem:administrator-unknown' }, null)
}

export function addAdministratorActs(pages: PageApp): void {
  for (const { step, operation, texts, perform } of acts) {
    confirmAct(pages, `/administrators/:name/${step}`, {
      find: findAccount,
      name: ({ name }) => name,
      describe: (_, { name, sessions }) => {
        const { acts: all, sessionsEnd } = readTexts().administrators
        const { title, button, about } = all[texts]
        return {
          title: title(name),
          operation,
          trail: [administratorsHome, { to: toAdministratorAddress(name), text: name }],
          button,
          wayBack: 'none',
          children: (
            <p>
              {about} {sessionsEnd(sessions)}
            </p>
          ),
        }
      },
      perform: (context, { name }) => perform(context, name),
    })
  }
}
