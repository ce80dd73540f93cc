/** Changing a device: a page says what it does before it does it. */
import { type Device, getDevice } from '@cardwire/protocol'
import type { Services } from '../../services.ts'
import { findWrongName, showConfirmation } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { changes, type DeviceChange, isHarmless } from './changes.ts'
import { EndOfAccess } from './end-of-access.tsx'
import { nameDevice } from './words.ts'

type DeviceServices = Pick<Services, 'settings' | 'clock'>

export function addDeviceChanges(pages: PageApp, services: DeviceServices): void {
  for (const change of changes) {
    const path = `/devices/:id/${change.name}` as const

    pages.get(path, async (context) => ask(context, services, change, await readDevice(context)))

    pages.post(path, async (context) => {
      const device = await readDevice(context)
      const typed = change.isDestructive
        ? findWrongName(await readForm(context), nameDevice(device))
        : undefined
      if (typed !== undefined) return ask(context, services, change, device, typed)
      const { id } = device
      await context.var.api.call(change.operation, { params: { id } })
      const to = change.name === 'remove' ? 'devices' : `devices/${id}`
      return showNext(context, `${to}?done=${change.name}`)
    })
  }
}

async function readDevice({ req, var: { api } }: PageContext): Promise<Device> {
  const { data } = await api.call(getDevice, { params: { id: req.param('id') ?? '' } })
  return data
}

function ask(
  context: PageContext,
  services: DeviceServices,
  change: DeviceChange,
  device: Device,
  typed?: string,
) {
  const name = nameDevice(device)
  const texts = readTexts().devices
  const { title, button, effects, wayBack } = texts.changes[change.name]
  const address = `devices/${device.id}`
  return showConfirmation(context, {
    title: title(name),
    trail: [
      { to: 'devices', text: texts.title },
      { to: address, text: name },
    ],
    operation: change.operation,
    to: `${address}/${change.name}`,
    ...(change.isDestructive && { name }),
    button,
    typed,
    isDangerous: !isHarmless.has(change.name),
    wayBack: { sentence: wayBack },
    children: (
      <ul>
        {effects(readTexts().numbers.duration(services.settings.cycleS)).map((effect) => (
          <li>{effect}</li>
        ))}
        {(change.name === 'block' || change.name === 'remove') && (
          <li>
            <EndOfAccess services={services} device={device} texts={texts.access[change.name]} />
          </li>
        )}
      </ul>
    ),
  })
}
