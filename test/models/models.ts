/** The models of the protocols: their sizes, and the mistakes that each invariant has to see. */

/** Macros of a model, with their values. */
export type Macros = Readonly<Record<string, number | ''>>

export interface Model {
  readonly file: string
  /** How large it is: `short` in the tests, `whole` in the campaign. */
  readonly sizes: { readonly short: Macros; readonly whole: Macros }
  /** Every invariant, by the name of its assertion, with the mistakes that break it first. */
  readonly invariants: Readonly<Record<string, readonly string[]>>
}

export const models: readonly Model[] = [
  {
    file: 'trust.pml',
    sizes: { short: { KEYS: 3 }, whole: { KEYS: 4 } },
    invariants: {
      own_keys: ['UNSIGNED'],
      own_policy: ['REPLAYED_REPLY'],
      own_time: ['UNSIGNED_TIME'],
      key_on_demand: ['REPLAYED_REFUSAL'],
      comes_back: ['UNSIGNED_REGISTRATION'],
    },
  },
  {
    file: 'consent.pml',
    sizes: { short: { WORDS: 2, CONSENTS: 2 }, whole: { WORDS: 2, CONSENTS: 4 } },
    invariants: {
      own_word: ['UNBOUND'],
      one_consent: ['REUSED'],
      own_connector: ['UNPROVEN'],
      same_consent: ['BY_ORIGIN'],
      own_consent: ['ANY_ORIGIN'],
    },
  },
]
