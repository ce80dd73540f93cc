/** The form that sends an operation from the page, filled with its first example. */
import type { Operation, ProducedValue } from '@cardwire/protocol'
import type { OperationObject, ParameterObject } from '@cardwire/protocol/openapi'
import { html } from 'hono/html'

export function renderTryForm(operation: Operation, described: OperationObject) {
  const { name, method, path } = operation
  const [media, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
  const examples = Object.values(content?.examples ?? {})
  const inputs = described.parameters.map((parameter) => renderInput(parameter, operation))
  return html`<form data-operation="${name}" data-method="${method}" data-path="${path}" data-media="${media ?? ''}" data-token="${String(described.security.length > 0)}">
<h4>Try it</h4>
${inputs}
${examples.length > 1 ? renderChoice(examples) : ''}
${media ? html`<label>Body <textarea name="body" rows="${countLines(examples[0]?.value)}" spellcheck="false">${write(examples[0]?.value)}</textarea></label>` : ''}
<button>Send<span class="unseen"> ${method} ${path}</span></button>
<p role="status"></p>
<div class="answer"></div>
</form>`
}

function renderInput(parameter: ParameterObject, { examples }: Operation) {
  const { name, in: place, required, example = '', schema } = parameter
  const source = examples?.[0]?.params?.[name]
  const field = `${place}.${name}`
  const hint = required ? '' : html` <span class="hint">optional</span>`
  if (Array.isArray(schema['enum'])) {
    return html`<label>${name}${hint} <select name="${field}"><option></option>${schema['enum'].map((value) => html`<option>${String(value)}</option>`)}</select></label>`
  }
  const produced: ProducedValue | undefined = typeof source === 'object' ? source : undefined
  return html`<label>${name}${hint}${produced && html` <span class="hint">from the response of ${produced.operation}</span>`} <input name="${field}" value="${example}" autocomplete="off" spellcheck="false"${required ? html` required` : ''}${produced ? html` data-source="${produced.operation}" data-pointer="${produced.pointer}"` : ''}></label>`
}

const renderChoice = (examples: readonly { readonly summary: string; readonly value: unknown }[]) =>
  html`<label>Example <select name="example">${examples.map(({ summary, value }) => html`<option value="${write(value)}">${summary}</option>`)}</select></label>`

const write = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

const countLines = (value: unknown): number => Math.max(4, write(value).split('\n').length)
