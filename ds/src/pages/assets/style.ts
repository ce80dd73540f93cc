/** The style sheet of the admin console. Its classes are few: a page is made of plain elements. */
import { baseStyle } from '../../http/base-style.ts'
import { chartStyle } from '../charts/chart-style.ts'
import { documentStyle } from '../documents/document-style.ts'

export const style = `${baseStyle}${chartStyle}${documentStyle}
body { margin: 0; }
.skip:focus { position: fixed; top: .5rem; left: .5rem; z-index: 1; padding: .5rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; }

.frame { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); min-height: 100vh; }
.side { padding: 1.25rem 1rem; background: var(--sheet); border-right: 1px solid var(--line); }
.side .product { margin: 0 0 1rem .6rem; font-weight: 700; }
.side > button { display: none; }
#menu { display: block; position: static; inset: auto; width: auto; height: auto; margin: 0; padding: 0; overflow: visible; color: inherit; background: none; border: 0; }
.side h2 { margin: 1rem 0 .2rem .6rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { display: block; padding: .3rem .6rem; border-radius: .4rem; color: var(--ink); text-decoration: none; }
.side li a:hover { text-decoration: underline; }
.side li a[aria-current] { background: var(--accent); color: var(--on-accent); }
.side .account { margin-top: 1.5rem; padding: 1rem .6rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.side .account p { margin: 0 0 .5rem; }
.side .account form + p { margin: 1rem 0 0; font-size: .85rem; line-height: 1.75rem; }
main { padding: 1.5rem 2rem 4rem; max-width: 76rem; min-width: 0; }
main.narrow { margin: 0 auto; max-width: 28rem; }

h1 { margin: 0 0 1rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .6rem; font-size: 1.2rem; overflow-wrap: anywhere; }
h3 { margin: 1.25rem 0 .4rem; font-size: 1rem; }
li { max-width: 46rem; }
p { overflow-wrap: anywhere; }
.soft { color: var(--soft); font-weight: 400; }
.trail { margin: 0 0 .25rem; }

.note, .warning, .error, .done { margin: 1rem 0; padding: .6rem 1rem; max-width: 48rem; background: var(--sheet); border-left: 4px solid var(--accent); border-radius: .2rem; }
.warning, .error { border-color: var(--danger); }
.done { border-color: var(--good); }
.note p:first-child, .warning p:first-child, .error p:first-child, .done p:first-child { margin-top: 0; }
.note > :last-child, .warning > :last-child, .error > :last-child, .done > :last-child { margin-bottom: 0; }
.empty { padding: 1.5rem; border: 1px dashed var(--soft); border-radius: .5rem; max-width: 48rem; }
.tag { display: inline-block; padding: 0 .5rem; border: 1px solid var(--soft); border-radius: 1rem; font-size: .85rem; white-space: nowrap; }
.tag::first-letter { text-transform: uppercase; }
.tag.bad { border-color: var(--danger); color: var(--danger); }
.tag.good { border-color: var(--good); color: var(--good); }

.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 1rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures li { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.figures strong { display: block; font-size: 1.6rem; line-height: 1.2; }

.scroll { position: relative; overflow-x: auto; margin: 1rem 0; }
table { font-size: .95rem; }
caption { padding-bottom: .4rem; }
th, td { padding: .45rem 1rem .45rem 0; }
thead th { font-size: .85rem; color: var(--soft); }
th[aria-sort=ascending]::after { content: " ↑"; }
th[aria-sort=descending]::after { content: " ↓"; }
h2 + .scroll caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
tbody th { font-weight: 600; }
td time, th time { white-space: nowrap; }
td:last-child code { display: inline-block; min-width: 9rem; }
td .id { overflow-wrap: anywhere; }
td .tag { margin: .1rem 0; white-space: normal; border-radius: .8rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: .4rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
td dl { grid-template-columns: max-content minmax(12rem, 1fr); margin: 0; }

form.inline { display: inline; }
form.filters { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 1rem 0; }
.field { margin: 1rem 0; }
.field:is(td *) { margin: 0; }
.filters .field, .filters .actions { margin: 0; max-width: 100%; }
.filters .field:has([type='search']):has(+ .field) { flex-basis: 100%; }
.filters input, .filters select, .filters button { min-height: 2.5rem; }
.filters select { width: 12rem; max-width: 100%; }
.filters > a { line-height: 2.5rem; }
fieldset { margin: 1rem 0; padding: .25rem 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem; max-width: 46rem; min-width: 0; }
legend { padding: 0 .4rem; font-weight: 600; }
.choice { display: flex; gap: .5rem; align-items: baseline; margin: .4rem 0; }
.choice label { font-weight: 400; }
.choice .hint { display: block; }
input[maxlength='64']:not([type='checkbox']):not([type='radio']) { max-width: 40rem; font-family: ui-monospace, monospace; font-size: .9rem; }
td button { white-space: nowrap; }
tr:has(td input) > th { vertical-align: middle; }
.device { display: block; min-width: 14rem; overflow-wrap: anywhere; }
input:not([type='checkbox']):not([type='radio']), select, textarea { max-width: 32rem; font-size: 1rem; }
select { width: auto; max-width: min(100%, 46rem); }
textarea { max-width: 46rem; min-height: 8rem; }
[aria-invalid='true'] { border-color: var(--danger) !important; border-width: 2px !important; }
.field .error { margin: .3rem 0 0; padding: 0 0 0 .6rem; background: none; color: var(--danger); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1.25rem 0; }
button, .button { display: inline-block; border: 1px solid var(--accent); text-decoration: none; }
button.second, .button.second { color: var(--accent); background: none; }
button.danger { color: var(--paper); background: var(--danger); border-color: var(--danger); }
#recovery-codes { display: block; width: max-content; white-space: pre; line-height: 1.7; }
#recovery-codes + button.copy { margin: .6rem 0 0; }
button.copy { padding: .1rem .6rem; font-size: .85rem; margin-left: .5rem; }
.pages { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; margin: 1rem 0; }

.steps { padding-left: 1.5rem; }
.steps > li { max-width: none; }
.steps > li:not([aria-current]) h2 { font-weight: 400; }

progress { width: 100%; max-width: 24rem; accent-color: var(--accent); }
@media (max-width: 52rem) {
  /* Browsers without popovers show the screens above each page. */
  @supports selector(:popover-open) {
    .side { display: flex; justify-content: space-between; align-items: center; padding: .6rem 1rem; }
    .side .product { margin: 0; }
    .side > button { display: inline-block; }
    #menu:not(:popover-open) { display: none; }
    #menu:popover-open { position: absolute; inset: 4rem 0 auto; max-width: none; padding: 1rem; background: var(--sheet); border-bottom: 1px solid var(--line); box-shadow: 0 1rem 2rem rgb(0 0 0 / .25); }
  }
  .frame { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .side { border-right: 0; border-bottom: 1px solid var(--line); }
  .side nav { columns: 2; column-gap: .25rem; }
  .side li a { padding-right: 0; overflow-wrap: anywhere; hyphens: auto; }
  .side section { break-inside: avoid; padding-bottom: 1rem; }
  .side h2 { margin-top: 0; }
  main { padding: 1.25rem 1rem 3rem; }
  .figures { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
  dl { grid-template-columns: minmax(0, 1fr); }
  dd { margin-bottom: .5rem; }
}
@media (forced-colors: active) { .side li a[aria-current] { border: 2px solid; } }
`
