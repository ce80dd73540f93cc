/** One operation on the page of the API: what it takes and answers, and a form that sends it. */
import { type Access, getLeastRole, type Operation } from '@cardwire/protocol'
import type { OperationObject } from '@cardwire/protocol/openapi'
import { html } from 'hono/html'
import { createCurlCommand } from './curl-command.ts'
import { renderFieldTable, renderText } from './tables.ts'
import { renderTryForm } from './try-form.ts'

export type Html = ReturnType<typeof html>

const callers: Readonly<Record<Access, string>> = {
  anyone: 'Anyone',
  viewer: 'Viewers, publishers and administrators, with an access token',
  publisher: 'Publishers and administrators, with an access token',
  administrator: 'Administrators, with an access token',
  application:
    'Viewers, publishers and administrators, with an access token; back ends, with an application token',
  'api-key': "Back ends, with a label's API key",
  registration: "Connectors, with their version's installation key",
  gateway: 'Trusted proxies, with the API key of their client',
  device: 'Registered connectors, which sign each request',
  local: 'Programs on this computer; viewers, publishers and administrators, with an access token',
  consented: 'Pages with consent',
  management: 'Programs of this user',
}

export function renderOperation(operation: Operation, described: OperationObject): Html {
  const { name, method, path, tag, summary, description, access, examples = [] } = operation
  const titles = examples.map((example) => example.summary)
  const search = [method, path, name, tag, summary, ...titles].join(' ').toLowerCase()
  const command = createCurlCommand(method, path, described)
  return html`<details class="operation" id="${name}" data-search="${search}">
<summary><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3> <span class="about">${renderText(summary)}</span></summary>
<div class="content">
${description && html`<p>${renderText(description)}</p>`}
<p><strong>Who may call it:</strong> ${callers[access]}.</p>
${renderInput(described)}
${command && html`<h4>As a command</h4><pre><code>${command}</code></pre>`}
${isForPages(operation) ? renderTryForm(operation, described) : html`<p class="note">${explainRefusal(operation)}</p>`}
${renderResponses(described)}
</div>
</details>`
}

function renderInput({ parameters, requestBody }: OperationObject): Html {
  const rows = parameters.map(({ name, in: place, schema, required, description = '' }) => ({
    path: name,
    place,
    schema,
    required,
    description,
  }))
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return html`${rows.length > 0 ? renderFieldTable('Parameters', rows) : ''}${
    content?.schema ? renderFieldTable(`Body, ${media}`, content.schema) : ''
  }`
}

function renderResponses({ responses }: OperationObject): Html {
  return html`<table><caption>Responses</caption><thead><tr><th scope="col">Status</th><th scope="col">When</th></tr></thead><tbody>${Object.entries(
    responses,
  ).map(
    ([status, { description }]) =>
      html`<tr><th scope="row">${status}</th><td>${description.split('; ').map((line) => html`<div>${line}</div>`)}</td></tr>`,
  )}</tbody></table>${renderSuccess(responses)}`
}

function renderSuccess(responses: OperationObject['responses']): Html | '' {
  const success = Object.entries(responses).find(([status]) => Number(status) < 300)
  const [media, content] = Object.entries(success?.[1].content ?? {})[0] ?? []
  return content?.schema ? renderFieldTable(`Response body, ${media}`, content.schema) : ''
}

const isForPages = (operation: Operation): boolean =>
  operation.pages !== 'refused' &&
  (operation.access === 'anyone' || getLeastRole(operation) !== undefined)

const explainRefusal = ({ access }: Operation): string =>
  access === 'device' || access === 'registration'
    ? 'Connectors send it, with a signature that a page cannot make.'
    : 'The service refuses it from every web page, also from this one. Send it from a program.'
