/** The styles of the documents and of their tables of contents. */

export const documentStyle = `
.contents { margin: 1rem 0 2rem; padding: .75rem 1rem; max-width: 46rem; background: var(--sheet); border-radius: .5rem; }
.contents ul { columns: 18rem; column-gap: 1.5rem; list-style: none; margin: 0; padding: 0; }
.contents li { break-inside: avoid; padding: .15rem 0; }
.contents .below { padding-left: 1.25rem; }
.document pre { max-width: 60rem; }
.document h4 { margin: 1rem 0 .3rem; font-size: .95rem; }
.document .scroll td { min-width: 8rem; }
.document .scroll td code { display: inline; min-width: 0; }
.document .scroll td:first-child code { overflow-wrap: normal; }
dl.documents { grid-template-columns: minmax(12rem, 20rem) minmax(0, 1fr); }
@media (max-width: 52rem) { dl.documents { grid-template-columns: minmax(0, 1fr); } }
`
