/** What the simulated connector answers about the holder of a card. */
import { encodeBase64 } from '@cardwire/protocol/base64'
import type { CardIdentity as IdentityAnswer } from '@cardwire/protocol/card-identity'
import { createProblem } from './table-problem.ts'
import type { TestIdentity } from './test-types.ts'

const emptyFile = { rawData: '', signature: '' }

/** Every member, as a card that says nothing has it. */
const empty = {
  biometric: {
    ...emptyFile,
    version: '',
    cardNumber: '',
    chipNumber: '',
    cardValidityDateBegin: '',
    cardValidityDateEnd: '',
    cardDeliveryMunicipality: '',
    nationalNumber: '',
    name: '',
    firstNames: '',
    thirdName: '',
    nationality: '',
    birthLocation: '',
    birthDate: '',
    sex: '',
    nobleCondition: '',
    documentType: '',
    specialStatus: '',
    pictureHash: '',
  },
  address: { ...emptyFile, version: '', streetAndNumber: '', zipcode: '', municipality: '' },
  picture: { picture: '', signature: '', width: 0, height: 0 },
} as const satisfies Required<IdentityAnswer>
const parts = Object.keys(empty) as readonly (keyof typeof empty)[]

/** `filter` as the connector takes it. */
export function toIdentityAnswer(
  identity: TestIdentity | undefined,
  filter: string | undefined,
): IdentityAnswer {
  if (!identity) throw createProblem('card-unsupported')
  const wanted = filter?.split(',') ?? parts
  const answers = parts.flatMap((part) => {
    const given = identity[part]
    return given && wanted.includes(part) ? [[part, { ...empty[part], ...encode(given) }]] : []
  })
  return Object.fromEntries(answers)
}

const encode = (members: object) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? encodeBase64(value) : value,
    ]),
  )
