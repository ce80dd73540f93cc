/** The packages of the client as they are published: where each has its sources, and what is bundled together. */

export interface Package {
  /** Without `@cardwire/`. */
  readonly name: 'client' | 'protocol' | 'server' | 'react'
  /** Its folder, from the folder of the client. */
  readonly folder: string
  /** Entries that share their modules: the test double has the `CardwireError` of the page. */
  readonly bundles: readonly (readonly string[])[]
  /** The first line of each file; `"use client"` tells a framework that renders on a server what runs in browsers, too. */
  readonly banner?: string
  /** The entries that have a reference. The contract is documented by its OpenAPI documents. */
  readonly documented: readonly string[]
}

export const packages: readonly Package[] = [
  {
    name: 'protocol',
    folder: 'protocol',
    bundles: [['index']],
    documented: [],
  },
  {
    name: 'client',
    folder: '.',
    bundles: [['index', 'connection', 'testing/index'], ['describe'], ['files']],
    documented: ['index', 'connection', 'describe', 'files', 'testing/index'],
  },
  { name: 'server', folder: 'server', bundles: [['index']], documented: ['index'] },
  {
    name: 'react',
    folder: 'react',
    bundles: [['index']],
    banner: '"use client";',
    documented: ['index'],
  },
]

/** What an integrator imports for an entry: `testing/index` of `client` is `@cardwire/client/testing`. */
export const specifierOf = ({ name }: Package, entry: string): string =>
  ['@cardwire', name, entry.replace(/\/?index$/, '')].filter((part) => part !== '').join('/')
