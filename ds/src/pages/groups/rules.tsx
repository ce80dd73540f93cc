/** The rules of a group in words. */
import type { GroupRule } from '@cardwire/protocol'
import { readTexts } from '../frame/texts.ts'
import { describeRule } from './group-data.ts'

export const Rules = ({ rules }: { readonly rules: readonly GroupRule[] }) => (
  <>
    {rules.map((rule, at) => (
      <div>
        {at > 0 && `${readTexts().groups.or} `}
        {describeRule(rule).join('; ')}
      </div>
    ))}
  </>
)
