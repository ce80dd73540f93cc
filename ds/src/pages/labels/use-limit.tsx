/** The limit of a change that ends what applications use. */
import { HiddenFields } from '../frame/fields.tsx'

/** The uses that were shown, and a tenth more: an application in use has more by the time of the answer. */
export const UseLimit = ({ of: uses }: { readonly of: number }) => (
  <HiddenFields values={[['maxReach', String(uses + Math.ceil(uses / 10))]]} />
)
