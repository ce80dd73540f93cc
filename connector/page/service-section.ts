/** The organization: its service, and the form for address and key where nobody else has set them. */
import { announce, find, make, whileBusy } from './elements.ts'
import type { TextName, Words } from './languages.ts'
import type { PageServer } from './page-server.ts'
import type { FormFault, FormFaults, ServiceView, View } from './view.ts'

const fields = ['address', 'installationKey'] as const
type Field = (typeof fields)[number]

const faultTexts: Readonly<Record<Field, Readonly<Record<FormFault, TextName>>>> = {
  address: {
    missing: 'addressMissing',
    invalid: 'addressInvalid',
    unreachable: 'addressUnreachable',
    refused: 'addressUnreachable',
    'used-up': 'addressUnreachable',
  },
  installationKey: {
    missing: 'keyMissing',
    invalid: 'keyInvalid',
    unreachable: 'keyRefused',
    refused: 'keyRefused',
    'used-up': 'keyUsedUp',
  },
}

export function createServiceSection(
  words: Words,
  server: PageServer,
  check: () => Promise<void>,
): (view: View) => void {
  const [form, save] = [find<HTMLFormElement>('service-form'), find('save')]
  const input = (field: Field) => find<HTMLInputElement>(field)

  function showFaults(faults: FormFaults, failure: string | undefined): void {
    for (const field of fields) {
      const fault = faults[field]
      input(field).setAttribute('aria-invalid', String(fault !== undefined))
      find(`${field}-fault`).textContent =
        fault === undefined ? '' : words.texts[faultTexts[field][fault]]
    }
    find('form-fault').textContent = failure === undefined ? '' : words.texts.notSaved(failure)
    const first = fields.find((field) => faults[field] !== undefined)
    // A field that gets the focus is read out with its fault.
    if (first) input(first).focus()
    else announce(find('form-fault').textContent || words.texts.saved)
  }

  async function submit(): Promise<void> {
    announce(words.texts.saving)
    const [address, installationKey] = [input('address').value, input('installationKey').value]
    const { faults, failure } = await server.saveService({ address, installationKey })
    showFaults(faults, failure)
    if (Object.keys(faults).length > 0 || failure !== undefined) return
    input('installationKey').value = ''
    find<HTMLDetailsElement>('service-details').open = false
    await check()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void whileBusy(save, submit).catch(() => showFaults({}, words.texts.failed))
  })
  return createShow(words)
}

function createShow(words: Words): (view: View) => void {
  const details = find<HTMLDetailsElement>('service-details')
  let before = ''
  return ({ service }) => {
    const now = JSON.stringify(service)
    if (now === before) return
    const isFirst = before === ''
    before = now
    const { address, installationKey } = service
    find('service').replaceChildren(...describeService(words, service))
    showField(words, 'address', service)
    showField(words, 'installationKey', service)
    details.hidden = address.fixedBy !== undefined && installationKey.fixedBy !== undefined
    if (isFirst) details.open = !address.isSet
  }
}

function describeService(words: Words, service: ServiceView): readonly HTMLElement[] {
  const { address, device, lastGood } = service
  if (!address.isSet) return [make('p', { text: words.texts.serviceNone })]
  return [
    make('p', { text: words.texts.serviceAt(address.value) }),
    ...(address.fixedBy === undefined
      ? []
      : [make('p', { class: 'soft', text: words.texts[fixedTexts[address.fixedBy]] })]),
    make('p', {
      text: device === undefined ? words.texts.unregistered : words.texts.registered(device),
    }),
    make('p', {
      class: 'soft',
      text:
        lastGood === undefined
          ? words.texts.noContact
          : words.texts.lastContact(words.formatTime(lastGood)),
    }),
  ]
}

const fixedTexts = {
  administrator: 'fixedByAdministrator',
  environment: 'fixedByEnvironment',
} as const

function showField(words: Words, field: Field, service: ServiceView): void {
  const { value, isSet, fixedBy } = service[field]
  const input = find<HTMLInputElement>(field)
  input.readOnly = fixedBy !== undefined
  // What the user is typing stays.
  if (field === 'address' && (input.readOnly || input.value === '')) input.value = value
  const note = fixedBy ? fixedTexts[fixedBy] : isSet && value === '' ? 'keyIsSet' : undefined
  find(`${field}-note`).textContent = note === undefined ? '' : words.texts[note]
}
