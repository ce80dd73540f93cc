/** Trusting the tokens of a CI system: a form for each kind, and a page that shows the exact claims before they are saved. */
import { type ApiClient, addClientCredential, NewCredential } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import * as z from 'zod/mini'
import type { TrustedClaims } from '../../rules/ci-trust.ts'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, showConfirmation, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { type Form, parseForm, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { isEditedFurther, PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { findApiClient, toClientTrail } from './api-client.tsx'
import { toApiClientAddress } from './api-clients.tsx'
import { ClaimList } from './claim-list.tsx'
import { type TrustSystem, trustSystems } from './trust-systems.tsx'

/** Of the page with the claims. */
const confirmed = 'confirmed'

export function addTrustForms(pages: PageApp, { url }: { readonly url: string }): void {
  for (const system of trustSystems) {
    const path = `/api-clients/:id/trust/${system.name}` as const
    pages.get(path, async (context) => showForm(context, system, await findApiClient(context)))

    pages.post(path, async (context) => {
      const client = await findApiClient(context)
      const form = await readForm(context)
      if (isEditedFurther(form)) return showForm(context, system, client, { form })
      const { trust, errors } = system.read(form)
      if (!trust) return showForm(context, system, client, { form, errors })
      const body = { kind: 'federated' as const, ...trust }
      const problem = findProblem(body)
      if (problem) return showForm(context, system, client, { form, problem })
      if (!form.has(confirmed)) return review(context, { system, client, form, trust, url })
      const params = { id: client.id }
      const added = await attempt(context.var.api.call(addClientCredential, { params, body }))
      if (added instanceof ApiProblem)
        return showForm(context, system, client, { form, problem: added })
      return showDone(context, toApiClientAddress(client.id), addClientCredential)
    })
  }
}

/** What the operation would say about it. */
function findProblem(body: object): ApiProblem | undefined {
  const { error } = z.safeParse(NewCredential, body)
  if (!error) return undefined
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  return new ApiProblem(400, { type: 'urn:cardwire:problem:input-invalid', errors }, null)
}

/** Where the form is. */
const toAddress = ({ name }: TrustSystem, { id }: ApiClient) =>
  `${toApiClientAddress(id)}/trust/${name}`

async function showForm(
  context: PageContext,
  system: TrustSystem,
  client: ApiClient,
  sent: {
    readonly form?: Form
    /** By field. */
    readonly errors?: Readonly<Record<string, Child>> | undefined
    readonly problem?: ApiProblem
  } = {},
) {
  const { form = parseForm(''), errors = {}, problem } = sent
  const { trust: texts } = readTexts().apiClients
  const { title, about } = texts.systems[system.name]
  return showPage(context, {
    title: title(client.id),
    trail: toClientTrail(client),
    status: Object.keys(errors).length > 0 ? 422 : toPageStatus(problem),
    children: (
      <>
        <p>{about}</p>
        <DocumentLinks to={[system.chapter]} />
        <ProblemNote problem={problem} fields={system.paths} />
        <PostForm
          to={toAddress(system, client)}
          button={texts.review}
          cancel={toApiClientAddress(client.id)}
        >
          {system.showFields(form, { errors, problem, isNew: sent.form === undefined })}
        </PostForm>
      </>
    ),
  })
}

function review(
  context: PageContext,
  {
    system,
    client,
    form,
    trust,
    url,
  }: {
    readonly system: TrustSystem
    readonly client: ApiClient
    readonly form: Form
    readonly trust: TrustedClaims
    readonly url: string
  },
) {
  const { administrators, apiClients } = readTexts()
  const texts = apiClients.trust
  const role = administrators.roles[client.role]
  return showConfirmation(context, {
    title: texts.systems[system.name].title(client.id),
    trail: toClientTrail(client),
    operation: addClientCredential,
    to: toAddress(system, client),
    button: texts.save,
    isDangerous: false,
    mayEdit: true,
    wayBack: { sentence: texts.wayBack },
    fields: (
      <HiddenFields
        values={[
          ...system.fields.flatMap((name): (readonly [string, string])[] =>
            form.has(name) ? [[name, form.text(name)]] : [],
          ),
          [confirmed, 'yes'],
        ]}
      />
    ),
    children: (
      <>
        <p>{texts.claims(client.id, role)}</p>
        <ClaimList trust={trust} url={url} />
        {trust.subject.includes('*') && <p>{texts.wildcard(<code>*</code>)}</p>}
      </>
    ),
  })
}
