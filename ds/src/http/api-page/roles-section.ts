/** The table of the page of the API: which role may call which operation. */
import { getLeastRole, includesRole, type Operation, roles } from '@cardwire/protocol'
import { html } from 'hono/html'
import type { Html } from './operation-section.ts'

/** Operations that no role helps with are left out. */
export function renderRoles(operations: readonly Operation[]): Html {
  const rows = operations.flatMap((operation) => {
    const needed = getLeastRole(operation)
    return needed === undefined ? [] : [{ operation, needed }]
  })
  return html`<section id="roles" aria-labelledby="roles-title">
<h2 id="roles-title">Roles</h2>
<p>What a viewer may do, a publisher may, too; an administrator may do everything.</p>
<details>
<summary>Every operation and the roles that may call it</summary>
<table><caption>Operations by role</caption><thead><tr><th scope="col">Operation</th>${roles.map(
    (role) => html`<th scope="col">${role}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ({ operation: { name, method, path }, needed }) =>
      html`<tr><th scope="row"><a href="#${name}">${method} <code>${path}</code></a></th>${roles.map(
        (role) => html`<td>${includesRole(role, needed) ? 'yes' : 'no'}</td>`,
      )}</tr>`,
  )}</tbody></table>
</details>
</section>
`
}
